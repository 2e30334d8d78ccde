"""What outcomes say: the reason for an arc or edge, the list of edges, amounts with their units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

MAX_ROWS = 60  # in the list of a summary


class Reason(NamedTuple):
    """A kind for programs, a clause for people, the numbers behind it."""

    kind: str
    text: str
    numbers: dict[str, float]


@dataclass(frozen=True)
class Explanation:
    """Why an arc (of a CPDAG or PAG: an edge) is in the graph or not.

    Kinds of arcs that are present: `present`, `required`. Of arcs that are not: `forbidden` (a constraint),
    `pruned`, `opposite` (the reverse arc is there), `cycle`, `full` (the in-degree is at its limit),
    `not_improving`, `not_chosen` (it would improve the score, but the search did not reach it), `unexamined` and,
    where the search ended early, `stopped` (not decided yet). Kinds of edges of a CPDAG or PAG: `edge`, `required`,
    `separated` (independent given some set), `forbidden`.
    """

    tail: str
    head: str
    present: bool
    kind: str
    sentence: str
    numbers: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class EdgeTable:
    """A title, the column headings (all empty: no headings) and at most `MAX_ROWS` rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def unit_of(base: float) -> str:
    """The unit of logarithms to that base.

    >>> unit_of(2.0), unit_of(10.0)
    ('bits', 'units of log base 10')
    """
    return {2.0: "bits", math.e: "nats"}.get(base) or f"units of log base {base:g}"


def amount(value: float, unit: str) -> str:
    """The size of a change of score: one decimal from 100 up, four below.

    >>> amount(446.3677, "bits"), amount(7.49192, "bits")
    ('446.4 bits', '7.4919 bits')
    """
    return f"{abs(value):,.{1 if abs(value) >= 100 else 4}f} {unit}"


def change(value: float, what: str, unit: str) -> str:
    """What a move would do to a score, as a clause after "would".

    >>> change(-446.3677, "the score", "bits"), change(1e-12, "the score", "bits")
    ('lower the score by 446.4 bits', 'leave the score unchanged')
    """
    if round(value, 4) == 0:
        return f"leave {what} unchanged"
    return f"{'raise' if value > 0 else 'lower'} {what} by {amount(value, unit)}"
