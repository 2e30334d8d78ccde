"""Factorised normalised maximum likelihood (Silander et al., 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from mahc.scores.base import SCORES, CountScore

if TYPE_CHECKING:
    from mahc.engine._native import Formula


@SCORES.register("fnml")
@dataclass(frozen=True)
class FNML(CountScore):
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

    def formula(self, size: int, copies: int = 1, unit: int = 1) -> Formula:
        """A regret per parent configuration."""
        from mahc.engine._native import FactorisedNml

        return FactorisedNml()
