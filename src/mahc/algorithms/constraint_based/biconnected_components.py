"""The biconnected components of a skeleton: two neighbours and all variables on any path between them.

A set that separates two variables needs to contain nothing else. Let S separate x and y in the true graph, whose
edges are all in the skeleton, and let B be the variables on its paths from x to y. Then S without the variables
outside B separates them too: a path that S blocks at a non-collider is still blocked, because that variable is in B;
a path that S blocks at a collider without descendants in S stays blocked when S becomes smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.stopping import Check, never_stop


def find_biconnected_components(adjacent: Sequence[int], check: Check = never_stop) -> list[list[int]]:
    """For each variable its components, as bitsets; every edge is in exactly one component.

    `check` is called at each step of the walk.

    >>> find_biconnected_components([0b0110, 0b0101, 0b1011, 0b0100])
    [[7], [7], [12, 7], [12]]
    """
    found: list[list[int]] = [[] for _ in adjacent]
    for component in _components(adjacent, check):
        for v in members(component):
            found[v].append(component)
    return found


def _components(adjacent: Sequence[int], check: Check) -> Iterator[int]:
    # Hopcroft and Tarjan: `low[v]` is the earliest variable that one back edge from below v leads to.
    entered: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in range(len(adjacent)):
        if root in entered:
            continue
        entered[root] = low[root] = len(entered)
        walk = [(root, -1, members(adjacent[root]))]
        visited = [root]
        while walk:
            check()
            v, parent, neighbours = walk[-1]
            w = next(neighbours, None)
            if w is not None:
                if w not in entered:
                    entered[w] = low[w] = len(entered)
                    walk.append((w, v, members(adjacent[w])))
                    visited.append(w)
                elif w != parent:
                    low[v] = min(low[v], entered[w])
                continue
            walk.pop()
            if parent < 0:
                continue
            low[parent] = min(low[parent], low[v])
            if low[v] >= entered[parent]:
                start = visited.index(v)
                yield to_bitset(visited[start:]) | 1 << parent
                del visited[start:]
