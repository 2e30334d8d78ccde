"""Candidate parent sets: those that a best graph may need."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.exact.bounds import Bounds, find_bounds
from mahc.algorithms.exact.levels import Level
from mahc.engine import Families
from mahc.knowledge.constraints import ARC, EDGE
from mahc.learning.control import Stopped
from mahc.learning.problem import Problem


@dataclass(frozen=True)
class ParentSets:
    """The candidate parent sets of one child, each sorted, the smaller first, with their local scores."""

    sets: tuple[tuple[int, ...], ...]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class Candidates:
    """Candidates of every child; of `possible` sets within the in-degree only `counted` were scored."""

    of: tuple[ParentSets, ...]
    counted: int
    possible: int

    @property
    def ceiling(self) -> float:
        """An upper bound: every child with its best set, with or without cycles."""
        return math.fsum(float(mine.scores.max()) for mine in self.of)


def find_candidates(problem: Problem) -> Candidates | None:
    """The sets that knowledge allows and that no subset makes redundant; None when stopped.

    A set is removed when a subset scores as high: in every graph that uses it, the subset is as good,
    and acyclic too. The subset must agree with it on the parents that knowledge holds: required arcs are in both,
    and a required edge is in both or in neither.
    """
    try:
        bounds = find_bounds(problem)
    except Stopped:
        return None
    found: list[ParentSets] = []
    counted = possible = 0
    for child in range(problem.variables):
        search = _ChildSearch(problem, bounds, child)
        mine = search.run()
        if mine is None:
            return None
        found.append(mine)
        counted += search.counted
        possible += sum(math.comb(len(search.free), size) for size in range(search.most_free + 1))
    return Candidates(tuple(found), counted, possible)


class _ChildSearch:
    def __init__(self, problem: Problem, bounds: Bounds | None, child: int) -> None:
        constraints = problem.constraints
        self.problem, self.bounds, self.child = problem, bounds, child
        held = constraints.hold[:, child]
        self.required = np.flatnonzero(held == ARC).astype(np.int32)
        self.edges = np.flatnonzero(held == EDGE)
        self.free = np.flatnonzero((constraints.allowed[:, child] | (held == EDGE)) & (held != ARC)).astype(np.int32)
        self.most_free = min(int(constraints.limit[child]) - len(self.required), len(self.free))
        self.counted = 0

    def run(self) -> ParentSets | None:
        """Level by level, the sets on top of the required parents."""
        level = Level.empty()
        scores = self._score(level)
        if scores is None:
            return None
        best = scores
        kept, kept_scores = [self._spell(level.sets)], [scores]
        for _ in range(self.most_free):
            larger = level.extend(self.free, self.problem.variables)
            larger = larger.only(~self._hopeless(larger, level, scores, best))
            if not len(larger.sets):
                break
            mine = self._score(larger)
            if mine is None:
                return None
            cover = self._cover(larger, best)
            wanted = mine > cover + self.problem.tolerance
            kept.append(self._spell(larger.sets[wanted]))
            kept_scores.append(mine[wanted])
            level, scores, best = larger, mine, np.maximum(mine, cover)
        sets = [tuple(row) for part in kept for row in part.tolist()]
        return ParentSets(tuple(sets), np.concatenate(kept_scores))

    def _spell(self, sets: NDArray[np.int32]) -> NDArray[np.int32]:
        """Whole parent sets: with the required, sorted."""
        required = np.broadcast_to(self.required, (len(sets), len(self.required)))
        return np.sort(np.concatenate([required, sets], axis=1), axis=1)

    def _score(self, level: Level) -> NDArray[np.float64] | None:
        count = len(level.sets)
        required = np.broadcast_to(self.required, (count, len(self.required)))
        parents = np.concatenate([required, level.sets], axis=1)  # the varying parent last
        offsets = np.arange(0, parents.size + 1, max(parents.shape[1], 1), dtype=np.int64)
        if not parents.shape[1]:
            offsets = np.zeros(count + 1, np.int64)
        self.counted += count
        return self.problem.score(Families(np.full(count, self.child, np.int32), offsets, parents.ravel()))

    def _cover(self, level: Level, best: NDArray[np.float64]) -> NDArray[np.float64]:
        """The best score of a subset that could replace each."""
        below = best[level.below]
        below[np.isin(level.sets, self.edges)] = -np.inf
        found: NDArray[np.float64] = below.max(axis=1)
        return found

    def _hopeless(
        self, level: Level, smaller: Level, scores: NDArray[np.float64], best: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Sets that the bounds rule out with all above them, before anything is counted."""
        gone = np.zeros(len(level.sets), bool)
        if self.bounds is None:
            return gone
        tolerance = self.problem.tolerance
        whole = self._spell(smaller.sets)
        for j in range(level.sets.shape[1]):
            last, rest = level.sets[:, j], level.below[:, j]
            ruled_out = self.bounds.rule_out(self.child, last, whole[rest], scores[rest], tolerance)
            gone |= ruled_out & ~np.isin(last, self.edges)
        if not len(self.edges):
            most = -self.bounds.penalty(self.child, self._spell(level.sets))
            gone |= self._cover(level, best) >= most + tolerance
        return gone
