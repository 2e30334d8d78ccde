"""The orientation rules R1 to R10 of Zhang (Artificial Intelligence 172, 2008), complete for all marks."""

from __future__ import annotations

from collections.abc import Callable

from mahc.graphs.bitset import members
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.uncovered_paths import find_circle_path, has_circle_cycle, reach_uncovered
from mahc.graphs.marks import Mark

TAIL, ARROW, CIRCLE = Mark.TAIL, Mark.ARROW, Mark.CIRCLE

# (start, middle, end) of a discriminating path -> whether its middle is no collider, that is, whether the
# middle belongs to a set that separates start from end.
Separates = Callable[[int, int, int], bool]


def close_pag(state: PagMarks, separates: Separates) -> None:
    """Apply all rules until none fires: arrows (R1-R4), then selection (R5-R7), then tails (R8-R10)."""
    state.dirty = (1 << len(state.adjacent)) - 1
    while state.dirty:
        while state.dirty:
            low = state.dirty & -state.dirty
            state.dirty ^= low
            _turn_arrows(state, low.bit_length() - 1)
        _discriminate(state, separates)
    _turn_lines(state)
    _turn_tails(state)


def _turn_arrows(state: PagMarks, v: int) -> None:
    # A change at v can wake a rule only for an edge that ends in v.
    for other in members(state.near[CIRCLE][v]):
        _apply_r1(state, v, other)
        _apply_r2_r3(state, other, v)
    for other in members(state.far[CIRCLE][v]):
        _apply_r1(state, other, v)
        _apply_r2_r3(state, v, other)


def _apply_r1(state: PagMarks, b: int, c: int) -> None:
    # R1: a *-> b o-* c with a, c not adjacent: b --> c
    if state.apart(c, state.near[ARROW][b]) and state.put(c, b, TAIL):
        state.put(b, c, ARROW)


def _apply_r2_r3(state: PagMarks, a: int, c: int) -> None:
    if not state.near[CIRCLE][c] >> a & 1:
        return
    # R2: a --> b *-> c or a *-> b --> c, and a *-o c: a *-> c
    through = (state.children(a) & state.near[ARROW][c]) | (state.far[ARROW][a] & state.parents(c))
    # R3: p *-> c <-* q with p, q not adjacent, p *-o a o-* q, and a *-o c: a *-> c
    if through or state.split(state.near[ARROW][c] & state.near[CIRCLE][a]):
        state.put(a, c, ARROW)


def _discriminate(state: PagMarks, separates: Separates) -> None:
    # R4: a path start ... a, b, c that discriminates b: b o-* c becomes b --> c, or a <-> b <-> c
    for c, b in state.circles():
        for a in members(state.parents(c) & state.far[ARROW][b]):
            start = _find_start(state, a, b, c)
            if start is None:
                continue
            if separates(start, b, c):
                state.put(c, b, TAIL)
            else:
                state.put(a, b, ARROW)
                state.put(c, b, ARROW)
            state.put(b, c, ARROW)
            break


def _find_start(state: PagMarks, a: int, b: int, c: int) -> int | None:
    # Backwards from a, over colliders that are parents of c, to a variable not adjacent to c.
    parents = state.parents(c)
    seen, frontier = 1 << a | 1 << b | 1 << c, [a]
    while frontier:
        further: list[int] = []
        for v in frontier:
            into = state.near[ARROW][v] & ~seen
            ends = state.apart(c, into)
            if ends:
                return (ends & -ends).bit_length() - 1
            through = into & parents & state.far[ARROW][v]
            seen |= through
            further += members(through)
        frontier = further
    return None


def _turn_lines(state: PagMarks) -> None:
    # R5: a cycle of o-o edges without a shortcut is all lines
    if has_circle_cycle(state):
        for a, b in [(a, b) for a, b in state.circles() if a < b and state.join(b, CIRCLE, CIRCLE) >> a & 1]:
            path = find_circle_path(state, a, b)
            for p, q in zip(path, [*path[1:], *path[:1]], strict=True):
                state.put(p, q, TAIL)
                state.put(q, p, TAIL)
    changed = True
    while changed:
        changed = False
        for c, b in state.circles():
            # R6: a --- b o-* c; R7: a --o b o-* c with a, c not adjacent: b --* c
            line = state.join(b, TAIL, TAIL)
            if line or state.apart(c, state.join(b, CIRCLE, TAIL)):
                changed |= state.put(c, b, TAIL)


def _turn_tails(state: PagMarks) -> None:
    # These rules change tails of `o->` only, which alters no possible path: what is reached is found once.
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
                changed |= state.put(c, a, TAIL)


def _apply_r9_r10(state: PagMarks, reached: dict[int, dict[int, int]], a: int, c: int) -> bool:
    if a not in reached:
        reached[a] = {first: reach_uncovered(state, a, first) for first in members(state.ahead(a))}
    # R9: an uncovered possible path a, b, ..., c with b, c not adjacent
    if any(reached[a][first] >> c & 1 for first in members(state.apart(c, state.ahead(a)))):
        return True
    # R10: two uncovered possible paths from a to parents of c, whose first steps are not adjacent
    parents = state.parents(c)
    firsts = 0
    for first, found in reached[a].items():
        if found & parents:
            firsts |= 1 << first
    return state.split(firsts & ~(1 << c))
