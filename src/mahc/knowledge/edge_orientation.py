"""Directions for required edges: whether legal ones exist, and which the data prefer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from mahc.errors import KnowledgeError

if TYPE_CHECKING:
    from mahc.knowledge.constraints import Constraints

Arc = tuple[int, int]
Prefer = Callable[[int, int], float]


def initial_orientation(
    constraints: Constraints, prefer: Prefer, tolerance: float = 1e-9, given: Collection[Arc] = ()
) -> list[Arc]:
    """The given (allowed) arcs, the required arcs and every required edge in one direction: legal, sorted.

    Raises a KnowledgeError where the given arcs leave no legal way to fulfil the rest. `prefer(u, v)` is the value of
    the arc u -> v. The edges for which the direction matters most are directed first, each in its better direction if
    the others can still be directed legally, else in the other one; ties (within the tolerance) go by the order of
    the variables.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> edges = Knowledge(required_edges=[("a", "b"), ("b", "c"), ("a", "c")])
    >>> initial_orientation(edges.check(["a", "b", "c"], 8), lambda u, v: float(u - v))
    [(1, 0), (2, 0), (2, 1)]
    """
    arcs = set(constraints.required_arcs) | set(given)
    edges = set(constraints.required_edges)
    edges -= arcs | {(v, u) for u, v in arcs}
    touched = {v for pair in (*arcs, *edges) for v in pair}
    n = len(constraints.limit)
    # A variable without required arcs or edges is on no required path: its tier does not matter.
    virtual = [arc for arc in constraints.virtual_arcs if all(v >= n or v in touched for v in arc)]
    limit: list[int] = constraints.limit.tolist()
    if find_unplaceable(limit, arcs, edges, virtual):
        raise KnowledgeError(
            "the start graph leaves no acyclic way to fulfil tiers, in-degrees and what is required: "
            "remove arcs from it"
        )
    for better in _rank(edges, prefer, tolerance):
        edges.discard(better)
        edges.discard(better[::-1])
        if find_unplaceable(limit, arcs | {better}, edges, virtual):
            arcs.add(better[::-1])
        else:
            arcs.add(better)
    return sorted(arcs)


def _rank(edges: set[Arc], prefer: Prefer, tolerance: float) -> Sequence[Arc]:
    """Each edge in its better direction, those with the largest difference first."""
    ranked: list[tuple[float, Arc, Arc]] = []
    for u, v in sorted(edges):
        there, back = prefer(u, v), prefer(v, u)
        tied = there == back or abs(there - back) <= tolerance
        better = (u, v) if tied or there > back else (v, u)
        ranked.append((0.0 if tied else -abs(there - back), (u, v), better))
    return [better for _, _, better in sorted(ranked)]


def find_unplaceable(
    limit: Sequence[int],
    arcs: Collection[Arc],
    edges: Collection[Arc] = (),
    virtual_arcs: Collection[Arc] = (),
) -> list[int]:
    """The nodes that no order with all arcs forward and all in-degrees kept can place; none: there is such an order.

    A node can come last if no arc leaves it and its arcs and edges, which then all point to it, are within its limit.
    Placing it never makes another node harder to place, so whatever the choices, the same nodes remain; exactly when
    none remains there is a legal way to direct all edges. Virtual arcs, and nodes from `len(limit)` on, have no
    in-degree limit. An edge must not be an arc as well.

    >>> find_unplaceable([1, 1, 1], arcs=[(0, 1)], edges=[(1, 2)])
    []
    >>> find_unplaceable([0, 1, 1], arcs=[(0, 1)], edges=[(1, 2), (0, 2)])
    [0, 1, 2]
    """
    remaining = _Unplaced(limit, arcs, edges, virtual_arcs)
    ready = [v for v in remaining.nodes if remaining.can_be_last(v)]
    while ready:
        node = ready.pop()
        if node in remaining.nodes:
            ready += [v for v in remaining.place_last(node) if remaining.can_be_last(v)]
    return sorted(remaining.nodes)


class _Unplaced:
    """The nodes that `find_unplaceable` has not placed yet, with their arcs and edges."""

    def __init__(
        self, limit: Sequence[int], arcs: Collection[Arc], edges: Collection[Arc], virtual_arcs: Collection[Arc]
    ) -> None:
        self.nodes = {v for group in (arcs, edges, virtual_arcs) for pair in group for v in pair}
        self._capacity = {v: limit[v] if v < len(limit) else 0 for v in self.nodes}
        self._leaving = dict.fromkeys(self.nodes, 0)
        self._parents: dict[int, list[int]] = {v: [] for v in self.nodes}
        self._neighbours: dict[int, list[int]] = {v: [] for v in self.nodes}
        for u, v in (*arcs, *virtual_arcs):
            self._leaving[u] += 1
            self._parents[v].append(u)
        for _, v in arcs:
            self._capacity[v] -= 1
        for u, v in (*edges, *((v, u) for u, v in edges)):
            self._capacity[v] -= 1
            self._neighbours[v].append(u)

    def can_be_last(self, v: int) -> bool:
        return self._leaving[v] == 0 and self._capacity[v] >= 0

    def place_last(self, node: int) -> list[int]:
        """Remove a node, to which its edges now point; return the nodes that this affects."""
        self.nodes.remove(node)
        for u in self._parents[node]:
            self._leaving[u] -= 1
        for w in self._neighbours[node]:
            self._capacity[w] += 1
        return self._parents[node] + self._neighbours[node]
