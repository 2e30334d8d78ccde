"""Meek's four rules: which undirected edges of a partly directed graph must be directed, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mahc.graphs.bitset import members
from mahc.graphs.stopping import Check, never_stop


class Orientation:
    """A partly directed graph while its undirected edges (`lines`) become arcs; adjacencies never change.

    >>> chain = Orientation([0b010, 0b101, 0b010])
    >>> chain.close([(0, 1)])
    >>> chain.parents
    [0, 1, 2]
    """

    def __init__(self, adjacent: Sequence[int]) -> None:
        self.adjacent = list(adjacent)
        self.lines = list(adjacent)
        self.parents = [0] * len(self.adjacent)
        self.children = [0] * len(self.adjacent)
        self._new_arcs: list[tuple[int, int]] = []

    def point(self, tail: int, head: int) -> None:
        """Turn the undirected edge between the two into an arc; an arc stays as it is."""
        if not self.lines[tail] >> head & 1:
            return
        self.lines[tail] ^= 1 << head
        self.lines[head] ^= 1 << tail
        self.children[tail] |= 1 << head
        self.parents[head] |= 1 << tail
        self._new_arcs.append((tail, head))

    def close(self, arcs: Iterable[tuple[int, int]], check: Check = never_stop) -> None:
        """Direct these edges, then apply the rules until none applies; `check` is called for each new arc."""
        for tail, head in arcs:
            self.point(tail, head)
        while self._new_arcs:
            check()
            tail, head = self._new_arcs.pop()
            self._apply_r1(tail, head)
            self._apply_r2(tail, head)
            self._apply_r3(tail, head)
            self._apply_r4(tail, head)

    def _apply_r1(self, tail: int, head: int) -> None:
        # R1: tail -> head - c with tail, c not adjacent: head -> c
        for c in members(self.lines[head] & ~self.adjacent[tail] & ~(1 << tail)):
            self.point(head, c)

    def _apply_r2(self, tail: int, head: int) -> None:
        # R2: a -> b -> c with a - c: a -> c; the new arc may be either of the two
        for c in members(self.children[head] & self.lines[tail]):
            self.point(tail, c)
        for a in members(self.parents[tail] & self.lines[head]):
            self.point(a, head)

    def _apply_r3(self, tail: int, head: int) -> None:
        # R3: a - head, with lines a - tail, a - d, where tail -> head <- d are not adjacent: a -> head
        for a in members(self.lines[head] & self.lines[tail]):
            if self.parents[head] & self.lines[a] & ~self.adjacent[tail] & ~(1 << tail):
                self.point(a, head)

    def _apply_r4(self, tail: int, head: int) -> None:
        # R4: a - b and a - c -> d -> b with c, b not adjacent and a, d adjacent: a -> b.
        # The new arc as c -> d:
        for b in members(self.children[head] & ~self.adjacent[tail]):
            for a in members(self.lines[b] & self.lines[tail] & self.adjacent[head]):
                self.point(a, b)
        # The new arc as d -> b:
        for c in members(self.parents[tail] & ~self.adjacent[head]):
            for a in members(self.lines[head] & self.lines[c] & self.adjacent[tail]):
                self.point(a, head)
