"""Quotient normalised maximum likelihood (Silander et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("qnml")
@dataclass(frozen=True)
class QNML(Score):
    """Log-likelihood less the regret of (child, parents) as one variable over that of the parents alone.

    >>> QNML().describe()
    'qnml, log base 2'
    """

    name: ClassVar[str] = "qnml"

    def terms(self, size: int) -> Terms:
        """The engine takes the two regrets."""
        return Terms("qnml")
