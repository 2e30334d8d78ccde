"""The globally best graph of a decomposable score under an in-degree and all knowledge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.exact.candidates import Candidates, find_candidates
from mahc.algorithms.score_based.climb import CANDIDATE_BYTES, ESCAPE_BYTES, climb
from mahc.engine import Families, _native
from mahc.errors import InvalidSettingError, KnowledgeError, Mention, Message, UnavailableError
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.connecting import parents_of
from mahc.learning.declarations import (
    declare_arc_price,
    declare_memory_limit,
    declare_relative_price,
    declare_search_in_degree,
)
from mahc.learning.found import FoundDag
from mahc.learning.problem import Problem
from mahc.plurals import count
from mahc.setting_checks import OneOf
from mahc.settings import setting

Arc = tuple[int, int]
MOST_VARIABLES = 20  # of dynamic programming over orders


@ALGORITHMS.register("exact")
@dataclass(frozen=True)
class Exact(Algorithm):
    """The graph of the highest score under the in-degree and all knowledge, proven to be the highest.

    `orders` is dynamic programming over the orders of up to 20 variables; `program` is a 0-1 program with cluster
    cuts, which needs the extra `exact` and has no such limit; `auto` takes orders where it can. Stopped early, it
    brings the best graph so far with its gap: how much higher any graph's score can be, where that is known. With a
    price for arcs the best graph is that of the score less the prices of its arcs, and the gap is of that score.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, Exact()).arcs
    (('a', 'b'),)
    """

    search_in_degree: int = declare_search_in_degree(3)
    method: str = setting(
        "auto",
        help="Method: orders (dynamic programming), program (a 0-1 program, needs SCIP) or auto (orders if possible).",
        check=OneOf("auto", "orders", "program"),
        metavar="NAME",
    )
    arc_price: float = declare_arc_price()
    relative_price: float = declare_relative_price()
    memory_mebibytes: int | None = declare_memory_limit()

    name: ClassVar[str] = "exact"
    proves: ClassVar[bool] = True
    ending: ClassVar[str] = "no graph within the in-degree scores higher (proven)"

    def memory_needed(self, variables: int) -> float:
        """The bounds of all pairs, and the tables of TABU, which finds the first graph."""
        return (16 + CANDIDATE_BYTES + ESCAPE_BYTES) * variables**2

    def search(self, problem: Problem) -> FoundDag:
        """Count the candidate parent sets, then choose among all graphs made of them."""
        problem = problem.priced_by(self.arc_price, self.relative_price)
        by_orders = self._takes_orders(problem.variables)
        control = problem.control
        control.phase = "climbing"
        first = climb(problem, problem.constraints.allowed, averaging=False, escapes=not by_orders).arcs
        control.phase = "candidates"
        candidates = find_candidates(problem)
        if candidates is None:
            return FoundDag(first, (), control.why_stopped(), prices=problem.prices)
        control.phase = "solving"
        known = [tuple(mine) for mine in parents_of(problem.variables, first)]
        parents, gap = _solve(problem, candidates, known, by_orders)
        arcs = tuple(sorted((u, v) for v, mine in enumerate(parents) for u in mine))
        if gap > 0:
            return FoundDag(arcs, (), control.why_stopped(), gap=gap, prices=problem.prices)
        return FoundDag(arcs, (), "converged", gains=_toggle(problem, arcs), gap=0.0, prices=problem.prices)

    def _takes_orders(self, variables: int) -> bool:
        if self.method == "orders" and variables > MOST_VARIABLES:
            limit = f"it takes at most {MOST_VARIABLES} variables, and there are {variables}: use "
            raise InvalidSettingError("method", self.method, Message(limit, Mention("method", "auto")))
        if self.method == "orders" or (self.method == "auto" and variables <= MOST_VARIABLES):
            return True
        if find_spec("pyscipopt") is None:
            raise UnavailableError(
                f"exact learning of {count(variables, 'variable')} needs SCIP: pip install 'mahc[exact]', "
                f"or give at most {MOST_VARIABLES} variables"
            )
        return False


def _solve(
    problem: Problem, candidates: Candidates, known: Sequence[tuple[int, ...]], by_orders: bool
) -> tuple[Sequence[tuple[int, ...]], float]:
    """The parents of every variable, and the gap that is left."""
    if not by_orders:
        from mahc.algorithms.exact.program import solve_by_program  # only here: SCIP is an extra

        solved = solve_by_program(problem, candidates, known)
        return solved.parents, solved.gap
    parents = solve_by_orders(problem, candidates)
    if parents is not None:
        return parents, 0.0
    own = float(problem.local_scores(known).sum()) - math.fsum(
        problem.prices.of_family(v, mine) for v, mine in enumerate(known)
    )
    return known, max(candidates.ceiling - own, math.ulp(own))


def _toggle(problem: Problem, arcs: Sequence[Arc]) -> NDArray[np.float64]:
    """The change of the score for adding or deleting each arc that knowledge allows."""
    constraints = problem.constraints
    gains = np.full((problem.variables, problem.variables), np.nan)
    for v, mine in enumerate(parents_of(problem.variables, arcs)):
        usable = np.flatnonzero(constraints.allowed[:, v] | (constraints.hold[:, v] > 0))
        changed = [(v, [p for p in mine if p != u] if u in mine else [*mine, u]) for u in usable.tolist()]
        scores = problem.scorer.score_families(Families.of([(v, mine), *changed]))
        gains[usable, v] = scores[1:] - scores[0]
    return gains


def solve_by_orders(problem: Problem, candidates: Candidates) -> list[tuple[int, ...]] | None:
    """The parents of every variable in a best graph; None when stopped.

    Of several best graphs one is taken that puts the later of two variables last; of equal parent sets the
    smaller.
    """
    held = problem.constraints.hold > 0
    sets = [mine.sets for mine in candidates.of]
    chosen = _native.order_program(
        np.cumsum([0] + [len(mine) for mine in sets], dtype=np.int64),
        np.array([_mask(parents) for mine in sets for parents in mine], np.uint32),
        np.concatenate([mine.scores for mine in candidates.of]),
        [_mask(np.flatnonzero(held[:, v]).tolist()) for v in range(problem.variables)],
        list(problem.constraints.tier_order.earlier),
        problem.tolerance,
        problem.control,
    )
    if chosen is None:
        return None
    if not chosen:
        raise KnowledgeError("no graph satisfies all required and forbidden arcs and all in-degree limits: remove some")
    every = [parents for mine in sets for parents in mine]
    return [every[k] for k in chosen]


def _mask(members: Sequence[int]) -> int:
    return sum(1 << v for v in members)
