"""Intervals of equal width."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.discretise.rule import RULES, Reals


@RULES.register("equal-width")
@dataclass(frozen=True)
class EqualWidth:
    """Intervals of equal width between the smallest and the largest number.

    >>> EqualWidth(2).cut_points(np.array([0.0, 1.0, 4.0]), np.array([1, 1, 1]))
    array([2.])
    """

    bins: int

    def __str__(self) -> str:
        return f"equal-width:{self.bins}"

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """Cut points at equal distances."""
        shares = np.arange(1, self.bins) / self.bins
        low, high = float(numbers.min()), float(numbers.max())
        cuts = np.unique(low * (1 - shares) + high * shares)
        return cuts[(cuts >= low) & (cuts < high)]
