"""Graphs to and from networkx, and the moral graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph

_MARKS = {mark.name.lower(): mark for mark in Mark if mark}


def dag_to_networkx(dag: DAG) -> Any:
    """A networkx DiGraph with the names as nodes.

    >>> sorted(dag_to_networkx(DAG(["a", "b"], [("a", "b")])).edges)
    [('a', 'b')]
    """
    graph = _networkx().DiGraph()
    graph.add_nodes_from(dag.names)
    graph.add_edges_from(dag.arcs)
    return graph


def dag_from_networkx(graph: Any) -> DAG:
    """The DAG of a networkx DiGraph; nodes that are no texts are refused."""
    if not graph.is_directed():
        raise GraphError("the networkx graph is undirected: a DAG needs a DiGraph")
    return DAG(graph.nodes, [(tail, head) for tail, head in graph.edges()])


def mixed_to_networkx(graph: MixedGraph) -> Any:
    """A networkx Graph whose edges hold `marks`, a mapping name -> mark in small letters.

    >>> dict(mixed_to_networkx(MixedGraph(["a", "b"], [("a", "o->", "b")])).edges["a", "b"])
    {'marks': {'a': 'circle', 'b': 'arrow'}}
    """
    drawn = _networkx().Graph()
    drawn.add_nodes_from(graph.names)
    for left, _, right in graph.edges:
        near, far = graph.mark(right, left), graph.mark(left, right)
        drawn.add_edge(left, right, marks={left: near.name.lower(), right: far.name.lower()})
    return drawn


def mixed_from_networkx(graph: Any) -> MixedGraph:
    """The marked graph of a networkx graph; without `marks` an edge is an arc (DiGraph) or a line (Graph)."""
    names = list(graph.nodes)
    positions = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    plain = "arrow" if graph.is_directed() else "tail"
    for left, right, told in graph.edges(data="marks"):
        told = told if told is not None else {left: "tail", right: plain}
        i, j = positions[left], positions[right]
        if marks[i, j]:
            raise GraphError(f"the edge between {left} and {right} is given twice")
        try:
            marks[j, i], marks[i, j] = _MARKS[told[left]], _MARKS[told[right]]
        except (KeyError, TypeError):
            told = f"the edge between {left} and {right} has the marks {told!r}"
            raise GraphError(f"{told}: each end is tail, arrow or circle") from None
    return MixedGraph.from_marks(names, marks)


def moralise(dag: DAG) -> MixedGraph:
    """The undirected graph that joins each variable to its parents, and these to one another."""
    lines = [0] * len(dag.names)
    for child, parents in enumerate(dag.parent_bits):
        lines[child] |= parents
        for parent in members(parents):
            lines[parent] |= (parents | 1 << child) & ~(1 << parent)
    return MixedGraph.from_arcs(dag.names, [0] * len(dag.names), lines)


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise GraphError("networkx is not installed: 'pip install networkx' brings it") from None
    return networkx
