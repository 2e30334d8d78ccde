"""Which part of the rows is held out: by the number of a row, so that the cut into pieces changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.engine.poisson_weights import row_numbers

_STREAM = 1 << 63  # apart from the streams of resamples


@dataclass(frozen=True)
class FoldWeights:
    """The part of each row, from the stream of random numbers that Philox makes of the seed.

    Parameters
    ----------
    seed : int
        The seed of the parts.
    folds : int
        The number of parts.

    Examples
    --------
    >>> FoldWeights(seed=1, folds=3).part_of(0, 8).tolist()
    [1, 0, 0, 2, 1, 2, 0, 1]
    """

    seed: int
    folds: int

    def part_of(self, first: int, rows: int) -> NDArray[np.int64]:
        """The parts of rows `first` to `first + rows - 1`."""
        high = row_numbers(self.seed, _STREAM, first, rows) >> np.uint64(32)
        return (high * np.uint64(self.folds) >> np.uint64(32)).astype(np.int64)

    def draw(self, number: int, first: int, rows: int, weights: NDArray[np.integer] | None = None) -> NDArray[np.int64]:
        """The weights of rows without part `number // 2` or, where the number is odd, of this part alone."""
        fold, inside = divmod(number, 2)
        own = np.ones(rows, np.int64) if weights is None else weights.astype(np.int64)
        return np.where((self.part_of(first, rows) == fold) == bool(inside), own, 0)
