"""What one piece contributes to an answer, and how contributions add up: integers only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.coding import (
    Coding,
    ValueTable,
    add_counts,
    count_values,
    find_numbers,
    find_weights,
    keep_rows,
    read_weights,
    refuse_too_heavy,
)
from mahc.cluster.piece_column import look_up
from mahc.cluster.pieces import Piece
from mahc.cluster.shard import Shard
from mahc.data.columns import Kind
from mahc.data.fingerprint import sum_row_hashes
from mahc.data.prepare.counted import CompleteRows
from mahc.data.prepare.weights import sum_squares
from mahc.data.settings import ReadSettings
from mahc.engine import Families
from mahc.engine.counts import Hashes
from mahc.engine.moments import MomentRows, Moments, sum_contents

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")
WEIGHT = "weight"


class Pass(Protocol[T]):
    """A question to all pieces."""

    @property
    def name(self) -> str:
        """What progress calls it."""
        ...

    @property
    def coded(self) -> bool:
        """Whether `of` takes a `Shard` (coded rows) or a `Piece`."""
        ...

    def of(self, part: Any) -> T:
        """The contribution of one piece."""
        ...

    def add(self, first: T, second: T) -> T:
        """Two contributions together."""
        ...


def contribute(question: Pass[T], part: Any, place: int) -> T:
    """The contribution of a piece; a pass that has `of_piece` is told which piece it is, to number the rows."""
    numbered: Callable[[Any, int], T] | None = getattr(question, "of_piece", None)
    return question.of(part) if numbered is None else numbered(part, place)


@dataclass(frozen=True)
class Counted:
    """The number of rows, of those with a weight above 0, their weight, and the values of every column."""

    rows: int
    kept: int
    size: int
    columns: Mapping[str, ValueTable]
    squares: int = 0
    fractional: bool = False  # whether a weight needs finer units, so that the counts are of no use


@dataclass(frozen=True)
class ValueCounts:
    """The number of rows, and how often each value of each column occurs."""

    names: tuple[str, ...]
    weights: str | None
    unit: int = 1
    name: str = field(default="values", init=False)
    coded: bool = field(default=False, init=False)

    def of(self, part: Piece) -> Counted:
        """The values of a piece; its rows are read one column at a time."""
        own = None if self.weights is None else find_weights(part, self.weights)
        fractional = own is not None and own.unit > self.unit
        weights = None if own is None else own.values if fractional else own.in_units(self.unit)
        found, rows = {}, 0
        for name, column in zip(self.names, part.columns(self.names), strict=True):
            found[name], rows = count_values(name, column, weights), len(column.codes)
        if weights is None:
            return Counted(rows, rows, rows, found)
        return Counted(rows, int((weights > 0).sum()), int(weights.sum()), found, sum_squares(weights), fractional)

    def add(self, first: Counted, second: Counted) -> Counted:
        """Both together."""
        merged = {name: add_counts(table, second.columns[name], name) for name, table in first.columns.items()}
        size = first.size + second.size
        refuse_too_heavy(size)  # both are below 2^53, and their sum cannot wrap
        return Counted(
            first.rows + second.rows,
            first.kept + second.kept,
            size,
            merged,
            first.squares + second.squares,
            first.fractional or second.fractional,
        )


@dataclass(frozen=True)
class CompleteCounts:
    """Of the rows without a value that means missing: how many, and how often each known value occurs.

    `values` are the values of each column that are listed, `missing` says which of them mean missing; columns in
    `unlisted` hold more numbers.
    """

    values: Mapping[str, pl.Series]
    missing: tuple[NDArray[np.bool_], ...]
    weights: str | None
    unlisted: frozenset[str] = frozenset()
    settings: ReadSettings = field(default_factory=ReadSettings)
    unit: int = 1
    coded: bool = field(default=False, init=False)
    name: str = field(default="complete rows", init=False)

    def of(self, part: Piece) -> CompleteRows:
        """The counts of one piece."""
        weights = None if self.weights is None else read_weights(part, self.weights, self.unit)
        read = list(zip(self.values.items(), part.columns(list(self.values)), self.missing, strict=True))
        complete = np.ones(len(read[0][1].codes), np.bool_) if weights is None else weights > 0
        for (name, values), column, missing in read:
            if name in self.unlisted:
                complete &= ~np.isnan(find_numbers(name, column.values, self.settings))[column.codes]
            elif missing.any():
                complete &= keep_rows(column, values, missing)
        kept, total = {}, {}
        for (name, values), column, _ in read:
            # One more place, the first, for values that are not listed.
            places = look_up(column.values, values, np.arange(1, len(values) + 1))[column.codes[complete]]
            kept[name] = np.bincount(places, minlength=len(values) + 1)[1:].astype(np.int64)
            own = None if weights is None else weights[complete]
            total[name] = np.bincount(places, own, len(values) + 1)[1:].astype(np.int64)
        rows = int(complete.sum())
        if weights is None:
            return CompleteRows(rows, rows, kept, total)
        return CompleteRows(rows, int(weights[complete].sum()), kept, total, sum_squares(weights[complete]))

    def add(self, first: CompleteRows, second: CompleteRows) -> CompleteRows:
        """Both together."""
        return CompleteRows(
            first.rows + second.rows,
            first.size + second.size,
            {name: counts + second.kept[name] for name, counts in first.kept.items()},
            {name: counts + second.weights[name] for name, counts in first.weights.items()},
            first.squares + second.squares,
        )


@dataclass(frozen=True)
class UncodedFingerprint:
    """The sums of `FingerprintSums`, of pieces that are coded for this pass alone and not kept."""

    coding: Coding
    coded: bool = field(default=False, init=False)
    name: str = field(default="fingerprint", init=False)

    def of(self, part: Piece) -> tuple[int, ...]:
        """The sums of one piece."""
        return FingerprintSums().of(Shard(part, self.coding))

    def add(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        """Both together."""
        return FingerprintSums().add(first, second)


@dataclass(frozen=True)
class FingerprintSums:
    """The wrapping sums of row hashes that the fingerprint of the data is made of."""

    name: str = field(default="fingerprint", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> tuple[int, ...]:
        """The sums of one shard."""
        if not part.rows:
            return (0, 0)
        return sum_row_hashes(part.data, part.hashed_columns)

    def add(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        """Both together."""
        return tuple((a + b) % 2**64 for a, b in zip(first, second, strict=True))


@dataclass(frozen=True)
class Together(Generic[T]):
    """A question and the fingerprint, in one pass."""

    question: Pass[T]
    fingerprint: FingerprintSums = FingerprintSums()
    coded: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        """That of the question."""
        return self.question.name

    def of(self, part: Shard) -> tuple[T, tuple[int, ...]]:
        """Both of one shard."""
        return self.question.of(part), self.fingerprint.of(part)

    def add(self, first: tuple[T, tuple[int, ...]], second: tuple[T, tuple[int, ...]]) -> tuple[T, tuple[int, ...]]:
        """Both together."""
        return self.question.add(first[0], second[0]), self.fingerprint.add(first[1], second[1])


@dataclass(frozen=True)
class FamilyTables:
    """The complete tables of families, one after another."""

    families: Families
    cells: int
    name: str = field(default="tables", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> NDArray[np.int64]:
        """The counts of one shard."""
        if not part.rows:
            return np.zeros(self.cells, np.int64)
        return part.engine.count_families(self.families).cells.astype(np.int64)

    def add(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        """Both together."""
        return first + second


@dataclass(frozen=True)
class WholeTables:
    """The complete tables of families that are too large for the core, one array for each."""

    families: tuple[tuple[int, tuple[int, ...]], ...]
    name: str = field(default="tables", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> list[NDArray[np.int64]]:
        """The counts of one shard."""
        return [self._count(part, child, parents) for child, parents in self.families]

    def add(self, first: list[NDArray[np.int64]], second: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Both together."""
        return [a + b for a, b in zip(first, second, strict=True)]

    def _count(self, part: Shard, child: int, parents: tuple[int, ...]) -> NDArray[np.int64]:
        cell, size = np.zeros(part.rows, np.int64), 1
        for v in (*parents, child):
            states = part.coding.columns[v].state_count or 0
            cell, size = cell * states + part.values[v].astype(np.int64), size * states
        return np.bincount(cell, part.weights, size).astype(np.int64)


