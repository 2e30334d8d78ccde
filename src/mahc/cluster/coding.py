"""From the values that occur in all pieces to the states of every variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.columns import common_type
from mahc.cluster.piece_column import PieceColumn, look_up
from mahc.cluster.pieces import Piece
from mahc.data.columns import EXPERIMENT, Column, Interventions
from mahc.data.dataset import LARGEST_SIZE, Dataset
from mahc.data.prepare.audit import typed_column
from mahc.data.prepare.counted import CountedColumn, CountedResult
from mahc.data.prepare.notes import Problem
from mahc.data.prepare.weights import RowWeights, weights_from_column
from mahc.data.settings import ReadSettings
from mahc.data.source_table import LabelColumn
from mahc.errors import DataError, Mention, SettingError

if TYPE_CHECKING:
    import polars as pl

VALUE, ROWS, KEPT, WEIGHT = "value", "rows", "kept", "weight"
MAX_VALUES = 1 << 20  # distinct values of a column, over all pieces
Values = NDArray[np.unsignedinteger] | NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class ValueTable:
    """The distinct values of a column in the order of their first rows, with their numbers of rows and weights.

    With `more` there are more values than `MAX_VALUES`, of which only null is listed for certain. `spelt` is that of
    the column.
    """

    frame: pl.DataFrame
    more: bool = False
    spelt: bool = False


@dataclass(frozen=True)
class ExperimentCoding:
    """The column that names the targets of experiments: its values, and the experiment of each as a row of `given`."""

    column: str
    values: pl.Series
    given: Interventions

    def code(self, column: PieceColumn) -> NDArray[np.unsignedinteger]:
        """The experiment of each row of a piece."""
        places = look_up(column.values, self.values, np.arange(1, len(self.values) + 1))
        if len(places) and (places[column.codes] == 0).any():
            raise DataError(f"column '{self.column}' has a value that it did not have before")
        table = self.given.codes[np.maximum(places, 1) - 1].astype(np.uint32)
        found: NDArray[np.unsignedinteger] = table[column.codes] if len(table) else np.zeros(0, np.uint32)
        return found


@dataclass(frozen=True)
class Coding:
    """For each variable its states, the values that occur, and the code of each value.

    Parameters
    ----------
    names : tuple of str
        The variables, without the weights.
    columns : tuple of Discrete or Continuous
        The states of each variable, without rows.
    values : tuple of polars.Series
        The values that occur in the pieces; None for numbers that are too many to list.
    codes : tuple of arrays
        The code of each value or, in columns of numbers, its number.
    weights : str or None
        The column of weights.
    unit : int
        How much of a weight is a row.
    experiments : ExperimentCoding or None
        The column of interventions.
    dropped : tuple of arrays, or None
        For each variable and value whether rows that have it are left out; None where all rows are kept.
    settings : ReadSettings
        How values that are not listed are read.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    values: tuple[pl.Series | None, ...]
    codes: tuple[Values, ...]
    weights: str | None = None
    unit: int = 1
    dropped: tuple[NDArray[np.bool_], ...] | None = None
    settings: ReadSettings = field(default_factory=ReadSettings)
    experiments: ExperimentCoding | None = None

    @property
    def terms(self) -> list[tuple[str, bytes]]:
        """What the fingerprint of the data keeps of the columns besides their rows."""
        listed = list(zip(self.names, self.columns, strict=True))
        if self.experiments is not None:
            listed.append((EXPERIMENT, self.experiments.given.as_column()))
        return [(name, column.fingerprint_terms()) for name, column in listed]

    @property
    def coded_columns(self) -> int:
        """How many columns of codes a shard has: one for each variable and one for the experiments."""
        return len(self.names) + (self.experiments is not None)

    @property
    def unlisted(self) -> frozenset[int]:
        """The variables whose values are too many to list."""
        return frozenset(v for v, values in enumerate(self.values) if values is None)

    def make_dataset(
        self, members: Sequence[int], values: Sequence[Values], weights: NDArray[np.integer] | None
    ) -> Dataset:
        """Rows of some variables, coded by `code`, as a data set; the last member may be the experiments."""
        given = None
        if self.experiments is not None and members[-1] == len(self.names):
            whole = self.experiments.given
            given = Interventions(whole.targets, values[-1].astype(np.uint32), whole.mechanism)
            members, values = members[:-1], values[:-1]
        columns = tuple(self.columns[v].with_rows(each) for v, each in zip(members, values, strict=True))
        return Dataset(tuple(self.names[v] for v in members), columns, weights, given, unit=self.unit)  # type: ignore[arg-type]

    def code(self, v: int, column: PieceColumn) -> Values:
        """The codes of variable v for a column of a piece; a DataError where it has a value that is not known."""
        known = self.values[v]
        if known is None:
            numbers: NDArray[np.float64] = find_numbers(self.names[v], column.values, self.settings)[column.codes]
            return numbers
        places = look_up(column.values, known, np.arange(1, len(known) + 1))
        if (places[column.codes] == 0).any() if (places == 0).any() else False:  # declared categories need not occur
            raise DataError(f"column '{self.names[v]}' has a value that it did not have before")
        table = self.codes[v][np.maximum(places, 1) - 1]
        found: Values = table.take(column.codes, mode="clip") if len(table) else np.zeros(0, table.dtype)
        return found

    def keep(self, v: int, column: PieceColumn) -> NDArray[np.bool_]:
        """Which rows of a piece are not left out for their value of variable v."""
        assert self.dropped is not None
        known = self.values[v]
        if known is None:
            numbers = find_numbers(self.names[v], column.values, self.settings)
            observed: NDArray[np.bool_] = ~np.isnan(numbers)[column.codes]
            return observed
        return keep_rows(column, known, self.dropped[v])


