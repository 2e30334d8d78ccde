"""Minimal sets that separate two variables, in a graph without circles.

A minimal m-separating set of x and y is a minimal x-y separator in the augmented graph over the ancestors of x and y
(van der Zander, Liśkiewicz and Textor 2019). A variable that may not be used is eliminated from that graph: its
neighbours become adjacent. The minimal separators of what is left are found one after another from the one closest
to x (Shen and Liang 1997): each comes after polynomial time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.walks import MSeparation


def minimal_separators(graph: MSeparation, x: int, y: int, usable: int) -> Iterator[int]:
    """All minimal subsets of `usable` that m-separate x and y, as bitsets; none where no subset does.

    >>> chain = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> [bin(found) for found in minimal_separators(chain, 0, 2, 0b010)]
    ['0b10']
    >>> list(minimal_separators(chain, 0, 2, 0))
    []
    """
    neighbours = _augment(graph, 1 << x | 1 << y)
    _eliminate(neighbours, ~(usable | 1 << x | 1 << y))
    if neighbours[x] >> y & 1:
        return
    first = _close(neighbours, 1 << x, y)
    waiting, seen = [_rank(first)], {first}
    while waiting:
        _, _, separator = heapq.heappop(waiting)
        yield separator
        side = _component(neighbours, 1 << x, ~separator)
        for v in members(separator & ~neighbours[y]):
            following = _close(neighbours, side | 1 << v, y)
            if following not in seen:
                seen.add(following)
                heapq.heappush(waiting, _rank(following))


def _rank(separator: int) -> tuple[int, list[int], int]:
    """Small sets first, then by their variables."""
    return separator.bit_count(), list(members(separator)), separator


def _augment(graph: MSeparation, ends: int) -> list[int]:
    """The neighbours of each ancestor of the ends in the augmented graph: those that a path of colliders joins.

    Variables that bidirected edges connect, with their parents, are all adjacent to each other.
    """
    kept = transitive_closure(ends, graph.parents)
    spouses = [mine & kept for mine in graph.spouses]
    neighbours = [0] * len(spouses)
    left = kept
    while left:
        district = transitive_closure(left & -left, spouses)
        left &= ~district
        clique = district
        for v in members(district):
            clique |= graph.parents[v]
        for v in members(clique):
            neighbours[v] |= clique & ~(1 << v)
    return neighbours


def _eliminate(neighbours: list[int], unusable: int) -> None:
    for u, around in enumerate(neighbours):
        if unusable >> u & 1:
            for v in members(around):
                neighbours[v] = (neighbours[v] | around) & ~(1 << u) & ~(1 << v)
            neighbours[u] = 0


def _component(neighbours: list[int], start: int, allowed: int) -> int:
    found = frontier = start
    while frontier:
        low = frontier & -frontier
        fresh = neighbours[low.bit_length() - 1] & allowed & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return found


def _close(neighbours: list[int], side: int, y: int) -> int:
    """The minimal separator among the neighbours of a connected set that contains x: those that y's part touches."""
    other = _component(neighbours, 1 << y, ~(side | _around(neighbours, side)))
    return _around(neighbours, other)


def _around(neighbours: list[int], group: int) -> int:
    found = 0
    for v in members(group):
        found |= neighbours[v]
    return found & ~group
