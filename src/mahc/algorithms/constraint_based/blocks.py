"""The blocks of a skeleton: two neighbours and all that lies on any path between them.

What separates two variables need hold nothing else. Let S separate x and y in the true graph, whose edges are all
in the skeleton, and B be the variables on its paths from x to y. S without what is outside of B separates as well: a
path that S blocks at a non-collider of its own keeps that one, for it is in B; a path that S blocks at a collider
without descendants in S is blocked by fewer all the more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mahc.graphs.bitset import members, to_bitset


def find_blocks(adjacent: Sequence[int]) -> list[list[int]]:
    """For each variable the blocks that it lies in, as bits; every edge is in exactly one block.

    >>> find_blocks([0b0110, 0b0101, 0b1011, 0b0100])
    [[7], [7], [12, 7], [12]]
    """
    found: list[list[int]] = [[] for _ in adjacent]
    for block in _blocks(adjacent):
        for v in members(block):
            found[v].append(block)
    return found


def _blocks(adjacent: Sequence[int]) -> Iterator[int]:
    # Hopcroft and Tarjan: `low` is the earliest variable reached from below v by one step back.
    entered: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in range(len(adjacent)):
        if root in entered:
            continue
        entered[root] = low[root] = len(entered)
        walk = [(root, -1, members(adjacent[root]))]
        visited = [root]
        while walk:
            v, above, ahead = walk[-1]
            w = next(ahead, None)
            if w is not None:
                if w not in entered:
                    entered[w] = low[w] = len(entered)
                    walk.append((w, v, members(adjacent[w])))
                    visited.append(w)
                elif w != above:
                    low[v] = min(low[v], entered[w])
                continue
            walk.pop()
            if above < 0:
                continue
            low[above] = min(low[above], low[v])
            if low[v] >= entered[above]:
                start = visited.index(v)
                yield to_bitset(visited[start:]) | 1 << above
                del visited[start:]
