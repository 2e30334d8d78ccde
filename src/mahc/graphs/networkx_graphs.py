"""Graphs to and from networkx."""

from __future__ import annotations

from typing import Any

import numpy as np

from mahc.errors import GraphError
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
    """The DAG of a networkx DiGraph; nodes must be strings."""
    _require(graph, "DiGraph")
    if not graph.is_directed():
        raise GraphError("the networkx graph is undirected: a DAG needs a DiGraph")
    return DAG(graph.nodes, [(tail, head) for tail, head in graph.edges()])


def mixed_to_networkx(graph: MixedGraph) -> Any:
    """A networkx Graph whose edges hold `marks`, a mapping from name to mark in lower case.

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
    """The mixed graph of a networkx graph; an edge without `marks` is an arc (DiGraph) or undirected (Graph)."""
    _require(graph, "Graph or DiGraph")
    names = list(graph.nodes)
    positions = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    plain = "arrow" if graph.is_directed() else "tail"
    for left, right, given in graph.edges(data="marks"):
        ends = given if given is not None else {left: "tail", right: plain}
        i, j = positions[left], positions[right]
        if marks[i, j]:
            raise GraphError(f"the edge between {left} and {right} is given twice")
        try:
            marks[j, i], marks[i, j] = _MARKS[ends[left]], _MARKS[ends[right]]
        except (KeyError, TypeError):
            message = f"the edge between {left} and {right} has the marks {ends!r}: use tail, arrow or circle"
            raise GraphError(message) from None
    return MixedGraph.from_marks(names, marks)


def _require(graph: object, wanted: str) -> None:
    """Refuse what is no networkx graph."""
    if not all(hasattr(graph, part) for part in ("is_directed", "nodes", "edges")):
        raise GraphError(f"{type(graph).__name__} is no networkx graph: give a {wanted}")


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise GraphError("networkx is not installed: run 'pip install networkx'") from None
    return networkx
