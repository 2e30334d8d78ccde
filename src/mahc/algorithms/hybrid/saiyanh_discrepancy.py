"""SaiyanH's measure of association: the mean of mean and max discrepancy (MMD), plain and conditional."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.integer]


def discrepancy(counts: Table) -> float:
    """MMD of two variables from their table: how far P(b|a) is from P(b), in both directions; 0 to 1.

    For each direction, over the states a of the one, the mean of the mean (MN) and of the largest (MX) of
    |P(b) - P(b|a)| over the states b of the other; MMD is the mean of these four. States that do not
    occur are left out. Variables that are never observed together have no association.

    >>> discrepancy(np.array([[2, 0], [0, 2]], np.uint32))
    0.5
    >>> discrepancy(np.array([[1, 1], [2, 2]], np.uint32))
    0.0
    """
    seen = counts[counts.any(axis=1)][:, counts.any(axis=0)].astype(np.float64)
    if not seen.size:
        return 0.0
    return math.fsum([*_mean_and_max(seen), *_mean_and_max(seen.T)]) / 4


def conditional_discrepancy(counts: Table) -> float:
    """MMD within each state of the first variable of a table of three, weighted by how often it occurs.

    >>> copies, apart = [[2, 0], [0, 2]], [[1, 1], [1, 1]]
    >>> conditional_discrepancy(np.array([copies, apart], np.uint32))
    0.25
    """
    sizes = counts.sum(axis=(1, 2), dtype=np.float64)
    parts = [size * discrepancy(part) for size, part in zip(sizes.tolist(), counts, strict=True) if size]
    return math.fsum(parts) / float(sizes.sum()) if parts else 0.0


def _mean_and_max(counts: NDArray[np.float64]) -> tuple[float, float]:
    given = counts / counts.sum(axis=1, keepdims=True)
    apart = np.abs(given - counts.sum(axis=0) / counts.sum())
    return _sum(apart) / apart.size, _sum(apart.max(axis=1)) / len(apart)


def _sum(terms: NDArray[np.float64]) -> float:
    # Sorted, so that the order of the states does not change the last bit.
    return float(np.sort(terms, axis=None).sum())
