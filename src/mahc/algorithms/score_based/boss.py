"""BOSS: best order score search in the arcs that level-1 pruning leaves, with a price per arc and kicks.

    candidates   arcs whose single-parent gain exceeds the arc price (level 1)
    start        hill climbing inside the candidates
    search       best moves in the order of that graph, then kicks (engine/cpp/search/order_search.hpp)
    end          hill climbing from the best graph, so that no single arc improves it
    again        the same with a relative price, where the graph shows signs of measurement error

Parents grow with early dropping. With `candidates="all"` it is BOSS as published: it starts from the order of the start
graph, drops no candidate, looks at no pairs, and does not climb.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.score_based.climb import (
    CANDIDATE_BYTES,
    CLOSURE_BYTES,
    Allowed,
    ClimbResult,
    candidate_parents,
    climb,
    count_candidates,
    make_space,
)
from mahc.algorithms.score_based.pruning import prune
from mahc.engine import _native
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.control import Stopped
from mahc.learning.declarations import (
    declare_automatic_arc_price,
    declare_memory_limit,
    declare_relative_price,
    declare_search_in_degree,
)
from mahc.learning.found import Found, FoundDag, Pruning, Step
from mahc.learning.measurement_error import RELATIVE_PRICE, signs_in
from mahc.learning.problem import Problem
from mahc.setting_checks import OneOf, Whole
from mahc.settings import setting

Arc = tuple[int, int]
LEVELS = {"level-1": 1, "pruned": 3}
PAIR_CANDIDATES = 30  # of a child; all pairs of these are looked at
DEFAULT_MEMORY = 2048  # mebibytes; the trees may have a quarter of it
MOST_SEED = (1 << 63) - 1

_Result = tuple[tuple[Arc, ...], tuple[Step, ...], str, NDArray[np.float64] | None]
# Memory of a node of a grow-shrink tree, about: of itself, and of each candidate of its variable.
NODE_BYTES, NODE_CANDIDATE_BYTES = 300, 6


@ALGORITHMS.register("boss")
@dataclass(frozen=True)
class BestOrderScoreSearch(Algorithm):
    """Search over orders: move each variable to its best place, choose parents by grow-shrink, restart with kicks.

    >>> BestOrderScoreSearch(kicks=3).settings()["candidates"]
    'auto'
    """

    candidates: str = setting(
        "auto",
        help="Arcs to search in: level-1 (worth their price alone), pruned (left by all three levels), all, or auto "
        "(all for the smooth score, level-1 for the others).",
        check=OneOf("auto", "level-1", "all", "pruned"),
        metavar="SET",
    )
    arc_price: float | None = declare_automatic_arc_price()
    relative_price: float = declare_relative_price()
    measurement_error: str = setting(
        "auto",
        help="Measurement error: auto (search again with a relative price where the graph shows signs of it), never, "
        "or always (search with a relative price).",
        check=OneOf("auto", "never", "always"),
        metavar="WHEN",
    )
    kicks: int = setting(10, help="Restarts from a disturbed best graph.", check=Whole(0, 1_000_000), metavar="N")
    seed: int = setting(0, help="Seed of the kicks.", check=Whole(0, MOST_SEED), metavar="N")
    search_in_degree: int = declare_search_in_degree()
    memory_mebibytes: int | None = declare_memory_limit()

    name: ClassVar[str] = "boss"
    estimator: ClassVar[str] = "BOSS"
    default_score: ClassVar[str] = "qnml"
    ending: ClassVar[str] = "no move in the order, no kick and no single arc is better"

    def memory_needed(self, variables: int) -> float:
        """After pruning only the closures are of all pairs; without it the tables of all arcs are."""
        return (2 * CANDIDATE_BYTES if self.candidates == "all" else CLOSURE_BYTES) * variables**2

    def searching_once(self) -> BestOrderScoreSearch:
        """The same without a look for measurement error."""
        return self if self.measurement_error == "always" else replace(self, measurement_error="never")

    def quick(self) -> BestOrderScoreSearch:
        """The first descent: kicks improve the graph of every variant, and seldom change which is the best."""
        once = self.searching_once()
        own = {field.name: getattr(once, field.name) for field in fields(BestOrderScoreSearch)}
        return BestOrderScoreSearch(**{**own, "kicks": 0})

    def search(self, problem: Problem) -> Found:
        """The graph of the best order."""
        return self.search_orders(problem)

    def search_orders(self, problem: Problem) -> FoundDag:
        """The graph of one search or, where it shows signs of measurement error, of a second with a relative price."""
        price = self.price_of(problem)
        if self.measurement_error == "always":
            return self._search_once(problem.priced_by(price, self.relative_price or RELATIVE_PRICE))
        found = self._search_once(problem.priced_by(price, self.relative_price))
        if self.measurement_error == "never" or found.stop_reason != "converged":
            return found
        try:
            return self._cure(problem, price, found)
        except Stopped:
            return replace(found, stop_reason=problem.control.why_stopped())

    def _cure(self, problem: Problem, price: float, found: FoundDag) -> FoundDag:
        """The same graph where it shows no signs of measurement error, else that of a second search."""
        problem.control.phase = "measuring"
        signs = signs_in(problem, found.arcs)
        if signs is None or not signs.noticed:
            return replace(found, error_signs=signs)
        share = self.relative_price or RELATIVE_PRICE
        again = self._search_once(problem.starting(found.arcs).priced_by(price, share))
        return replace(again, error_signs=signs.cured(share, found.arcs, again.arcs))

    def _search_once(self, problem: Problem) -> FoundDag:
        """Prune, climb, search the orders, climb."""
        prices = problem.prices
        pruning = self._prune(problem)
        kept = None if pruning is None else pruning.plain(prices)
        if pruning is not None and not pruning.complete:
            return FoundDag(problem.start, (), problem.control.why_stopped(), pruning=kept, prices=prices)
        if pruning is None:
            arcs, steps, reason, gains = self._search_all(problem)
        else:
            arcs, steps, reason, gains = self._search_pruned(problem, pruning.parents)
        return FoundDag(arcs, steps, reason, pruning=kept, gains=gains, prices=prices)

    def price_of(self, problem: Problem) -> float:
        """The price per arc; more candidates bring more chance finds, as in the extended BIC."""
        if self.arc_price is not None:
            return self.arc_price
        return 0.5 * math.log(problem.variables) / math.log(problem.score_base)

    def _prune(self, problem: Problem) -> Pruning | None:
        candidates = self.candidates
        if candidates == "auto":
            candidates = "level-1" if problem.single_gains_suffice else "all"
        if candidates == "all":
            return None
        problem.control.phase = "pruning"
        return prune(problem, LEVELS[candidates])

    def _search_all(self, problem: Problem) -> _Result:
        ordered = self._search_orders(problem, problem.constraints.allowed, problem.start, published=True)
        steps = tuple(_steps(problem, problem.start, ordered, 0.0))
        return ordered.arcs, steps, ordered.stop_reason, self._gains(problem, ordered)

    def _gains(self, problem: Problem, ordered: Ordered) -> NDArray[np.float64] | None:
        """What each arc would add to the best graph: a climb that takes no step."""
        if ordered.stop_reason != "converged":
            return None
        problem = problem.starting(ordered.arcs)
        return climb(problem, problem.constraints.allowed, averaging=False, step_limit=0).gains

    def _search_pruned(self, problem: Problem, allowed: Allowed) -> _Result:
        began = problem.control.seconds()
        problem.control.phase = "climbing"
        problem.scorer.focus([mine.tolist() for mine in candidate_parents(problem, allowed)])
        first = self._climb(problem, allowed)
        if first.stop_reason != "converged":
            return first.arcs, first.steps, first.stop_reason, first.gains
        before = problem.control.seconds() - began
        ordered = self._search_orders(problem, allowed, first.arcs, published=False)
        steps = (*first.steps, *_steps(problem, first.arcs, ordered, before))
        if ordered.stop_reason != "converged":
            return ordered.arcs, steps, ordered.stop_reason, None
        before = problem.control.seconds() - began
        problem.control.phase = "climbing"
        last = self._climb(problem.starting(ordered.arcs), allowed)
        steps = (*steps, *(replace(step, seconds=step.seconds + before) for step in last.steps))
        return last.arcs, steps, last.stop_reason, last.gains

    def _climb(self, problem: Problem, allowed: Allowed) -> ClimbResult:
        return climb(problem, allowed, averaging=False)

    def _search_orders(self, problem: Problem, allowed: Allowed, start: Sequence[Arc], *, published: bool) -> Ordered:
        problem.control.phase = "ordering"
        return search_orders(
            problem,
            allowed,
            start,
            kicks=self.kicks,
            seed=self.seed,
            pair_candidates=0 if published else PAIR_CANDIDATES,
            early_dropping=not published,
            memory_mebibytes=(self.memory_mebibytes or DEFAULT_MEMORY) // 4,
        )


def _steps(problem: Problem, start: Sequence[Arc], ordered: Ordered, before: float) -> Iterator[Step]:
    """Each improvement as the arcs it took away and added; all carry the plain score after it."""
    arcs = set(start)
    parents_of: dict[int, set[Arc]] = {}
    for u, v in start:
        parents_of.setdefault(v, set()).add((u, v))
    for better in ordered.improvements:
        old = set[Arc]().union(*(parents_of.get(v, ()) for v, _ in better.families))
        parents_of |= {v: {(u, v) for u in parents} for v, parents in better.families}
        new = set[Arc]().union(*(parents_of[v] for v, _ in better.families))
        arcs -= old
        arcs |= new
        score, seconds = better.score + problem.prices.total(arcs), better.seconds + before
        for move, which in (("delete", old - new), ("add", new - old)):
            for u, v in sorted(which):
                yield Step(move, u, v, score, None, seconds)


@dataclass(frozen=True)
class Improvement:
    """A better graph than any before it: its score and the parents of the variables where it differs."""

    score: float
    seconds: float
    families: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Ordered:
    """The best graph, how it was reached and why the search ended; scores are less the price of the arcs.

    `moves` are the moves of the order, (variable, number of variables before it, score of the order after it),
    those after kicks included.
    """

    arcs: tuple[Arc, ...]
    score: float
    improvements: tuple[Improvement, ...]
    moves: tuple[tuple[int, int, float], ...]
    stop_reason: str


def search_orders(
    problem: Problem,
    allowed: Allowed,
    start: Sequence[Arc],
    *,
    kicks: int = 0,
    seed: int = 0,
    pair_candidates: int = 0,
    early_dropping: bool = False,
    memory_mebibytes: int = 512,
) -> Ordered:
    """Search within the allowed arcs from the order of a legal start graph, which is the best until beaten.

    With `early_dropping`, a candidate parent that does not improve a set of parents is not tried again while that set
    grows. With `pair_candidates`, all pairs of that many candidates of a variable are considered as its parents.
    """
    candidates = count_candidates(problem, allowed)
    node_bytes = NODE_BYTES + NODE_CANDIDATE_BYTES * candidates // max(1, problem.variables)
    found = _native.search_orders(
        problem.score_cache,
        make_space(problem, allowed),
        list(start),
        problem.known_pairs(candidates),
        kicks,
        seed,
        pair_candidates,
        early_dropping,
        problem.tolerance,
        max(1, (memory_mebibytes << 20) // node_bytes),
        problem.control,
    )
    reason = found["reason"]
    if reason == "interrupted":
        reason = problem.control.why_stopped()
    return Ordered(
        arcs=tuple(sorted(found["arcs"])),
        score=found["score"],
        improvements=tuple(
            Improvement(score, seconds, tuple((v, tuple(parents)) for v, parents in families))
            for score, seconds, families in found["improvements"]
        ),
        moves=tuple(found["moves"]),
        stop_reason=reason,
    )
