"""Missing values: where they are, and what the chosen policy makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.decisions import Decision, Problem, enumerate_some
from mahc.data.prepare.types import label
from mahc.data.raw_columns import Column, Labels, Numbers, Table
from mahc.data.settings import MISSING_STATE, ReadSettings
from mahc.errors import Mention, Message

Mask = NDArray[np.bool_]

STATE, DROP = Mention("missing", "state"), Mention("missing", "drop")


@dataclass(frozen=True)
class Gaps:
    """Per column: which of its values (or rows, for numbers) mean missing, and how many rows have none."""

    flags: tuple[Mask, ...]
    counts: tuple[int, ...]


def find_gaps(table: Table, settings: ReadSettings) -> Gaps:
    """Look for missing values in every column."""
    flags = tuple(_flags(column, settings) for column in table.columns)
    counts = tuple(_count(column, flag) for column, flag in zip(table.columns, flags, strict=True))
    return Gaps(flags, counts)


def apply_policy(table: Table, gaps: Gaps, settings: ReadSettings) -> tuple[Mask | None, list[Decision], list[Problem]]:
    """Which rows stay (None: all), what was decided, and the refusal if the policy is `error`."""
    where = {name: count for name, count in zip(table.names, gaps.counts, strict=True) if count}
    if not where:
        return None, [], []
    shown = enumerate_some([f"'{name}' ({count:,})" for name, count in where.items()])
    complete = _complete_rows(table, gaps)
    gone = int(table.rows - complete.sum())
    if settings.missing == "state":
        return None, [_new_state(name, count) for name, count in where.items()], []
    if settings.missing == "drop" and gone == table.rows:
        message = f"every row has a missing value, in {shown}"
        return None, [], [Problem(None, "no-rows", message, Message("pass ", STATE, ", or leave such columns out"))]
    if settings.missing == "drop":
        message = f"{gone:,} of {table.rows:,} rows dropped: values missing in {shown}"
        decision = Decision(None, "dropped-rows", message, (float(gone), float(table.rows)))
        return complete, [decision], []
    columns = f"{len(where)} of {len(table.names)} columns"
    problem = Problem(
        None,
        "missing",
        f"values are missing in {columns}: {shown}",
        Message(
            *("pass ", STATE, f" to make '{MISSING_STATE}' a new state, "),
            *(DROP, f" to leave out {gone:,} of {table.rows:,} rows, or fill the values in"),
        ),
    )
    return None, [], [problem]


def unused_tokens(table: Table, settings: ReadSettings) -> list[Decision]:
    """A warning for each token that no column holds: it may be misspelt."""
    found = set()
    for column in table.columns:
        if isinstance(column, Labels):
            found |= {label(value) for value in column.values}
        elif isinstance(column, Numbers):
            return []
    tokens = [label(token) for token in settings.missing_tokens]
    return [
        Decision(None, "unused-token", f"the missing token '{token}' does not occur", warning=True)
        for token in tokens
        if token not in found
    ]


def _new_state(name: str, count: int) -> Decision:
    message = f"{count:,} missing values are the state '{MISSING_STATE}'"
    return Decision(name, "missing-state", message, (float(count),))


def _flags(column: Column, settings: ReadSettings) -> Mask:
    if isinstance(column, Labels):
        return np.array([settings.is_missing(value) for value in column.values], dtype=np.bool_)
    if isinstance(column, Numbers):
        return settings.missing_numbers(column.numbers)
    return np.zeros(0, dtype=np.bool_)


def _missing_rows(column: Column, flags: Mask) -> Mask:
    return flags[column.codes] if isinstance(column, Labels) else flags


def _count(column: Column, flags: Mask) -> int:
    return int(_missing_rows(column, flags).sum()) if flags.any() else 0


def _complete_rows(table: Table, gaps: Gaps) -> Mask:
    complete = np.ones(table.rows, dtype=np.bool_)
    for column, flags, count in zip(table.columns, gaps.flags, gaps.counts, strict=True):
        if count:
            complete &= ~_missing_rows(column, flags)
    return complete
