"""What a column's values are - whole numbers, truth values, text, real numbers - and how they are ordered."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mahc.data.prepare.decisions import Problem, shorten
from mahc.errors import Mention, Message

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
# No leading zeros: 007 is a name, not the number 7.
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z")
_TRUTH = tuple({spelling("false"): "false", spelling("true"): "true"} for spelling in (str, str.title, str.upper))
# Beyond this, digits are only what the exponent made up.
LARGEST_WHOLE = 10.0**30
# Numbers in words that no column of states needs: infinite ones beside real numbers.
INFINITE_WORDS = frozenset(["inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"])
# What people write for "not known"; as text these are states unless the user names them.
LOOK_ALIKES = frozenset(
    [
        "NA",
        "N/A",
        "n/a",
        "na",
        "None",
        "?",
        "-",
        ".",
        "#N/A",
        "<NA>",
        "NaT",
    ]
)


@dataclass(frozen=True)
class Interpreted:
    """The kind of a column, a label per value, and the labels in their order.

    >>> interpret(["10", "9"])
    Interpreted(kind='integer', labels=('10', '9'), order=('9', '10'))
    """

    kind: str
    labels: tuple[str, ...]
    order: tuple[str, ...]


def interpret(values: Sequence[object], declared: bool = False) -> Interpreted:
    """Decide from all distinct values at once, wherever they come from; text is read as a CSV cell would be.

    Kinds: integer, boolean, text, category (declared, never re-read), real (no order given), mixed (values of
    several Python types, read as text).

    >>> interpret(["True", "False"]).order
    ('false', 'true')
    >>> interpret([1.0, 2.5]).kind
    'real'
    """
    labels = tuple(label(value) for value in values)
    if declared:
        return Interpreted("category", labels, tuple(dict.fromkeys(labels)))
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return _interpret_text(labels)
    truths = sum(isinstance(value, bool) for value in values)
    if truths == len(values):
        return Interpreted("boolean", labels, tuple(sorted(set(labels))))
    if texts or truths:
        read = _interpret_text(labels)
        return read if read.kind == "real" else Interpreted("mixed", read.labels, read.order)
    return _interpret_numbers(labels, [exact(value) for value in values])


def _interpret_text(labels: tuple[str, ...]) -> Interpreted:
    for spelling in _TRUTH:
        if labels and all(text in spelling for text in labels):
            read = tuple(spelling[text] for text in labels)
            return Interpreted("boolean", read, tuple(sorted(set(read))))
    numbers = [exact(text) for text in labels]
    if labels and all(number is not None for number in numbers):
        return _interpret_numbers(labels, numbers)
    return Interpreted("text", labels, tuple(sorted(set(labels))))


def _interpret_numbers(labels: tuple[str, ...], numbers: Sequence[int | float | None]) -> Interpreted:
    whole = [number for number in numbers if isinstance(number, int)]
    if len(whole) < len(numbers):
        return Interpreted("real", labels, ())
    return Interpreted("integer", tuple(str(n) for n in whole), tuple(str(n) for n in sorted(set(whole))))


def exact(value: object) -> int | float | None:
    """The number that a value stands for: an int where it is whole, else a float; None where it is no number.

    >>> exact("1.0"), exact("1e3"), exact("2.5"), exact("007"), exact(3.0), exact(True)
    (1, 1000, 2.5, None, 3, None)
    """
    if isinstance(value, str):
        if _WHOLE.match(value):
            return int(value) if len(value) < 4000 else float(value)
        if not _NUMBER.match(value):
            return None
        value = decimal.Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | float | decimal.Decimal):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < LARGEST_WHOLE else value
    whole = value.is_finite() and abs(value) < LARGEST_WHOLE and value == value.to_integral_value()
    return int(value) if whole else float(value)


def label(value: object) -> str:
    """The name of the state that a value becomes.

    >>> label(True), label(2.0), label(2.5), label("x")
    ('true', '2', '2.5', 'x')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | decimal.Decimal):
        return str(exact(value))
    return str(value)


def foreign_kind(value: object) -> str | None:
    """What a Python value is when it can be no state: a date, a time, a nested or binary value; else None."""
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return "date or time"
    if value is None or isinstance(value, str | bool | int | float | decimal.Decimal):
        return None
    return f"nested or unknown ({type(value).__name__})"


def foreign_problem(name: str, kind: str) -> Problem:
    """The refusal of a column of a type that has no states."""
    if kind.startswith("date"):
        fix = "turn it into a few periods (year, month, weekday) or leave it out"
    else:
        fix = "turn it into text, whole numbers or categories, or leave it out"
    return Problem(name, "type", f"holds values of type {kind}, which have no states", fix)


def real_problem(name: str, example: object) -> Problem:
    """The refusal of real numbers, with the ways out."""
    return Problem(
        name,
        "real-valued",
        f"holds real numbers (for example {example})",
        Message("pass ", Mention("discretise", "quantile:4"), ", equal-width:5 or cut points, or leave the column out"),
    )


def hidden_missing_problem(name: str, example: object, word: str) -> Problem:
    """The refusal of real numbers among which stand words for missing values."""
    return Problem(
        name,
        "real-valued",
        f"holds real numbers (for example {example}) and {shorten(word)}",
        f"name {shorten(word)} as a missing token, and discretise the column or leave it out",
    )
