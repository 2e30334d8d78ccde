"""Candidate parent sets: those that a best graph may need."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountScorer, Families, RowScorer
from mahc.knowledge.constraints import ARC, EDGE
from mahc.learning.control import Stopped
from mahc.learning.problem import Problem
from mahc.scores import PenalisedScore


@dataclass(frozen=True)
class Bounds:
    """Bounds for log-likelihood less a price per parameter (BIC, AIC), in the unit of the score.

    A parent u on top of the set Q adds at most min(N H(v|Q), N H(u|Q)) to the likelihood of v, and costs
    `r_u - 1` times the penalty of Q. Where the cost is no less than that, Q is at least as good as Q with u; the
    same holds on top of every larger set, where the entropies are smaller and the penalty is larger, so nothing
    above Q with u needs to be counted (de Campos, Scanagatta, Corani and Zaffalon, 2018). The likelihood is
    never above 0, so neither does anything whose penalty alone is worse than a subset's score (de Campos and
    Ji, 2011).
    """

    price: NDArray[np.float64]  # of one configuration of the parents, per child
    states: NDArray[np.float64]
    entropy: NDArray[np.float64]  # [w, u]: N H(u|w); [u, u]: N H(u)

    def penalty(self, child: int, sets: NDArray[np.int32]) -> NDArray[np.float64]:
        """The penalty of the child with each row of parents."""
        configurations: NDArray[np.float64] = self.states[sets].prod(axis=1)
        return configurations * float(self.price[child])

    def rule_out(
        self,
        child: int,
        last: NDArray[np.int32],
        rest: NDArray[np.int32],
        rest_scores: NDArray[np.float64],
        tolerance: float,
    ) -> NDArray[np.bool_]:
        """Where `last` on top of `rest`, and of all above it, is never better than without it."""
        penalty = self.penalty(child, rest)
        of_last = np.concatenate([self.entropy[rest, last[:, None]], self.entropy[last, last][:, None]], axis=1)
        most = np.minimum(-(rest_scores + penalty), of_last.min(axis=1))
        found: NDArray[np.bool_] = most <= penalty * (self.states[last] - 1) - tolerance
        return found


def find_bounds(problem: Problem) -> Bounds | None:
    """The bounds of a problem whose score has them; None for the others, where all sets are counted."""
    scorer = problem.scorer
    if not isinstance(scorer, RowScorer | CountScorer) or getattr(scorer, "copies", 1) != 1:
        return None
    source, score = scorer.source, scorer.score
    if not isinstance(score, PenalisedScore) or not getattr(scorer, "uniform", True):
        return None
    if any(price < 0 for price in problem.prices.extra.values()):  # a belief may add more than the likelihood can
        return None
    states = np.array([float(len(counts)) for counts in source.marginals])
    divisors = np.array(problem.constraints.divisors or [1.0] * len(states))
    price = score.price(source.size) / math.log2(score.base) * (states - 1) / divisors
    with_penalty = price[None, :] * np.where(np.eye(len(states), dtype=bool), 1.0, states[:, None])
    return Bounds(price, states, -(problem.pairs + with_penalty))


@dataclass(frozen=True)
class Level:
    """Sets of one size in lexicographic order; `below[i, j]` is set i without its j-th member, one level down.

    A set's key is its place without the last member times the number of variables, and the last member: keys
    ascend, and no size of set outgrows them.

    >>> singles = Level.empty().extend(np.array([1, 4, 5], np.int32), 6)
    >>> pairs = singles.only(np.array([True, False, True])).extend(np.array([1, 4, 5], np.int32), 6)
    >>> pairs.sets.tolist(), pairs.below.tolist()
    ([[1, 5]], [[1, 0]])
    """

    sets: NDArray[np.int32]
    keys: NDArray[np.int64]
    below: NDArray[np.int64]

    @classmethod
    def empty(cls) -> Level:
        """The level of the empty set."""
        return cls(np.zeros((1, 0), np.int32), np.zeros(1, np.int64), np.zeros((1, 0), np.int64))

    def only(self, keep: NDArray[np.bool_]) -> Level:
        """The sets that are kept."""
        return Level(self.sets[keep], self.keys[keep], self.below[keep])

    def extend(self, members: NDArray[np.int32], variables: int) -> Level:
        """All sets of these (ascending) members that have one more, and whose subsets are all on this level."""
        count, size = self.sets.shape
        start = np.searchsorted(members, self.sets[:, -1], "right") if size else np.zeros(count, np.int64)
        later = len(members) - start
        owner = np.repeat(np.arange(count), later)
        step = np.arange(len(owner)) - np.repeat(np.cumsum(later) - later, later)
        last = members[start[owner] + step]
        below = np.empty((len(owner), size + 1), np.int64)
        below[:, size] = owner
        found = np.ones(len(owner), bool)
        for j in range(size):
            wanted = self.below[owner, j] * variables + last
            place = np.minimum(np.searchsorted(self.keys, wanted), max(count - 1, 0))
            found &= self.keys[place] == wanted if count else False
            below[:, j] = place
        sets = np.concatenate([self.sets[owner], last[:, None]], axis=1)
        return Level(sets, owner * variables + last, below).only(found)


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
