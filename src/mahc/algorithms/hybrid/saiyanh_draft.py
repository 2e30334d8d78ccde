"""A graph under construction: some edges have a direction, some do not yet."""

from __future__ import annotations

from collections.abc import Iterable

from mahc.engine import Families
from mahc.graphs.bitset import members, transitive_closure
from mahc.knowledge.legality import Legality
from mahc.learning.problem import Problem

Arc = tuple[int, int]


class Draft:
    """Arcs that always form a legal graph, and edges without direction."""

    def __init__(self, problem: Problem, arcs: Iterable[Arc], edges: Iterable[Arc]) -> None:
        self.problem = problem
        self.legality = Legality(problem.constraints, arcs)
        open_edges = (edge for edge in edges if not self.has(*edge) and not self.has(*edge[::-1]))
        self.undirected: dict[Arc, None] = dict.fromkeys(open_edges)  # a set that keeps its order

    @property
    def arcs(self) -> list[Arc]:
        """The arcs, sorted."""
        return sorted((u, v) for v in range(self.problem.variables) for u in self.parents_of(v))

    def has(self, u: int, v: int) -> bool:
        """Whether u -> v is in the draft."""
        return self.legality.has(u, v)

    def is_open(self, u: int, v: int) -> bool:
        """Whether u - v is in the draft without a direction."""
        return (min(u, v), max(u, v)) in self.undirected

    def parents_of(self, v: int) -> list[int]:
        """The parents of v, sorted."""
        return list(members(self.legality.parents[v]))

    def direct(self, u: int, v: int) -> None:
        """Give the edge u - v this direction."""
        self.legality.add(u, v)
        del self.undirected[min(u, v), max(u, v)]

    def release(self, u: int, v: int) -> None:
        """Take the direction of u -> v away."""
        self.legality.remove(u, v)
        self.undirected[min(u, v), max(u, v)] = None

    def gain(self, u: int, v: int) -> float:
        """What u as one more parent would add to the score of v."""
        mine = self.parents_of(v)
        before, after = self.problem.scorer.score_families(Families.of([(v, mine), (v, [*mine, u])])).tolist()
        return float(after - before)

    def count_paths_with(self, u: int, v: int) -> int:
        """How many ordered pairs a directed path would join if u -> v were there; the tiers count as paths."""
        n, constraints = self.problem.variables, self.problem.constraints
        parents = [*self.legality.parents, *[0] * (constraints.nodes - n)]
        for tail, head in (*constraints.virtual_arcs, (u, v)):
            parents[head] |= 1 << tail
        variables = (1 << n) - 1
        return sum((transitive_closure(1 << w, parents) & variables).bit_count() - 1 for w in range(n))
