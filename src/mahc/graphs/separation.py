"""m-separation (d-separation in a DAG) by searching for open paths."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.graphs.bitset import transitive_closure


@dataclass(frozen=True)
class MSeparation:
    """The edges of a graph without circles: for each kind of edge, one bitset per variable.

    >>> chain = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> chain.connected(0b001, 0b100, 0), chain.connected(0b001, 0b100, 0b010)
    (True, False)
    """

    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: tuple[int, ...]
    lines: tuple[int, ...]

    def connected(self, first: int, second: int, given: int) -> bool:
        """Whether a path that `given` leaves open connects the two sets; variables in `given` do not count."""
        return bool(self.reached(first & ~given, given) & second & ~given)

    def reached(self, start: int, given: int) -> int:
        """All variables that an open path from `start` reaches, including `start`."""
        opened = transitive_closure(given, self.parents)  # colliders with a descendant in `given` are open
        by_tail, by_arrow = start, 0  # reached at a tail or at an arrow; from a start any edge may follow
        todo_tail, todo_arrow = start, 0
        while todo_tail or todo_arrow:
            by_arrow_now = not todo_tail
            low = (todo_arrow & -todo_arrow) if by_arrow_now else (todo_tail & -todo_tail)
            if by_arrow_now:
                todo_arrow ^= low
            else:
                todo_tail ^= low
            v = low.bit_length() - 1
            free = not given & low
            on_arrow = self.children[v] if free else 0
            on_tail = self.lines[v] if free else 0
            if (opened & low) if by_arrow_now else free:
                on_arrow |= self.spouses[v]
                on_tail |= self.parents[v]
            todo_arrow |= on_arrow & ~by_arrow
            todo_tail |= on_tail & ~by_tail
            by_arrow |= on_arrow
            by_tail |= on_tail
        return by_tail | by_arrow
