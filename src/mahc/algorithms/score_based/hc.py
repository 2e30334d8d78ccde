"""HC: plain hill climbing, the climb over all arcs, by the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.score_based.climb import CANDIDATE_BYTES, ClimbResult, climb
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.declarations import (
    declare_arc_price,
    declare_memory_limit,
    declare_relative_price,
    declare_search_in_degree,
    declare_step_limit,
)
from mahc.learning.found import FoundDag
from mahc.learning.problem import Problem


@ALGORITHMS.register("hc")
@dataclass(frozen=True)
class HillClimbing(Algorithm):
    """From the start graph to the best-scoring neighbour until none is better.

    >>> HillClimbing(search_in_degree=4).settings()["search_in_degree"]
    4
    """

    search_in_degree: int = declare_search_in_degree()
    arc_price: float = declare_arc_price()
    relative_price: float = declare_relative_price()
    step_limit: int | None = declare_step_limit()
    memory_mebibytes: int | None = declare_memory_limit()

    name: ClassVar[str] = "hc"
    estimator: ClassVar[str] = "HC"

    def memory_needed(self, variables: int) -> float:
        """The tables of all arcs."""
        return CANDIDATE_BYTES * variables**2

    def search(self, problem: Problem) -> FoundDag:
        """Climb over everything that knowledge allows."""
        problem.control.phase = "climbing"
        problem = problem.priced_by(self.arc_price, self.relative_price)
        found = self._climb(problem)
        return FoundDag(found.arcs, found.steps, found.stop_reason, gains=found.gains, prices=problem.prices)

    def _climb(self, problem: Problem) -> ClimbResult:
        return climb(
            problem,
            problem.constraints.allowed,
            averaging=False,
            step_limit=self.step_limit,
        )
