"""Numbers that surveys write for a missing value, such as -9 and 999."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import parse_number
from mahc.errors import Mention, Message
from mahc.plurals import count

# A negative code is one where no other number is negative; a positive code where it is well above all others.
NEGATIVE_CODES = frozenset([-9, -99, -999, -9999])
POSITIVE_CODES = frozenset([99, 999, 9999, 99999])
LEAST_DISTANCE = 5


def warn_about_codes(name: str, values: Sequence[object], counts: NDArray[np.int64]) -> tuple[Note, ...]:
    """A warning for a number of the column that looks like a code for a missing value.

    -9, -99, -999 and -9999 do where they are the only negative number, 99, 999, 9999 and 99999 where they are more
    than 5 above all other numbers.

    >>> [note.message for note in warn_about_codes("age", [31, 57, 999], np.array([4, 5, 2]))]
    ['999 (2 rows) is far above the other numbers']
    """
    if len(values) < 2:
        return ()
    parsed = [parse_number(value) for value in values]
    if not any(number in NEGATIVE_CODES or number in POSITIVE_CODES for number in parsed):
        return ()
    numbers = np.array([np.nan if number is None else number for number in parsed], dtype=np.float64)
    order = np.argsort(numbers, kind="stable")
    low, second, last = (float(numbers[order[place]]) for place in (0, 1, -1))
    before = float(numbers[order[-2]])
    found = []
    if low in NEGATIVE_CODES and second >= 0:
        found.append((int(low), int(counts[order[0]]), "is the only negative number"))
    if last in POSITIVE_CODES and last - before > LEAST_DISTANCE:
        found.append((int(last), int(counts[order[-1]]), "is far above the other numbers"))
    return tuple(_warn(name, code, rows, why) for code, rows, why in found)


def count_numbers(numbers: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[list[float], NDArray[np.int64]]:
    """The two smallest and the two largest of many numbers, and how often each occurs."""
    distinct = np.unique(numbers)
    ends = distinct if len(distinct) <= 4 else distinct[[0, 1, -2, -1]]
    return ends.tolist(), np.array([int(counts[numbers == end].sum()) for end in ends.tolist()], dtype=np.int64)


def _warn(name: str, code: int, rows: int, why: str) -> Note:
    token = Mention("missing_tokens", {name: (str(code),)})
    message = f"{code} ({count(rows, 'row')}) {why}"
    fix = Message("if it means missing, pass ", token)
    return Note(name, "missing-code", message, (float(code), float(rows)), True, fix, (token,))
