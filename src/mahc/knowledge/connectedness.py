"""Whether the constraints allow one connected graph."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from mahc.errors import KnowledgeError
from mahc.knowledge.constraints import Constraints

SHOWN = 12  # reasons and names that the message lists


def refuse_unconnectable(constraints: Constraints) -> None:
    """Raise a KnowledgeError if some variables can never be joined to the rest."""
    joinable = constraints.allowed & (constraints.limit > 0)[None, :]
    parts = _components(joinable | joinable.T)
    if len(parts) < 2:
        return
    names = constraints.names
    inside = min(parts, key=lambda part: (len(part), sorted(names[v] for v in part)))
    outside = sorted(set(range(len(names))) - set(inside), key=names.__getitem__)
    inside.sort(key=names.__getitem__)
    reasons: list[str] = []
    for u, v in product(inside, outside):
        for arc in ((u, v), (v, u)):
            reason = constraints.reason(*arc) or f"at most 0 parents of {names[arc[1]]}"
            if reason not in reasons:
                reasons.append(reason)
        if len(reasons) > SHOWN:
            reasons[SHOWN:] = ["and so on"]
            break
    group = ", ".join(names[v] for v in inside[:SHOWN]) + (", ..." if len(inside) > SHOWN else "")
    raise KnowledgeError(
        f"all_relevant asks for one connected graph, but nothing may join {group} to the rest ({', '.join(reasons)}): "
        "allow an arc between them or remove all_relevant"
    )


def _components(adjacent: NDArray[np.bool_]) -> list[list[int]]:
    """The connected components of an undirected graph."""
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
