"""Paths that are causal in some DAG (or MAG) of a class.

A path from a to b is possibly causal if no edge between two of its variables points back to the earlier one. Where
there is such a path, there is an unshielded one: of three variables in a row, the first and the last are not adjacent.
On an unshielded path it is enough that its own edges do not point back (Perković, Kalisch and Maathuis 2017). So a
walk that remembers the edge it came by finds everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from mahc.graphs.bitset import members


def reach(start: int, successors: Sequence[int], adjacent: Sequence[int], avoid: int = 0) -> int:
    """All variables on unshielded paths along `successors` from a variable of `start`, including `start` (bitsets).

    >>> reach(0b001, [0b010, 0b100, 0], [0b010, 0b101, 0b010])
    7
    """
    found = start & ~avoid
    came_from = [0] * len(successors)  # the variables from which each was reached
    todo = []
    for s in members(found):
        todo += [(s, v) for v in members(successors[s] & ~avoid)]
    while todo:
        u, v = todo.pop()
        if came_from[v] >> u & 1:
            continue
        came_from[v] |= 1 << u
        found |= 1 << v
        todo += [(v, w) for w in members(successors[v] & ~adjacent[u] & ~(1 << u) & ~avoid)]
    return found


def find_path(
    start: int, goal: int, successors: Sequence[int], adjacent: Sequence[int], avoid: int = 0
) -> list[int] | None:
    """A shortest unshielded path along `successors` from one variable to another, or None.

    >>> find_path(0, 2, [0b010, 0b100, 0], [0b010, 0b101, 0b010])
    [0, 1, 2]
    """
    if start == goal:
        return [start]
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    layer = [(start, v) for v in members(successors[start] & ~avoid)]
    before.update(dict.fromkeys(layer))
    while layer:
        following = []
        for state in layer:
            u, v = state
            if v == goal:
                path = [v]
                step: tuple[int, int] | None = state
                while step is not None:
                    path.append(step[0])
                    step = before[step]
                return path[::-1]
            for w in members(successors[v] & ~adjacent[u] & ~(1 << u) & ~avoid):
                if (v, w) not in before:
                    before[v, w] = state
                    following.append((v, w))
        layer = following
    return None
