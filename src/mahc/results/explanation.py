"""The reason why an arc or edge is in a learned graph or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


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
