"""The globally best graph of a decomposable score under an in-degree and all knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.errors import SettingError
from mahc.exact.candidates import Candidates, find_candidates
from mahc.exact.dynamic import MOST_VARIABLES, solve_by_orders
from mahc.search.algorithm import ALGORITHMS, Algorithm, Found, check_in_degree
from mahc.search.climb import climb
from mahc.search.problem import Problem
from mahc.search.relevance import parents_of

Arc = tuple[int, int]


@ALGORITHMS.register("exact")
@dataclass(frozen=True)
class Exact(Algorithm):
    """The graph of the highest score, proven to be the highest; up to 20 variables.

    Stopped early it brings the best graph that hill climbing found, with how much higher any graph's score can
    be once all candidate parent sets are known.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, "exact").arcs
    (('a', 'b'),)
    """

    search_in_degree: int = 3

    name: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        check_in_degree("search_in_degree", self.search_in_degree)

    def search(self, problem: Problem) -> Found:
        """Count the candidate parent sets, then choose among all orders of the variables."""
        if problem.variables > MOST_VARIABLES:
            raise SettingError(
                f"exact takes at most {MOST_VARIABLES} variables, these are {problem.variables}: "
                "leave some out, or use tabu"
            )
        watch = problem.watch
        watch.phase = "climbing"
        first = climb(problem, problem.constraints.allowed, averaging=False).arcs
        watch.phase = "candidates"
        candidates = find_candidates(problem)
        watch.phase = "orders"
        parents = None if candidates is None else solve_by_orders(problem, candidates)
        if parents is None:
            return Found(first, (), watch.stopped_because() or "interrupted", gap=_gap(problem, first, candidates))
        arcs = tuple(sorted((u, v) for v, mine in enumerate(parents) for u in mine))
        return Found(arcs, (), "converged", gains=_toggle(problem, arcs), gap=0.0)


def _gap(problem: Problem, arcs: Sequence[Arc], candidates: Candidates | None) -> float | None:
    if candidates is None:
        return None
    own = float(problem.local_scores(parents_of(problem.variables, arcs)).sum())
    return max(0.0, candidates.ceiling - own)


def _toggle(problem: Problem, arcs: Sequence[Arc]) -> NDArray[np.float64]:
    """What adding or deleting each arc that knowledge lets be asked about would do to the score."""
    constraints = problem.constraints
    gains = np.full((problem.variables, problem.variables), np.nan)
    for v, mine in enumerate(parents_of(problem.variables, arcs)):
        usable = np.flatnonzero(constraints.allowed[:, v] | (constraints.hold[:, v] > 0))
        toggled = [(v, [p for p in mine if p != u] if u in mine else [*mine, u]) for u in usable.tolist()]
        scores = problem.scorer.score_families(Families.of([(v, mine), *toggled]))
        gains[usable, v] = scores[1:] - scores[0]
    return gains
