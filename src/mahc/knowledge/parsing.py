"""The parts of knowledge as the user gives them: checked, sorted, without duplicates."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mahc.errors import InvalidSettingError, KnowledgeError

_TIER_WORDS = re.compile(r'"([^"]*)"|([^,<"]+)|([,<])')
LARGEST = 1 << 31  # larger numbers make no sense here


def check_name(field: str, name: Any) -> str:
    """A variable's name as text; whole numbers are read as their digits, as in the data."""
    if isinstance(name, str) and name:
        return str(name)
    if hasattr(name, "__index__") and not isinstance(name, bool | np.bool_):
        return str(int(name))
    raise KnowledgeError(f"{field} holds {name!r}, which is not the name of a variable: give a string")


def check_pairs(field: str, given: Any, directed: bool = True) -> tuple[tuple[str, str], ...]:
    """Pairs of names, sorted; without direction the two names of a pair are sorted too.

    >>> check_pairs("forbidden_edges", [("b", "a"), ["a", "b"]], directed=False)
    (('a', 'b'),)
    """
    found: set[tuple[str, str]] = set()
    for pair in _as_list(field, given, "pairs of names"):
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(parts := tuple(pair)) != 2:
            raise KnowledgeError(f"{field} holds {pair!r}, which is not a pair of names: give two, as in ['a', 'b']")
        a, b = (check_name(field, name) for name in parts)
        if a == b:
            raise KnowledgeError(f"{field} joins '{a}' with itself: give two different variables")
        found.add((a, b) if directed else (min(a, b), max(a, b)))
    return tuple(sorted(found))


def parse_tiers(text: str) -> tuple[tuple[str, ...], ...]:
    """Tiers from a text such as "age,sex < smoker < disease"; names with a comma or < are put in double quotes.

    >>> parse_tiers('age, sex < smoker < "blood, < 5"')
    (('age', 'sex'), ('smoker',), ('blood, < 5',))
    """
    tiers: list[list[str]] = [[]]
    for quoted, plain, mark in _TIER_WORDS.findall(text):
        if mark == "<":
            tiers.append([])
        elif name := quoted or plain.strip():
            tiers[-1].append(name)
    if len(tiers) < 2 or not all(tiers):
        raise InvalidSettingError(
            "tiers", text, "give at least two tiers with < between them, such as 'age,sex < smoker < disease'"
        )
    return check_tiers(tiers)


def check_tiers(given: Any) -> tuple[tuple[str, ...], ...]:
    """Tiers of names, each sorted; empty tiers at the end are dropped.

    >>> check_tiers([["b", "a", "b"], [], ["c"], []])
    (('a', 'b'), (), ('c',))
    """
    tiers: list[tuple[str, ...]] = []
    seen: dict[str, int] = {}
    for number, tier in enumerate(_as_list("tiers", given, "lists of names"), 1):
        names = {check_name("tiers", name) for name in _as_list("tiers", tier, "lists of names")}
        for name in sorted(names):
            if seen.setdefault(name, number) != number:
                raise KnowledgeError(f"'{name}' is in tier {seen[name]} and in tier {number}: name it in one of them")
        tiers.append(tuple(sorted(names)))
    while tiers and not tiers[-1]:
        tiers.pop()
    return tuple(tiers)


def check_numbers(field: str, given: Any) -> list[tuple[str, float]]:
    """Names with numbers, from a table or from pairs."""
    found: list[tuple[str, float]] = []
    entries = list(given.items()) if isinstance(given, Mapping) else _as_list(field, given, "names with numbers")
    for entry in entries:
        if isinstance(entry, str) or not isinstance(entry, Iterable) or len(parts := tuple(entry)) != 2:
            raise KnowledgeError(f"{field} holds {entry!r}, which is not a name with a number: give a table of them")
        name, number = check_name(field, parts[0]), parts[1]
        if isinstance(number, bool | np.bool_) or not isinstance(number, int | float | np.number):
            raise KnowledgeError(f"{field} of '{name}' is {number!r}: give a number")
        if isinstance(number, np.number):
            number = number.item()
        if not isinstance(number, int | float) or not abs(number) < LARGEST:
            raise KnowledgeError(f"{field} of '{name}' is {number!r}: give a number below 2,147,483,648 in size")
        found.append((name, number))
    return found


def check_flag(field: str, given: Any) -> bool:
    """True or False; nothing else is accepted."""
    if not isinstance(given, bool | np.bool_):
        raise KnowledgeError(f"{field} is {given!r}: it must be true or false")
    return bool(given)


def _as_list(field: str, given: Any, wanted: str) -> list[Any]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise KnowledgeError(f"{field} is {given!r}: it must be a list of {wanted}")
    return list(given)


def parse_pair(text: str) -> tuple[str, str]:
    """Two names from one argument of the command line, split at the comma; quotes keep a comma in a name.

    >>> parse_pair("smoke,lung")
    ('smoke', 'lung')
    >>> parse_pair('"age, years",lung')
    ('age, years', 'lung')
    """
    try:
        rows = list(csv.reader([text], strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    names = [name.strip() for name in rows[0]] if len(rows) == 1 else []
    if len(names) != 2 or not all(names):
        raise KnowledgeError(
            f"{text!r} is not a pair of names: give two with a comma between them, as in 'smoke,lung', "
            "and quotes around a name that contains a comma, as in '\"age, years\",lung'"
        )
    return names[0], names[1]
