"""Columns as read from a source, before their values are interpreted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.notes import Note, Problem
from mahc.errors import Mention, Message
from mahc.plurals import count

# One less than the codes of two bytes: the code 65,535 is reserved.
MAX_STATES = 65_535


@dataclass(frozen=True)
class LabelColumn:
    """A column as distinct values and codes: row i has values[codes[i]]; None means missing.

    With `declared` the values are categories in a given order, and are not interpreted; with `ordered` that order has
    a meaning. With `spelt` the values are fields of a text file, and text may spell a number or a Boolean; otherwise it
    is text. With `repeats` code i stands for that many rows: a column of data in pieces, of which only the counts
    are known.

    >>> LabelColumn(["no", "yes"], np.array([0, 1, 1])).rows
    3
    >>> LabelColumn(["no", "yes"], np.array([0, 1]), repeats=np.array([5, 2])).count_rows().tolist()
    [5, 2]
    """

    values: Sequence[object]
    codes: NDArray[np.integer]
    declared: bool = False
    repeats: NDArray[np.int64] | None = None
    ordered: bool = False
    spelt: bool = False

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.codes) if self.repeats is None else int(self.repeats.sum())

    def first(self, rows: int) -> list[object]:
        """The values of the first rows; None where one is missing."""
        return [self.values[code] for code in self.codes[:rows].tolist()]

    def take(self, keep: NDArray[np.bool_]) -> LabelColumn:
        """The same column with some of its rows."""
        return replace(self, codes=self.codes[keep], repeats=None if self.repeats is None else self.repeats[keep])

    def count_rows(self) -> NDArray[np.int64]:
        """How many rows have each value."""
        return np.bincount(self.codes, self.repeats, len(self.values)).astype(np.int64)


@dataclass(frozen=True)
class NumberColumn:
    """A column as one number per row, NaN if missing: for columns with too many distinct values.

    With `repeats` number i stands for that many rows.

    >>> NumberColumn(np.array([0.5, 1.5])).rows
    2
    """

    numbers: NDArray[np.float64]
    repeats: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.numbers) if self.repeats is None else int(self.repeats.sum())

    def first(self, rows: int) -> list[object]:
        """The numbers of the first rows; None where one is missing."""
        return [None if number != number else number for number in self.numbers[:rows].tolist()]

    def take(self, keep: NDArray[np.bool_]) -> NumberColumn:
        """The same column with some of its rows."""
        return NumberColumn(self.numbers[keep], None if self.repeats is None else self.repeats[keep])


@dataclass(frozen=True)
class RefusedColumn:
    """A column that cannot be used as it is.

    >>> RefusedColumn("date", Problem("born", "type", "holds dates", "leave it out"), 3).rows
    3
    """

    kind: str
    problem: Problem
    rows: int
    notes: tuple[Note, ...] = ()

    def first(self, rows: int) -> list[object]:
        """The kind of the values, which were not kept."""
        return [f"({self.kind})"] * min(rows, self.rows)

    def take(self, keep: NDArray[np.bool_]) -> RefusedColumn:
        """The same refusal for some of the rows."""
        return replace(self, rows=int(keep.sum()))


Column = LabelColumn | NumberColumn | RefusedColumn


@dataclass(frozen=True)
class SourceTable:
    """The names and columns of one source, and the notes made while reading it.

    >>> SourceTable("the data", ("rain",), (LabelColumn(["no"], np.array([0])),)).rows
    1
    """

    source: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    notes: tuple[Note, ...] = ()
    every: tuple[str, ...] = ()  # the names of all columns of the source, also of those that are left out

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.columns[0].rows

    def select(self, names: Sequence[str]) -> SourceTable:
        """The same table with some of its columns."""
        place = {name: j for j, name in enumerate(self.names)}
        return replace(self, names=tuple(names), columns=tuple(self.columns[place[name]] for name in names))

    def take(self, keep: NDArray[np.bool_]) -> SourceTable:
        """The same table with some of its rows."""
        return replace(self, columns=tuple(column.take(keep) for column in self.columns))


def with_partitions(table: SourceTable, partitions: Sequence[tuple[str, str]]) -> SourceTable:
    """The table with the columns that the folders of a hive-partitioned table give all its rows."""
    given = tuple(LabelColumn([value], np.zeros(table.rows, np.uint8), spelt=True) for _, value in partitions)
    names = (*table.names, *(name for name, _ in partitions))
    return replace(table, names=names, columns=(*table.columns, *given))


def too_many_states(name: str, kind: str, states: int, rows: int, at_least: bool = False) -> RefusedColumn:
    """The refusal of a column with more states than codes."""
    more = "at least " if at_least else ""
    where = f"the first {count(rows, 'row')}" if at_least else count(rows, "row")
    message = f"has {more}{count(states, 'state')} in {where}, and {MAX_STATES:,} is the most"
    drop = Mention("drop", (name,))
    fix = Message("leave it out with ", drop, " if it is an identifier, or group its values")
    return RefusedColumn(kind, Problem(name, "too-many-states", message, fix, (drop,)), rows)
