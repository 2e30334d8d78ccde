"""Numbers that surveys write for a missing value, such as -9 and 999."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import parse_number
from mahc.errors import Mention, Message
from mahc.plurals import count

NEGATIVE_CODES = frozenset([-9, -99, -999, -9999])
POSITIVE_CODES = frozenset([99, 999, 9999, 99999])
# A code is farther than this from all numbers that are none.
LEAST_DISTANCE = 5
# Once in a column, it may be an outlier, unless its distance is so many times the range of the others.
OUTLIER = 3
# So many numbers at each end of a column hold all codes and the next number.
_END = max(len(NEGATIVE_CODES), len(POSITIVE_CODES)) + 1


def warn_about_codes(name: str, values: Sequence[object], rows: NDArray[np.int64]) -> tuple[Note, ...]:
    """A warning for each number of the column that looks like a code for a missing value.

    It is -9, -99, -999 or -9999 below all other numbers, or 99, 999, 9999 or 99999 above them, and more than 5 away.
    Where it occurs in one row only, as an outlier does, it is farther away than three times the range of the others, or
    the only negative number.

    >>> [note.message for note in warn_about_codes("age", [31, 57, 999], np.array([4, 5, 2]))]
    ['999 (2 rows) is far above the other numbers']
    >>> [note.message for note in warn_about_codes("change", [-999, -3.5, 2.5], np.array([40, 5, 5]))]
    ['-999 (40 rows) is far below the other numbers']
    """
    parsed = [parse_number(value) for value in values]
    found = sorted((number, times) for number, times in zip(parsed, rows.tolist(), strict=True) if number is not None)
    low = list(takewhile(lambda pair: pair[0] in NEGATIVE_CODES, found))
    high = list(takewhile(lambda pair: pair[0] in POSITIVE_CODES, reversed(found)))
    others = [number for number, _ in found[len(low) : len(found) - len(high)]]
    if not others:
        return ()
    spread = others[-1] - others[0]
    notes = []
    for where, codes, nearest in (("is far below", low, others[0]), ("is far above", high, others[-1])):
        for code, times in codes:
            away = abs(code - nearest)
            if len(codes) == 1 and code < 0 <= nearest:
                notes.append(_warn(name, int(code), times, "is the only negative number"))
            elif away > LEAST_DISTANCE and (times > 1 or away > OUTLIER * spread):
                notes.append(_warn(name, int(code), times, where + " the other numbers"))
    return tuple(notes)


def count_ends(numbers: NDArray[np.float64], rows: NDArray[np.int64]) -> tuple[list[float], NDArray[np.int64]]:
    """The smallest and the largest of many numbers, as many as codes are looked for among, and the rows of each."""
    distinct = np.unique(numbers)
    ends = distinct if len(distinct) <= 2 * _END else np.concatenate([distinct[:_END], distinct[-_END:]])
    chosen = np.isin(numbers, ends)
    counts = np.bincount(np.searchsorted(ends, numbers[chosen]), rows[chosen], len(ends))
    return ends.tolist(), counts.astype(np.int64)


def _warn(name: str, code: int, rows: int, why: str) -> Note:
    token = Mention("missing_tokens", {name: (str(code),)})
    message = f"{code} ({count(rows, 'row')}) {why}"
    fix = Message("if it means missing, pass ", token)
    return Note(name, "missing-code", message, (float(code), float(rows)), True, fix, (token,))
