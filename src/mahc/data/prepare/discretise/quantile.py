"""Intervals with about equally many rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.discretise.rule import RULES, Reals


@RULES.register("quantile")
@dataclass(frozen=True)
class Quantile:
    """Intervals with about equally many rows; each cut point is a value that occurs, so equal values stay together.

    >>> Quantile(2).cut_points(np.array([1.0, 2.0, 9.0]), np.array([3, 1, 1]))
    array([1.])
    """

    bins: int

    def __str__(self) -> str:
        return f"quantile:{self.bins}"

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """The smallest numbers that 1/bins, 2/bins, ... of the total weight do not exceed."""
        order = np.argsort(numbers, kind="stable")
        reached = np.cumsum(weights[order]) * self.bins
        total = int(weights.sum())
        places = np.searchsorted(reached, total * np.arange(1, self.bins, dtype=np.int64))
        chosen: Reals = numbers[order[places]]
        return np.unique(chosen[chosen < numbers.max()])
