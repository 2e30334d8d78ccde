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

from mahc.data import Dataset
from mahc.data.columns import Discrete
from mahc.engine.counts import ArrangedSource, CountSource, FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.engine.rows import available_processors, row_sets
from mahc.engine.wide_rows import hold_rows
from mahc.errors import DataError, Mention

Whole = NDArray[np.int64]
Matrix = NDArray[np.float64]
FINENESS = 512  # functions of a bin are rounded to multiples of its inverse
FEW_CELLS = 1 << 21  # of tables that are held at the same time
MOST_CELLS = 1 << 26  # of tables that one pass over pieces counts
LEAST_SHARE = 1 / 64  # of the identity in correlations that contradict each other
ROUNDING = 1e-9
PREPARED_DEGREE = 8  # correlations of lower degrees are a part of these
PREPARED_COLUMNS = 4096  # of all variables; with more, each degree is computed when it is needed
_NORMAL = NormalDist()


def prepared_degree(degree: int, variables: int) -> int:
    """The degree for which correlations are computed where `degree` is asked for."""
    return max(degree, min(PREPARED_DEGREE, PREPARED_COLUMNS // max(1, variables)))


class SmoothRows:
    """Rows whose numbers are bins; `ranked[v]` says whether variable v has ranks: numbers and ordinal states.

    Where values are missing, a variable has one more bin for them, the last; no correlation counts it.

    >>> from mahc.data import Continuous
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
        if data.interventions is not None and not data.complete:
            raise DataError(
                "rows of experiments must have all values, because a missing value may be one that was set: use ",
                Mention("missing", "drop"),
            )
        self.data, self.names, self.rows, self.bins = data, data.names, data.rows, bins
        self.columns = tuple(column.as_bins(bins, data.weights) for column in data.columns)
        self.weights = data.weights if weights is None else weights
        self.testers: dict[str, Any] = {}  # of independence: those that were made of these rows
        self._prepared: tuple[int, Matrix, list[int]] | None = None  # a degree with its correlations
        binned = replace(data, columns=tuple(column.missing_as_state() for column in self.columns))
        self.source: Any = hold_rows(binned, threads, cache_mebibytes, weights)
        self.size: int = self.source.size
        self.threads = available_processors() if threads is None else threads
        self.ranked = tuple(column.ranked for column in data.columns)

    @property
    def marginals(self) -> Sequence[Whole]:
        """For each variable, how often each of its bins or states occurs."""
        found: Sequence[Whole] = self.source.marginals
        return found

    def fingerprint(self) -> str:
        """The fingerprint of the data set."""
        return self.data.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        """Counts of bins and states."""
        found: FamilyCounts = self.source.count_families(families)
        return found

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """As those of any rows: neither the order of bins nor their values matter."""
        found: Hashes = self.source.sum_row_hashes(state_hashes, wanted)
        return found

    def arrange(self, order: Sequence[int]) -> None:
        """Renumber the variables: position i is from now on what was variable `order[i]`."""
        if hasattr(self.source, "arrange"):
            self.source.arrange(order)
        else:
            self.source = ArrangedSource(self.source, order)
        self.names = tuple(self.names[v] for v in order)
        self.ranked = tuple(self.ranked[v] for v in order)
        self.columns = tuple(self.columns[v] for v in order)
        self.testers, self._prepared = {}, None

    def parts(self) -> tuple[list[SmoothRows], list[list[int]]]:
        """The rows that tell the causes of each variable, as those of `EngineRows`; each set has its own ranks."""
        order = [self.data.index(name) for name in self.names]
        sets, which = row_sets(self.data, order)
        return [self if mask is None else self._part(mask, order) for mask in sets], which

    def _part(self, mask: NDArray[np.bool_], order: Sequence[int]) -> SmoothRows:
        weights = None if self.weights is None else self.weights[mask]
        part = SmoothRows(replace(self.data.take(mask), interventions=None), self.bins, self.threads, weights=weights)
        part.arrange(order)
        return part

    @property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return all(column.complete for column in self.columns)

    @property
    def known_counts(self) -> list[Whole]:
        """For each variable, how often each of its bins or states occurs, missing values left out."""
        listed = zip(self.marginals, self.columns, strict=True)
        return [np.asarray(counts, np.int64)[: len(column.states)] for counts, column in listed]

    def functions(self, degree: int) -> list[Whole]:
        """For each variable its columns, one row each, as whole numbers for every bin or state."""
        return [
            functions_of_rank(counts, degree) if ranked else indicators(counts)
            for counts, ranked in zip(self.known_counts, self.ranked, strict=True)
        ]

    def correlations(self, degree: int) -> tuple[Matrix, list[int]]:
        """The correlations of the columns of all variables, and where the columns of each variable begin.

        A number has as many columns as the degree says: its normal score and polynomials of its rank; ordinal states
        do, too, but at most one less than there are states. Any other discrete variable has an indicator for each
        state but the most frequent. What is constant has no columns.
        """
        if self._prepared is None or self._prepared[0] < degree:
            most = prepared_degree(degree, len(self.names))
            self._prepared = (most, *self._correlate_all(most))
        return _of_degree(*self._prepared[1:], self.ranked, degree)

    def _correlate_all(self, degree: int) -> tuple[Matrix, list[int]]:
        marginals, functions = self.known_counts, self.functions(degree)
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

    def pairwise_correlations(self, degree: int) -> tuple[Matrix, list[int], Whole]:
        """The same, each from the rows in which both variables are known, and the weight of these rows.

        Such correlations may contradict each other: the matrix is made positive definite (`make_definite`).
        """
        marginals, functions = self.known_counts, [each.astype(np.float64) for each in self.functions(degree)]
        first = [0, *np.cumsum([len(each) for each in functions]).tolist()]
        found: Matrix = np.eye(first[-1])
        sizes = np.diag([int(counts.sum()) for counts in marginals])
        for v, counts in enumerate(marginals):
            place = slice(first[v], first[v + 1])
            found[place, place] = _correlate(functions[v], functions[v], np.diag(counts))
        for u, v, counted in self._tables_of_pairs(len(marginals)):
            table = counted[: len(marginals[u]), : len(marginals[v])]
            block = _correlate(functions[u], functions[v], table)
            found[first[u] : first[u + 1], first[v] : first[v + 1]] = block
            found[first[v] : first[v + 1], first[u] : first[u + 1]] = block.T
            sizes[u, v] = sizes[v, u] = int(table.sum())
        np.fill_diagonal(found, 1.0)
        return make_definite(found), first, sizes

    def _tables_of_pairs(self, variables: int, most: int = FEW_CELLS) -> Iterator[tuple[int, int, Whole]]:
        """The table of every pair u < v, with an axis for each; about `most` cells are held at the same time."""
        sizes = [len(counts) for counts in self.marginals]
        left, right = np.triu_indices(variables, 1)
        pairs = max(1, most // max(1, max(sizes, default=1) ** 2))
        for start in range(0, len(left), pairs):
            us, vs = (side[start : start + pairs].astype(np.int32) for side in (left, right))
            counted = self.count_families(Families.of_width(vs, us[:, None]))
            for place, (u, v) in enumerate(zip(us.tolist(), vs.tolist(), strict=True)):
                yield u, v, counted.tables(place, sizes[u], sizes[v])[0]


class SmoothSource(SmoothRows):
    """The same for counts of bins that come from elsewhere: all tables of pairs are counted at once, and kept."""

    def __init__(self, source: CountSource, ranked: Sequence[bool], threads: int | None = None) -> None:
        self.names, self.rows, self.size = source.names, source.rows, source.size
        self.source = self._counted = source
        self._order = list(range(len(self.names)))
        self.ranked, self.weights = tuple(ranked), None
        self.testers, self._prepared = {}, None
        self.threads = available_processors() if threads is None else threads
        self.columns = tuple(Discrete(tuple(range(len(m))), np.zeros(0, np.uint8)) for m in source.marginals)
        self._tables = {(u, v): table for u, v, table in super()._tables_of_pairs(len(self.names), MOST_CELLS)}

    def fingerprint(self) -> str:
        """The fingerprint of the source."""
        return self._counted.fingerprint()

    def arrange(self, order: Sequence[int]) -> None:
        """Renumber the variables: position i is from now on what was variable `order[i]`."""
        super().arrange(order)
        self._order = [self._order[v] for v in order]

    def _tables_of_pairs(self, variables: int, most: int = MOST_CELLS) -> Iterator[tuple[int, int, Whole]]:
        for u in range(variables):
            for v in range(u + 1, variables):
                one, other = self._order[u], self._order[v]
                yield u, v, self._tables[one, other] if one < other else self._tables[other, one].T


def _of_degree(matrix: Matrix, first: Sequence[int], ranked: Sequence[bool], degree: int) -> tuple[Matrix, list[int]]:
    """The part of correlations that belongs to a lower degree: each ranked variable has fewer of its columns."""
    columns = [range(first[v], first[v + 1])[: degree if rank else None] for v, rank in enumerate(ranked)]
    kept = [c for own in columns for c in own]
    return matrix[np.ix_(kept, kept)], [0, *np.cumsum([len(own) for own in columns]).tolist()]


def _correlate(left: Matrix, right: Matrix, table: Whole) -> Matrix:
    """The correlations of functions of two variables in the rows of a table; 0 where one is constant in them."""
    size = int(table.sum())
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    one, other = left @ rows, right @ columns
    centred = left @ table @ right.T - np.outer(one, other) / max(1, size)
    variances = ((left**2) @ rows - one**2 / max(1, size), (right**2) @ columns - other**2 / max(1, size))
    scales = np.sqrt(np.outer(*variances))
    found: Matrix = np.divide(centred, scales, out=np.zeros_like(centred), where=scales > 0)
    return found


def correlate(products: Any, sums: Any, size: int) -> tuple[Matrix, NDArray[np.float64], NDArray[np.float64]]:
    """Correlations, means and standard deviations from sums of products and sums."""
    centred = products.astype(np.float64) - np.outer(sums, sums).astype(np.float64) / size
    deviations = np.sqrt(np.diag(centred))
    correlations: Matrix = centred / deviations[:, None] / deviations[None, :]
    np.fill_diagonal(correlations, 1.0)
    return correlations, sums.astype(np.float64) / size, deviations / np.sqrt(size)


def make_definite(correlations: Matrix) -> Matrix:
    """The matrix, or where it is not positive semidefinite a mixture with the identity that is.

    The share of the identity is 1/64, doubled until that suffices.

    >>> make_definite(np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])).round(3)[0].tolist()
    [1.0, 0.45, -0.45]
    """
    share, found = 0.0, correlations
    while share < 1 and not _is_semidefinite(found):
        share = min(1.0, 2 * share if share else LEAST_SHARE)
        found = (1 - share) * correlations
        np.fill_diagonal(found, 1.0)
    return found


def _is_semidefinite(matrix: Matrix) -> bool:
    """Whether no pivot is negative; fixed loops, so that the answer is the same on every machine."""
    left = matrix.copy()
    for k in range(len(left)):
        pivot = left[k, k]
        if pivot < -ROUNDING:
            return False
        if pivot > ROUNDING:
            below = left[k + 1 :, k]
            left[k + 1 :, k + 1 :] -= np.outer(below, below) / pivot
        elif (np.abs(left[k + 1 :, k]) > np.sqrt(ROUNDING)).any():
            return False
    return True


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
