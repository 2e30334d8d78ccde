"""Factorised normalised maximum likelihood (Silander et al., 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("fnml")
@dataclass(frozen=True)
class FNML(Score):
    """Log-likelihood minus the multinomial regret of each parent configuration that occurs.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> FNML().describe()
    'fnml, log base 2'
    """

    name: ClassVar[str] = "fnml"

    def terms(self, size: int) -> Terms:
        """The engine sums the regrets."""
        return Terms("fnml")
