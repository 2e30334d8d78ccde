"""A graph under construction: some edges directed, some not yet, and what knowledge lets be done with them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mahc.engine import Families
from mahc.learning.problem import Problem

Arc = tuple[int, int]


class Draft:
    """Arcs that always form a legal graph, and edges without direction.

    An arc is legal if knowledge allows it, its head has room for one more parent, and it closes no cycle, tiers
    included.
    """

    def __init__(self, problem: Problem, arcs: Iterable[Arc], edges: Iterable[Arc]) -> None:
        self.problem = problem
        constraints = problem.constraints
        self.parents: list[set[int]] = [set() for _ in range(constraints.nodes)]
        for u, v in (*constraints.virtual_arcs, *arcs):
            self.parents[v].add(u)
        self.undirected = [edge for edge in edges if not self.has(*edge) and not self.has(*edge[::-1])]

    @property
    def arcs(self) -> list[Arc]:
        """The arcs between variables, sorted."""
        n = self.problem.variables
        return sorted((u, v) for v in range(n) for u in self.parents[v] if u < n)

    def has(self, u: int, v: int) -> bool:
        """Is u -> v there?"""
        return u in self.parents[v]

    def is_open(self, u: int, v: int) -> bool:
        """Is u - v there without a direction?"""
        return (min(u, v), max(u, v)) in self.undirected

    def parents_of(self, v: int) -> list[int]:
        """The variables among the parents of v, sorted."""
        return sorted(u for u in self.parents[v] if u < self.problem.variables)

    def is_legal(self, *arcs: Arc) -> bool:
        """May these arcs be added, all of them?"""
        constraints = self.problem.constraints
        if not all(constraints.allowed[arc] for arc in arcs):
            return False
        for u, v in arcs:
            self.parents[v].add(u)
        fits = all(len(self.parents_of(v)) <= constraints.limit[v] and v not in self.above(v) for _, v in arcs)
        for u, v in arcs:
            self.parents[v].discard(u)
        return fits

    def direct(self, u: int, v: int) -> None:
        """Give the edge u - v this direction."""
        self.parents[v].add(u)
        self.undirected.remove((min(u, v), max(u, v)))

    def release(self, u: int, v: int) -> None:
        """Take the direction of u -> v away."""
        self.parents[v].discard(u)
        self.undirected.append((min(u, v), max(u, v)))

    def above(self, node: int) -> set[int]:
        """All from which a path of one arc or more leads to the node."""
        found: set[int] = set()
        waiting = [node]
        while waiting:
            new = self.parents[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    def gain(self, u: int, v: int) -> float:
        """What u as one more parent would add to the score of v."""
        mine = self.parents_of(v)
        before, after = self.problem.scorer.score_families(Families.of([(v, mine), (v, [*mine, u])])).tolist()
        return float(after - before)

    def reach_with(self, u: int, v: int) -> int:
        """How many pairs (intervened on, reached by it) there are once u -> v is there."""
        self.parents[v].add(u)
        n = self.problem.variables
        count = int(np.sum([len([a for a in self.above(w) if a < n]) for w in range(n)]))
        self.parents[v].discard(u)
        return count
