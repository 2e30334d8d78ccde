"""Interventions: which variables an experiment set in which rows, from a column or from one set of names per row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mahc.data.columns import Interventions
from mahc.data.prepare.notes import Note, Problem, enumerate_some, shorten
from mahc.data.prepare.types import label, parse_number
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, NumberColumn, RefusedColumn, SourceTable
from mahc.errors import DataError, MahcError, Mention, Message, UnknownNameError
from mahc.plurals import count

KIND = "interventions"
SEPARATORS = ",|"


def split_interventions(
    table: SourceTable, settings: ReadSettings
) -> tuple[SourceTable, Interventions | None, list[Note], list[Problem]]:
    """The table without the column of interventions, what it says, and the notes and problems."""
    given = settings.interventions
    if given is None:
        return table, None, [], []
    try:
        if isinstance(given, str):
            place = table.names.index(given)
            rest = [j for j in range(len(table.names)) if j != place]
            names, columns = tuple(table.names[j] for j in rest), tuple(table.columns[j] for j in rest)
            column = table.columns[place]
            table = replace(table, names=names, columns=columns)
            found, notes = _from_column(given, column, table, settings)
        else:
            found, notes = _from_rows(given, table, settings)
    except _RefusedError as refused:
        return table, None, [], [refused.problem]
    return table, found, notes, []


class _RefusedError(Exception):
    def __init__(self, column: str | None, message: str, fix: str | Message) -> None:
        self.problem = Problem(column, KIND, message, fix)


class TargetFinder:
    """Finds the variables that a value of a column of interventions names.

    >>> finder = TargetFinder(("dose", "age"), ("dose", "age", "id"), ReadSettings(interventions="set"))
    >>> sorted(finder.find("dose|age")), sorted(finder.find("")), sorted(finder.find("id"))
    (['age', 'dose'], [], [])
    """

    def __init__(self, variables: Sequence[str], every: Sequence[str], settings: ReadSettings) -> None:
        self._column = settings.interventions if isinstance(settings.interventions, str) else None
        own = {name for name in (self._column, settings.weights) if isinstance(name, str)}
        self._every = [name for name in every or variables if name not in own]
        self._variables, self._settings = frozenset(variables), settings
        self.left_out: set[str] = set()  # targets that are columns, but no variables

    def find(self, value: object) -> frozenset[str]:
        """The variables that one value names."""
        if self._settings.is_missing(value, self._column):
            return frozenset()
        return self._kept(self._numbered(value) if self._settings.interventions_coded else self._named(label(value)))

    def _named(self, text: str) -> Iterable[str]:
        if text in self._every:
            return [text]
        words = text
        for separator in SEPARATORS:
            words = words.replace(separator, "\n")
        found = [word.strip() for word in words.split("\n") if word.strip()]
        for word in found:
            if word not in self._every:
                raise self._unknown(word)
        return found

    def _unknown(self, word: str) -> _RefusedError:
        says = "says" if self._column is not None else "the interventions say"
        coded = parse_number(word) is not None and not self._settings.interventions_coded
        fix = "write the names of variables, separated by a comma or |, and nothing where none was set"
        if coded:
            return _RefusedError(
                self._column,
                f"{says} that an experiment set {shorten(word)}, which is no column",
                Message(fix, "; if it holds positions of columns, add ", Mention("interventions_coded", True)),
            )
        near = UnknownNameError("column", word, self._every)
        return _RefusedError(self._column, f"{says} that an experiment set a variable that the data lack ({near})", fix)

    def _numbered(self, value: object) -> Iterable[str]:
        text = label(value)
        for separator in SEPARATORS:
            text = text.replace(separator, " ")
        found = []
        for word in text.split():
            number = parse_number(word)
            if number is None or number != int(number) or not 0 <= number <= len(self._every):
                what = f"holds {shorten(word)}, which is no position of a column"
                fix = f"give 0 where nothing was set, or the position of a column, from 1 to {len(self._every):,}"
                raise _RefusedError(self._column, what, fix)
            if number:
                found.append(self._every[int(number) - 1])
        return found

    def _kept(self, names: Iterable[str]) -> frozenset[str]:
        listed = frozenset(names)
        self.left_out |= listed - self._variables
        return listed & self._variables

    def notes(self) -> list[Note]:
        """What was left out of the targets."""
        if not self.left_out:
            return []
        listed = enumerate_some([shorten(name) for name in sorted(self.left_out)])
        return [Note(self._column, "targets-left-out", f"targets that are not among the variables: {listed}")]


def interventions_of_values(
    values: Sequence[object], variables: Sequence[str], every: Sequence[str], settings: ReadSettings
) -> tuple[Interventions, list[Note]]:
    """The experiment of each value of a column in pieces, as rows of interventions; a DataError where one is wrong."""
    finder = TargetFinder(variables, every, settings)
    try:
        targets = [finder.find(value) for value in values]
        column = settings.interventions if isinstance(settings.interventions, str) else None
        found = conclude_interventions(column, targets, np.arange(len(targets)), variables, settings)
    except _RefusedError as refused:
        raise DataError(refused.problem.as_message()) from None
    return found, finder.notes()


def _from_column(
    name: str, column: Column, table: SourceTable, settings: ReadSettings
) -> tuple[Interventions, list[Note]]:
    finder = TargetFinder(table.names, table.every, settings)
    if isinstance(column, RefusedColumn):
        fix = "write the names of variables"
        raise _RefusedError(name, f"is not a column of interventions, its values are {column.kind}", fix)
    if isinstance(column, NumberColumn):
        values, places = np.unique(column.numbers, return_inverse=True)
        listed: Sequence[Any] = [None if number != number else number for number in values.tolist()]
        codes: Any = places
    else:
        listed, codes = column.values, column.codes
    targets = [finder.find(value) for value in listed]
    return conclude_interventions(name, targets, codes, table.names, settings), finder.notes()


def _from_rows(given: Any, table: SourceTable, settings: ReadSettings) -> tuple[Interventions, list[Note]]:
    rows = list(given)
    if len(rows) != table.rows:
        message = f"the interventions are for {count(len(rows), 'row')}, and the data have {table.rows:,}"
        raise _RefusedError(None, message, "give one set of names per row, empty where nothing was set")
    finder = TargetFinder(table.names, table.every, settings)
    known: dict[frozenset[object], frozenset[str]] = {}
    for row, value in enumerate(rows):
        listed = _listed(value, row)
        if listed not in known:
            known[listed] = frozenset().union(*map(finder.find, listed))
    place = {listed: number for number, listed in enumerate(known)}
    codes = np.array([place[_listed(value, row)] for row, value in enumerate(rows)])
    return conclude_interventions(None, list(known.values()), codes, table.names, settings), finder.notes()


def _listed(value: object, row: int) -> frozenset[object]:
    """What one entry names: a set of names, one name, or None."""
    if isinstance(value, str | int | float | None):
        return frozenset([value])
    if isinstance(value, Collection) and all(isinstance(each, str | int | float) for each in value):
        return frozenset(value)
    fix = "give a set of names for each row, empty where nothing was set"
    raise _RefusedError(None, f"row {row + 1:,} of the interventions is {shorten(value)}, not a set of names", fix)


def conclude_interventions(
    column: str | None,
    targets: Sequence[frozenset[str]],
    codes: Any,
    variables: Sequence[str],
    settings: ReadSettings,
) -> Interventions:
    """The interventions, refused where a variable is set in every row."""
    try:
        found = Interventions(tuple(targets), codes, settings.mechanism)
    except MahcError as problem:
        raise _RefusedError(column, str(problem), "give one experiment per row") from None
    always = sorted(frozenset(variables).intersection(*found.targets))
    if always and settings.mechanism == "set":
        fix = Message(
            "add rows in which it was not set, leave it out with ",
            Mention("drop", (always[0],)),
            ", or use ",
            Mention("mechanism", "changed"),
        )
        message = f"an experiment set {shorten(always[0])} in every row, so nothing can be learned about its causes"
        raise _RefusedError(None, message, fix)
    return found
