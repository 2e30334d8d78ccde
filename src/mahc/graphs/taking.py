"""Functions that take a graph also take what holds one, such as a `Learned`."""

from __future__ import annotations

from typing import Any

from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph


def take_directed(source: Any) -> Any:
    """A graph as `take_graph` gives it, or the attribute `dag` of an object that holds a CPDAG or PAG."""
    held = take_graph(source)
    return source.dag if isinstance(held, MixedGraph) and held is not source else held


def take_graph(source: Any) -> Any:
    """The graph itself, or the attribute `graph` of an object that holds one; anything else as it is.

    >>> take_graph(DAG(["a"])).names
    ('a',)
    """
    if isinstance(source, DAG | MixedGraph):
        return source
    held = getattr(source, "graph", None)
    return held if isinstance(held, DAG | MixedGraph) else source
