"""CPDAG -> DAG: a member of the class, by Dor and Tarsi's removal of sinks."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import by_name


def cpdag_to_dag(graph: MixedGraph) -> DAG:
    """A DAG with the same edges and colliders that keeps every arc; refused when there is none.

    Of the variables that could come last, the last by name does, so the answer is one and the same
    whatever the order of the columns.

    >>> cpdag_to_dag(MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c")])).arcs
    (('a', 'b'), ('b', 'c'))
    """
    _refuse_marks(graph)
    parents = extend(
        graph.where(Mark.TAIL, Mark.TAIL),
        graph.where(Mark.ARROW, Mark.TAIL),
        graph.where(Mark.TAIL, Mark.ARROW),
        by_name(graph.names),
    )
    if parents is None:
        raise GraphError("the graph has no consistent extension: no DAG has its edges, its arcs and only its colliders")
    return DAG.from_parents(graph.names, [list(members(bits)) for bits in parents])


def extend(
    lines: Sequence[int],
    parents: Sequence[int],
    children: Sequence[int],
    rank: Sequence[int],
    later: Sequence[int] | None = None,
) -> list[int] | None:
    """The parents (bit sets) in a DAG that directs every line without a new collider, or None.

    With `later`, no path of that DAG leads to v from one of later[v]: these are removed before v.
    """
    line, into, out = list(lines), list(parents), list(children)
    chosen = list(parents)
    unrank = sorted(range(len(line)), key=rank.__getitem__)
    waiting = set(range(len(line)))
    left = (1 << len(line)) - 1
    held: dict[int, list[int]] = {}  # by those that must be removed before
    ready: list[int] = []

    def wake(v: int) -> None:
        if later is not None and later[v] & left:
            held.setdefault(later[v], []).append(v)
        elif v in waiting and _is_last(v, line, into, out):
            waiting.discard(v)
            heapq.heappush(ready, -rank[v])

    for v in range(len(line)):
        wake(v)
    removed = 0
    while ready:
        v = unrank[-heapq.heappop(ready)]
        removed += 1
        left &= ~(1 << v)
        chosen[v] |= line[v]
        around = line[v] | into[v]
        for u in members(around):
            line[u] &= ~(1 << v)
            out[u] &= ~(1 << v)
        line[v] = into[v] = 0
        for u in members(around):
            wake(u)  # once a variable may come last it may stay so: what is removed only helps
        for freed in [bits for bits in held if not bits & left]:
            for u in held.pop(freed):
                wake(u)
    return chosen if removed == len(line) else None


def _is_last(v: int, line: Sequence[int], into: Sequence[int], out: Sequence[int]) -> bool:
    if out[v]:
        return False
    around = line[v] | into[v]
    return all(not around & ~(line[u] | into[u] | out[u] | 1 << u) for u in members(line[v]))


def _refuse_marks(graph: MixedGraph) -> None:
    odd = (graph.marks == Mark.CIRCLE) | ((graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW))
    if odd.any():
        i, j = np.argwhere(odd)[0].tolist()
        raise GraphError(f"the edge {graph.spell_edge(i, j)} has no place in a CPDAG: use arcs (-->) and lines (---)")
