"""TABU as Bayesys does it: hill climbing that escapes from its top through the least bad neighbours.

With `list_length` it is the tabu search of other programs instead (engine/cpp/search/tabu_list.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.score_based.climb import CANDIDATE_BYTES, ESCAPE_BYTES, ClimbResult, climb
from mahc.algorithms.score_based.hc import HillClimbing
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.problem import Problem
from mahc.setting_checks import Whole
from mahc.settings import setting

LONGEST_LIST = 1_000_000


@ALGORITHMS.register("tabu")
@dataclass(frozen=True)
class Tabu(HillClimbing):
    """Hill climbing, then up to |V|(|V|-1) escapes from its top; each that leads higher starts the count anew.

    >>> Tabu().settings()["search_in_degree"]
    8
    """

    list_length: int | None = setting(
        None,
        help="Length of the tabu list: keep moving, also downhill, without returning to the last N graphs; stop after "
        "N steps without a better graph. If left out: the escapes of Bayesys.",
        check=Whole(1, LONGEST_LIST),
        metavar="N",
    )

    name: ClassVar[str] = "tabu"
    estimator: ClassVar[str] = "TABU"

    def memory_needed(self, variables: int) -> float:
        """The tables of all arcs, and what is kept to go back to a top."""
        return (CANDIDATE_BYTES + ESCAPE_BYTES) * variables**2

    def _climb(self, problem: Problem) -> ClimbResult:
        return climb(
            problem,
            problem.constraints.allowed,
            averaging=False,
            escapes=self.list_length is None,
            step_limit=self.step_limit,
            list_length=self.list_length,
        )
