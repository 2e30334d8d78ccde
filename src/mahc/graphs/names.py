"""Names of variables: checks, and the way from names to indices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mahc.errors import GraphError, UnknownNameError

LONGEST = 1000  # characters in a name


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a tuple; raise GraphError if one is empty, repeated or not a string.

    >>> check_names(["tub", "lung"])
    ('tub', 'lung')
    """
    checked = tuple(names)
    seen: set[str] = set()
    for name in checked:
        if not isinstance(name, str) or not is_name(name):
            raise GraphError(describe_bad_name(name))
        if name in seen:
            raise GraphError(f"the variable '{name}' is named twice: give each name once")
        seen.add(name)
    return checked


def is_name(text: str) -> bool:
    """Whether a text can name a variable: not blank, not too long, and encodable as UTF-8.

    >>> is_name("blood pressure"), is_name(" "), is_name("a" * 2000)
    (True, False, False)
    """
    if not text.strip() or len(text) > LONGEST:
        return False
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def describe_bad_name(name: object) -> str:
    """The error message for something that cannot name a variable."""
    shown = repr(name) if len(repr(name)) <= 60 else repr(name)[:57] + "..."
    return f"a variable is named {shown}: names are texts of 1 to {LONGEST:,} characters, not all of them spaces"


def look_up(name: str, positions: Mapping[str, int]) -> int:
    """The index of a variable; raise UnknownNameError, which suggests a similar name, if there is none."""
    try:
        return positions[name]
    except (KeyError, TypeError):
        raise UnknownNameError("variable", str(name), positions) from None


def as_group(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def rank_by_name(names: tuple[str, ...]) -> tuple[int, ...]:
    """The rank of each variable by name, which breaks ties independently of the column order."""
    rank = [0] * len(names)
    for place, index in enumerate(sorted(range(len(names)), key=names.__getitem__)):
        rank[index] = place
    return tuple(rank)
