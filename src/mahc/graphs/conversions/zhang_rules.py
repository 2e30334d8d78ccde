"""The orientation rules R1 to R10 of Zhang (Artificial Intelligence 172, 2008), complete for all marks."""

from __future__ import annotations

from collections.abc import Callable

from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.marks import Mark

TAIL, ARROW, CIRCLE = Mark.TAIL, Mark.ARROW, Mark.CIRCLE

# (start, middle, end) of a discriminating path -> whether the middle belongs to a set that separates start from
# end, and so is not a collider.
Separates = Callable[[int, int, int], bool]


def apply_zhang_rules(state: PagMarks, separates: Separates) -> None:
    """Apply all rules until none applies: arrows (R1-R4), then selection (R5-R7), then tails (R8-R10).

    What `state.check` raises ends it; the marks set so far are right.
    """
    state.dirty = (1 << len(state.adjacent)) - 1
    while state.dirty:
        while state.dirty:
            state.check()
            low = state.dirty & -state.dirty
            state.dirty ^= low
            _orient_arrows(state, low.bit_length() - 1)
        _apply_r4(state, separates)
    _orient_selection(state)
    _orient_tails(state)


def _orient_arrows(state: PagMarks, v: int) -> None:
    # After a change at v, a rule can newly apply only to an edge at v.
    for other in members(state.near[CIRCLE][v]):
        _apply_r1(state, v, other)
        _apply_r2_r3(state, other, v)
    for other in members(state.far[CIRCLE][v]):
        _apply_r1(state, other, v)
        _apply_r2_r3(state, v, other)


def _apply_r1(state: PagMarks, b: int, c: int) -> None:
    # R1: a *-> b o-* c with a, c not adjacent: b --> c
    if state.nonadjacent(c, state.near[ARROW][b]) and state.set_mark(c, b, TAIL):
        state.set_mark(b, c, ARROW)


def _apply_r2_r3(state: PagMarks, a: int, c: int) -> None:
    if not state.near[CIRCLE][c] >> a & 1:
        return
    # R2: a --> b *-> c or a *-> b --> c, and a *-o c: a *-> c
    through = (state.children(a) & state.near[ARROW][c]) | (state.far[ARROW][a] & state.parents(c))
    # R3: p *-> c <-* q with p, q not adjacent, p *-o a o-* q, and a *-o c: a *-> c
    if through or state.has_nonadjacent_pair(state.near[ARROW][c] & state.near[CIRCLE][a]):
        state.set_mark(a, c, ARROW)


def _apply_r4(state: PagMarks, separates: Separates) -> None:
    # R4: a path start ... a, b, c that discriminates b: b o-* c becomes b --> c, or a <-> b <-> c
    for c, b in state.circles():
        for a in members(state.parents(c) & state.far[ARROW][b]):
            start = _find_discriminating_start(state, a, b, c)
            if start is None:
                continue
            if separates(start, b, c):
                state.set_mark(c, b, TAIL)
            else:
                state.set_mark(a, b, ARROW)
                state.set_mark(c, b, ARROW)
            state.set_mark(b, c, ARROW)
            break


def _find_discriminating_start(state: PagMarks, a: int, b: int, c: int) -> int | None:
    # Backwards from a, over colliders that are parents of c, to a variable not adjacent to c.
    parents = state.parents(c)
    seen, frontier = 1 << a | 1 << b | 1 << c, [a]
    while frontier:
        further: list[int] = []
        for v in frontier:
            state.check()
            into = state.near[ARROW][v] & ~seen
            ends = state.nonadjacent(c, into)
            if ends:
                return (ends & -ends).bit_length() - 1
            through = into & parents & state.far[ARROW][v]
            seen |= through
            further += members(through)
        frontier = further
    return None


def _orient_selection(state: PagMarks) -> None:
    # R5: an uncovered cycle of o-o edges becomes undirected
    if has_circle_cycle(state):
        for a, b in [(a, b) for a, b in state.circles() if a < b and state.neighbours(b, CIRCLE, CIRCLE) >> a & 1]:
            path = find_circle_path(state, a, b)
            for p, q in zip(path, [*path[1:], *path[:1]], strict=True):
                state.set_mark(p, q, TAIL)
                state.set_mark(q, p, TAIL)
    changed = True
    while changed:
        changed = False
        for c, b in state.circles():
            # R6: a --- b o-* c; R7: a --o b o-* c with a, c not adjacent: b --* c
            line = state.neighbours(b, TAIL, TAIL)
            if line or state.nonadjacent(c, state.neighbours(b, CIRCLE, TAIL)):
                changed |= state.set_mark(c, b, TAIL)


def _orient_tails(state: PagMarks) -> None:
    # These rules only replace the circle of `o->` by a tail, which changes no potentially directed path: the paths
    # are computed once.
    reached: dict[int, dict[int, int]] = {}
    changed = True
    while changed:
        changed = False
        for c, a in state.circles():
            if not state.far[ARROW][a] >> c & 1:
                continue
            # R8: a --> b --> c or a --o b --> c, and a o-> c: a --> c
            ahead = state.near[TAIL][a] & (state.far[ARROW][a] | state.far[CIRCLE][a])
            if ahead & state.parents(c) or _apply_r9_r10(state, reached, a, c):
                changed |= state.set_mark(c, a, TAIL)


def _apply_r9_r10(state: PagMarks, reached: dict[int, dict[int, int]], a: int, c: int) -> bool:
    if a not in reached:
        reached[a] = {first: uncovered_path_ends(state, a, first) for first in members(state.possible_children(a))}
    # R9: an uncovered potentially directed path a, b, ..., c with b, c not adjacent
    if any(reached[a][first] >> c & 1 for first in members(state.nonadjacent(c, state.possible_children(a)))):
        return True
    # R10: two uncovered potentially directed paths from a to parents of c, whose first steps are not adjacent
    parents = state.parents(c)
    firsts = 0
    for first, found in reached[a].items():
        if found & parents:
            firsts |= 1 << first
    return state.has_nonadjacent_pair(firsts & ~(1 << c))


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
