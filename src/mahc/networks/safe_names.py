"""Names that every format of networks can hold, in place of those that some cannot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mahc.networks.network import Network


@dataclass(frozen=True)
class Renamed:
    """A network with safe names, and every name that was replaced as (old, new)."""

    network: Network
    variables: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str, str], ...]


def with_safe_names(network: Network) -> Renamed:
    """The same network with letters, digits and _ after a letter as its only names.

    >>> import numpy as np
    >>> odd = Network("odd", ("my rain",), ((">1", "0"),), ((),), (np.array([[0.2, 0.8]]),))
    >>> renamed = with_safe_names(odd)
    >>> renamed.network.names, renamed.network.states
    (('my_rain',), (('s_1', 's0'),))
    >>> renamed.states
    (('my rain', '>1', 's_1'), ('my rain', '0', 's0'))
    """
    names = _safe(network.names, "v")
    states = tuple(_safe(labels, "s") for labels in network.states)
    variables = tuple((old, new) for old, new in zip(network.names, names, strict=True) if old != new)
    changed = tuple(
        (name, old, new)
        for name, olds, news in zip(network.names, network.states, states, strict=True)
        for old, new in zip(olds, news, strict=True)
        if old != new
    )
    return Renamed(replace(network, names=names, states=states), variables, changed)


def _safe(words: Sequence[str], prefix: str) -> tuple[str, ...]:
    """Names that are safe already keep theirs; the others take the first that is free."""
    taken = {word for word in words if _clean(word, prefix) == word}
    found = []
    for word in words:
        new = _clean(word, prefix)
        if new != word:
            count, base = 2, new
            while new in taken:
                new, count = f"{base}_{count}", count + 1
            taken.add(new)
        found.append(new)
    return tuple(found)


def _clean(word: str, prefix: str) -> str:
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", word)
    return cleaned if re.match(r"[A-Za-z]", cleaned) else prefix + cleaned
