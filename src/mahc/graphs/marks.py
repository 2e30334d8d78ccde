"""The three marks an edge may end in, and how an edge is spelt."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Mark(IntEnum):
    """What stands at one end of an edge; `NONE` where there is no edge.

    >>> Mark.ARROW.name
    'ARROW'
    """

    NONE = 0
    TAIL = 1
    ARROW = 2
    CIRCLE = 3


_LEFT = {Mark.TAIL: "-", Mark.ARROW: "<", Mark.CIRCLE: "o"}
_RIGHT = {Mark.TAIL: "-", Mark.ARROW: ">", Mark.CIRCLE: "o"}

WEIGHTS = (0, 1, 2, 0)  # by mark: of an edge's two ends the one with the higher weight stands right

# spelling -> (mark at the left end, mark at the right end)
SPELLINGS: dict[str, tuple[Mark, Mark]] = {
    f"{left}-{right}": (near, far) for near, left in _LEFT.items() for far, right in _RIGHT.items()
}


def spell(near: Mark, far: Mark) -> str:
    """The edge as three characters, left end first.

    >>> spell(Mark.CIRCLE, Mark.ARROW)
    'o->'
    """
    return f"{_LEFT[near]}-{_RIGHT[far]}"


class Edge(NamedTuple):
    """One edge as it is read: left variable, spelling, right variable.

    >>> Edge("tub", "-->", "xray").mark
    '-->'
    """

    left: str
    mark: str
    right: str


def put_forward(left: str, near: Mark, far: Mark, right: str) -> Edge:
    """The one spelling of an edge: an arrow points right, a circle faces a tail, else names decide.

    >>> put_forward("b", Mark.ARROW, Mark.TAIL, "a")
    Edge(left='a', mark='-->', right='b')
    """
    if (WEIGHTS[far], right) < (WEIGHTS[near], left):
        left, near, far, right = right, far, near, left
    return Edge(left, spell(near, far), right)
