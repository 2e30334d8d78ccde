"""Akaike's information criterion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("aic")
@dataclass(frozen=True)
class AIC(Score):
    """Log-likelihood minus one nat per free parameter.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> AIC(base=10).describe()
    'aic, log base 10'
    """

    name: ClassVar[str] = "aic"

    def terms(self, size: int) -> Terms:
        """Penalty per free parameter: one nat, in bits."""
        return Terms("penalised", math.log2(math.e))
