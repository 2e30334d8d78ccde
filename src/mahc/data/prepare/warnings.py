"""Warnings about data that can be used but may contain a mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mahc.data.prepare.coding import Coded
from mahc.data.prepare.notes import Note, enumerate_some, shorten
from mahc.data.prepare.types import CUT, LOOK_ALIKES, looks_like_identifier, parse_number
from mahc.data.settings import MISSING_STATE
from mahc.data.source_table import LabelColumn, SourceTable
from mahc.errors import Mention, Message
from mahc.plurals import count

_TIME = r"(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?\Z"
# 2020-07-03, 2020/7/3, 03.07.2020, 3/7/20
_DATE = re.compile(
    r"(?:[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}|[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2}))" + _TIME
)
MERGE = Mention("merge_states", True)
MERGE_FIX = Message("pass ", MERGE, " to make them one state")
# With fewer rows per state than this, the probabilities of a state are unreliable.
ROWS_PER_STATE = 5


def warn_about_column(name: str, column: Coded, states: int, size: int) -> list[Note]:
    """The warnings about one coded column with this many states."""
    found = [_warn_about_states(name, states, size)]
    if column.kind in ("text", "mixed", "category"):
        found += [
            _warn_about_look_alikes(name, column),
            _warn_about_spaces(name, column.states),
            _warn_about_case(name, column),
            _warn_about_dates(name, column.states),
        ]
    if column.kind in ("text", "mixed"):
        found.append(_warn_about_numbers(name, column.states))
    if column.kind == "mixed":
        found.append(_warn(name, "mixed-types", "values of several types are read as text"))
    return [warning for warning in found if warning is not None]


def warn_about_table(table: SourceTable) -> list[Note]:
    """The warnings about the whole table."""
    found = []
    labels = [column for column in table.columns if isinstance(column, LabelColumn)]
    from_file = any(note.kind == "delimiter" for note in table.notes)
    name_is_value = [name in column.values for name, column in zip(table.names, labels, strict=False)]
    if from_file and len(labels) == len(table.names) and all(name_is_value):
        message = f"every name in line 1, such as {shorten(table.names[0])}, is also a value of its column"
        found.append(_warn(None, "header", message + ": is the header missing?"))
    return found


def _warn_about_states(name: str, states: int, size: int) -> Note | None:
    if states == 1:
        return _warn(name, "constant", "constant: one state only, so it is independent of the others", 1)
    if looks_like_identifier(states, size):
        drop = Mention("drop", (name,))
        message = f"looks like an identifier: {count(states, 'state')} in {count(size, 'row')}"
        return _warn(
            name, "identifier", message, states, size, fix=Message("leave it out with ", drop), remedies=(drop,)
        )
    if states > 2 and states * ROWS_PER_STATE > size:
        message = f"many states for the rows: {count(states, 'state')}, {size / states:.1f} rows each; group some"
        return _warn(name, "many-states", message, states, size)
    return None


def _warn_about_look_alikes(name: str, column: Coded) -> Note | None:
    codes = [code for code, state in enumerate(column.states) if state in LOOK_ALIKES]
    if not codes:
        return None
    rows = column.rows_in(codes)
    shown = enumerate_some([shorten(column.states[code]) for code in codes])
    token = Mention("missing_tokens", tuple(column.states[code] for code in codes))
    message = f"{shown} ({count(rows, 'row')}) is a state here"
    return _warn(name, "look-alike", message, rows, fix=Message("if it means missing, pass ", token), remedies=(token,))


def _warn_about_spaces(name: str, states: Sequence[str]) -> Note | None:
    spaced = [shorten(state) for state in states if state != state.strip()]
    if not spaced:
        return None
    message = f"spaces around {len(spaced)} of {count(len(states), 'state')} ({enumerate_some(spaced, 3)}) are kept"
    merged = len({" ".join(state.split()).casefold() for state in states}) < len(states)
    return _warn(name, "spaces", message, len(spaced), fix=MERGE_FIX if merged else None, remedies=(MERGE,) * merged)


def _warn_about_case(name: str, column: Coded) -> Note | None:
    first: dict[str, str] = {}
    for state in column.states:
        other = first.setdefault(state.strip().casefold(), state)
        if other != state and other.strip() != state.strip():
            message = f"the states {shorten(other)} and {shorten(state)} differ in case only"
            return _warn(name, "case", message, fix=MERGE_FIX, remedies=(MERGE,))
    return None


def _warn_about_numbers(name: str, states: Sequence[str]) -> Note | None:
    numbers = [state for state in states if isinstance(parse_number(state), float)]
    if not numbers:
        return None
    word = next((state for state in states if parse_number(state) is None), None)
    if word is None:
        message = f"text that spells real numbers ({enumerate_some(numbers, 2)}) stays text: every spelling is a state"
        fix = Message("to cut it into intervals, pass ", Mention("discretise"), " with a rule for this column")
        return _warn(name, "numbers-as-text", message, len(numbers), len(states), fix=fix)
    message = (
        f"{len(numbers):,} of {count(len(states), 'state')} look like real numbers ({enumerate_some(numbers, 2)}), "
        f"read as text because of {shorten(word)}"
    )
    token = Mention("missing_tokens", (word,))
    fix = Message("to discretise it, pass ", token, " and ", CUT, ", or remove that value")
    return _warn(name, "numbers-as-text", message, len(numbers), len(states), fix=fix)


def _warn_about_dates(name: str, states: Sequence[str]) -> Note | None:
    known = [state for state in states if state != MISSING_STATE]
    if not known or not all(_DATE.match(state) for state in known):
        return None
    drop = Mention("drop", (name,))
    fix = Message("turn it into a few periods (year, month, weekday), or leave it out with ", drop)
    return _warn(name, "dates", "looks like dates", fix=fix, remedies=(drop,))


def _warn(
    column: str | None,
    kind: str,
    message: str,
    *numbers: float,
    fix: Message | None = None,
    remedies: tuple[Mention, ...] = (),
) -> Note:
    return Note(column, kind, message, tuple(float(number) for number in numbers), True, fix, remedies)
