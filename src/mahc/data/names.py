"""Checks of the names of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mahc.data.prepare.notes import enumerate_some, shorten
from mahc.errors import DataError, Mention
from mahc.plurals import noun

MAX_COLUMNS = 100_000


def check_names(names: Sequence[str], source: str = "the data") -> None:
    """Raise DataError if names are empty, repeated or padded with spaces; the error lists them."""
    if not names:
        raise DataError(f"{source}: no columns; at least one is needed")
    empty = [str(position) for position, name in enumerate(names, 1) if not name.strip()]
    if empty:
        raise DataError(
            f"{source}: no name for column {enumerate_some(empty)} of {len(names)}: give every column a name "
            "(a nameless first column is often a saved row index: save without it)"
        )
    padded = [shorten(name) for name in names if name != name.strip()]
    if padded:
        raise DataError(f"{source}: spaces around the column name {enumerate_some(padded)}: remove them")
    repeated = [
        f"{shorten(name)} ({count} {noun(count, 'time')})" for name, count in Counter(names).items() if count > 1
    ]
    if repeated:
        raise DataError(f"{source}: the column name {enumerate_some(repeated)} is not unique: rename all but one")


def check_count(kept: Sequence[str], source: str) -> None:
    """Raise DataError if there are more columns than can be learned from, before they are read."""
    if len(kept) > MAX_COLUMNS:
        raise DataError(
            f"{source}: at most {MAX_COLUMNS:,} columns can be read, and there are {len(kept):,}: select some with ",
            Mention("columns"),
            " or leave some out with ",
            Mention("drop"),
        )


def text_names(names: Sequence[object], source: str) -> list[str]:
    """Names as text: strings as they are, whole numbers as their digits, anything else refused."""
    for position, name in enumerate(names, 1):
        if isinstance(name, bool) or not (isinstance(name, str) or hasattr(name, "__index__")):
            raise DataError(f"{source}: the name of column {position} is {shorten(name)}, not text: rename it")
    return [str(name) for name in names]
