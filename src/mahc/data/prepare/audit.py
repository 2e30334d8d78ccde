"""From the columns of a source to a data set, or to the list of its problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Column as TypedColumn
from mahc.data.columns import Interventions, Kind
from mahc.data.dataset import Dataset, whole_rows
from mahc.data.prepare.coding import KeptNumbers, Result, code_labels, code_numbers
from mahc.data.prepare.interventions import split_interventions
from mahc.data.prepare.missing import MissingValues, apply_policy, find_missing, unused_tokens, use_expectations
from mahc.data.prepare.notes import Note, Problem, enumerate_some, shorten
from mahc.data.prepare.spellings import unify_spellings
from mahc.data.prepare.suggestions import group_fixes
from mahc.data.prepare.warnings import warn_about_column, warn_about_table
from mahc.data.prepare.weights import (
    RowWeights,
    fractions_note,
    sum_squares,
    weights_from_column,
    weights_from_sequence,
)
from mahc.data.settings import ReadSettings, without_rows
from mahc.data.source_table import Column, LabelColumn, RefusedColumn, SourceTable
from mahc.data.watching import report_column
from mahc.errors import DataError, Message, PerInterface
from mahc.plurals import count
from mahc.safe_text import escape_controls

Weights = NDArray[np.int64] | None
DISCRETE_ONLY = frozenset([Kind.DISCRETE])


@dataclass(frozen=True)
class ColumnReport:
    """What was found in one column.

    Parameters
    ----------
    name : str
        The column.
    kind : str
        The kind of its values: text, integer, real, Boolean or category.
    states : int or None
        Number of states; None where there are none.
    missing : int
        Number of missing values.
    warnings : tuple of Note
        What the user should check.
    problem : Problem, optional
        Why the column cannot be used as it is.
    level : str
        How the column is used: nominal, ordinal or continuous; empty where it cannot be used.
    why : str
        Why it is used so, in a few words.
    values : Column or None
        The values, as they would be learned from; None where they cannot be used.

    Examples
    --------
    >>> from mahc.data import audit
    >>> found = audit({"sex": ["f", "m", "f"], "height": [1.71, 1.83, 1.64]}).columns
    >>> [(each.level, each.why) for each in found]
    [('nominal', 'text'), ('continuous', 'real numbers')]
    """

    name: str
    kind: str
    states: int | None
    missing: int
    warnings: tuple[Note, ...] = ()
    problem: Problem | None = None
    level: str = ""
    why: str = ""
    values: TypedColumn | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class UsableRows:
    """The shape of data that can be learned from.

    Parameters
    ----------
    names : tuple of str
        The variables.
    states : tuple of int
        How many states each has; 0 for a column of numbers.
    rows, size : int
        The number of rows, and their total weight.
    weighted : bool
        Whether the rows have weights.
    fingerprint : str
        The fingerprint of the data.

    Examples
    --------
    >>> UsableRows(("a",), (2,), 10, 10, False, "").size
    10
    """

    names: tuple[str, ...]
    states: tuple[int, ...]
    rows: int
    size: int
    weighted: bool
    fingerprint: str


@dataclass(frozen=True)
class Audit:
    """A report on every column and on the whole table.

    Parameters
    ----------
    source : str
        What was read: the path, or the kind of object.
    rows : int
        Number of rows.
    columns : tuple of ColumnReport
        One report per column.
    problems : tuple of Problem
        Reasons why the data cannot be used as they are.
    notes : tuple of Note
        What was decided or noticed.
    dataset : Dataset or None
        The data; None if there is a problem, or if they were read in pieces.
    counted : UsableRows or None
        The shape of data that were read in pieces; None if there is a problem.
    numbers : tuple of Problem
        What those say of columns of numbers who take discrete columns only.

    Examples
    --------
    >>> from mahc.data import audit
    >>> found = audit({"height": [1.71, 1.83], "sex": ["f", "m"]})
    >>> [column.kind for column in found.columns], found.dataset is None
    (['real', 'text'], False)
    """

    source: str
    rows: int
    columns: tuple[ColumnReport, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    dataset: Dataset | None
    counted: UsableRows | None = None
    numbers: tuple[Problem, ...] = ()

    @cached_property  # the fingerprint reads all rows
    def usable(self) -> UsableRows | None:
        """The shape of the data; None if there is a problem."""
        if self.dataset is None or self.problems:
            return self.counted
        data = self.dataset
        states = tuple(column.state_count or 0 for column in data.columns)
        return UsableRows(data.names, states, data.rows, data.size, data.weights is not None, data.fingerprint())

    def __str__(self) -> str:
        """The size, the problems and warnings, each fix once, and whether the data can be used."""
        size = f"{count(self.rows, 'row')}, {count(len(self.columns), 'column')}"
        remarks: list[Note | Problem] = [*self.problems, *(note for note in self.notes if note.warning)]
        lines = [f"{escape_controls(self.source)}: {size}: {'cannot' if self.problems else 'can'} be used"]
        for each in remarks:
            where = "" if each.column is None else f"{escape_controls(each.column)}: "
            lines.append(f"  {where}{escape_controls(each.message)}")
        for fix in group_fixes(remarks):
            where = f"{enumerate_some([escape_controls(name) for name in fix.columns])}: " if fix.columns else ""
            lines.append(f"  fix: {where}{escape_controls(str(fix.text))}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The columns as a table for a notebook, with what to check in each; everything from the data escaped."""
        head = "".join(
            f"<th style='text-align:left'>{title}</th>" for title in ("column", "kind", "states", "missing", "")
        )
        rows = [
            "".join(
                f"<td style='text-align:left'>{escape(escape_controls(cell))}</td>"
                for cell in (
                    each.name,
                    f"{each.level}: {each.why}" if each.level else each.kind,
                    "" if each.states is None else f"{each.states:,}",
                    f"{each.missing:,}" if each.missing else "",
                    "; ".join(str(remark.message) for remark in (each.problem, *each.warnings) if remark is not None),
                )
            )
            for each in self.columns
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<div><table><tr>{head}</tr>{body}</table><pre>{escape(str(self))}</pre></div>"

    def require(self, kinds: frozenset[Kind] = DISCRETE_ONLY) -> Dataset:
        """Return the data set; raise DataError with the first problem and the number of the others.

        Columns with the same problem are named in one sentence, with one fix for all of them. Columns of numbers are
        no problem where `kinds` has continuous columns.
        """
        self.refuse(kinds)
        assert self.dataset is not None, "data in pieces have no data set"
        return self.dataset

    def refuse(self, kinds: frozenset[Kind] = DISCRETE_ONLY) -> None:
        """Raise DataError if there is a problem for those who take columns of these kinds."""
        problems = [*self.problems, *(() if Kind.CONTINUOUS in kinds else self.numbers)]
        if not problems:
            return
        first = problems[0]
        same = [problem for problem in problems if problem.kind == first.kind]
        more = len(problems) - len(same)
        lists = PerInterface("mahc.audit", "mahc audit")
        others = Message(f" (and {count(more, 'more problem')}: ", lists, " lists all)") if more else ""
        likewise = f", likewise {enumerate_some([shorten(each.column) for each in same[1:]])}" if same[1:] else ""
        subject = "" if first.column is None else f"column {shorten(first.column)} "
        fix = group_fixes(same)[0].text
        raise DataError(f"{self.source}: {subject}{first.message}{likewise}: ", fix, others)


def prepare(table: SourceTable, settings: ReadSettings, *, one_row: bool = False) -> Audit:
    """Apply weights, then the policy for missing values, then code each column; collect all problems.

    One row alone is a problem unless `one_row` is set: nothing can be learned from it, but it can be predicted.
    """
    rows = table.rows
    table = unify_spellings(table, settings)
    notes = [*table.notes, *unused_tokens(table, settings)]
    table, weighted, problems = _split_weights(table, settings)
    weights, unit = (None, 1) if weighted is None else (weighted.values, weighted.unit)
    table, experiments, said, refused = split_interventions(table, settings)
    notes += said
    problems += refused
    if weights is not None and not weights.all():
        experiments = None if experiments is None else experiments.take(weights > 0)
    table, weights = _drop_weightless_rows(table, weights, notes)
    found = find_missing(table, settings)
    missing = found.counts
    complete, decided, refused = apply_policy(table, found, settings)
    notes += decided
    problems += refused
    if complete is not None:
        table = table.take(complete)
        weights = None if weights is None else weights[complete]
        experiments = None if experiments is None else experiments.take(complete)
        found = find_missing(table, settings)
    if weights is not None and unit > 1:
        notes.append(fractions_note(int(weights.sum()), sum_squares(weights), unit))
    size = table.rows if weights is None else whole_rows(int(weights.sum()), unit)
    results = []
    for place in range(len(table.names)):
        report_column("coding", place, len(table.names))
        results.append(_code(table, place, found, weights, settings))
    audit = conclude(table, results, missing, size, settings, rows, problems, notes, one_row=one_row)
    if audit.problems:
        return audit
    return replace(audit, dataset=_assemble(table, results, weights, unit, experiments, audit.notes, settings))


def conclude(
    table: SourceTable,
    results: Sequence[Result],
    missing: Sequence[int],
    size: int,
    settings: ReadSettings,
    rows: int,
    problems: list[Problem],
    notes: list[Note],
    *,
    one_row: bool = False,
) -> Audit:
    """The report on columns that are coded, without the data; `rows` are those that were read."""
    reports = [
        _report(name, result, count, max(size, table.rows), settings)
        for name, result, count in zip(table.names, results, missing, strict=True)
    ]
    problems += [report.problem for report in reports if report.problem is not None]
    numbers = tuple(result.problem for result in results if isinstance(result, KeptNumbers))
    lacking = [each.name for each in reports if each.level == KeptNumbers.level and each.missing]
    if lacking:  # a missing number cannot be a state
        problems = [use_expectations(each) if each.kind == "missing" else each for each in problems]
    if size == 1 and not one_row:
        weighted = settings.weights is not None
        fix = "give at least two, or larger weights" if weighted else "give at least two"
        message = f"there is one row only{', weights counted,' if weighted else ','} and nothing can be learned from it"
        problems.append(Problem(None, "one-row", message, fix))
    notes += warn_about_table(table)
    for result, report in zip(results, reports, strict=True):
        notes += [note for note in result.notes if not note.warning]
        notes += report.warnings
    return Audit(table.source, rows, tuple(reports), tuple(problems), tuple(notes), None, numbers=numbers)


def _drop_weightless_rows(table: SourceTable, weights: Weights, notes: list[Note]) -> tuple[SourceTable, Weights]:
    if weights is None or weights.all():
        return table, weights
    keep = weights > 0
    dropped = int(table.rows - keep.sum())
    notes.append(weightless_note(dropped, table.rows))
    return table.take(keep), weights[keep]


def weightless_note(dropped: int, rows: int) -> Note:
    """The note on rows of weight 0."""
    message = f"{count(dropped, 'row')} of {rows:,} with weight 0 left out"
    return Note(None, "zero-weight-rows", message, (float(dropped), float(rows)))


def _split_weights(table: SourceTable, settings: ReadSettings) -> tuple[SourceTable, RowWeights | None, list[Problem]]:
    if settings.weights is None:
        return table, None, []
    if not isinstance(settings.weights, str):
        found = weights_from_sequence(settings.weights, table.rows)
    else:
        place = table.names.index(settings.weights)
        found = weights_from_column(settings.weights, table.columns[place], settings)
        others = [j for j in range(len(table.names)) if j != place]
        names, columns = tuple(table.names[j] for j in others), tuple(table.columns[j] for j in others)
        table = replace(table, names=names, columns=columns)
    return (table, None, [found]) if isinstance(found, Problem) else (table, found, [])


def _code(table: SourceTable, place: int, missing: MissingValues, weights: Weights, settings: ReadSettings) -> Result:
    return code_column(table.names[place], table.columns[place], missing.flags[place], weights, settings)


def code_column(
    name: str, column: Column, flags: NDArray[np.bool_], weights: Weights, settings: ReadSettings
) -> Result:
    """Code one column, in whatever form its values are."""
    if isinstance(column, RefusedColumn):
        return column
    if isinstance(column, LabelColumn):
        return code_labels(name, column, flags, weights, settings)
    return code_numbers(name, column, flags, weights, settings)


def _report(name: str, result: Result, missing: int, size: int, settings: ReadSettings) -> ColumnReport:
    if isinstance(result, RefusedColumn):
        return ColumnReport(name, result.kind, None, missing, result.notes, result.problem)
    if isinstance(result, KeptNumbers):
        warnings = tuple(note for note in result.notes if note.warning)
        return ColumnReport(name, result.kind, None, missing, warnings, None, result.level, result.why, result.column)
    states = len(result.states)
    coding = [note for note in result.notes if note.warning]
    found = [*coding, *warn_about_column(name, result, states, size, settings.keeps_states(name))]
    return ColumnReport(name, result.kind, states, missing, tuple(found), None, result.level, result.why, result.column)


def _assemble(
    table: SourceTable,
    results: Sequence[Result],
    weights: Weights,
    unit: int,
    experiments: Interventions | None,
    notes: Sequence[Note],
    settings: ReadSettings,
) -> Dataset:
    columns = tuple(typed_column(result) for result in results)
    reading = without_rows(settings)
    return Dataset(table.names, columns, weights, experiments, tuple(notes), reading, unit)


def typed_column(result: Result) -> TypedColumn:
    """The column of a result without problems."""
    assert not isinstance(result, RefusedColumn), "a column that cannot be used is a problem of the audit"
    return result.column
