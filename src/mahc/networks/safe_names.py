"""Replacing names that some network formats cannot hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mahc.networks.network import Network

SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Renamed:
    """A network with safe names; replaced variables as (old, new), replaced states as (variable, old, new)."""

    network: Network
    variables: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str, str], ...]


def with_safe_names(
    network: Network, names: re.Pattern[str] | None = SAFE, state_names: re.Pattern[str] | None = None
) -> Renamed:
    """The same network; names that do not match are replaced by a letter followed by letters, digits and _.

    `names` is what a format can hold (`NetworkFormat.names`): all names if None. `state_names` is the same for
    states; as for variables if None.

    >>> import numpy as np
    >>> odd = Network("odd", ("my rain",), ((">1", "0"),), ((),), (np.array([[0.2, 0.8]]),))
    >>> renamed = with_safe_names(odd)
    >>> renamed.network.names, renamed.network.states
    (('my_rain',), (('s_1', 's0'),))
    >>> renamed.states
    (('my rain', '>1', 's_1'), ('my rain', '0', 's0'))
    """
    if names is None:
        return Renamed(network, (), ())
    safe = _safe(network.names, "v", names)
    states = tuple(_safe(labels, "s", state_names or names) for labels in network.states)
    variables = tuple((old, new) for old, new in zip(network.names, safe, strict=True) if old != new)
    changed = tuple(
        (name, old, new)
        for name, olds, news in zip(network.names, network.states, states, strict=True)
        for old, new in zip(olds, news, strict=True)
        if old != new
    )
    return Renamed(replace(network, names=safe, states=states, typed_states=None), variables, changed)


def _safe(names: Sequence[str], prefix: str, allowed: re.Pattern[str]) -> tuple[str, ...]:
    """Keep names that match; replace the others by the first free name."""
    taken = {name for name in names if allowed.fullmatch(name)}
    found = []
    for name in names:
        new = name if allowed.fullmatch(name) else _clean(name, prefix)
        if new != name:
            count, base = 2, new
            while new in taken:
                new, count = f"{base}_{count}", count + 1
            taken.add(new)
        found.append(new)
    return tuple(found)


def _clean(name: str, prefix: str) -> str:
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return cleaned if re.match(r"[A-Za-z]", cleaned) else prefix + cleaned
