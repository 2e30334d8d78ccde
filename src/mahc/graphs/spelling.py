"""All edges of a graph as they are read, half a million at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.graphs.marks import SPELLINGS, WEIGHTS, Edge

_SPELLINGS = sorted(SPELLINGS)
_WEIGHTS = np.array(WEIGHTS)
_NUMBERS = np.zeros((4, 4), np.int64)  # mark at the left end, mark at the right end -> place among the spellings
for _number, _spelling in enumerate(_SPELLINGS):
    _NUMBERS[SPELLINGS[_spelling]] = _number


def spell_edges(names: Sequence[str], marks: NDArray[np.int8]) -> tuple[Edge, ...]:
    """Every edge once, as `put_forward` writes it, sorted by left end, mark and right end.

    >>> spell_edges(["b", "a"], np.array([[0, 1], [2, 0]], np.int8))
    (Edge(left='a', mark='-->', right='b'),)
    """
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    rows, columns = np.nonzero(np.triu(marks))
    near, far = marks[columns, rows], marks[rows, columns]
    left, right = place[rows], place[columns]
    turned = (_WEIGHTS[far] < _WEIGHTS[near]) | ((far == near) & (right < left))
    left, right = np.where(turned, right, left), np.where(turned, left, right)
    spelling = _NUMBERS[np.where(turned, far, near), np.where(turned, near, far)]
    by_name = np.lexsort((right, spelling, left))
    return tuple(
        map(
            Edge,
            [names[order[v]] for v in left[by_name].tolist()],
            [_SPELLINGS[number] for number in spelling[by_name].tolist()],
            [names[order[v]] for v in right[by_name].tolist()],
        )
    )
