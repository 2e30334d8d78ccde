"""Bayesian Dirichlet equivalent uniform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from mahc.scores.base import SCORES, CountScore
from mahc.setting_checks import Number
from mahc.settings import setting

if TYPE_CHECKING:
    from mahc.engine._native import Formula


@SCORES.register("bdeu")
@dataclass(frozen=True)
class BDeu(CountScore):
    """Log marginal likelihood under a uniform Dirichlet prior worth `equivalent_sample_size` rows.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.
    equivalent_sample_size : float
        Number of rows that the prior is worth.

    Examples
    --------
    >>> BDeu(equivalent_sample_size=5).describe()
    'bdeu, log base 2, equivalent_sample_size 5'
    """

    equivalent_sample_size: float = setting(
        1.0,
        help="Rows that the Dirichlet prior is worth.",
        check=Number(above=0, hint="1 is usual"),
        metavar="N",
        option="ess",
    )

    name: ClassVar[str] = "bdeu"
    fractional: ClassVar[bool] = True
    marginal_likelihood: ClassVar[bool] = True

    def formula(self, size: int, copies: int = 1, unit: int = 1) -> Formula:
        """The weight of the prior in rows."""
        from mahc.engine._native import Bdeu

        return Bdeu(self.equivalent_sample_size * copies, float(unit))
