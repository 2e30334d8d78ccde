"""Maximised log-likelihood, without any penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("loglik")
@dataclass(frozen=True)
class LogLikelihood(Score):
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

    def terms(self, size: int) -> Terms:
        """No penalty."""
        return Terms("penalised", 0.0)