def find_numbers(name: str, values: pl.Series, settings: ReadSettings) -> NDArray[np.float64]:
    """The distinct values of a column of numbers as floats, NaN where they are missing; also numbers in text."""
    import polars as pl

    if values.dtype.is_numeric():
        numbers = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
        return np.where(settings.missing_numbers(numbers, name), np.nan, numbers)
    listed = values.to_list()
    found = [np.nan if settings.is_missing(text, name) else settings.parse_number(text) for text in listed]
    if None in found:
        raise DataError(f"column '{name}' holds numbers and '{listed[found.index(None)]}'")
    return np.array(found, np.float64)


def keep_rows(column: PieceColumn, values: pl.Series, dropped: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows of a column do not have a value that is to be left out."""
    if not dropped.any():
        return np.ones(len(column.codes), np.bool_)
    flags = look_up(column.values, values, dropped.astype(np.uint8)).astype(np.bool_)
    kept: NDArray[np.bool_] = ~flags[column.codes]
    return kept


def count_values(name: str, column: PieceColumn, weights: Counts | None) -> ValueTable:
    """How often each value of a column occurs in a piece."""
    import polars as pl

    size = len(column.values)
    rows = np.bincount(column.codes, minlength=size)
    kept = rows if weights is None else np.bincount(column.codes, weights > 0, size).astype(np.int64)
    total = rows if weights is None else np.bincount(column.codes, weights, size).astype(np.int64)
    order = np.argsort(column.first_rows(), kind="stable")
    order = order[rows[order] > 0]
    counts = {ROWS: rows[order], KEPT: kept[order], WEIGHT: total[order]}
    values = column.values.gather(order).alias(VALUE)
    listed = pl.DataFrame([values, *(pl.Series(key, count, pl.Int64) for key, count in counts.items())])
    return _bounded(listed, spelt=column.spelt)


def add_counts(first: ValueTable, second: ValueTable, name: str) -> ValueTable:
    """The counts of two pieces together, the first before the second."""
    import polars as pl

    one, other = first.frame, second.frame
    types = one[VALUE].dtype, other[VALUE].dtype
    if types[0] != types[1]:
        both = common_type(*types)
        if both is None:
            texts = sorted(str(each) for each in types)
            raise DataError(
                f"column '{name}' is {texts[0]} in one file and {texts[1]} in another: write the files with one type"
            )
        one, other = (frame.cast({VALUE: both}) for frame in (one, other))
    spelt = first.spelt or second.spelt
    if first.more:
        other = other.filter(_is_empty(other[VALUE]))
    total = pl.concat([one, other]).group_by(VALUE, maintain_order=True).agg(pl.col(ROWS, KEPT, WEIGHT).sum())
    return _bounded(total, first.more or second.more, spelt=spelt)


def refuse_too_heavy(size: int) -> None:
    """Weights whose total would not be exact are refused."""
    if size > LARGEST_SIZE:
        raise DataError(f"the weights are {size:,} in total, above the maximum of 2^53 - 1: divide them")


def _bounded(frame: pl.DataFrame, more: bool = False, *, spelt: bool) -> ValueTable:
    if frame.height > MAX_VALUES:
        rest = frame.slice(MAX_VALUES)
        frame, more = frame.head(MAX_VALUES).extend(rest.filter(_is_empty(rest[VALUE]))), True
    return ValueTable(frame, more, spelt)


def _is_empty(values: pl.Series) -> pl.Series:
    """Which values are null or an empty text: these are listed in any case."""
    import polars as pl

    return values.is_null() | (values == "").fill_null(True) if values.dtype == pl.String else values.is_null()


def counted_columns(counts: Mapping[str, ValueTable]) -> dict[str, CountedColumn]:
    """The counts of all columns as the rules of reading need them."""
    return {
        name: CountedColumn(
            table.frame[VALUE],
            table.frame[ROWS].to_numpy(),
            table.frame[KEPT].to_numpy(),
            table.frame[WEIGHT].to_numpy(),
            table.more,
            table.spelt,
        )
        for name, table in counts.items()
    }


def make_coding(
    columns: Mapping[str, CountedColumn],
    found: CountedResult,
    settings: ReadSettings,
    experiments: ExperimentCoding | None = None,
) -> Coding:
    """The states and codes of data without problems."""
    drops = settings.missing == "drop" and any(flags.any() for flags in found.missing)
    codes = []
    typed = [typed_column(result) for result in found.results]
    for column, own, places in zip(columns.values(), typed, found.places, strict=True):
        table = np.zeros(len(column.values), own.as_array().dtype)
        if not column.more:
            table[places] = own.as_array()
        codes.append(table)
    return Coding(
        tuple(columns),
        tuple(own.take(slice(0)) for own in typed),
        tuple(None if column.more else column.values for column in columns.values()),
        tuple(codes),
        settings.weights if isinstance(settings.weights, str) else None,
        found.unit,
        found.missing if drops else None,
        replace(settings, weights=None),
        experiments,
    )


def refuse_settings(settings: ReadSettings) -> None:
    """Refuse what data in pieces cannot have."""
    if settings.weights is not None and not isinstance(settings.weights, str):
        raise SettingError(Mention("weights"), " must be the name of a column for data in pieces")
    if settings.interventions is not None and not isinstance(settings.interventions, str):
        raise SettingError(Mention("interventions"), " must be the name of a column for data in pieces")


def read_weights(piece: Piece, name: str, unit: int) -> Counts:
    """The weights of a piece in units of all pieces."""
    found = find_weights(piece, name)
    if found.unit > unit:
        raise DataError(f"{piece.name}: the file was changed meanwhile, start again")
    return found.in_units(unit)


def find_weights(piece: Piece, name: str) -> RowWeights:
    """The weights of a piece, checked as `mahc.read` checks them; a piece may have no weight at all."""
    column = next(iter(piece.columns([name])))
    if not len(column.codes):
        return RowWeights(np.zeros(0, np.int64))
    listed = LabelColumn(column.values.to_list(), column.codes)
    found = weights_from_column(name, listed, ReadSettings(weights=name))
    if isinstance(found, Problem):
        if _all_zero(column):
            return RowWeights(np.zeros(len(column.codes), np.int64))
        raise DataError(f"{piece.name}: ", found.as_message())
    return found


def _all_zero(column: PieceColumn) -> bool:
    import polars as pl

    numbers: Sequence[float | None] = column.values.cast(pl.Float64, strict=False).to_list()
    return all(number == 0 for number in numbers)
