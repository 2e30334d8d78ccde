"""The marks of a PAG during orientation, as bitsets that the orientation rules read and set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.graphs.bitset import members, pack, unpack
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import Marks
from mahc.graphs.walks import Check, never_stop


class PagMarks:
    """Edges that start as `o-o`; a circle may become an arrow or a tail, which then stays.

    `near[mark][v]` holds the variables whose edge to v has `mark` at v, `far[mark][v]` those with it at
    their own end. `unsure[v]` are variables without an edge to v for which no separating set is known: the rules
    treat them as adjacent to v. The rules call `check` in each round; where it raises, the marks so far are kept.

    >>> state = PagMarks([0b10, 0b01])
    >>> state.set_mark(0, 1, Mark.ARROW)
    True
    >>> state.parents(1), state.matrix().tolist()
    (0, [[0, 2], [3, 0]])
    """

    def __init__(self, adjacent: Sequence[int], unsure: Sequence[int] | None = None, check: Check = never_stop) -> None:
        self.check = check
        self.adjacent = list(adjacent)
        self.unsure = [0] * len(self.adjacent) if unsure is None else list(unsure)
        empty = [0] * len(self.adjacent)
        self.near = {mark: list(empty) for mark in Mark if mark}
        self.far = {mark: list(empty) for mark in Mark if mark}
        self.near[Mark.CIRCLE] = list(adjacent)
        self.far[Mark.CIRCLE] = list(adjacent)
        self.dirty = 0  # variables with an edge that changed since the rules were last applied to them

    def set_mark(self, other: int, v: int, mark: Mark) -> bool:
        """Replace the circle at v of the edge from `other` by `mark`; return whether there was a circle."""
        if not self.near[Mark.CIRCLE][v] >> other & 1:
            return False
        self.near[Mark.CIRCLE][v] ^= 1 << other
        self.far[Mark.CIRCLE][other] ^= 1 << v
        self.near[mark][v] |= 1 << other
        self.far[mark][other] |= 1 << v
        self.dirty |= 1 << v | 1 << other
        return True

    def set_marks(self, where: NDArray[np.bool_], mark: Mark) -> None:
        """Replace each circle at v of an edge from `other` by `mark` where `where[other, v]` is true.

        >>> state = PagMarks([0b10, 0b01])
        >>> state.set_marks(np.array([[False, True], [False, False]]), Mark.ARROW)
        >>> state.matrix().tolist()
        [[0, 2], [3, 0]]
        """
        chosen = where & unpack(self.far[Mark.CIRCLE])
        for old, new, bits in (
            (self.far[Mark.CIRCLE], self.far[mark], pack(chosen)),
            (self.near[Mark.CIRCLE], self.near[mark], pack(chosen.T)),
        ):
            for v, these in enumerate(bits):
                old[v] ^= these
                new[v] |= these
                self.dirty |= 1 << v if these else 0

    def neighbours(self, v: int, near: Mark, far: Mark) -> int:
        """The neighbours of v with `near` at v and `far` at the neighbour."""
        return self.near[near][v] & self.far[far][v]

    def parents(self, v: int) -> int:
        """The variables with an arc to v."""
        return self.neighbours(v, Mark.ARROW, Mark.TAIL)

    def children(self, v: int) -> int:
        """The variables with an arc from v."""
        return self.neighbours(v, Mark.TAIL, Mark.ARROW)

    def possible_children(self, v: int) -> int:
        """The neighbours that may be children of v: no arrow at v, no tail at the neighbour."""
        return self.adjacent[v] & ~self.near[Mark.ARROW][v] & ~self.far[Mark.TAIL][v]

    def nonadjacent(self, v: int, others: int) -> int:
        """Those of `others` that are neither v nor adjacent to v, and known to be separable from v."""
        return others & ~(self.adjacent[v] | self.unsure[v] | 1 << v)

    def has_nonadjacent_pair(self, others: int) -> bool:
        """Whether two of `others` are not adjacent."""
        return any(self.nonadjacent(v, others) for v in members(others))

    def circles(self) -> Iterator[tuple[int, int]]:
        """All (other, v) with a circle at v; marks may change during the iteration."""
        for v in range(len(self.adjacent)):
            for other in members(self.near[Mark.CIRCLE][v]):
                if self.near[Mark.CIRCLE][v] >> other & 1:
                    self.check()
                    yield other, v

    def matrix(self) -> Marks:
        """The marks in the form of `MixedGraph.marks`."""
        n = len(self.adjacent)
        marks = np.zeros((n, n), dtype=np.int8)
        for mark, ends in self.far.items():
            if any(ends):
                marks += unpack(ends).view(np.int8) * np.int8(mark)
        return marks
