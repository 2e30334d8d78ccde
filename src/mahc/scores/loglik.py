"""Maximised log-likelihood, without any penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, PenalisedScore


@SCORES.register("loglik")
@dataclass(frozen=True)
class LogLikelihood(PenalisedScore):
    """Log-likelihood at its maximum; it never decreases when an arc is added, so a search with it overfits.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> LogLikelihood().describe()
    'loglik, log base 2'
    """

    name: ClassVar[str] = "loglik"

    def price(self, size: int) -> float:
        """Nothing."""
        return 0.0
