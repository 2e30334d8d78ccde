"""What a person should look at although the data can be used: warnings with their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from mahc.data.prepare.coding import Coded
from mahc.data.prepare.decisions import Decision, enumerate_some, shorten
from mahc.data.prepare.types import LOOK_ALIKES, exact
from mahc.data.raw_columns import Labels, Table
from mahc.data.settings import MISSING_STATE

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?\Z")
# An identifier has (nearly) a value of its own in each row; below a few rows everything looks like one.
IDENTIFIER_SHARE = 0.9
IDENTIFIER_ROWS = 10
# Fewer rows per state than this and a state's probabilities rest on next to nothing.
ROWS_PER_STATE = 5


def doubt_column(name: str, column: Coded, states: int, size: int) -> list[Decision]:
    """The warnings about one finished column, of which so many states will stay."""
    found = [_doubt_states(name, states, size)]
    if column.kind in ("text", "mixed", "category"):
        found += [
            _doubt_look_alikes(name, column),
            _doubt_spaces(name, column.states),
            _doubt_case(name, column),
            _doubt_dates(name, column.states),
        ]
    if column.kind in ("text", "mixed"):
        found.append(_doubt_numbers(name, column.states))
    if column.kind == "mixed":
        found.append(_warn(name, "mixed-types", "values of several types are read as text"))
    return [warning for warning in found if warning is not None]


def doubt_table(table: Table) -> list[Decision]:
    """The warnings about the table as a whole."""
    found = []
    labels = [column for column in table.columns if isinstance(column, Labels)]
    from_file = any(note.kind == "delimiter" for note in table.notes)
    named_by_data = [name in column.values for name, column in zip(table.names, labels, strict=False)]
    if from_file and len(labels) == len(table.names) and all(named_by_data):
        message = f"every name in line 1, such as {shorten(table.names[0])}, is also a value of its column"
        found.append(_warn(None, "header", message + ": is that line data, and the header not there?"))
    return found


def _doubt_states(name: str, states: int, size: int) -> Decision | None:
    if states == 1:
        return _warn(name, "constant", "constant: one state only, so it tells nothing about the others", 1)
    if size >= IDENTIFIER_ROWS and states >= IDENTIFIER_SHARE * size:
        message = f"looks like an identifier: {states:,} states in {size:,} rows; leave it out"
        return _warn(name, "identifier", message, states, size)
    if states > 2 and states * ROWS_PER_STATE > size:
        message = f"many states for the rows: {states:,} states, {size / states:.1f} rows each; group some"
        return _warn(name, "many-states", message, states, size)
    return None


def _doubt_look_alikes(name: str, column: Coded) -> Decision | None:
    codes = [code for code, state in enumerate(column.states) if state in LOOK_ALIKES]
    if not codes:
        return None
    rows = int(np.isin(column.codes, codes).sum())
    shown = enumerate_some([shorten(column.states[code]) for code in codes])
    message = f"{shown} ({rows:,} rows) is a state here; if it means missing, name it as a missing token"
    return _warn(name, "look-alike", message, rows)


def _doubt_spaces(name: str, states: Sequence[str]) -> Decision | None:
    spaced = [shorten(state) for state in states if state != state.strip()]
    if not spaced:
        return None
    message = f"spaces around {len(spaced)} of {len(states)} states ({enumerate_some(spaced, 3)}) are kept"
    return _warn(name, "spaces", message, len(spaced))


def _doubt_case(name: str, column: Coded) -> Decision | None:
    first: dict[str, str] = {}
    for state in column.states:
        other = first.setdefault(state.strip().casefold(), state)
        if other != state and other.strip() != state.strip():
            message = f"the states {shorten(other)} and {shorten(state)} differ in case only"
            return _warn(name, "case", message)
    return None


def _doubt_numbers(name: str, states: Sequence[str]) -> Decision | None:
    numbers = [state for state in states if isinstance(exact(state), float)]
    if not numbers:
        return None
    word = next(state for state in states if exact(state) is None)
    message = (
        f"{len(numbers):,} of {len(states):,} states are real numbers ({enumerate_some(numbers, 2)}), read as text "
        f"because of {shorten(word)}; to discretise it, name that as a missing token or take it out"
    )
    return _warn(name, "numbers-as-text", message, len(numbers), len(states))


def _doubt_dates(name: str, states: Sequence[str]) -> Decision | None:
    known = [state for state in states if state != MISSING_STATE]
    if not known or not all(_DATE.match(state) for state in known):
        return None
    return _warn(name, "dates", "looks like dates; turn it into a few periods (year, month, weekday)")


def _warn(column: str | None, kind: str, message: str, *numbers: float) -> Decision:
    return Decision(column, kind, message, tuple(float(number) for number in numbers), warning=True)
