"""Numbers with their nouns."""

from __future__ import annotations


def noun(number: int, word: str) -> str:
    """The noun after a number.

    >>> noun(1, "arc"), noun(0, "arc")
    ('arc', 'arcs')
    """
    return word if number == 1 else f"{word}s"


def count(number: int, word: str) -> str:
    """A number and its noun.

    >>> count(1, "arc"), count(2500, "row")
    ('1 arc', '2,500 rows')
    """
    return f"{number:,} {noun(number, word)}"
