"""Bins of the ranks of numbers: what learning counts of a column of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


def rank_bins(values: NDArray[np.float64], weights: NDArray[np.integer] | None, bins: int) -> Whole:
    """The bin of each value: `bins` bins of equal weight as far as equal values allow, empty ones left out.

    Monotone transformations change nothing, and a change of sign reverses the bins: a value goes into the bin of the
    middle of its ranks, counted from the middle of all ranks. A missing value (NaN) has the bin after the last.

    >>> rank_bins(np.array([5.0, 1.0, 9.0, np.nan, 1.0]), None, 3).tolist()
    [1, 0, 2, 3, 0]
    """
    known = ~np.isnan(values)
    if not known.all():
        found = rank_bins(values[known], None if weights is None else weights[known], bins)
        codes = np.full(len(values), found.max(initial=-1) + 1, np.int64)
        codes[known] = found
        return codes
    distinct, counts = np.unique(values, return_counts=True)
    if weights is not None:
        place = np.searchsorted(distinct, values)
        counts = np.bincount(place, weights=weights.astype(np.float64)).astype(np.int64)
    bin_of = bins_of_counts(counts, bins)
    highest = distinct[np.flatnonzero(np.diff(bin_of))]  # of each bin but the last: faster than the place of each value
    return np.searchsorted(highest, values).astype(np.int64)


def bins_of_counts(counts: Whole, bins: int) -> Whole:
    """The bin of each distinct value, in ascending order of the values, from how often each occurs."""
    size = int(counts.sum())
    twice = 2 * np.cumsum(counts) - counts - size  # twice the distance from the middle of all ranks
    if bins % 2:
        bin_of = np.sign(twice) * ((np.abs(twice) * bins + size) // (2 * size))
    else:  # a value in the very middle has a bin of its own
        bin_of = np.sign(twice) * -(-np.abs(twice) * bins // (2 * size))
    return np.cumsum(np.diff(bin_of, prepend=bin_of[:1]) > 0)
