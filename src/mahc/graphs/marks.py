"""Marks at the ends of an edge, and edges as text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Mark(IntEnum):
    """The mark at one end of an edge: NONE (no edge), TAIL, ARROW or CIRCLE.

    Parameters
    ----------
    value : int
        The number of the mark, from 0 for NONE to 3 for CIRCLE.

    Examples
    --------
    >>> Mark.ARROW.name
    'ARROW'
    """

    NONE = 0
    TAIL = 1
    ARROW = 2
    CIRCLE = 3


_LEFT = {Mark.TAIL: "-", Mark.ARROW: "<", Mark.CIRCLE: "o"}
_RIGHT = {Mark.TAIL: "-", Mark.ARROW: ">", Mark.CIRCLE: "o"}

# By mark: the end with the higher priority is written on the right.
_PRIORITIES = (0, 1, 2, 0)

# Text of an edge -> (mark at the left end, mark at the right end).
EDGE_MARKS: dict[str, tuple[Mark, Mark]] = {
    f"{left}-{right}": (near, far) for near, left in _LEFT.items() for far, right in _RIGHT.items()
}
_TEXTS = sorted(EDGE_MARKS)
_BLOCK = 256  # rows that are compared with columns at once
_PRIORITY_ARRAY = np.array(_PRIORITIES)
_TEXT_INDEX = np.zeros((4, 4), np.int64)  # (mark at the left end, mark at the right end) -> index in _TEXTS
for _index, _text in enumerate(_TEXTS):
    _TEXT_INDEX[EDGE_MARKS[_text]] = _index


def join_marks(near: Mark, far: Mark) -> str:
    """The edge as three characters, left end first.

    >>> join_marks(Mark.CIRCLE, Mark.ARROW)
    'o->'
    """
    return f"{_LEFT[near]}-{_RIGHT[far]}"


class Edge(NamedTuple):
    """One edge: left variable, marks, right variable.

    Parameters
    ----------
    left : str
        The variable on the left.
    mark : str
        The marks at both ends, such as "-->" or "o-o".
    right : str
        The variable on the right.

    Examples
    --------
    >>> Edge("tub", "-->", "xray").mark
    '-->'
    """

    left: str
    mark: str
    right: str


def canonical_edge(left: str, near: Mark, far: Mark, right: str) -> Edge:
    """The unique form of an edge: arrows point right, a circle stands left of a tail, then names decide.

    >>> canonical_edge("b", Mark.ARROW, Mark.TAIL, "a")
    Edge(left='a', mark='-->', right='b')
    """
    if (_PRIORITIES[far], right) < (_PRIORITIES[near], left):
        left, near, far, right = right, far, near, left
    return Edge(left, join_marks(near, far), right)


def list_edges(names: Sequence[str], marks: NDArray[np.int8]) -> tuple[Edge, ...]:
    """All edges of a matrix of marks in their canonical form, sorted by left variable, marks, right variable.

    Vectorised `canonical_edge`: a graph may have half a million edges.

    >>> list_edges(["b", "a"], np.array([[0, 1], [2, 0]], np.int8))
    (Edge(left='a', mark='-->', right='b'),)
    """
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    rows, columns = np.nonzero(np.triu(marks))
    near, far = marks[columns, rows], marks[rows, columns]
    left, right = place[rows], place[columns]
    swapped = (_PRIORITY_ARRAY[far] < _PRIORITY_ARRAY[near]) | ((far == near) & (right < left))
    left, right = np.where(swapped, right, left), np.where(swapped, left, right)
    text = _TEXT_INDEX[np.where(swapped, far, near), np.where(swapped, near, far)]
    by_name = np.lexsort((right, text, left))
    return tuple(
        map(
            Edge,
            [names[order[v]] for v in left[by_name].tolist()],
            [_TEXTS[index] for index in text[by_name].tolist()],
            [names[order[v]] for v in right[by_name].tolist()],
        )
    )


def first_edges(names: Sequence[str], marks: NDArray[np.int8], most: int) -> tuple[Edge, ...]:
    """The first of `list_edges`, without the others: an almost complete graph may have hundreds of millions.

    >>> first_edges(["b", "a", "c"], np.array([[0, 1, 1], [2, 0, 0], [1, 0, 0]], np.int8), 1)
    (Edge(left='a', mark='-->', right='b'),)
    """
    found: list[Edge] = []
    for v in sorted(range(len(names)), key=names.__getitem__):
        if len(found) >= most:
            break
        for u in np.flatnonzero(marks[v]).tolist():
            edge = canonical_edge(names[v], Mark(int(marks[u, v])), Mark(int(marks[v, u])), names[u])
            if edge.left == names[v]:
                found.append(edge)
        found.sort()
    return tuple(found[:most])


def count_edges(marks: NDArray[np.int8]) -> dict[str, int]:
    """How many edges of each kind a matrix of marks has, by their text; only those that occur.

    >>> count_edges(np.array([[0, 1, 1], [2, 0, 0], [1, 0, 0]], np.int8))
    {'---': 1, '-->': 1}
    """
    numbers = np.zeros((4, 4), np.int64)
    for first in range(0, len(marks), _BLOCK):  # in blocks, because transposing a large matrix is slow
        here, there = marks[first : first + _BLOCK], marks[:, first : first + _BLOCK].T
        numbers += np.bincount((here * np.int8(4) + there).ravel(), minlength=16).reshape(4, 4)
    found: dict[str, int] = {}
    for one, other in combinations_with_replacement([mark for mark in Mark if mark], 2):
        number = int(numbers[one, other]) // (2 if one == other else 1)  # each edge is met from both its ends
        if number:
            found[canonical_edge("a", one, other, "b").mark] = number
    return dict(sorted(found.items()))
