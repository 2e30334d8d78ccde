"""MAHC: Model Averaging Hill-Climbing, the paper's algorithm; each of its two changes is a switch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.score_based.climb import (
    CANDIDATE_BYTES,
    CLOSURE_BYTES,
    PAIR_OF_CANDIDATES_BYTES,
    Allowed,
    candidate_parents,
    climb,
)
from mahc.algorithms.score_based.pruning import MAX_LEVELS, prune
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.declarations import (
    declare_arc_price,
    declare_memory_limit,
    declare_relative_price,
    declare_search_in_degree,
    declare_step_limit,
)
from mahc.learning.found import FoundDag, Pruning
from mahc.learning.problem import Problem
from mahc.setting_checks import Flag, Whole
from mahc.settings import setting


@ALGORITHMS.register("mahc")
@dataclass(frozen=True)
class ModelAveragingHillClimbing(Algorithm):
    """Prune the arcs that no candidate parent set needs, then climb to the neighbour with the best average.

    With `pruning` off it is the paper's MAHC_onlyAveraging, with `averaging` off MAHC_onlyPruning, with both
    off plain hill climbing (section 3.5).

    >>> ModelAveragingHillClimbing().settings()["prune_in_degree"]
    3
    """

    prune_in_degree: int = setting(
        3, help="Largest parent set that pruning considers (M_P).", check=Whole(1, MAX_LEVELS), metavar="N"
    )
    search_in_degree: int = declare_search_in_degree()
    pruning: bool = setting(True, help="Prune arcs that no candidate parent set needs before the climb.", check=Flag())
    averaging: bool = setting(True, help="Climb by the average score over a graph's neighbours.", check=Flag())
    arc_price: float = declare_arc_price()
    relative_price: float = declare_relative_price()
    step_limit: int | None = declare_step_limit()
    memory_mebibytes: int | None = declare_memory_limit()

    name: ClassVar[str] = "mahc"
    estimator: ClassVar[str] = "MAHC"

    @property
    def memory_fix(self) -> str:
        """Pruning is what saves memory; with it, only fewer variables help."""
        return "give fewer variables" if self.pruning else "switch pruning on, give fewer variables"

    def memory_needed(self, variables: int) -> float:
        """After pruning only the closures are of all pairs; without it the tables of all arcs are."""
        if self.pruning:
            return CLOSURE_BYTES * variables**2
        return CANDIDATE_BYTES * variables**2 + self.averaging * PAIR_OF_CANDIDATES_BYTES * float(variables) ** 3

    def search(self, problem: Problem) -> FoundDag:
        """Algorithm 2."""
        problem = problem.priced_by(self.arc_price, self.relative_price)
        prices = problem.prices
        pruning: Pruning | None = None
        allowed: Allowed = problem.constraints.allowed
        if self.pruning:
            problem.control.phase = "pruning"
            pruning = prune(problem, self.prune_in_degree)  # line 1
            if not pruning.complete:
                reason = problem.control.why_stopped()
                return FoundDag(problem.start, (), reason, pruning=pruning.plain(prices), prices=prices)
            allowed = pruning.parents
            problem.scorer.focus([mine.tolist() for mine in candidate_parents(problem, allowed)])
        problem.control.phase = "climbing"
        found = climb(
            problem,
            allowed,
            averaging=self.averaging,
            step_limit=self.step_limit,
        )
        return FoundDag(
            found.arcs,
            found.steps,
            found.stop_reason,
            found.averaged,
            None if pruning is None else pruning.plain(prices),
            found.gains,
            prices=prices,
        )
