"""Sums of products of number columns: the statistic of Gaussian scores. Those of pieces add up to those of all rows.

Sums are exact. Values are cut into digits, so that sums of products of digits over `CHUNK` rows stay below 2^53, where
floating point is exact whatever the order of summation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import Column, mix
from mahc.engine.counts import DataSummary, FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.engine.rows import available_processors, row_sets
from mahc.errors import DataError

Exact = NDArray[np.object_]  # whole numbers of any size
CHUNK = 1 << 15  # rows
BITS = 19  # of a digit of a value: 2 * BITS + 15 = 53
WEIGHT_BITS = 8  # of a digit of a weight
WEIGHTED_BITS = 15  # of a digit of a value with a weight: 2 * WEIGHTED_BITS + WEIGHT_BITS + 15 = 53
LEAST = 1074  # the least positive floating-point number is 2^-LEAST


@dataclass(frozen=True)
class Moments:
    """The total weight, the sums of all columns and the sums of the products of all pairs of columns, all exact.

    `sums` and `products` are whole numbers: multiples of 2^-1074, the least positive number of a computer, and of its
    square. So the order of rows and the cut into pieces change no bit of what is computed from them.

    >>> found = Moments.of(np.array([[1.0, 2.0]])) + Moments.of(np.array([[2.0]]))
    >>> found.size, found.covariances().round(3).tolist()
    (3, [[0.222]])
    """

    size: int
    sums: Exact
    products: Exact

    @staticmethod
    def of(values: NDArray[np.float64], weights: NDArray[np.integer] | None = None) -> Moments:
        """The moments of rows: `values` has a line for each column; a row counts as often as its weight says."""
        n, rows = values.shape
        own = None if weights is None else weights.astype(np.int64)
        sums, products = np.zeros(n, object), np.zeros((n, n), object)
        for first in range(0, rows, CHUNK):
            part = slice(first, first + CHUNK)
            digits = _digits(values[:, part], BITS if own is None else WEIGHTED_BITS)
            if not digits:
                continue
            stacked = np.vstack([lines for _, _, lines in digits])
            first_line = np.cumsum([0, *(len(lines) for _, _, lines in digits)]).tolist()
            for shift, weight in [(0, None)] if own is None else weight_digits(own[part]):
                weighted = stacked if weight is None else stacked * weight
                totals = weighted.sum(axis=1)
                gram = weighted @ stacked.T  # NumPy does half the work where a matrix meets itself
                for (place, which, _), (begin, end) in zip(digits, pairwise(first_line), strict=True):
                    sums[which] += _whole(totals[begin:end], place + LEAST + shift)
                    for (other, those, _), (start, stop) in zip(digits, pairwise(first_line), strict=True):
                        block = gram[begin:end, start:stop]
                        products[np.ix_(which, those)] += _whole(block, place + other + 2 * LEAST + shift)
        return Moments(rows if own is None else int(own.sum()), sums, products)

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.size + other.size, self.sums + other.sums, self.products + other.products)

    def arranged(self, order: Sequence[int]) -> Moments:
        """The same moments, variable i being `order[i]`."""
        return Moments(self.size, self.sums[order], self.products[np.ix_(order, order)])

    def correlations(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The correlations of all pairs, 0 with a constant, and the natural logarithm of each standard deviation.

        The size divides the variances. The logarithm of a constant is -inf.
        """
        centred = self.size * self.products - np.outer(self.sums, self.sums)
        halves = [int(centred[v, v]).bit_length() // 2 for v in range(len(self.sums))]
        scaled = np.array(
            [[int(x) / (1 << halves[u] + halves[v]) for v, x in enumerate(line)] for u, line in enumerate(centred)]
        ).reshape(centred.shape)
        variances = np.diag(scaled)
        deviations = np.sqrt(np.where(variances > 0, variances, 1.0))
        found = scaled / deviations[:, None] / deviations[None, :]
        np.fill_diagonal(found, 1.0)
        units = np.array(halves) - LEAST
        logs = np.log(deviations) + units * math.log(2) - math.log(self.size)
        return found, np.where(variances > 0, logs, -np.inf)

    def covariances(self) -> NDArray[np.float64]:
        """The covariances of all pairs, divided by the size."""
        correlations, logs = self.correlations()
        deviations = np.exp(logs)
        found: NDArray[np.float64] = correlations * np.outer(deviations, deviations)
        return found


@runtime_checkable
class MomentSource(DataSummary, Protocol):
    """Rows that answer with moments: in this process, or in pieces."""

    def moments(self) -> Moments:
        """The moments of all rows, in the order of `names`."""
        ...


class MomentRows:
    """Rows of number columns in this process.

    >>> from mahc.data import Continuous
    >>> rows = MomentRows(Dataset(("a",), (Continuous(np.array([1.0, 2.0, 4.0])),)))
    >>> rows.moments().covariances().round(3).tolist()
    [[1.556]]
    """

    def __init__(self, data: Dataset, weights: NDArray[np.integer] | None = None, threads: int | None = None) -> None:
        self.data, self.names, self.rows = data, data.names, data.rows
        self._columns = [_check_numbers(name, column) for name, column in zip(data.names, data.columns, strict=True)]
        self.weights = data.weights if weights is None else weights
        self.testers: dict[str, Any] = {}  # of independence: those that were made of these rows
        self.threads = available_processors() if threads is None else threads
        self.size = self.rows if self.weights is None else int(self.weights.sum())

    @property
    def marginals(self) -> list[NDArray[np.int64]]:
        """Numbers have no states to count."""
        return [np.zeros(0, np.int64) for _ in self.names]

    def fingerprint(self) -> str:
        """The fingerprint of the data set."""
        return self.data.fingerprint()

    def arrange(self, order: Sequence[int]) -> None:
        """Renumber the variables: position i is from now on what was variable `order[i]`."""
        self.names = tuple(self.names[v] for v in order)
        self._columns = [self._columns[v] for v in order]
        self.testers = {}

    def parts(self) -> tuple[list[MomentRows], list[list[int]]]:
        """The rows that tell the causes of each variable, as those of `EngineRows`."""
        order = [self.data.index(name) for name in self.names]
        sets, which = row_sets(self.data, order)
        return [self if mask is None else self._part(mask, order) for mask in sets], which

    def _part(self, mask: NDArray[np.bool_], order: Sequence[int]) -> MomentRows:
        weights = None if self.weights is None else self.weights[mask]
        part = MomentRows(replace(self.data.take(mask), interventions=None, weights=None), weights, self.threads)
        part.arrange(order)
        return part

    def moments(self) -> Moments:
        """The moments of all rows; no missing value, no states."""
        return Moments.of(np.stack([column.as_numbers() for column in self._columns]), self.weights)

    def content_hashes(self) -> Hashes:
        """One number per column, from its values in any order of rows: what breaks ties between columns of numbers."""
        return sum_contents(self._columns, self.weights)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """Nothing: there are no states."""
        return np.zeros_like(state_hashes)

    def count_families(self, families: Families) -> FamilyCounts:
        """Refused: numbers have no states to count."""
        raise DataError("columns of numbers have no states to count: cut them when you read the data")


def sum_contents(columns: Sequence[Column], weights: NDArray[np.integer] | None) -> Hashes:
    """For each column the wrapping sum of the hashes of its values, each as often as its row counts.

    A change of sign does not change it.
    """
    own = np.uint64(1) if weights is None else weights.astype(np.uint64)
    both = [(column, column.with_rows(-column.as_numbers())) for column in columns]
    hashes = [sum(mix(each.sort_keys().astype(np.uint64)) for each in signs) for signs in both]
    return np.array([np.sum(each * own, dtype=np.uint64) for each in hashes], np.uint64)


def _check_numbers(name: str, column: Column) -> Column:
    try:
        column.as_numbers()
    except DataError as problem:
        raise DataError(f"column '{name}' {problem}") from None
    if not column.complete:
        raise DataError(f"values are missing in column '{name}', and moments need all of them: leave such rows out")
    return column


def _digits(values: NDArray[np.float64], bits: int) -> list[tuple[int, NDArray[np.intp], NDArray[np.float64]]]:
    """Digits d with values = the sum of d * 2^place: for each place the columns that have some, and the digits."""
    found = []
    rest = values.copy()
    place = math.frexp(float(np.abs(rest).max(initial=0.0)))[1] // bits * bits
    while rest.any():
        which = np.flatnonzero(rest.any(axis=1))
        lines = np.trunc(np.ldexp(rest[which], -place))
        rest[which] -= np.ldexp(lines, place)
        if lines.any():
            found.append((place, which, lines))
        place -= bits
    return found


def weight_digits(weights: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Digits of the weights, and their places."""
    for shift in range(0, int(weights.max(initial=0)).bit_length(), WEIGHT_BITS):
        yield shift, ((weights >> shift) & ((1 << WEIGHT_BITS) - 1)).astype(np.float64)


def _whole(numbers: NDArray[np.float64], shift: int) -> Exact:
    """Whole numbers times 2^shift; a negative shift drops zeros."""
    exact: Any = numbers.astype(np.int64).astype(object)
    found: Exact = exact << shift if shift >= 0 else exact >> -shift
    return found
