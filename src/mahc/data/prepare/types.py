"""The type of a column (integer, Boolean, text, real number, category) and the order of its values."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from mahc.data.prepare.notes import Problem, enumerate_some, shorten
from mahc.errors import Choice, DataError, Mention, Message
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.data.dataset import Dataset

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
# No leading zeros: 007 is a name, not the number 7.
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z")
_TRUTH = tuple({spelling("false"): "false", spelling("true"): "true"} for spelling in (str, str.title, str.upper))
# All spellings of the two Booleans.
TRUTH_WORDS = {text: word == "true" for spelling in _TRUTH for text, word in spelling.items()}
_TIME = r"(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?\Z"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# 2020-07-03, 2020/7/3, 20200703, 03.07.2020, 3/7/20, 3 July 2020, 03-Jul-20, July 3, 2020
_DATE = re.compile(
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"|[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})"
    rf"|[0-9]{{1,2}}[ -]{_MONTH}[ -](?:[0-9]{{4}}|[0-9]{{2}})|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}})" + _TIME,
    re.IGNORECASE,
)
_FEW = 16  # texts of a column
# A number with a decimal comma, as much of Europe and South America writes it.
COMMA_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*),[0-9]+\Z")
# More different whole numbers in a column are treated like real numbers.
MANY_NUMBERS = 20
# An identifier has a distinct value in nearly every row; with few rows every column would look like one.
IDENTIFIER_SHARE = 0.9
IDENTIFIER_ROWS = 10
# Whole numbers that identify rows leave few numbers between the least and the greatest out.
IDENTIFIER_DENSITY = 0.5
# Or the last word of their name says so: id, patient_id, PatientID, record number.
IDENTIFIER_WORDS = frozenset(["id", "ids", "uuid", "guid", "key", "index", "row", "serial", "no", "nr", "number"])
# A number with a unit: 12 mg, 3.5kg, 40%, 7 mmol/L, $5.
_UNIT = re.compile(
    r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?)\s*((?:[a-zµμ%°€$£]|/|[²³])[a-zµμ%°€$£/²³0-9*^.-]*)\Z", re.IGNORECASE
)
_CURRENCY = re.compile(r"([€$£])\s*[+-]?[0-9]+(?:[.,][0-9]+)?\Z")
MOST_UNITS = 3  # of one column
CUT = Mention("discretise", "quantile:4")
OTHER_CUTS = Message(", ", Choice("equal-width:5"), " or cut points such as ", Choice((18, 65)))
# Larger floats are not treated as integers: their digits come from the exponent.
LARGEST_WHOLE = 10.0**30
# Infinite numbers as text: never a state of a column of real numbers.
INFINITE_WORDS = frozenset(["inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"])
# Text that often means missing; a state unless it is a missing token.
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
# The same in words and abbreviations, in lower case.
NO_ANSWER = frozenset(
    ["n.a.", "n. a.", "k.a.", "k. a.", "keine angabe", "keine angaben", "not available", "not stated", "no answer"]
)
# Words, in lower case, that mean missing among numbers; among other words they may be a state.
AMONG_NUMBERS = frozenset(
    [
        *NO_ANSWER,
        *(word.lower() for word in LOOK_ALIKES),
        *("unknown", "unk", "not known", "missing", "not applicable", "not recorded"),
        *("no data", "don't know", "dk", "refused", "declined", "undefined", "--", "*", "x"),
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


def interpret(values: Sequence[object], declared: bool = False, spelt: bool = True) -> Interpreted:
    """Decide the type from all distinct values; text that is a field of a text file (`spelt`) may spell another type.

    Kinds: integer, boolean, text, category (declared, not interpreted), real (without order), mixed (values of
    several Python types, read as text).

    >>> interpret(["True", "False"]).order
    ('false', 'true')
    >>> interpret([1.0, 2.5]).kind
    'real'
    >>> interpret(["2.5", "TRUE"], spelt=False).labels
    ('2.5', 'TRUE')
    """
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) == len(values) and not declared and not spelt:
        return Interpreted("text", texts, _sorted(texts))
    if len(texts) == len(values) and not declared:
        return _interpret_few(texts) if len(texts) <= _FEW else _interpret_text(texts)
    labels = tuple(label(value) for value in values)
    if declared:
        return Interpreted("category", labels, tuple(dict.fromkeys(labels)))
    truths = sum(isinstance(value, bool) for value in values)
    if truths == len(values):
        return Interpreted("boolean", labels, tuple(sorted(set(labels))))
    if texts or truths:
        read = _interpret_text(labels)
        return read if read.kind == "real" else Interpreted("mixed", read.labels, read.order)
    return _interpret_numbers(labels, [parse_number(value) for value in values])


def _interpret_text(labels: tuple[str, ...]) -> Interpreted:
    for spelling in _TRUTH:
        if labels and all(text in spelling for text in labels):
            read = tuple(spelling[text] for text in labels)
            return Interpreted("boolean", read, tuple(sorted(set(read))))
    numbers = [parse_number(text) for text in labels]
    if labels and all(number is not None for number in numbers):
        return _interpret_numbers(labels, numbers)
    return Interpreted("text", labels, _sorted(labels))


def _sorted(texts: Sequence[str]) -> tuple[str, ...]:
    """Texts by code point; by their size where all of them spell numbers."""
    numbers = {text: parse_number(text) for text in texts}
    if None in numbers.values():
        return tuple(sorted(numbers))
    return tuple(sorted(numbers, key=lambda text: (numbers[text], text)))


# Of thousands of columns most have the same few texts.
_interpret_few = lru_cache(maxsize=1024)(_interpret_text)


def _interpret_numbers(labels: tuple[str, ...], numbers: Sequence[int | float | None]) -> Interpreted:
    whole = [number for number in numbers if isinstance(number, int)]
    if len(whole) < len(numbers):
        return Interpreted("real", labels, ())
    return Interpreted("integer", tuple(str(n) for n in whole), tuple(str(n) for n in sorted(set(whole))))


def keep_numbers(read: Interpreted, values: Sequence[object]) -> Interpreted:
    """A column of numbers as a category with one state for each number; any other column as it is.

    >>> keep_numbers(interpret(["2.50", "10", "2.5"]), ["2.50", "10", "2.5"])
    Interpreted(kind='category', labels=('2.5', '10', '2.5'), order=('2.5', '10'))
    """
    if read.kind not in ("integer", "real"):
        return read
    numbers = [parse_number(value) or 0 for value in values]
    order = tuple(str(number) for number in sorted(set(numbers)))
    return Interpreted("category", tuple(str(number) for number in numbers), order)


def parse_number(value: object) -> int | float | None:
    """The number that a value represents: an int if it is integral, else a float; None if it is not a number.

    >>> [parse_number(value) for value in ("1.0", "1e3", "2.5", "007", 3.0, True)]
    [1, 1000, 2.5, None, 3, None]
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
    """The name of the state for a value.

    >>> label(True), label(2.0), label(2.5), label("x")
    ('true', '2', '2.5', 'x')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | decimal.Decimal):
        return str(parse_number(value))
    return str(value)


def unsupported_type(value: object) -> str | None:
    """The type of a Python value that cannot be a state (a date, a time, a nested or binary value); else None."""
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return "date or time"
    if value is None or isinstance(value, str | bool | int | float | decimal.Decimal):
        return None
    return f"nested or unknown ({type(value).__name__})"


def unsupported_type_problem(name: str, kind: str) -> Problem:
    """The problem of a column whose type has no states."""
    drop = Mention("drop", (name,))
    turn = "a few periods (year, month, weekday)" if kind.startswith("date") else "text, whole numbers or categories"
    fix = Message(f"turn it into {turn}, or leave it out with ", drop)
    return Problem(name, "type", f"holds values of type {kind}, which have no states", fix, (drop,))


def real_problem(name: str, example: object) -> Problem:
    """The problem of a column of real numbers."""
    return Problem(
        name,
        "real-valued",
        f"holds real numbers (for example {example})",
        Message("pass ", CUT, OTHER_CUTS, ", or leave the column out"),
        (CUT,),
    )


def many_numbers_problem(name: str, numbers: int) -> Problem:
    """The problem of a column of more different whole numbers than are states, for those who take states only."""
    keep = Mention("categorical", (name,))
    fix = Message("pass ", CUT, OTHER_CUTS, ", or ", keep, " to keep each as a state")
    message = f"holds {count(numbers, 'different whole number')}, more than {MANY_NUMBERS}"
    return Problem(name, "many-numbers", message, fix, (CUT,))


def no_measurement(name: str, numbers: Sequence[float], rows: int, *, more: bool = False) -> Problem | None:
    """The problem of many different whole numbers that are dates or identify rows; None for a measurement.

    They identify rows if nearly every row has its own, and either few numbers between the least and the greatest do
    not occur, or the name of the column says so. With `more` there are others that are not listed.

    >>> no_measurement("patient", range(1001, 1101), 100).kind, no_measurement("income", range(0, 90000, 900), 100)
    ('identifier', None)
    """
    found = f"holds {'more than ' if more else ''}{count(len(numbers), 'different whole number')}"
    drop, use = Mention("drop", (name,)), Mention("continuous", (name,))
    if looks_like_dates([str(int(number)) for number in numbers]):
        fix = Message("turn it into a few periods (year, month, weekday), or leave it out with ", drop)
        return Problem(name, "dates", f"{found} that look like dates", fix, (drop,))
    if not looks_like_identifier(len(numbers), rows):
        return None
    dense = len(numbers) >= IDENTIFIER_DENSITY * (max(numbers) - min(numbers) + 1)
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    if not dense and not (words and words[-1].lower() in IDENTIFIER_WORDS):
        return None
    fix = Message("leave it out with ", drop, ", or pass ", use, " if they are measurements")
    return Problem(name, "identifier", f"{found} in {count(rows, 'row')}, as an identifier does", fix, (drop,))


def dates_problem(name: str, texts: Sequence[str]) -> Problem | None:
    """The problem of a column of more dates than a column may have states; None for other text."""
    if not looks_like_dates(texts):
        return None
    drop = Mention("drop", (name,))
    fix = Message("turn it into a few periods (year, month, weekday), or leave it out with ", drop)
    return Problem(name, "dates", f"holds {len(texts):,} or more different dates", fix, (drop,))


def units_problem(name: str, words: Sequence[str]) -> Problem | None:
    """The problem of a column of many numbers with units, which are text; None for other text."""
    if len(words) <= MANY_NUMBERS:
        return None
    units = [match.group(1) if (match := _UNIT.match(word) or _CURRENCY.match(word)) else None for word in words]
    if None in units or len(set(units)) > MOST_UNITS:
        return None
    keep = Mention("categorical", (name,))
    fix = Message("write them without the unit, or pass ", keep, " to keep each as a state")
    return Problem(name, "units", f"holds numbers with units (for example {shorten(words[0])})", fix)


def refuse_numbers(data: Dataset) -> NoReturn:
    """Refuse a data set that has columns of numbers, for those who take discrete columns only."""
    listed = zip(data.names, data.columns, strict=True)
    name, *others = [shorten(each) for each, column in listed if column.state_count is None]
    likewise = f", likewise {enumerate_some(others)}" if others else ""
    raise DataError(f"column {name} is continuous{likewise}: read the data with ", CUT, OTHER_CUTS, " to cut it")


def refuse_missing_numbers(data: Dataset) -> None:
    """Refuse missing values in columns of numbers where each missing value is to be a state."""
    listed = zip(data.names, data.columns, strict=True)
    names = [each for each, column in listed if column.state_count is None and not column.complete]
    if names:
        raise DataError(missing_numbers_problem(names).as_message())


def missing_numbers_problem(names: Sequence[str]) -> Problem:
    """The problem of columns of numbers that lack some, where each missing value is to be a state."""
    name, *others = names
    likewise = f", likewise {enumerate_some([shorten(each) for each in others])}" if others else ""
    impute = Mention("missing", "impute")
    fix = Message("pass ", impute, ", ", Choice("pairwise"), " or ", Choice("drop"), " instead, or cut it with ", CUT)
    message = f"holds numbers, some of which are missing and cannot be a state{likewise}"
    return Problem(name, "missing-numbers", message, fix, (impute,))


def name_column(data: object, kinds: Collection[object]) -> str:
    """The first column of one of these kinds, in words; data in pieces do not say which it is."""
    listed = zip(getattr(data, "names", ()), getattr(data, "columns", ()), strict=False)
    return next((f"column {shorten(name)}" for name, column in listed if column.kind in kinds), "a column")


def hidden_missing_problem(name: str, example: object, word: str) -> Problem:
    """The problem of a column of real numbers with text that may mean missing."""
    token = Mention("missing_tokens", {name: (word,)})
    return Problem(
        name,
        "word-among-numbers",
        f"holds real numbers (for example {example}) and {shorten(word)}",
        Message("pass ", token, f" if {shorten(word)} means missing; or leave the column out"),
        (token,),
    )


def decimal_commas_problem(name: str, example: str) -> Problem:
    """The problem of a column of numbers with a comma where mahc expects a point."""
    comma = Mention("decimal", ",")
    keep = Mention("categorical", (name,))
    fix = Message("pass ", keep, " if each is a state of its own, or read them as numbers with ", comma)
    return Problem(name, "decimal-commas", f"holds numbers with decimal commas (for example {example})", fix, (comma,))


def looks_missing(state: str) -> bool:
    """Whether a state among others is a usual way to write that a value is missing.

    >>> looks_missing("N/A"), looks_missing("k.A."), looks_missing("unknown")
    (True, True, False)
    """
    return state in LOOK_ALIKES or state.strip().lower() in NO_ANSWER


def means_missing(word: str) -> bool:
    """Whether a word among numbers probably means that the number is not known.

    >>> means_missing("Unknown"), means_missing("many")
    (True, False)
    """
    return word.strip().lower() in AMONG_NUMBERS


def looks_like_dates(labels: Sequence[str]) -> bool:
    """Whether all texts are dates, in any of the usual ways to write them.

    >>> looks_like_dates(["2020-07-03", "3 July 2020", "20200703", "07/03/20"]), looks_like_dates(["1980", "2020"])
    (True, False)
    """
    return all(_DATE.match(each) for each in labels)


def looks_like_identifier(states: int, rows: int) -> bool:
    """Whether nearly every row has a value of its own; with few rows every column would look so."""
    return rows >= IDENTIFIER_ROWS and states >= IDENTIFIER_SHARE * rows


def with_point(value: object) -> object:
    """A text with a decimal comma as one with a point; anything else as it is.

    >>> with_point("-3,50"), with_point("3,5,1"), with_point("1.5")
    ('-3.50', '3,5,1', '1.5')
    """
    return value.replace(",", ".") if isinstance(value, str) and COMMA_NUMBER.match(value) else value
