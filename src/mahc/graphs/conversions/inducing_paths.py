"""Inducing paths: which pairs of variables no set of observed variables separates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.stopping import Check, never_stop


def inducing_path_pairs(
    ancestors: Sequence[int], children: Sequence[int], spouses: Sequence[int], check: Check = never_stop
) -> Iterator[tuple[int, int]]:
    """Pairs i < j that an inducing path with at least one inner variable connects.

    `ancestors[v]` includes v. All inner variables are colliders, so they form a chain of bidirected edges: only
    the variables around one district (a set connected by bidirected edges) need to be considered. `check` is called
    for each of them.
    """
    found: set[tuple[int, int]] = set()
    for district in _districts(spouses):
        around = _around(district, children)
        for i in members(around):
            check()
            enter_i = (children[i] | spouses[i]) & district
            for j in members(around >> (i + 1) << (i + 1)):
                enter_j = (children[j] | spouses[j]) & district
                allowed = (ancestors[i] | ancestors[j]) & ~(1 << i) & ~(1 << j)
                if enter_i and _connected(enter_i & allowed, enter_j & allowed, spouses, allowed):
                    found.add((i, j))
    yield from sorted(found)


def _districts(spouses: Sequence[int]) -> Iterator[int]:
    seen = 0
    for v, others in enumerate(spouses):
        if others and not seen >> v & 1:
            district = transitive_closure(1 << v, spouses)
            seen |= district
            yield district


def _around(district: int, children: Sequence[int]) -> int:
    around = district
    for v, below in enumerate(children):
        if below & district:
            around |= 1 << v
    return around


def _connected(start: int, goal: int, spouses: Sequence[int], allowed: int) -> bool:
    found = frontier = start
    while frontier and not found & goal:
        low = frontier & -frontier
        fresh = spouses[low.bit_length() - 1] & allowed & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return bool(found & goal)
