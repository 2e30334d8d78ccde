"""Bayesian Dirichlet equivalent uniform."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from mahc.errors import SettingError
from mahc.scores.base import SCORES, Score, Terms


@SCORES.register("bdeu")
@dataclass(frozen=True)
class BDeu(Score):
    """Log marginal likelihood under a uniform Dirichlet prior worth `equivalent_sample_size` rows.

    >>> BDeu(equivalent_sample_size=5).describe()
    'bdeu, log base 2, equivalent_sample_size 5'
    """

    equivalent_sample_size: float = 1.0

    name: ClassVar[str] = "bdeu"

    def __post_init__(self) -> None:
        super().__post_init__()
        size = self.equivalent_sample_size
        if not (math.isfinite(size) and size > 0):
            raise SettingError(f"equivalent_sample_size is {size}: give a number above 0 (1 is usual)")

    def terms(self, size: int) -> Terms:
        """The prior's weight in rows."""
        return Terms("bdeu", self.equivalent_sample_size)
