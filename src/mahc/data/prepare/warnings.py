"""Warnings about data that can be used but may contain a mistake."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from mahc.data.columns import Column, Continuous, Discrete
from mahc.data.prepare.coding import Coded
from mahc.data.prepare.notes import Note, enumerate_some, shorten
from mahc.data.prepare.types import (
    IDENTIFIER_ROWS,
    looks_like_dates,
    looks_like_identifier,
    looks_missing,
    means_missing,
    parse_number,
)
from mahc.data.settings import MISSING_STATE
from mahc.data.source_table import LabelColumn, SourceTable
from mahc.errors import Mention, Message
from mahc.plurals import count

MERGE = Mention("merge_states", True)
MERGE_FIX = Message("pass ", MERGE, " to make them one state")
# With fewer rows per state than this, the probabilities of a state are unreliable.
ROWS_PER_STATE = 5
# With fewer different numbers, a word among them may be one more code.
FEWEST_NUMBERS = 3
# Text of so many words on average is written freely.
FREE_WORDS = 4


def warn_about_column(name: str, column: Coded, states: int, size: int, named: bool = False) -> list[Note]:
    """The warnings about one coded column with this many states, which the user may have named as states."""
    free = _warn_about_free_text(name, column, states, size)
    found = [free or _warn_about_states(name, states, size, named)]
    if column.kind in ("text", "mixed", "category"):
        found += [
            _warn_about_look_alikes(name, column),
            _warn_about_spaces(name, column.states),
            _warn_about_case(name, column),
            _warn_about_dates(name, column.states),
        ]
    if column.kind == "integer":
        found.append(_warn_about_dates(name, column.states))
    if column.kind in ("text", "mixed"):
        found.append(_warn_about_numbers(name, column))
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
        fix = Message("if the file has no header, pass ", Mention("header", False))
        found.append(_warn(None, "header", message + ": is the header missing?", fix=fix))
    return found


def warn_about_identical(names: Sequence[str], columns: Sequence[Column]) -> list[Note]:
    """A warning for columns that say the same in every row, whatever their states are called.

    Numbers say the same where one column puts the rows in the order of the other, or in the opposite order.
    """
    alike: dict[tuple[int, ...], list[int]] = {}
    for place, column in enumerate(columns):
        if isinstance(column, Discrete) and column.rows >= IDENTIFIER_ROWS:
            counts = np.sort(np.bincount(column.codes))
            alike.setdefault(tuple(counts[counts > 0].tolist()), []).append(place)
    same: dict[bytes, list[str]] = {}
    for places in alike.values():
        for place in places if len(places) > 1 else ():
            _, rows, which = np.unique(columns[place].as_array(), return_index=True, return_inverse=True)
            if len(rows) > 1:  # a constant has its own warning
                same.setdefault(hashlib.sha256(rows[which].tobytes()).digest(), []).append(names[place])
    ordered: dict[bytes, list[str]] = {}
    for name, column in zip(names, columns, strict=True):
        if isinstance(column, Continuous) and column.rows >= IDENTIFIER_ROWS:
            distinct, ranks = np.unique(column.values, return_inverse=True)
            if len(distinct) > 1:
                key = min(ranks.tobytes(), (len(distinct) - 1 - ranks).tobytes())  # the same for both orders
                ordered.setdefault(hashlib.sha256(key).digest(), []).append(name)
    found = []
    for texts, groups in (
        (("says the same as ", " in every row"), same),
        (("is a rising or falling function of ", " in every row"), ordered),
    ):
        for first, *others in groups.values():
            if others:
                message = enumerate_some([shorten(name) for name in others]).join(texts)
                fix = Message("keep one of them: ", Mention("drop"), " the others")
                found.append(_warn(first, "identical", message, fix=fix))
    return found


def _warn_about_states(name: str, states: int, size: int, named: bool) -> Note | None:
    if states == 1:
        return _warn(name, "constant", "constant: one state only, so it is independent of the others", 1)
    if looks_like_identifier(states, size) and not named:
        drop, keep = Mention("drop", (name,)), Mention("categorical", (name,))
        found = f"{count(states, 'state')} in {count(size, 'row')}"
        message = f"looks like an identifier, whose arcs mean nothing: {found}"
        fix = Message("leave it out with ", drop, ", or pass ", keep, " if they are states")
        return _warn(name, "identifier", message, states, size, fix=fix, remedies=(drop,))
    if states > 2 and states * ROWS_PER_STATE > size:
        message = f"many states for the rows: {count(states, 'state')}, {size / states:.1f} rows each; group some"
        return _warn(name, "many-states", message, states, size)
    return None


def _warn_about_free_text(name: str, column: Coded, states: int, size: int) -> Note | None:
    """A warning about text that people wrote freely: nearly every row has its own, of several words."""
    if column.kind != "text" or states * ROWS_PER_STATE <= size or states <= FEWEST_NUMBERS:
        return None
    words = sum(len(state.split()) for state in column.states) / states
    if words < FREE_WORDS:
        return None
    drop = Mention("drop", (name,))
    message = f"looks like free text: {count(states, 'different text')} of {words:.0f} words on average"
    fix = Message("group it into a few categories, or leave it out with ", drop)
    return _warn(name, "free-text", message, states, words, fix=fix, remedies=(drop,))


def _warn_about_look_alikes(name: str, column: Coded) -> Note | None:
    codes = [code for code, state in enumerate(column.states) if looks_missing(state)]
    if not codes:
        return None
    rows = column.rows_in(codes)
    shown = enumerate_some([shorten(column.states[code]) for code in codes])
    token = Mention("missing_tokens", {name: tuple(column.states[code] for code in codes)})
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


def _warn_about_numbers(name: str, column: Coded) -> Note | None:
    """A warning about numbers that are text: because of a word among them, or because the source says so."""
    states = column.states
    parsed = [parse_number(state) for state in states]
    numbers = [state for state, number in zip(states, parsed, strict=True) if number is not None]
    words = [state for state, number in zip(states, parsed, strict=True) if number is None and state != MISSING_STATE]
    missing = tuple(word for word in words if means_missing(word))
    real = any(isinstance(number, float) for number in parsed)
    if not real and not (len(numbers) >= FEWEST_NUMBERS and len(missing) == len(words) > 0):
        return None
    what = f"{len(numbers):,} of {count(len(states), 'state')} look like {'real ' if real else ''}numbers"
    message = f"{what} ({enumerate_some(numbers, 2)})"
    if not column.spelt:
        fix: Message = Message("if they are numbers, turn the column into numbers before it is read")
        return _warn(name, "numbers-as-text", f"{message}, but are text", len(numbers), len(states), fix=fix)
    message += f", read as text because of {enumerate_some([shorten(word) for word in words], 2)}"
    token = Mention("missing_tokens", {name: missing or (words[0],)})
    if missing and len(missing) == len(words):
        fix = Message("if it means missing, pass ", token)
        return _warn(name, "numbers-as-text", message, len(numbers), len(states), fix=fix, remedies=(token,))
    fix = Message("to use it as numbers, pass ", token, " if that means missing, or remove that value")
    return _warn(name, "numbers-as-text", message, len(numbers), len(states), fix=fix)


def _warn_about_dates(name: str, states: Sequence[str]) -> Note | None:
    known = [state for state in states if state != MISSING_STATE and not means_missing(state)]
    if len(known) < 2 or not looks_like_dates(known):
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
