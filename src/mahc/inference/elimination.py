"""The order in which variables are eliminated, and what elimination in that order costs."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from mahc.graphs.bitset import members, to_bitset

BYTES = 8  # of a probability


@dataclass(frozen=True)
class Elimination:
    """An order, and for each variable in it the clique that it makes: itself first, then those eliminated later.

    Variables that are not in the order are kept to the end.
    """

    order: tuple[int, ...]
    cliques: tuple[tuple[int, ...], ...]
    sizes: Sequence[int]

    @cached_property
    def place(self) -> dict[int, int]:
        """The step at which each variable is eliminated."""
        return {v: step for step, v in enumerate(self.order)}

    @property
    def treewidth(self) -> int:
        """The size of the largest clique less one: an upper bound of the treewidth, by the min-fill rule."""
        return max((len(clique) for clique in self.cliques), default=1) - 1

    @property
    def largest(self) -> tuple[int, ...]:
        """The clique with the largest table."""
        return max(self.cliques, key=self.cells, default=())

    def cells(self, clique: Collection[int]) -> int:
        """The numbers in the table of a clique."""
        return prod(self.sizes[v] for v in clique)

    def bytes(self, *, both_ways: bool = False, batch: int = 1) -> int:
        """An upper bound of the memory: two copies of the largest table, and all messages.

        Propagation in both directions also keeps the tables of all cliques.
        """
        cells = 2 * max((self.cells(clique) for clique in self.cliques), default=1)
        cells += sum(self.cells(clique[1:]) for clique in self.cliques)
        if both_ways:
            cells += 2 * sum(self.cells(clique) for clique in self.cliques)
        return BYTES * batch * cells


def eliminate(
    scopes: Iterable[Collection[int]], sizes: Sequence[int], rank: Sequence[int], keep: Collection[int] = ()
) -> Elimination:
    """Order all variables of the scopes but those in `keep` by the min-fill rule.

    The next variable is the one whose neighbours lack the fewest edges between each other; ties go to the smaller
    table, then to the first by name (`rank`), so the order of the columns does not matter.

    >>> eliminate([(0, 1), (1, 2), (2, 3), (3, 0)], [2, 2, 2, 2], [0, 1, 2, 3]).treewidth
    2
    """
    adjacent: dict[int, int] = {}
    for scope in scopes:
        together = to_bitset(scope)
        for v in scope:
            adjacent[v] = adjacent.get(v, 0) | together
    for v in adjacent:
        adjacent[v] &= ~(1 << v)
    kept = to_bitset(keep)
    waiting = {v: _price(v, adjacent, sizes, rank) for v in adjacent if not kept >> v & 1}
    queue = [(price, v) for v, price in waiting.items()]
    heapq.heapify(queue)
    order, neighbours = [], []
    while queue:
        price, v = heapq.heappop(queue)
        if waiting.get(v) != price:
            continue
        del waiting[v]
        around = adjacent.pop(v)
        order.append(v)
        neighbours.append(around)
        for u in _connect(v, around, adjacent):
            if u in waiting:
                fresh = _price(u, adjacent, sizes, rank)
                if fresh != waiting[u]:
                    waiting[u] = fresh
                    heapq.heappush(queue, (fresh, u))
    place = {v: step for step, v in enumerate(order)}
    after = len(order)
    cliques = tuple(
        (v, *sorted(members(around), key=lambda u: (place.get(u, after), rank[u])))
        for v, around in zip(order, neighbours, strict=True)
    )
    return Elimination(tuple(order), cliques, sizes)


def _price(v: int, adjacent: dict[int, int], sizes: Sequence[int], rank: Sequence[int]) -> tuple[int, int, int]:
    around = adjacent[v]
    lacking = sum((around & ~adjacent[u]).bit_count() - 1 for u in members(around)) // 2
    return lacking, sizes[v] * prod(sizes[u] for u in members(around)), rank[v]


def _connect(v: int, around: int, adjacent: dict[int, int]) -> Iterable[int]:
    """Remove v and connect its neighbours; return every variable whose price may have changed."""
    touched = around
    for u in members(around):
        fresh = around & ~adjacent[u] & ~(1 << u)
        adjacent[u] = (adjacent[u] | fresh) & ~(1 << v)
        if fresh:
            touched |= adjacent[u]
    return members(touched & ~(1 << v))
