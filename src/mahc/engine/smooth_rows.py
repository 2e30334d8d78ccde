"""Rows for the smooth score: numbers as bins of their ranks, and the correlations of functions of these bins.

A column of numbers is counted as a column of at most `bins` states. All that the score needs are the tables of pairs of
such columns, which are integers: any order of rows, any cut into pieces and any machine gives the same correlations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind
from mahc.data.columns import Column, Continuous, Discrete
from mahc.engine.counts import ArrangedSource, FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.engine.rows import available_processors
from mahc.engine.wide_rows import hold_rows
from mahc.errors import DataError

Whole = NDArray[np.int64]
Matrix = NDArray[np.float64]
FINENESS = 512  # functions of a bin are rounded to multiples of its inverse
MOST_PAIRS = 2048  # tables that are held at the same time
_NORMAL = NormalDist()


class SmoothRows:
    """Rows whose numbers are bins; `numbers[v]` says whether variable v is a number.

    >>> data = Dataset(("x", "y"), (Continuous(np.arange(4.0)), Continuous(np.array([1.0, 2.0, 3.0, 5.0]))))
    >>> matrix, first = SmoothRows(data, 31).correlations(1)
    >>> first, matrix.round(6).tolist()
    ([0, 1, 2], [[1.0, 1.0], [1.0, 1.0]])
    """

    def __init__(
        self,
        data: Dataset,
        bins: int,
        threads: int | None = None,
        cache_mebibytes: int = 256,
        weights: NDArray[np.integer] | None = None,
    ) -> None:
        if data.interventions is not None:
            raise DataError("rows of experiments need a score of discrete data: leave them out, or cut the numbers")
        self.data, self.names, self.rows = data, data.names, data.rows
        binned = replace(data, columns=tuple(_binned(column, data.weights, bins) for column in data.columns))
        self._source: Any = hold_rows(binned, threads, cache_mebibytes, weights)
        self.weights = data.weights if weights is None else weights
        self.testers: dict[str, Any] = {}  # of independence: those that were made of these rows
        self.size: int = self._source.size
        self.threads = available_processors() if threads is None else threads
        self.numbers = tuple(column.kind is Kind.CONTINUOUS for column in data.columns)

    @property
    def marginals(self) -> Sequence[Whole]:
        """For each variable, how often each of its bins or states occurs."""
        found: Sequence[Whole] = self._source.marginals
        return found

    def fingerprint(self) -> str:
        """The fingerprint of the data set."""
        return self.data.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        """Counts of bins and states."""
        found: FamilyCounts = self._source.count_families(families)
        return found

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """As those of any rows: neither the order of bins nor their values matter."""
        found: Hashes = self._source.sum_row_hashes(state_hashes, wanted)
        return found

    def arrange(self, order: Sequence[int]) -> None:
        """Renumber the variables: position i is from now on what was variable `order[i]`."""
        if hasattr(self._source, "arrange"):
            self._source.arrange(order)
        else:
            self._source = ArrangedSource(self._source, order)
        self.names = tuple(self.names[v] for v in order)
        self.numbers = tuple(self.numbers[v] for v in order)
        self.testers = {}

    def correlations(self, degree: int) -> tuple[Matrix, list[int]]:
        """The correlations of the columns of all variables, and where the columns of each variable begin.

        A number has as many columns as the degree says: its normal score and polynomials of its rank. A discrete
        variable has an indicator for each state but the most frequent. What is constant has no columns.
        """
        marginals = [np.asarray(counts, np.int64) for counts in self.marginals]
        functions = [
            functions_of_rank(counts, degree) if number else indicators(counts)
            for counts, number in zip(marginals, self.numbers, strict=True)
        ]
        first = [0, *np.cumsum([len(each) for each in functions]).tolist()]
        exact = np.float64 if self.size < 2**31 else object  # sums below 2^53 are exact in floating point
        functions = [each.astype(exact) for each in functions]
        products: Any = np.zeros((first[-1], first[-1]), exact)
        for v, counts in enumerate(marginals):
            products[first[v] : first[v + 1], first[v] : first[v + 1]] = (functions[v] * counts) @ functions[v].T
        for u, v, table in self._tables_of_pairs(len(marginals)):
            block = functions[u] @ table.astype(exact) @ functions[v].T
            products[first[u] : first[u + 1], first[v] : first[v + 1]] = block
            products[first[v] : first[v + 1], first[u] : first[u + 1]] = block.T
        sums = np.concatenate([np.zeros(0), *((f * c).sum(axis=1) for f, c in zip(functions, marginals, strict=True))])
        return correlate(products, sums, self.size)[0], first

    def _tables_of_pairs(self, variables: int) -> Iterator[tuple[int, int, Whole]]:
        """The table of every pair u < v, with an axis for each."""
        sizes = [len(counts) for counts in self.marginals]
        left, right = np.triu_indices(variables, 1)
        for start in range(0, len(left), MOST_PAIRS):
            us, vs = (side[start : start + MOST_PAIRS].astype(np.int32) for side in (left, right))
            counted = self.count_families(Families.of_width(vs, us[:, None]))
            for place, (u, v) in enumerate(zip(us.tolist(), vs.tolist(), strict=True)):
                yield u, v, counted.tables(place, sizes[u], sizes[v])[0]


def correlate(products: Any, sums: Any, size: int) -> tuple[Matrix, NDArray[np.float64], NDArray[np.float64]]:
    """Correlations, means and standard deviations from sums of products and sums."""
    centred = products.astype(np.float64) - np.outer(sums, sums).astype(np.float64) / size
    deviations = np.sqrt(np.diag(centred))
    correlations: Matrix = centred / deviations[:, None] / deviations[None, :]
    np.fill_diagonal(correlations, 1.0)
    return correlations, sums.astype(np.float64) / size, deviations / np.sqrt(size)


def _binned(column: Column, weights: NDArray[np.integer] | None, bins: int) -> Column:
    if not column.complete:
        raise DataError("values are missing, and the smooth score needs all of them: leave such rows out")
    if not isinstance(column, Continuous):
        return column
    codes = rank_bins(column.values, weights, bins)
    return Discrete(tuple(range(int(codes.max()) + 1)), codes.astype(np.uint32))


def rank_bins(values: NDArray[np.float64], weights: NDArray[np.integer] | None, bins: int) -> Whole:
    """The bin of each value: `bins` bins of equal weight as far as equal values allow, empty ones left out.

    Monotone transformations change nothing, and a change of sign reverses the bins: a value goes into the bin of the
    middle of its ranks, counted from the middle of all ranks.

    >>> rank_bins(np.array([5.0, 1.0, 9.0, 1.0]), None, 3).tolist()
    [1, 0, 2, 0]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    if weights is not None:
        counts = np.bincount(place, weights=weights.astype(np.float64)).astype(np.int64)
    size = int(counts.sum())
    twice = 2 * np.cumsum(counts) - counts - size  # twice the distance from the middle of all ranks
    bin_of = np.sign(twice) * ((np.abs(twice) * bins + size) // (2 * size))
    return np.unique(bin_of, return_inverse=True)[1].reshape(-1)[place].astype(np.int64)


def functions_of_rank(counts: Whole, degree: int) -> Whole:
    """The normal score and the Legendre polynomials 2 to `degree` of the rank, one row each, for every bin.

    Their values are whole numbers with a mean of nearly zero. More than one less than the occupied bins would depend on
    each other.
    """
    occupied = int(np.count_nonzero(counts))
    upper = np.cumsum(counts)
    size = int(upper[-1])
    middle = (2 * upper - counts - size) / size
    curves = [np.polynomial.legendre.legval(middle, [0] * k + [1]) for k in range(2, degree + 1)]
    lines = np.array([_normal_scores(upper, counts, size), *curves])[: max(0, occupied - 1)]
    found = np.rint(lines * FINENESS)
    means = np.rint((found * counts).sum(axis=1, keepdims=True) / size)
    centred: Whole = (found - means).astype(np.int64)
    return centred


def _normal_scores(upper: Whole, counts: Whole, size: int) -> NDArray[np.float64]:
    """The mean of a standard normal variable between the ranks of each bin."""
    densities = [_density_at(rank, size) for rank in (0, *upper.tolist())]
    found: NDArray[np.float64] = -np.diff(densities) / (np.maximum(counts, 1) / size)
    return found


def _density_at(rank: int, size: int) -> float:
    """The normal density where a share rank / size lies below; the same from both ends."""
    rank = min(rank, size - rank)
    return _NORMAL.pdf(_NORMAL.inv_cdf(rank / size)) if rank else 0.0


def indicators(counts: Whole) -> Whole:
    """One row for each state that occurs, but the most frequent, the frequent ones first."""
    order = np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]
    return np.eye(len(counts), dtype=np.int64)[order[1:]]