@dataclass(frozen=True)
class MomentSums:
    """The sums of products of number columns."""

    name: str = field(default="moments", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> Moments:
        """Those of one shard."""
        return MomentRows(part.data).moments() if part.rows else Moments.of(np.zeros((len(part.coding.names), 0)))

    def add(self, first: Moments, second: Moments) -> Moments:
        """Both together."""
        return first + second


@dataclass(frozen=True)
class ContentHashes:
    """What breaks ties between columns of numbers; 0 for columns of states."""

    name: str = field(default="ties", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> Hashes:
        """The sums of one shard."""
        found = np.zeros(len(part.coding.names), np.uint64)
        for v, column in enumerate(part.data.columns if part.rows else ()):
            if column.kind is Kind.CONTINUOUS:
                found[v] = sum_contents([column], part.weights)[0]
        return found

    def add(self, first: Hashes, second: Hashes) -> Hashes:
        """Both together; they wrap."""
        return first + second


@dataclass(frozen=True)
class RowHashes:
    """The sums that the order of tied variables is made of (`CountSource.sum_row_hashes`)."""

    state_hashes: Hashes
    wanted: NDArray[np.bool_]
    name: str = field(default="ties", init=False)
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> Hashes:
        """The sums of one shard."""
        if not part.rows:
            return np.zeros_like(self.state_hashes)
        return part.engine.sum_row_hashes(self.state_hashes, self.wanted)

    def add(self, first: Hashes, second: Hashes) -> Hashes:
        """Both together; they wrap."""
        return first + second


@dataclass(frozen=True)
class DistinctRows:
    """The distinct rows of some sets of variables with their weights; None for a set that has too many.

    A set has too many with more than `limit` rows. Where all sets together take more than `budget` bytes, the largest
    ones have too many.
    """

    sets: tuple[tuple[int, ...], ...]
    limit: int
    budget: int = 1 << 62
    name: str = "distinct rows"
    coded: bool = field(default=True, init=False)

    def of(self, part: Shard) -> list[pl.DataFrame | None]:
        """The distinct rows of one shard."""
        import polars as pl

        weights: object = part.weights if part.weights is not None else np.ones(part.rows, np.int64)
        found: list[pl.DataFrame | None] = []
        for chosen in self.sets:
            frame = pl.DataFrame({str(v): part.values[v] for v in chosen} | {WEIGHT: weights})
            found.append(self._collect(frame.filter(pl.col(WEIGHT) > 0), chosen))
        return self._within_budget(found)

    def add(self, first: list[pl.DataFrame | None], second: list[pl.DataFrame | None]) -> list[pl.DataFrame | None]:
        """Both together."""
        import polars as pl

        return self._within_budget(
            [
                None if a is None or b is None else self._collect(pl.concat([a, b]), chosen)
                for chosen, a, b in zip(self.sets, first, second, strict=True)
            ]
        )

    def settled(self, found: list[pl.DataFrame | None]) -> bool:
        """Whether no other piece can change the sum: every set has too many rows already."""
        return all(frame is None for frame in found)

    def _collect(self, frame: pl.DataFrame, chosen: Sequence[int]) -> pl.DataFrame | None:
        import polars as pl

        found = frame.group_by([str(v) for v in chosen]).agg(pl.col(WEIGHT).sum())
        return found if found.height <= self.limit else None

    def _within_budget(self, found: list[pl.DataFrame | None]) -> list[pl.DataFrame | None]:
        sizes = {place: frame_bytes(frame) for place, frame in enumerate(found) if frame is not None}
        total = sum(sizes.values())
        for place in sorted(sizes, key=lambda place: (-sizes[place], place)):
            if total <= self.budget:
                break
            total -= sizes[place]
            found[place] = None
        return found


def frame_bytes(frame: pl.DataFrame) -> int:
    """The memory of a frame of codes and weights."""
    return int(frame.estimated_size())
