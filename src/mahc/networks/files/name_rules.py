"""Which names a network format can hold, and the configurations of the parents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from mahc.errors import FormatError, Message, PerInterface
from mahc.networks.network import Network

SAFE_NAMES = PerInterface(" (mahc.networks.safe_names.with_safe_names)", " (--safe-names)")


def require_names(
    network: Network,
    kind: str,
    allowed: re.Pattern[str],
    described: str,
    states: re.Pattern[str] | None = None,
) -> None:
    """Raise FormatError if the format cannot hold the name of a variable or state."""
    for name, labels in zip(network.names, network.states, strict=True):
        if not allowed.fullmatch(name):
            raise FormatError(_refusal(kind, f"the variable '{name}'", described))
        for label in labels:
            if not (states or allowed).fullmatch(label):
                what = described if states is None else "text without quotes or control characters"
                raise FormatError(_refusal(kind, f"the state '{label}' of '{name}'", what))


def configurations(network: Network, node: int) -> Iterator[tuple[str, ...]]:
    """The states of the parents for each row of a table, the last parent fastest."""
    return product(*(network.states[parent] for parent in network.parents[node]))


def _refusal(kind: str, what: str, described: str) -> Message:
    return Message(f"{kind} cannot hold {what}: it needs {described}; write .json, or replace such names", SAFE_NAMES)
