"""A panel network as a k-slice temporal Bayesian network of pyAgrum."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mahc.errors import MahcError
from mahc.networks.export import load_pyagrum, to_pyagrum
from mahc.panels.slices import at

if TYPE_CHECKING:
    from mahc.panels.network import PanelNetwork


def to_ktbn(panel: PanelNetwork) -> Any:
    """See `PanelNetwork.to_pyagrum`."""
    gum = load_pyagrum()
    try:
        kind = importlib.import_module("pyagrum.ktbn").KTBN
    except ImportError:
        raise MahcError(f"pyAgrum {gum.__version__} has no temporal networks: run pip install -U pyagrum") from None
    network = panel.unroll(panel.lags + 1)
    called = {at(name, step): f"{name}[{step}]" for name in panel.variables for step in range(panel.lags + 1)}
    renamed = replace(network, names=tuple(called.get(name, name) for name in network.names))
    try:
        return kind.fromBN(to_pyagrum(renamed), set(panel.static))
    except gum.GumException as problem:
        reason = " ".join(str(problem).split())
        raise MahcError(f"pyAgrum does not take the network ({reason}): rename the variables") from None
