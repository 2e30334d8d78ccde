"""Bayesian information criterion: the paper's equations 1 and 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("bic")
@dataclass(frozen=True)
class BIC(Score):
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

    def terms(self, size: int) -> Terms:
        """Penalty per free parameter: log2(N) / 2 bits."""
        return Terms("penalised", 0.5 * math.log2(size))
