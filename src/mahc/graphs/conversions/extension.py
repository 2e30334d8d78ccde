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
from mahc.graphs.taking import take_graph
from mahc.graphs.walks import Check, never_stop


def cpdag_to_dag(graph: MixedGraph) -> DAG:
    """Find a DAG of the equivalence class of a CPDAG.

    Of the variables that can be the next sink, the last by name is taken, so the result does not depend on the order
    of the columns.

    Parameters
    ----------
    graph : MixedGraph
        A CPDAG, or any graph of arcs and undirected edges.

    Returns
    -------
    DAG
        A DAG with the same edges, arcs and colliders.

    Raises
    ------
    GraphError
        If there is none.

    Examples
    --------
    >>> cpdag_to_dag(MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c")])).arcs
    (('a', 'b'), ('b', 'c'))
    """
    graph = take_graph(graph)
    parents = find_extension(graph)
    return DAG.from_parents(graph.names, [list(members(bitset)) for bitset in parents])


def find_extension(graph: MixedGraph, check: Check = never_stop) -> list[int]:
    """The parents (bitsets) in the DAG of `cpdag_to_dag`; `check` is called for each variable."""
    _refuse_marks(graph)
    parents = extend(
        graph.where(Mark.TAIL, Mark.TAIL),
        graph.where(Mark.ARROW, Mark.TAIL),
        graph.where(Mark.TAIL, Mark.ARROW),
        rank_by_name(graph.names),
        check=check,
    )
    if parents is None:
        raise GraphError("the graph has no consistent extension: no DAG has its edges, its arcs and only its colliders")
    return parents


def extend(
    lines: Sequence[int],
    parents: Sequence[int],
    children: Sequence[int],
    rank: Sequence[int],
    later: Sequence[int] | None = None,
    check: Check = never_stop,
) -> list[int] | None:
    """The parents (bitsets) in a DAG that directs every line without a new unshielded collider, or None.

    With `later`, no path of that DAG leads to v from a variable in later[v]: these are removed before v. `check` is
    called for each variable.
    """
    removal = _SinkRemoval(lines, parents, children, rank, later, check)
    return removal.chosen if removal.run() else None


class _SinkRemoval:
    # Removes sinks until no variable is left; `chosen` are the parents at removal.

    def __init__(
        self,
        lines: Sequence[int],
        parents: Sequence[int],
        children: Sequence[int],
        rank: Sequence[int],
        later: Sequence[int] | None,
        check: Check,
    ) -> None:
        self.chosen = list(parents)
        self._line, self._into, self._out = list(lines), list(parents), list(children)
        self._rank, self._later, self._check_time = rank, later, check
        self._waiting = set(range(len(lines)))
        self._left = (1 << len(lines)) - 1
        self._held: dict[int, list[int]] = {}  # bitset of variables -> those that wait until it is removed
        self._ready: list[int] = []

    def run(self) -> bool:
        """Whether all variables could be removed."""
        variables = sorted(range(len(self._line)), key=self._rank.__getitem__)
        for v in range(len(variables)):
            self._check_time()
            self._try_sink(v)
        while self._ready:
            self._check_time()
            self._remove(variables[-heapq.heappop(self._ready)])
        return not self._left

    def _try_sink(self, v: int) -> None:
        if self._later is not None and self._later[v] & self._left:
            self._held.setdefault(self._later[v], []).append(v)
        elif v in self._waiting and _is_sink(v, self._line, self._into, self._out):
            self._waiting.discard(v)
            heapq.heappush(self._ready, -self._rank[v])

    def _remove(self, v: int) -> None:
        self._left &= ~(1 << v)
        self.chosen[v] |= self._line[v]
        around = self._line[v] | self._into[v]
        for u in members(around):
            self._line[u] &= ~(1 << v)
            self._out[u] &= ~(1 << v)
        self._line[v] = self._into[v] = 0
        for u in members(around):
            self._try_sink(u)  # a sink stays a sink when others are removed
        for freed in [bitset for bitset in self._held if not bitset & self._left]:
            for u in self._held.pop(freed):
                self._try_sink(u)


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
