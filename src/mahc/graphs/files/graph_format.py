"""What a graph format is, and the table of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mahc.graphs.dag import DAG
from mahc.graphs.files.graph_builder import Graph, GraphBuilder
from mahc.graphs.marks import Edge
from mahc.registry import Registry


@dataclass(frozen=True)
class GraphFormat(ABC):
    """A way to write a graph as text; a subclass in its own file, filed in FORMATS, is a new one.

    >>> sorted(FORMATS["dot"].suffixes)
    ['.dot', '.gv']
    """

    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]  # its own: a file named so is written in it
    also_read: ClassVar[tuple[str, ...]] = ()  # another's: a file named so is read in it if it looks like it

    @abstractmethod
    def read_into(self, builder: GraphBuilder, text: str) -> None:
        """Tell the builder every variable and edge of the text, with its line."""

    @abstractmethod
    def render(self, graph: Graph) -> str:
        """The graph as text; a name that the format cannot hold is refused."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text looks like this format, for suffixes that several formats share."""

    def parse(self, text: str, file: object = None, names: Sequence[str] | None = None) -> Graph:
        """The graph in a text; see GraphBuilder for `names`."""
        builder = GraphBuilder(file, names)
        self.read_into(builder, text)
        return builder.build()


FORMATS: Registry[type[GraphFormat]] = Registry("graph format", package="mahc.graphs.files")


def edges_of(graph: Graph) -> tuple[Edge, ...]:
    """All edges, sorted, arcs of a DAG included."""
    if isinstance(graph, DAG):
        return tuple(Edge(tail, "-->", head) for tail, head in graph.arcs)
    return graph.edges


def lone_names(graph: Graph) -> list[str]:
    """The variables without an edge, sorted."""
    joined = {name for edge in edges_of(graph) for name in (edge.left, edge.right)}
    return sorted(set(graph.names) - joined)
