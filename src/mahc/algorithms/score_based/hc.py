"""HC: plain hill climbing, the same climb over all arcs and with the graph's own score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.score_based.climb import climb
from mahc.learning.algorithm import ALGORITHMS, Algorithm, check_in_degree, check_limits
from mahc.learning.found import Found
from mahc.learning.problem import Problem


@ALGORITHMS.register("hc")
@dataclass(frozen=True)
class HillClimbing(Algorithm):
    """From the start graph to the best-scoring neighbour until none is better.

    >>> HillClimbing(search_in_degree=4).settings()["search_in_degree"]
    4
    """

    search_in_degree: int = 8
    step_limit: int | None = None
    memory_mebibytes: int | None = None

    name: ClassVar[str] = "hc"
    escapes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_in_degree("search_in_degree", self.search_in_degree)
        check_limits(self.step_limit, self.memory_mebibytes)

    def search(self, problem: Problem) -> Found:
        """Climb over everything that knowledge allows."""
        problem.watch.phase = "climbing"
        found = climb(
            problem,
            problem.constraints.allowed,
            averaging=False,
            escapes=self.escapes,
            step_limit=self.step_limit,
            memory_mebibytes=self.memory_mebibytes,
        )
        return Found(found.arcs, found.steps, found.stop_reason, gains=found.gains)
