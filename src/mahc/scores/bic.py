"""Bayesian information criterion: the paper's equations 1 and 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, PenalisedScore


@SCORES.register("bic")
@dataclass(frozen=True)
class BIC(PenalisedScore):
    """Log-likelihood minus log(N) / 2 per free parameter.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> BIC().describe()
    'bic, log base 2'
    """

    name: ClassVar[str] = "bic"

    def price(self, size: int) -> float:
        """log2(N) / 2 bits."""
        return 0.5 * math.log2(size)
