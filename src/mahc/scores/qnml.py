"""Quotient normalised maximum likelihood (Silander et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from mahc.scores.base import SCORES, CountScore

if TYPE_CHECKING:
    from mahc.engine._native import Formula


@SCORES.register("qnml")
@dataclass(frozen=True)
class QNML(CountScore):
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

    def formula(self, size: int, copies: int = 1, unit: int = 1) -> Formula:
        """Two regrets."""
        from mahc.engine._native import QuotientNml

        return QuotientNml()
