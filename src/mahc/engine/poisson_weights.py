"""Random weights of rows that depend on a seed, the number of the resample and the number of the row alone.

A row of weight w is drawn Poisson(w) times, as w is the sum of powers of two: Poisson(w) is the sum of independent
Poisson(2^j), one for each bit j of w. The number of bit j in row i is found by inversion: number i (64 bits) of the
stream of Philox 4x64 (Salmon et al. 2011) with the key (seed, 64 * resample + j), compared with the cumulative
probabilities of Poisson(2^j) times 2^53. These are made by multiplication, division and addition in a fixed order, so
that they are the same on every machine. Philox is counter-based: any row is reached without those before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from mahc.errors import DataError

MOST_BITS = 31  # of the weight of a row
BLOCK = 1 << 15  # rows at a time, which the cache of the processor can hold
_PER_COUNTER = 4  # numbers that Philox makes of one counter
_BITS = 53
_COARSE = 16  # bits by which most numbers are looked up
Weights = NDArray[np.int64]


@dataclass(frozen=True)
class PoissonWeights:
    """How often each row is in each resample.

    Parameters
    ----------
    seed : int
        The seed of the resamples.

    Examples
    --------
    >>> weights = PoissonWeights(seed=1)
    >>> whole = weights.draw(0, 0, 1000)
    >>> bool((whole[600:] == weights.draw(0, 600, 400)).all()), int(whole.sum())
    (True, 984)
    """

    seed: int

    def draw(self, resample: int, first: int, rows: int, weights: NDArray[np.integer] | None = None) -> Weights:
        """The weights of rows `first` to `first + rows - 1` in a resample; `weights` are those that they have."""
        found = np.empty(rows, np.int64)
        for start in range(0, rows, BLOCK):
            end = min(rows, start + BLOCK)
            own = None if weights is None else weights[start:end]
            found[start:end] = self._draw_block(resample, first + start, end - start, own)
        return found

    def _draw_block(
        self, resample: int, first: int, rows: int, weights: NDArray[np.integer] | None
    ) -> NDArray[np.integer]:
        if weights is None:
            return self._draw_bit(resample, 0, first, rows)
        largest = int(weights.max(initial=0))
        if largest >> MOST_BITS:
            raise DataError(
                f"a row has the weight {largest:,}, and Poisson weights are drawn for at most "
                f"{(1 << MOST_BITS) - 1:,}: divide the weights"
            )
        total = np.zeros(rows, np.int64)
        for bit in range(largest.bit_length()):
            has = (weights >> bit) & 1
            if has.any():
                total += np.where(has, self._draw_bit(resample, bit, first, rows), 0)
        return total

    def _draw_bit(self, resample: int, bit: int, first: int, rows: int) -> NDArray[np.integer]:
        numbers = row_numbers(self.seed, 64 * resample + bit, first, rows) >> np.uint64(64 - _BITS)
        limits, coarse, sure = _table(bit)
        bins = (numbers >> np.uint64(_BITS - _COARSE)).view(np.int64)
        found = coarse[bins]
        odd = np.flatnonzero(~sure[bins])
        found[odd] = np.searchsorted(limits, numbers[odd], side="right")
        low = _lowest(bit)
        return found + low if low else found


def row_numbers(seed: int, stream: int, first: int, rows: int) -> NDArray[np.uint64]:
    """Numbers `first` to `first + rows - 1` of a stream of random numbers of 64 bits, one for each row."""
    made = np.random.Philox(key=np.array([seed, stream], np.uint64))
    made.advance(first // _PER_COUNTER)
    skipped = first % _PER_COUNTER
    found: NDArray[np.uint64] = made.random_raw(skipped + rows)[skipped:]
    return found


def _lowest(bit: int) -> int:
    """The lowest count of Poisson(2^bit) that is told apart: those below have a probability of less than 2^-54."""
    return max(0, (1 << bit) - 9 * isqrt(1 << bit) - 30)


@cache
def _table(bit: int) -> tuple[NDArray[np.uint64], NDArray[np.integer], NDArray[np.bool_]]:
    """Where the numbers of each count begin; for the first bits of a number the count, and whether it is certain."""
    mean, low = 1 << bit, _lowest(bit)
    high = mean + 9 * isqrt(mean) + 30
    above = np.cumprod(mean / np.arange(mean + 1, high + 1, dtype=np.float64))
    below = np.cumprod(np.arange(mean, low, -1, dtype=np.float64) / mean)
    sums = np.cumsum(np.concatenate([below[::-1], [1.0], above]))  # in order: `sum` may add in another one
    limits = np.floor(sums[:-1] / sums[-1] * 2.0**_BITS).astype(np.uint64)
    edges = np.arange((1 << _COARSE) + 1, dtype=np.uint64) << np.uint64(_BITS - _COARSE)
    first = np.searchsorted(limits, edges[:-1], side="right")
    last = np.searchsorted(limits, edges[1:] - np.uint64(1), side="right")
    return limits, first.astype(np.uint8 if len(limits) < 256 else np.int64), first == last
