"""Uncovered paths: paths in which the two neighbours of every inner variable are not adjacent."""

from __future__ import annotations

from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.marks import Mark


def uncovered_path_ends(state: PagMarks, start: int, first: int) -> int:
    """The variables that an uncovered potentially directed path from `start` through `first` reaches.

    A walk may visit a variable twice. The rules stay sound: such a walk would close a directed cycle if its first
    step were an arc.
    """
    predecessors: dict[int, int] = {first: 1 << start}
    todo = [(start, first)]
    while todo:
        state.check()
        before, v = todo.pop()
        for after in members(state.nonadjacent(before, state.possible_children(v))):
            if not predecessors.get(after, 0) >> v & 1:
                predecessors[after] = predecessors.get(after, 0) | 1 << v
                todo.append((v, after))
    found = 0
    for v in predecessors:
        found |= 1 << v
    return found


def has_circle_cycle(state: PagMarks) -> bool:
    """Whether the `o-o` edges contain a cycle without a chord; R5 applies only then."""
    n = len(state.adjacent)
    circles = [state.neighbours(v, Mark.CIRCLE, Mark.CIRCLE) for v in range(n)]
    return extend(circles, [0] * n, [0] * n, range(n), check=state.check) is None


def find_circle_path(state: PagMarks, a: int, b: int) -> list[int]:
    """A path a, ..., b of `o-o` edges that is uncovered even when the edge b - a closes it; empty if there is none."""
    previous: dict[tuple[int, int], tuple[int, int] | None] = {}
    todo: list[tuple[int, int]] = []
    for first in members(state.nonadjacent(b, state.neighbours(a, Mark.CIRCLE, Mark.CIRCLE))):
        previous[a, first] = None
        todo.append((a, first))
    for step in todo:  # the list grows during the loop: breadth first, so the shortest path is found
        state.check()
        before, v = step
        if v == b:
            return _trace(previous, step) if state.nonadjacent(a, 1 << before) else []
        for after in members(state.nonadjacent(before, state.neighbours(v, Mark.CIRCLE, Mark.CIRCLE))):
            if (v, after) not in previous and (after != b or state.nonadjacent(a, 1 << v)):
                previous[v, after] = step
                todo.append((v, after))
    return []


def _trace(previous: dict[tuple[int, int], tuple[int, int] | None], step: tuple[int, int]) -> list[int]:
    path = [step[1]]
    at: tuple[int, int] | None = step
    while at is not None:
        path.append(at[0])
        at = previous[at]
    return path[::-1]
