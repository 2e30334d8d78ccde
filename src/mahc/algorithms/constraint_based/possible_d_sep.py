"""Possible-d-sep sets: the variables beyond neighbours from which FCI draws separating sets."""

from __future__ import annotations

from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.marks import Mark


def possible_d_sep(state: PagMarks) -> list[int]:
    """For each x, the variables on paths from x whose inner variables are colliders, in a triangle, or undetermined.

    >>> chain = PagMarks([0b010, 0b101, 0b010])
    >>> possible_d_sep(chain)
    [2, 5, 2]
    """
    return [_walk(state, x) for x in range(len(state.adjacent))]


def _walk(state: PagMarks, x: int) -> int:
    came: dict[int, int] = dict.fromkeys(members(state.adjacent[x]), 1 << x)
    todo = [(x, b) for b in came]
    while todo:
        state.check()
        a, b = todo.pop()
        into = state.near[Mark.ARROW][b]
        beside = state.adjacent[a] | state.unsure[a]
        onward = state.adjacent[b] & (beside | (into if into >> a & 1 else 0)) & ~(1 << a) & ~(1 << x)
        for c in members(onward):
            if not came.get(c, 0) >> b & 1:
                came[c] = came.get(c, 0) | 1 << b
                todo.append((b, c))
    return to_bitset(came)
