"""Dynamic programming over the sets of variables that may come first: the best graph of up to 20 variables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mahc.algorithms.exact.candidates import Candidates
from mahc.engine import _native
from mahc.errors import KnowledgeError
from mahc.learning.problem import Problem

MOST_VARIABLES = 20


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
