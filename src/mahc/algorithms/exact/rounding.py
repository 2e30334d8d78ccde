"""From a fractional solution to a legal graph: the choices with the largest share first, then a climb."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mahc.algorithms.exact.candidates import Candidates
from mahc.algorithms.score_based.climb import climb
from mahc.knowledge.legality import Legality
from mahc.learning.connecting import parents_of
from mahc.learning.problem import Problem


class Rounder:
    """The columns that can improve on a known graph, and better graphs made from fractional solutions.

    A set that costs more than the known graph loses in all cannot be in a better one and gets no column.
    `best` are the columns of the best graph so far.
    """

    def __init__(self, problem: Problem, candidates: Candidates, first: Sequence[tuple[int, ...]]) -> None:
        self.problem, self.candidates = problem, candidates
        self.tops = [float(mine.scores.max()) for mine in candidates.of]
        known = [self._cover(v, set(parents)) for v, parents in enumerate(first)]
        budget = math.fsum(self._cost(v, k) for v, k in enumerate(known)) + 1e-6
        self.child: list[int] = []
        self.parents: list[tuple[int, ...]] = []
        self.cost: list[float] = []
        self._column: dict[tuple[int, int], int] = {}
        for v, mine in enumerate(candidates.of):
            for k in np.flatnonzero(self.tops[v] - mine.scores <= budget).tolist():
                self._column[v, k] = len(self.child)
                self.child.append(v)
                self.parents.append(mine.sets[k])
                self.cost.append(self._cost(v, k))
        self.best = [self._column[v, k] for v, k in enumerate(known)]
        constraints = problem.constraints
        self.above = [0] * constraints.nodes  # parents that never change: those of and among virtual nodes
        for a, b in constraints.virtual_arcs:
            self.above[b] |= 1 << a
        self.mask = [self.above[v] | sum(1 << u for u in s) for v, s in zip(self.child, self.parents, strict=True)]
        self._cheapest = sorted(range(len(self.cost)), key=lambda k: (self.cost[k], k))
        self._seen: set[tuple[tuple[int, int], ...]] = set()

    def improve(self, values: Sequence[float]) -> list[int] | None:
        """The columns of a better graph than the best so far; None where rounding finds none."""
        arcs = self._round(values)
        if arcs is None or arcs in self._seen:
            return None
        self._seen.add(arcs)
        problem = self.problem.starting(arcs)
        reached = climb(problem, problem.constraints.allowed, averaging=False).arcs
        sets = parents_of(problem.variables, reached)
        columns = [self._column.get((v, self._cover(v, set(mine)))) for v, mine in enumerate(sets)]
        chosen = [k for k in columns if k is not None]
        if len(chosen) < len(columns) or self._total(chosen) >= self._total(self.best) - problem.tolerance:
            return None
        self.best = chosen
        return chosen

    def _round(self, values: Sequence[float]) -> tuple[tuple[int, int], ...] | None:
        """Parent sets by their share, then by cost, each if it is legal with those before it."""
        graph = Legality(self.problem.constraints)
        used = sorted((k for k, x in enumerate(values) if x > 1e-6), key=lambda k: (-values[k], self.cost[k], k))
        arcs: list[tuple[int, int]] = []
        left = set(range(self.problem.variables))
        for k in (*used, *self._cheapest):
            v = self.child[k]
            if v in left and graph.may_add_parents(self.parents[k], v):
                left.discard(v)
                for u in self.parents[k]:
                    graph.add(u, v)
                    arcs.append((u, v))
                if not left:
                    break
        return None if left or graph.find_missing() is not None else tuple(sorted(arcs))

    def _total(self, chosen: Sequence[int]) -> float:
        return math.fsum(self.cost[k] for k in chosen)

    def _cost(self, v: int, k: int) -> float:
        return self.tops[v] - float(self.candidates.of[v].scores[k])

    def _cover(self, v: int, parents: set[int]) -> int:
        """The best candidate of v within these parents that has all of them that knowledge holds."""
        held = {u for u in parents if self.problem.constraints.hold[u, v]}
        mine = self.candidates.of[v]
        fitting = [k for k, s in enumerate(mine.sets) if parents.issuperset(s) and held.issubset(s)]
        return max(fitting, key=lambda k: (mine.scores[k], -k))
