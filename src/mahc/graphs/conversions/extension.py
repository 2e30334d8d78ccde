"""CPDAG -> DAG: a consistent extension, by the algorithm of Dor and Tarsi (remove sinks one by one)."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import rank_by_name


def cpdag_to_dag(graph: MixedGraph) -> DAG:
    """A DAG of the equivalence class; raise GraphError if there is none.

    Of the variables that can be the next sink, the last by name is, so the result does not depend on the column
    order.

    >>> cpdag_to_dag(MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c")])).arcs
    (('a', 'b'), ('b', 'c'))
    """
    _refuse_marks(graph)
    parents = extend(
        graph.where(Mark.TAIL, Mark.TAIL),
        graph.where(Mark.ARROW, Mark.TAIL),
        graph.where(Mark.TAIL, Mark.ARROW),
        rank_by_name(graph.names),
    )
    if parents is None:
        raise GraphError("the graph has no consistent extension: no DAG has its edges, its arcs and only its colliders")
    return DAG.from_parents(graph.names, [list(members(bitset)) for bitset in parents])


def extend(
    lines: Sequence[int],
    parents: Sequence[int],
    children: Sequence[int],
    rank: Sequence[int],
    later: Sequence[int] | None = None,
) -> list[int] | None:
    """The parents (bitsets) in a DAG that directs every line without a new unshielded collider, or None.

    With `later`, no path of that DAG leads to v from a variable in later[v]: these are removed before v.
    """
    line, into, out = list(lines), list(parents), list(children)
    chosen = list(parents)
    unrank = sorted(range(len(line)), key=rank.__getitem__)
    waiting = set(range(len(line)))
    left = (1 << len(line)) - 1
    held: dict[int, list[int]] = {}  # bitset of variables -> those that wait until it is removed
    ready: list[int] = []

    def check(v: int) -> None:
        if later is not None and later[v] & left:
            held.setdefault(later[v], []).append(v)
        elif v in waiting and _is_sink(v, line, into, out):
            waiting.discard(v)
            heapq.heappush(ready, -rank[v])

    for v in range(len(line)):
        check(v)
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
            check(u)  # a sink stays a sink when others are removed
        for freed in [bitset for bitset in held if not bitset & left]:
            for u in held.pop(freed):
                check(u)
    return chosen if removed == len(line) else None


def _is_sink(v: int, line: Sequence[int], into: Sequence[int], out: Sequence[int]) -> bool:
    if out[v]:
        return False
    around = line[v] | into[v]
    return all(not around & ~(line[u] | into[u] | out[u] | 1 << u) for u in members(line[v]))


def _refuse_marks(graph: MixedGraph) -> None:
    odd = (graph.marks == Mark.CIRCLE) | ((graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW))
    if odd.any():
        i, j = np.argwhere(odd)[0].tolist()
        raise GraphError(f"the edge {graph.edge_text(i, j)} is not allowed in a CPDAG: use --> and ---")
