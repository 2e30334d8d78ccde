"""Akaike's information criterion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, PenalisedScore


@SCORES.register("aic")
@dataclass(frozen=True)
class AIC(PenalisedScore):
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

    def price(self, size: int) -> float:
        """One nat, in bits."""
        return math.log2(math.e)
