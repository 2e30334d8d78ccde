"""Whether the constraints leave room for one connected graph."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from mahc.errors import KnowledgeError
from mahc.knowledge.constraints import Constraints

SHOWN = 12  # reasons that the message spells out


def refuse_apart(constraints: Constraints) -> None:
    """Refuse constraints under which some variables can never be joined with the rest."""
    joinable = constraints.allowed & (constraints.limit > 0)[None, :]
    parts = _part(joinable | joinable.T)
    if len(parts) < 2:
        return
    names = constraints.names
    inside = min(parts, key=lambda part: (len(part), sorted(names[v] for v in part)))
    outside = sorted(set(range(len(names))) - set(inside), key=names.__getitem__)
    inside.sort(key=names.__getitem__)
    reasons: list[str] = []
    for u, v in product(inside, outside):
        for way in ((u, v), (v, u)):
            reason = constraints.reason(*way) or f"at most 0 parents of {names[way[1]]}"
            if reason not in reasons:
                reasons.append(reason)
        if len(reasons) > SHOWN:
            reasons[SHOWN:] = ["and so on"]
            break
    group = ", ".join(names[v] for v in inside[:SHOWN]) + (", ..." if len(inside) > SHOWN else "")
    raise KnowledgeError(
        f"all variables are to be relevant, but nothing may join {group} to the rest ({', '.join(reasons)}): "
        "allow an arc between them or leave all_relevant out"
    )


def _part(adjacent: NDArray[np.bool_]) -> list[list[int]]:
    """The connected parts of an undirected graph."""
    waiting = np.ones(len(adjacent), dtype=bool)
    parts: list[list[int]] = []
    while waiting.any():
        part = np.zeros(len(adjacent), dtype=bool)
        part[int(waiting.argmax())] = True
        while True:
            grown = part | adjacent[part].any(axis=0)
            if (grown == part).all():
                break
            part = grown
        waiting &= ~part
        parts.append(np.flatnonzero(part).tolist())
    return parts
