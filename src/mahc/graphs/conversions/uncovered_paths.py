"""Uncovered paths: those in which no two variables at distance two are adjacent."""

from __future__ import annotations

from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.marks import Mark


def reach_uncovered(state: PagMarks, start: int, first: int) -> int:
    """The variables that an uncovered possible path from `start` over `first` leads to.

    Walks are followed step by step, so a variable may come twice: the rules stay sound, for such a walk would
    close a directed cycle if its first step were an arc.
    """
    came: dict[int, int] = {first: 1 << start}
    todo = [(start, first)]
    while todo:
        before, v = todo.pop()
        for after in members(state.apart(before, state.ahead(v))):
            if not came.get(after, 0) >> v & 1:
                came[after] = came.get(after, 0) | 1 << v
                todo.append((v, after))
    found = 0
    for v in came:
        found |= 1 << v
    return found


def has_circle_cycle(state: PagMarks) -> bool:
    """Whether the `o-o` edges hold a cycle without a chord, the only place where R5 can fire."""
    n = len(state.adjacent)
    circles = [state.join(v, Mark.CIRCLE, Mark.CIRCLE) for v in range(n)]
    return extend(circles, [0] * n, [0] * n, range(n)) is None


def find_circle_path(state: PagMarks, a: int, b: int) -> list[int]:
    """A path a, ..., b of `o-o` edges that is uncovered even when closed by the edge b - a; else nothing."""
    came: dict[tuple[int, int], tuple[int, int] | None] = {}
    todo: list[tuple[int, int]] = []
    for first in members(state.apart(b, state.join(a, Mark.CIRCLE, Mark.CIRCLE))):
        came[a, first] = None
        todo.append((a, first))
    for step in todo:  # grows while it is walked: breadth first, so the shortest path wins
        before, v = step
        if v == b:
            return _trace(came, step) if state.apart(a, 1 << before) else []
        for after in members(state.apart(before, state.join(v, Mark.CIRCLE, Mark.CIRCLE))):
            if (v, after) not in came and (after != b or state.apart(a, 1 << v)):
                came[v, after] = step
                todo.append((v, after))
    return []


def _trace(came: dict[tuple[int, int], tuple[int, int] | None], step: tuple[int, int]) -> list[int]:
    path = [step[1]]
    at: tuple[int, int] | None = step
    while at is not None:
        path.append(at[0])
        at = came[at]
    return path[::-1]
