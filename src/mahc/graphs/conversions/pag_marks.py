"""The marks of a PAG under way, as bit sets that the orientation rules read and turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mahc.graphs.bitset import members, transpose, unpack
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import Marks


class PagMarks:
    """Edges that begin as `o-o`; a circle may become an arrow or a tail, and then stays.

    `near[mark][v]` holds the variables whose edge to v has `mark` at v, `far[mark][v]` those with it at
    their own end. `unsure[v]` are those without an edge to v of which no set is known to separate them: what lies
    between the two stays undecided, as if they were adjacent.

    >>> state = PagMarks([0b10, 0b01])
    >>> state.put(0, 1, Mark.ARROW)
    True
    >>> state.parents(1), state.matrix().tolist()
    (0, [[0, 2], [3, 0]])
    """

    def __init__(self, adjacent: Sequence[int], unsure: Sequence[int] | None = None) -> None:
        self.adjacent = list(adjacent)
        self.unsure = [0] * len(self.adjacent) if unsure is None else list(unsure)
        empty = [0] * len(self.adjacent)
        self.near = {mark: list(empty) for mark in Mark if mark}
        self.far = {mark: list(empty) for mark in Mark if mark}
        self.near[Mark.CIRCLE] = list(adjacent)
        self.far[Mark.CIRCLE] = transpose(self.adjacent)
        self.dirty = 0  # ends of edges that changed since the rules last looked

    def put(self, other: int, v: int, mark: Mark) -> bool:
        """Turn the circle at v of the edge from `other` into `mark`; whether there was one."""
        if not self.near[Mark.CIRCLE][v] >> other & 1:
            return False
        self.near[Mark.CIRCLE][v] ^= 1 << other
        self.far[Mark.CIRCLE][other] ^= 1 << v
        self.near[mark][v] |= 1 << other
        self.far[mark][other] |= 1 << v
        self.dirty |= 1 << v | 1 << other
        return True

    def join(self, v: int, near: Mark, far: Mark) -> int:
        """The variables joined to v with `near` at v and `far` at themselves."""
        return self.near[near][v] & self.far[far][v]

    def parents(self, v: int) -> int:
        """The variables with a full arc to v."""
        return self.join(v, Mark.ARROW, Mark.TAIL)

    def children(self, v: int) -> int:
        """The variables with a full arc from v."""
        return self.join(v, Mark.TAIL, Mark.ARROW)

    def ahead(self, v: int) -> int:
        """The variables that an arc from v may lead to: no arrow at v, no tail at them."""
        return self.adjacent[v] & ~self.near[Mark.ARROW][v] & ~self.far[Mark.TAIL][v]

    def apart(self, v: int, others: int) -> int:
        """Those of `others` that are neither v nor adjacent to it, and known to be separable from it."""
        return others & ~(self.adjacent[v] | self.unsure[v] | 1 << v)

    def split(self, others: int) -> bool:
        """Whether two of `others` are not adjacent."""
        return any(self.apart(v, others) for v in members(others))

    def circles(self) -> Iterator[tuple[int, int]]:
        """All (other, v) with a circle at v, asked again before each, so that marks may turn meanwhile."""
        for v in range(len(self.adjacent)):
            for other in members(self.near[Mark.CIRCLE][v]):
                if self.near[Mark.CIRCLE][v] >> other & 1:
                    yield other, v

    def matrix(self) -> Marks:
        """The marks as `MixedGraph.marks` has them."""
        n = len(self.adjacent)
        marks = np.zeros((n, n), dtype=np.int8)
        for mark, ends in self.near.items():
            marks[unpack(ends).T] = mark
        return marks
