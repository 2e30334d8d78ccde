"""Inducing paths: which variables no set of observed ones can separate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mahc.graphs.bitset import members, reach


def induced_pairs(
    ancestors: Sequence[int], children: Sequence[int], spouses: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs i < j joined by an inducing path with at least one variable between them.

    `ancestors[v]` holds v itself. All variables between are colliders, so they form a chain of spouses: only
    the variables around one district (a set joined by spouses) need to be looked at.
    """
    found: set[tuple[int, int]] = set()
    for district in _districts(spouses):
        for i in members(_around(district, children)):
            enter_i = (children[i] | spouses[i]) & district
            for j in members(_around(district, children) >> (i + 1) << (i + 1)):
                enter_j = (children[j] | spouses[j]) & district
                allowed = (ancestors[i] | ancestors[j]) & ~(1 << i) & ~(1 << j)
                if enter_i and _linked(enter_i & allowed, enter_j & allowed, spouses, allowed):
                    found.add((i, j))
    yield from sorted(found)


def _districts(spouses: Sequence[int]) -> Iterator[int]:
    seen = 0
    for v, bits in enumerate(spouses):
        if bits and not seen >> v & 1:
            district = reach(1 << v, spouses)
            seen |= district
            yield district


def _around(district: int, children: Sequence[int]) -> int:
    around = district
    for v, bits in enumerate(children):
        if bits & district:
            around |= 1 << v
    return around


def _linked(start: int, goal: int, spouses: Sequence[int], allowed: int) -> bool:
    found = frontier = start
    while frontier and not found & goal:
        low = frontier & -frontier
        fresh = spouses[low.bit_length() - 1] & allowed & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return bool(found & goal)
