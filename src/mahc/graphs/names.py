"""Variable names at the door of a graph: checked once, then turned into 0..n-1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mahc.errors import GraphError, UnknownNameError


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple, refused when one is empty, doubled or no text.

    >>> check_names(["tub", "lung"])
    ('tub', 'lung')
    """
    checked = tuple(names)
    seen: set[str] = set()
    for name in checked:
        if not isinstance(name, str) or not name:
            raise GraphError(f"a variable is named {name!r}: names are texts of at least one character")
        if name in seen:
            raise GraphError(f"the variable '{name}' is named twice: every name is given once")
        seen.add(name)
    return checked


def look_up(name: str, positions: Mapping[str, int]) -> int:
    """The index of a variable, or an error with the nearest name there is."""
    try:
        return positions[name]
    except (KeyError, TypeError):
        raise UnknownNameError("variable", str(name), positions) from None


def as_group(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or many, as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def by_name(names: tuple[str, ...]) -> tuple[int, ...]:
    """The rank of each variable by name: the tie rule that keeps results free of column order."""
    rank = [0] * len(names)
    for place, index in enumerate(sorted(range(len(names)), key=names.__getitem__)):
        rank[index] = place
    return tuple(rank)
