"""Missing values: where they are, and how the policy treats them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.notes import Note, Problem, enumerate_some
from mahc.data.prepare.types import label, parse_number
from mahc.data.settings import MISSING_STATE, ReadSettings
from mahc.data.source_table import Column, LabelColumn, NumberColumn, RefusedColumn, SourceTable
from mahc.errors import Mention, Message
from mahc.plurals import noun, verb
from mahc.settings import EVERY

Mask = NDArray[np.bool_]

STATE, DROP = Mention("missing", "state"), Mention("missing", "drop")


@dataclass(frozen=True)
class MissingValues:
    """Per column: which of its values (or rows, for numbers) are missing, and the number of rows with one."""

    flags: tuple[Mask, ...]
    counts: tuple[int, ...]


def find_missing(table: SourceTable, settings: ReadSettings) -> MissingValues:
    """Find the missing values in every column."""
    flags = tuple(_flags(*each, settings) for each in zip(table.names, table.columns, strict=True))
    counts = tuple(_count(column, flag) for column, flag in zip(table.columns, flags, strict=True))
    return MissingValues(flags, counts)


def apply_policy(
    table: SourceTable, found: MissingValues, settings: ReadSettings
) -> tuple[Mask | None, list[Note], list[Problem]]:
    """Apply the policy: the rows to keep (None: all), notes, and problems."""
    if not any(found.counts):
        return None, [], []
    complete = _complete_rows(table, found)
    removed = int(table.rows - complete.sum())
    notes, problems = decide(dict(zip(table.names, found.counts, strict=True)), table.rows, removed, settings)
    return complete if settings.missing == "drop" and not problems else None, notes, problems


def decide(
    counts: Mapping[str, int], rows: int, removed: int, settings: ReadSettings
) -> tuple[list[Note], list[Problem]]:
    """Notes and problems of the policy; `counts` are the missing values of each column, `removed` the rows with one."""
    where = {name: count for name, count in counts.items() if count}
    shown = enumerate_some([f"'{name}' ({count:,})" for name, count in where.items()])
    if settings.missing == "state":
        return [_new_state(name, count) for name, count in where.items()], []
    if settings.missing == "drop" and removed == rows:
        message = f"every row has a missing value, in {shown}"
        fix = Message("pass ", STATE, ", or leave such columns out")
        return [], [Problem(None, "no-rows", message, fix, (STATE,))]
    if settings.missing == "drop":
        message = f"{removed:,} of {rows:,} {noun(rows, 'row')} dropped: values missing in {shown}"
        return [Note(None, "dropped-rows", message, (float(removed), float(rows)))], []
    columns = f"{len(where)} of {len(counts)} {noun(len(counts), 'column')}"
    problem = Problem(
        None,
        "missing",
        f"values are missing in {columns}: {shown}",
        Message(
            *("pass ", STATE, f" to make '{MISSING_STATE}' a new state, "),
            *(DROP, f" to leave out {removed:,} of {rows:,} {noun(rows, 'row')}, or fill the values in"),
        ),
        (STATE,),
    )
    return [], [problem]


def use_expectations(problem: Problem) -> Problem:
    """The problem of missing values in data with columns of numbers, whose missing values cannot be a state."""
    impute = Mention("missing", "impute")
    fix = Message(
        "pass ", impute, " to learn from all known values, ", DROP, " to leave such rows out, or fill them in"
    )
    return replace(problem, fix=fix, remedies=(impute,))


def unused_tokens(table: SourceTable, settings: ReadSettings) -> list[Note]:
    """A warning for each missing token that does not occur where it counts: it may be a typing mistake."""
    labels: dict[str, set[str]] = {}
    for name, column in zip(table.names, table.columns, strict=True):
        if isinstance(column, LabelColumn):
            labels[name] = {label(value) for value in column.values}
        elif isinstance(column, NumberColumn):
            return []
    found = []
    for name, tokens in settings.tokens.items():
        seen = set().union(*labels.values()) if name == EVERY else labels.get(name, set())
        numbers = {parse_number(text) for text in seen} - {None}
        found += [
            Note(
                None if name == EVERY else name,
                "unused-token",
                f"the missing token '{token}' does not occur",
                warning=True,
            )
            for token in tokens
            if token not in seen and parse_number(token) not in numbers  # 99 is also 99.0
        ]
    return found


def _new_state(name: str, count: int) -> Note:
    message = f"{count:,} {noun(count, 'missing value')} {verb(count)} the state '{MISSING_STATE}'"
    return Note(name, "missing-state", message, (float(count),))


def _flags(name: str, column: Column, settings: ReadSettings) -> Mask:
    if isinstance(column, LabelColumn):
        return np.array([settings.is_missing(value, name) for value in column.values], dtype=np.bool_)
    if isinstance(column, NumberColumn):
        return settings.missing_numbers(column.numbers, name)
    return np.zeros(0, dtype=np.bool_)


def _missing_rows(column: Column, flags: Mask) -> Mask:
    return flags[column.codes] if isinstance(column, LabelColumn) else flags


def _count(column: Column, flags: Mask) -> int:
    if not flags.any() or isinstance(column, RefusedColumn):
        return 0
    rows = _missing_rows(column, flags)
    return int(rows.sum() if column.repeats is None else column.repeats[rows].sum())


def _complete_rows(table: SourceTable, found: MissingValues) -> Mask:
    complete = np.ones(table.rows, dtype=np.bool_)
    for column, flags, count in zip(table.columns, found.flags, found.counts, strict=True):
        if count:
            complete &= ~_missing_rows(column, flags)
    return complete
