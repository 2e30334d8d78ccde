"""DAG -> moral graph."""

from __future__ import annotations

from mahc.graphs.bitset import members
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph


def moralise(dag: DAG) -> MixedGraph:
    """The undirected graph that connects each variable to its parents, and the parents to each other.

    >>> moralise(DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])).mark("a", "b").name
    'TAIL'
    """
    lines = [0] * len(dag.names)
    for child, parents in enumerate(dag.parent_bitsets):
        lines[child] |= parents
        for parent in members(parents):
            lines[parent] |= (parents | 1 << child) & ~(1 << parent)
    return MixedGraph.from_arcs(dag.names, [0] * len(dag.names), lines)
