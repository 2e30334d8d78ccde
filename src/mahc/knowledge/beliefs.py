"""Knowledge that is not certain: how probable the user thinks an arc is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from mahc.documents import Document, Number
from mahc.errors import KnowledgeError
from mahc.knowledge.parsing import check_name

ARC, EDGE = "->", "-"
ROUNDING = 1e-12  # of opposite beliefs such as 0.9 and 0.1
FORM = "write it as 'smoke -> lung = 0.8', or 'smoke - lung = 0.8' for either direction"
_NAME = r'\s*(?:"([^"]+)"|(\S(?:.*?\S)?))\s*'
_BELIEF = re.compile(rf"{_NAME}(?<=[\s\"])(->|<-|-)(?=[\s\"]){_NAME}=\s*(\S+)\s*")


class Belief(Document, frozen=True, array_like=True, kw_only=False, order=True):
    """The probability of an arc (mark "->"), or of an arc in either direction (mark "-").

    >>> Belief("smoke", "->", "lung", 0.8).arcs, round(Belief("smoke", "->", "lung", 0.8).log_odds, 4)
    ((('smoke', 'lung'),), 1.3863)
    """

    first: str
    mark: str
    second: str
    probability: Number

    def __str__(self) -> str:
        return f"{self.first} {self.mark} {self.second} = {self.probability:g}"

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The arcs that it speaks about."""
        there = (self.first, self.second)
        return (there,) if self.mark == ARC else (there, there[::-1])

    @property
    def log_odds(self) -> float:
        """What it adds to the logarithm of the posterior of a graph that has such an arc, in nats."""
        return math.log(self.probability) - math.log1p(-self.probability)


def parse_belief(text: str) -> Belief:
    """A belief from a text such as "smoke -> lung = 0.8"; a name with = or an arrow is put in double quotes.

    >>> parse_belief("lung <- smoke = 0.8"), parse_belief('"T-cell, %" - B-cell = .3').first
    (Belief(first='smoke', mark='->', second='lung', probability=0.8), 'B-cell')
    """
    found = _BELIEF.fullmatch(text)
    if found is None:
        raise KnowledgeError(f"the belief {text!r} is not understood: {FORM}")
    first, second = found[1] or found[2], found[4] or found[5]
    mark = found[3]
    if mark == "<-":
        first, second, mark = second, first, ARC
    try:
        probability = float(found[6])
    except ValueError:
        raise KnowledgeError(f"the belief {text!r} has no number after =: {FORM}") from None
    return make_belief(first, mark, second, probability)


def make_belief(first: object, mark: object, second: object, probability: object) -> Belief:
    """A belief with its parts checked; the two names of an edge are sorted."""
    a, b = (check_name("beliefs", name) for name in (first, second))
    if a == b:
        raise KnowledgeError(f"beliefs joins '{a}' with itself: give two different variables")
    if mark not in (ARC, EDGE):
        raise KnowledgeError(f"a belief about {a} and {b} has the mark {mark!r}: give '->' or '-'")
    if isinstance(probability, bool) or not isinstance(probability, int | float) or not 0 < probability < 1:
        raise KnowledgeError(
            f"the belief {a} {mark} {b} = {probability} is no probability between 0 and 1: give one, or state what is "
            "certain as a required or forbidden arc"
        )
    if mark == EDGE:
        a, b = sorted((a, b))
    return Belief(a, str(mark), b, float(probability))


def check_beliefs(field: str, given: Any) -> tuple[Belief, ...]:
    """Beliefs as texts, or as lists of first, mark, second and probability; sorted, and equal ones count each time.

    >>> [str(belief) for belief in check_beliefs("beliefs", ["b - a = 0.5", ["a", "->", "b", 0.7]])]
    ['a - b = 0.5', 'a -> b = 0.7']
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise KnowledgeError(f"{field} is {given!r}: give a list, and {FORM}")
    return tuple(sorted(_take(each) for each in given))


def _take(given: Any) -> Belief:
    if isinstance(given, Belief):
        return make_belief(given.first, given.mark, given.second, given.probability)
    if isinstance(given, str):
        return parse_belief(given)
    if isinstance(given, Sequence) and len(given) == 4:
        return make_belief(*given)
    raise KnowledgeError(f"the belief {given!r} is not understood: {FORM}")


def sum_log_odds(beliefs: Iterable[Belief]) -> dict[tuple[str, str], float]:
    """What all beliefs together add for each arc, in nats; arcs for which that is 0 are left out.

    >>> list(sum_log_odds([parse_belief("a -> b = 0.5"), parse_belief("a - c = 0.9"), parse_belief("c -> a = 0.1")]))
    [('a', 'c')]
    """
    found: dict[tuple[str, str], list[float]] = {}
    for belief in beliefs:
        for arc in belief.arcs:
            found.setdefault(arc, []).append(belief.log_odds)
    sums = {arc: math.fsum(each) for arc, each in found.items()}
    return {arc: odds for arc, odds in sums.items() if abs(odds) > ROUNDING}
