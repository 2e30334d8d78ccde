"""The base class of the graph formats, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mahc.graphs.dag import DAG
from mahc.graphs.files.graph_builder import Graph, GraphBuilder
from mahc.graphs.marks import Edge
from mahc.registry import Registry

# For the two variables of an edge: name of the attribute -> value.
EdgeAttributes = Mapping[frozenset[str], Mapping[str, float | bool]]
ATTRIBUTES = ("strength", "reversible", "confidence")  # in the order in which files list them


@dataclass(frozen=True)
class GraphFormat(ABC):
    """A text format for graphs. To add one, register a subclass in its own file.

    >>> sorted(GRAPH_FORMATS["dot"].suffixes)
    ['.dot', '.gv']
    """

    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]  # read and written in this format
    also_read: ClassVar[tuple[str, ...]] = ()  # suffixes of other formats, read in this one if `recognises` says so
    keeps: ClassVar[str]  # what survives a round trip, for the table in docs/reference/formats.md

    @abstractmethod
    def read_into(self, builder: GraphBuilder, text: str) -> None:
        """Add every variable and edge of the text to the builder, with its line."""

    @abstractmethod
    def render(self, graph: Graph) -> str:
        """Write the graph as text; raise FormatError if the format cannot hold a name."""

    def render_with(self, graph: Graph, attributes: EdgeAttributes) -> str:
        """Write the graph and what is known of its edges; a format without a place for that writes the graph."""
        return self.render(graph)

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether a text looks like this format, for suffixes that several formats share."""

    def parse(self, text: str, file: object = None, names: Sequence[str] | None = None) -> Graph:
        """Read the graph in a text; see GraphBuilder for `names`."""
        builder = GraphBuilder(file, names)
        self.read_into(builder, text)
        return builder.build()


GRAPH_FORMATS: Registry[type[GraphFormat]] = Registry("graph format", package="mahc.graphs.files")


def edges_of(graph: Graph) -> tuple[Edge, ...]:
    """All edges, sorted, arcs of a DAG included."""
    if isinstance(graph, DAG):
        return tuple(Edge(tail, "-->", head) for tail, head in graph.arcs)
    return graph.edges


def unconnected_names(graph: Graph) -> list[str]:
    """The variables without an edge, sorted."""
    connected = {name for edge in edges_of(graph) for name in (edge.left, edge.right)}
    return sorted(set(graph.names) - connected)


def attribute_names(attributes: EdgeAttributes) -> list[str]:
    """The attributes that at least one edge has, in the order of files."""
    return [name for name in ATTRIBUTES if any(name in known for known in attributes.values())]


def attribute_text(value: float | bool | None) -> str:
    """A value as text: `true` and `false`, numbers in full, empty for None.

    >>> attribute_text(True), attribute_text(0.1), attribute_text(None)
    ('true', '0.1', '')
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(float(value))
