"""From the counts of values to the states of every column: data in pieces, whose rows are never all in memory.

The rules are those of `prepare`, which this module shares; a column is its distinct values, in the order of their
first rows, each standing for as many rows as have it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import whole_rows
from mahc.data.prepare.audit import Audit, code_column, conclude, weightless_note
from mahc.data.prepare.coding import Coded, KeptNumbers, Result
from mahc.data.prepare.missing import MissingValues, decide, find_missing, unused_tokens
from mahc.data.prepare.notes import Note, Problem
from mahc.data.prepare.spellings import unify_spellings
from mahc.data.prepare.types import dates_problem, label, parse_number
from mahc.data.prepare.weights import fractions_note
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, NumberColumn, RefusedColumn, SourceTable, too_many_states
from mahc.data.sources.frames import code_polars
from mahc.errors import Mention, Message

if TYPE_CHECKING:
    import polars as pl

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class CountedColumn:
    """The distinct values of a column and how often they occur.

    Parameters
    ----------
    values : polars.Series
        The values, in the order of their first rows; null among them.
    rows : array of int
        How many rows have each.
    kept : array of int
        How many of those have a weight above 0.
    weights : array of int
        Their total weight.
    more : bool
        Whether the column has more values than are listed.
    spelt : bool
        Whether the values are fields of a text file, so that text may spell a number or a Boolean.
    """

    values: pl.Series
    rows: Counts
    kept: Counts
    weights: Counts
    more: bool = False
    spelt: bool = False


@dataclass(frozen=True)
class CompleteRows:
    """Of the rows without missing values: how many, their weight, and for each column rows and weight of each value."""

    rows: int
    size: int
    kept: Mapping[str, Counts]
    weights: Mapping[str, Counts]
    squares: int = 0


@dataclass(frozen=True)
class CountedTable:
    """All columns of data in pieces.

    Parameters
    ----------
    source : str
        What the data are called.
    columns : mapping from str to CountedColumn
        The columns but that of the weights.
    rows, kept, size : int
        Number of rows, of those whose weight is above 0, and their total weight.
    weighted : bool
        Whether there are weights.
    unit : int
        How much of a weight is a row.
    squares : int
        The sum of the squares of the weights, in units.
    notes : tuple of Note
        What was decided while reading.

    Examples
    --------
    >>> import polars as pl
    >>> ones = np.array([3, 2])
    >>> table = CountedTable("the files", {"a": CountedColumn(pl.Series(["x", "y"]), ones, ones, ones)}, 5, 5, 5, False)
    >>> prepare_counted(table, ReadSettings()).audit.columns[0].states
    2
    """

    source: str
    columns: Mapping[str, CountedColumn]
    rows: int
    kept: int
    size: int
    weighted: bool
    notes: tuple[Note, ...] = ()
    unit: int = 1
    squares: int = 0

    def is_number(self, name: str, settings: ReadSettings) -> bool:
        """Whether a column holds numbers that stay numbers."""
        return isinstance(_column(name, self.columns[name], self.rows, settings), NumberColumn)

    def unify(self, settings: ReadSettings) -> SourceTable:
        """The columns as a table, spellings unified; every value stands for its rows."""
        columns = tuple(_column(name, each, self.rows, settings) for name, each in self.columns.items())
        return unify_spellings(SourceTable(self.source, tuple(self.columns), columns, self.notes), settings)


@dataclass(frozen=True)
class CountedResult:
    """The report on data in pieces and, where they can be used, the states and the code of every value.

    Parameters
    ----------
    audit : Audit
        The report.
    results : tuple of Coded, KeptNumbers or RefusedColumn
        What became of each column.
    places : tuple of arrays
        For each column the values, by their place in `CountedColumn.values`, that `Coded.codes` are the codes of.
    weights : tuple of arrays
        For each column the weight of those values.
    missing : tuple of arrays
        For each column and value whether it means missing.
    rows, size : int
        How many rows are kept, and their total weight, of which `unit` are a row.
    """

    audit: Audit
    results: tuple[Result, ...]
    places: tuple[NDArray[np.intp], ...]
    weights: tuple[Counts, ...]
    missing: tuple[Flags, ...]
    rows: int
    size: int
    unit: int = 1

    @cached_property
    def marginals(self) -> tuple[Counts, ...]:
        """How often each state of each variable occurs; nothing for columns of numbers."""
        found = []
        for result, weights in zip(self.results, self.weights, strict=True):
            total = np.zeros(len(result.states) if isinstance(result, Coded) else 0, np.int64)
            if isinstance(result, Coded):
                np.add.at(total, result.codes, weights)
            found.append(total)
        return tuple(found)

    def listed_numbers(self, unlisted: frozenset[int]) -> dict[int, tuple[NDArray[np.float64], Counts]]:
        """For each column of numbers that are all listed, the numbers and the weight of each."""
        return {
            v: (result.column.values, weights)
            for v, (result, weights) in enumerate(zip(self.results, self.weights, strict=True))
            if isinstance(result, KeptNumbers) and v not in unlisted
        }


def find_missing_values(table: CountedTable, settings: ReadSettings) -> tuple[Flags, ...] | None:
    """For each column, which of its values mean missing; None where no row that counts has one."""
    unified = _only(table.unify(settings), [column.kept for column in table.columns.values()], drop=False)
    found = find_missing(unified, settings)
    return _value_flags(unified, found) if any(found.counts) else None


def prepare_counted(table: CountedTable, settings: ReadSettings, complete: CompleteRows | None = None) -> CountedResult:
    """The report on the counts of values; `complete` is needed where `find_missing_values` finds some.

    It is `prepare` for data in pieces.
    """
    unified = table.unify(settings)
    notes = [*unified.notes, *unused_tokens(unified, settings)]
    if table.kept < table.rows:
        notes.append(weightless_note(table.rows - table.kept, table.rows))
    counted = list(table.columns.values())
    kept, weights = [column.kept for column in counted], [column.weights for column in counted]
    every = _only(unified, kept, drop=False)
    found = find_missing(every, settings)
    missing, flags = found.counts, _value_flags(every, found)
    problems: list[Problem] = []
    rows, size, squares = table.kept, table.size, table.squares
    if any(missing):
        removed = 0 if complete is None else table.kept - complete.rows  # not asked for where it is a state
        counts = dict(zip(every.names, missing, strict=True))
        decided, problems = decide(counts, table.kept, removed, settings)
        notes += decided
        if settings.missing == "drop" and not problems and complete is not None:
            kept, weights = [complete.kept[name] for name in table.columns], [*complete.weights.values()]
            rows, size, squares = complete.rows, complete.size, complete.squares
    used = _only(unified, kept, drop=True)
    places = tuple(np.flatnonzero(rows > 0) for rows in kept)
    own = tuple(weight[place] for weight, place in zip(weights, places, strict=True))
    found = find_missing(used, settings)
    results = tuple(
        code_column(name, column, flag, weight, settings)
        for name, column, flag, weight in zip(used.names, used.columns, found.flags, own, strict=True)
    )
    if table.unit > 1:
        notes.append(fractions_note(size, squares, table.unit))
    whole = whole_rows(size, table.unit)
    audit = conclude(used, results, missing, whole, settings, table.rows, problems, notes)
    return CountedResult(audit, results, places, own, flags, rows, size, table.unit)


def _column(name: str, counted: CountedColumn, rows: int, settings: ReadSettings) -> Column:
    if counted.more:
        return _too_many(name, counted, rows, settings)
    column = code_polars(name, counted.values, settings) if len(counted.values) else LabelColumn([], np.zeros(0, int))
    if isinstance(column, RefusedColumn):
        if column.problem.kind == "too-many-states":
            return too_many_states(name, column.kind, len(counted.values), rows)
        return replace(column, rows=rows)
    if isinstance(column, LabelColumn):
        column = replace(column, spelt=counted.spelt)
    return replace(column, repeats=counted.rows)


def _too_many(name: str, counted: CountedColumn, rows: int, settings: ReadSettings) -> NumberColumn | RefusedColumn:
    """A column with more values than are listed: numbers that are not listed stay numbers, all else is refused."""
    known = [value for value in counted.values.to_list() if not settings.is_missing(value, name)]
    numbers = [None if isinstance(value, str) and not counted.spelt else parse_number(value) for value in known]
    kind = "text" if None in numbers else "real" if any(isinstance(number, float) for number in numbers) else "integer"
    if kind == "text":
        dates = dates_problem(name, [label(value) for value in known])
        if dates is not None:
            return RefusedColumn(kind, dates, rows)
    if kind == "text" or settings.keeps_states(name):
        return too_many_states(name, kind, len(counted.values) + 1, rows, at_least=True)
    if settings.cuts(name):
        message = f"has more than {len(counted.values):,} different numbers, too many to discretise data in pieces"
        fix = Message("round the numbers in the files, or leave the column out with ", Mention("drop", (name,)))
        return RefusedColumn(kind, Problem(name, "too-many-numbers", message, fix), rows)
    # The listed numbers decide what the column is; their rows are those of the pieces that were listed.
    listed = [
        math.nan if settings.is_missing(value, name) else parse_number(value) for value in counted.values.to_list()
    ]
    return NumberColumn(np.array(listed, np.float64), repeats=counted.rows)


def _only(table: SourceTable, rows: list[Counts], *, drop: bool) -> SourceTable:
    """The table in which every value stands for other numbers of rows; with `drop` without the values of no row."""
    columns: list[Column] = []
    for column, kept in zip(table.columns, rows, strict=True):
        if isinstance(column, RefusedColumn):
            columns.append(column)
            continue
        counted = replace(column, repeats=kept)
        columns.append(counted.take(kept > 0) if drop else counted)
    return replace(table, columns=tuple(columns))


def _value_flags(table: SourceTable, found: MissingValues) -> tuple[Flags, ...]:
    return tuple(
        np.zeros(0, np.bool_)
        if isinstance(column, RefusedColumn)
        else flags
        if isinstance(column, NumberColumn)
        else flags[column.codes]
        for column, flags in zip(table.columns, found.flags, strict=True)
    )
