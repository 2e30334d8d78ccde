"""Checks of values read from JSON: each returns the value with its type, or raises a ValueError that shows it."""

from __future__ import annotations

from typing import Any

from mahc.plurals import count

MOST = 2**63 - 1
LARGEST = 1e300


def as_text(value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} is not a text")
    return value


def as_whole(value: Any) -> int:
    """A whole number from 0 to 2^63 - 1."""
    if type(value) is not int or not 0 <= value <= MOST:
        raise ValueError(f"{_shown(value)} is not a whole number below 2^63")
    return value


def as_number(value: Any) -> float:
    """A number of which a million can be added without overflow."""
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise ValueError(f"{_shown(value)} is not a number from -1e300 to 1e300")
    return float(value)


def as_optional_number(value: Any) -> float | None:
    """A finite number or null."""
    return None if value is None else as_number(value)


def as_flag(value: Any) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{_shown(value)} is not true or false")
    return value


def as_list(value: Any, length: int | None = None) -> list[Any]:
    """A list, of that length where one is given.

    >>> as_list("ab")
    Traceback (most recent call last):
    ...
    ValueError: 'ab' is not a list
    """
    if not isinstance(value, list):
        raise ValueError(f"{_shown(value)} is not a list")
    if length is not None and len(value) != length:
        raise ValueError(f"{_shown(value)} should have {count(length, 'part')}")
    return value


def as_table(value: Any) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise ValueError(f"{_shown(value)} is not an object")
    return value


def as_index(value: Any, variables: int) -> int:
    """The index of one of `variables` variables."""
    if type(value) is not int or not 0 <= value < variables:
        raise ValueError(f"{_shown(value)} is not the number of a variable")
    return value


def as_pairs(value: Any) -> tuple[tuple[str, str], ...]:
    """A list of pairs of texts."""
    pairs = [as_list(pair, 2) for pair in as_list(value)]
    return tuple((as_text(a), as_text(b)) for a, b in pairs)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
