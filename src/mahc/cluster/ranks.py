"""Bins of the ranks of numbers in pieces: exact quantiles by counting in passes, then tables of bins.

A column whose distinct values were listed needs no pass of its own. For the others, quantiles are found by radix
selection on the bits of the numbers, all columns and quantiles at once: five passes of 16, 12, 12, 12 and 12 bits. All
sums are of whole numbers, and the bins are those of `mahc.data.rank_bins` for the same rows in one table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.passes import FamilyTables, Pass, RowHashes
from mahc.cluster.shard import Shard
from mahc.data import Dataset
from mahc.data.columns import Discrete
from mahc.data.rank_bins import bins_of_counts
from mahc.engine import Families, FamilyCounts
from mahc.engine.counts import Hashes
from mahc.engine.wide_rows import hold_rows
from mahc.errors import DataError, Mention

T = TypeVar("T")
Whole = NDArray[np.int64]
Keys = NDArray[np.uint64]
Numbers = NDArray[np.float64]
FIRST_BITS, LATER_BITS = 16, 12
SIGN = np.uint64(1 << 63)


@dataclass(frozen=True)
class ColumnBins:
    """The least number of each bin but the first, and the weight of each bin.

    >>> ColumnBins.of_counts(np.array([1.0, 5.0, 9.0]), np.array([2, 1, 1]), 3)
    ColumnBins(edges=array([5., 9.]), counts=array([2, 1, 1]))
    """

    edges: Numbers
    counts: Whole

    @staticmethod
    def of_counts(values: Numbers, counts: Whole, bins: int) -> ColumnBins:
        """The bins of numbers of which all distinct values and their weights are known."""
        order = np.argsort(values)
        values, counts = values[order], counts[order]
        bin_of = bins_of_counts(counts, bins)
        first = np.flatnonzero(np.diff(bin_of)) + 1
        return ColumnBins(values[first], np.bincount(bin_of, counts).astype(np.int64))

    def code(self, numbers: Numbers) -> Whole:
        """The bin of each number."""
        return np.searchsorted(self.edges, numbers, side="right").astype(np.int64)


@dataclass(frozen=True)
class DigitCounts:
    """How often each digit follows each prefix in the bits of the numbers of some columns.

    `prefixes` are for each column the sorted leading bits that are looked at; `shift` bits follow the digit.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    prefixes: tuple[Keys, ...]
    shift: int
    bits: int
    name: str = field(default="ranks", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> list[Whole]:
        """The counts of one shard."""
        found = []
        for v, name, prefixes in zip(self.columns, self.names, self.prefixes, strict=True):
            size = len(prefixes) << self.bits
            numbers = np.asarray(part.values[v], np.float64)
            if np.isnan(numbers).any():
                use = Mention("missing", "drop")
                raise DataError(f"values are missing in column '{name}': use ", use, " to leave such rows out")
            keys = order_bits(numbers) >> np.uint64(self.shift)
            weights = part.weights
            leading, digits = keys >> np.uint64(self.bits), keys & np.uint64((1 << self.bits) - 1)
            place = np.minimum(np.searchsorted(prefixes, leading), len(prefixes) - 1)
            here = prefixes[place] == leading
            cells = (place[here] << self.bits) + digits[here].astype(np.int64)
            own = None if weights is None else weights[here]
            found.append(np.bincount(cells, own, size).astype(np.int64))
        return found

    def add(self, first: list[Whole], second: list[Whole]) -> list[Whole]:
        """Both together."""
        return [one + other for one, other in zip(first, second, strict=True)]


def order_bits(numbers: Numbers) -> Keys:
    """Whole numbers that are ordered as the numbers are.

    >>> order_bits(np.array([-1.5, -0.0, 0.0, 2.0])).argsort(kind="stable").tolist()
    [0, 1, 2, 3]
    """
    bits = (numbers + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    return np.where(bits >= SIGN, ~bits, bits | SIGN)


def number_of(keys: Keys) -> Numbers:
    """The numbers that `order_bits` made these of."""
    return np.where(keys >= SIGN, keys ^ SIGN, ~keys).view(np.float64)


def find_bins(
    run: Callable[[DigitCounts], list[Whole]], columns: Sequence[int], names: Sequence[str], size: int, bins: int
) -> dict[int, ColumnBins]:
    """The bins of columns of numbers, by five passes over all pieces; none without columns."""
    if not columns:
        return {}
    ranks = np.array([(twice + 1) // 2 for twice in _thresholds(size, bins)], np.int64)  # that the edges lie at
    found = {v: (np.zeros(len(ranks), np.uint64), np.zeros(len(ranks), np.int64)) for v in columns}
    weights = {v: np.zeros(len(ranks), np.int64) for v in columns}
    shift = 64
    while shift:
        bits = FIRST_BITS if shift == 64 else LATER_BITS
        shift -= bits
        prefixes = [np.unique(found[v][0]) for v in columns]
        counted = run(DigitCounts(tuple(columns), tuple(names), tuple(prefixes), shift, bits))
        for v, known, counts in zip(columns, prefixes, counted, strict=True):
            prefix, below = found[v]
            tables = counts.reshape(len(known), -1)[np.searchsorted(known, prefix)]
            upto = np.cumsum(tables, axis=1) + below[:, None]
            digit = (upto < ranks[:, None]).sum(axis=1)
            weights[v] = np.take_along_axis(tables, digit[:, None], 1)[:, 0]
            below = np.take_along_axis(upto, digit[:, None], 1)[:, 0] - weights[v]
            found[v] = (prefix << np.uint64(bits)) | digit.astype(np.uint64), below
    twice = np.array(_thresholds(size, bins), np.int64)
    return {v: _make_bins(number_of(found[v][0]), found[v][1], weights[v], twice, size) for v in columns}


def _thresholds(size: int, bins: int) -> list[int]:
    """For each bin but the first, the least sum of a value's first rank less 1 and its last rank, ascending.

    The inverse of the rule of `rank_bins`.
    """
    most = (size * bins + size - 1) // (2 * size)
    found = []
    for k in range(1 - most, most + 1):
        far = -(-size * (2 * max(k, 1 - k) - 1) // bins)
        found.append((far if k > 0 else 1 - far) + size)
    return found


def _make_bins(edges: Numbers, below: Whole, weights: Whole, twice: Whole, size: int) -> ColumnBins:
    """The bins from the number at each edge, the weight below it and its own: bins without rows are left out."""
    inside = 2 * below + weights >= twice  # whether that number is in the upper bin
    with np.errstate(over="ignore"):  # nothing is above the largest number
        starts = np.where(inside, edges, np.nextafter(edges, np.inf))
    upto = np.where(inside, below, below + weights)
    upto, first = np.unique(upto, return_index=True)
    kept = (upto > 0) & (upto < size)
    return ColumnBins(starts[first][kept], np.diff([0, *upto[kept].tolist(), size]))


class BinnedShard:
    """A shard whose numbers are bins."""

    def __init__(self, shard: Shard, bins: Sequence[ColumnBins | None]) -> None:
        self._shard, self._bins, self.rows = shard, bins, shard.rows

    @property
    def engine(self) -> Any:
        """The core on these rows."""
        shard = self._shard
        columns = [
            column if bins is None else Discrete(tuple(range(len(bins.counts))), bins.code(column.as_numbers()))  # type: ignore[arg-type]
            for column, bins in zip(shard.data.columns, self._bins, strict=True)
        ]
        return hold_rows(Dataset(shard.coding.names, tuple(columns), shard.weights), shard.threads)


@dataclass(frozen=True)
class OfBins(Generic[T]):
    """A question about bins."""

    question: Pass[T]
    bins: tuple[ColumnBins | None, ...]
    coded: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        """That of the question."""
        return self.question.name

    def of(self, part: Shard) -> T:
        """The contribution of one shard."""
        return self.question.of(BinnedShard(part, self.bins))

    def add(self, first: T, second: T) -> T:
        """Both together."""
        return self.question.add(first, second)


class BinnedPasses:
    """A count source over pieces whose numbers are bins; every batch of families is one pass."""

    def __init__(
        self,
        run: Callable[[Pass[Any]], Any],
        marginals: Sequence[Whole],
        bins: Sequence[ColumnBins | None],
        ranked: Sequence[bool],
        fingerprint: Callable[[], str],
        names: tuple[str, ...],
        rows: int,
        size: int,
    ) -> None:
        self._run, self._bins, self.fingerprint = run, tuple(bins), fingerprint
        self.names, self.rows, self.size = names, rows, size
        self.ranked = tuple(ranked)
        self.marginals = [
            np.asarray(own, np.int64) if each is None else each.counts
            for own, each in zip(marginals, bins, strict=True)
        ]

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family: one pass."""
        states = np.array([len(counts) for counts in self.marginals], np.int64)
        cells = [int(states[child] * np.prod(states[list(parents)])) for child, parents in families]
        offsets = np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)
        return FamilyCounts(self._run(OfBins(FamilyTables(families, int(offsets[-1])), self._bins)), offsets)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """The sums that break ties: one pass."""
        found: Hashes = self._run(OfBins(RowHashes(state_hashes, wanted), self._bins))
        return found
