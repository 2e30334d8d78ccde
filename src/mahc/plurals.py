"""Numbers with their nouns."""

from __future__ import annotations


def noun(number: int, word: str) -> str:
    """The noun after a number.

    >>> noun(1, "arc"), noun(0, "arc"), noun(2, "probability")
    ('arc', 'arcs', 'probabilities')
    """
    if number == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("ity") else f"{word}s"


def verb(number: int, plural: str = "are") -> str:
    """The form of a verb after a number: are, were, have, or one without an ending.

    >>> verb(1), verb(2), verb(1, "were"), verb(1, "occur")
    ('is', 'are', 'was', 'occurs')
    """
    singular = {"are": "is", "were": "was", "have": "has", "do": "does"}
    return plural if number != 1 else singular.get(plural, f"{plural}s")


def count(number: int, word: str) -> str:
    """A number and its noun.

    >>> count(1, "arc"), count(2500, "row")
    ('1 arc', '2,500 rows')
    """
    return f"{number:,} {noun(number, word)}"
