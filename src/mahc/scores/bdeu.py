"""Bayesian Dirichlet equivalent uniform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.scores.base import SCORES, Score, Terms
from mahc.setting_checks import Number
from mahc.settings import setting


@SCORES.register("bdeu")
@dataclass(frozen=True)
class BDeu(Score):
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

    def terms(self, size: int) -> Terms:
        """The prior's weight in rows."""
        return Terms("bdeu", self.equivalent_sample_size)
