"""Quotient normalised maximum likelihood (Silander et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("qnml")
@dataclass(frozen=True)
class QNML(Score):
    """Log-likelihood minus the difference of the regrets of (child, parents) and of the parents, each as one variable.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> QNML().describe()
    'qnml, log base 2'
    """

    name: ClassVar[str] = "qnml"

    def terms(self, size: int) -> Terms:
        """The engine computes the two regrets."""
        return Terms("qnml")
