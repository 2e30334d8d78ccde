"""Upper bounds of a penalised score: they rule out parent sets that need not be counted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountScorer, RowScorer
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
    states = np.array([float(len(counts)) for counts in source.marginals])
    divisors = np.array(problem.constraints.divisors or [1.0] * len(states))
    price = score.price(source.size) / math.log2(score.base) * (states - 1) / divisors
    with_penalty = price[None, :] * np.where(np.eye(len(states), dtype=bool), 1.0, states[:, None])
    return Bounds(price, states, -(problem.pairs + with_penalty))
