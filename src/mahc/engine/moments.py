"""Sums of products of number columns: the statistic of Gaussian scores. Those of pieces add up to those of all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import Column, mix
from mahc.engine.counts import DataSummary, FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.errors import DataError


@dataclass(frozen=True)
class Moments:
    """The total weight, the sums of all columns and the sums of the products of all pairs of columns.

    >>> found = Moments(2, np.array([3.0]), np.array([[5.0]])) + Moments(1, np.array([2.0]), np.array([[4.0]]))
    >>> found.size, found.covariances().round(3).tolist()
    (3, [[0.222]])
    """

    size: int
    sums: NDArray[np.float64]
    products: NDArray[np.float64]

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.size + other.size, self.sums + other.sums, self.products + other.products)

    def arranged(self, order: Sequence[int]) -> Moments:
        """The same moments, variable i being `order[i]`."""
        return Moments(self.size, self.sums[order], self.products[np.ix_(order, order)])

    def covariances(self) -> NDArray[np.float64]:
        """The covariances of all pairs, divided by the size."""
        means = self.sums / self.size
        found: NDArray[np.float64] = self.products / self.size - np.outer(means, means)
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
    >>> rows.moments().sums.tolist()
    [7.0]
    """

    def __init__(self, data: Dataset, weights: NDArray[np.integer] | None = None) -> None:
        if data.interventions is not None:
            raise DataError("rows of experiments need a score of discrete data: leave them out, or cut the numbers")
        self.data, self.names, self.rows = data, data.names, data.rows
        self._columns = [_check_numbers(name, column) for name, column in zip(data.names, data.columns, strict=True)]
        self._weights = data.weights if weights is None else weights
        self.size = self.rows if self._weights is None else int(self._weights.sum())

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

    def moments(self) -> Moments:
        """The moments of all rows; no missing value, no states."""
        values = np.stack([column.as_numbers() for column in self._columns])
        own = np.ones(self.rows) if self._weights is None else self._weights.astype(np.float64)
        return Moments(self.size, values @ own, (values * own) @ values.T)

    def content_hashes(self) -> Hashes:
        """One number per column, from its values in any order of rows: what breaks ties between columns of numbers."""
        return sum_contents(self._columns, self._weights)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """Nothing: there are no states."""
        return np.zeros_like(state_hashes)

    def count_families(self, families: Families) -> FamilyCounts:
        """Refused: numbers have no states to count."""
        raise DataError("columns of numbers have no states to count: cut them when you read the data")


def sum_contents(columns: Sequence[Column], weights: NDArray[np.integer] | None) -> Hashes:
    """For each column the wrapping sum of the hashes of its values, each as often as its row counts."""
    own = np.uint64(1) if weights is None else weights.astype(np.uint64)
    return np.array([np.sum(mix(column.sort_keys().astype(np.uint64)) * own, dtype=np.uint64) for column in columns])


def _check_numbers(name: str, column: Column) -> Column:
    try:
        column.as_numbers()
    except DataError as problem:
        raise DataError(f"column '{name}' {problem}") from None
    if not column.complete:
        raise DataError(f"values are missing in column '{name}', and moments need all of them: leave such rows out")
    return column
