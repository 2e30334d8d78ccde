"""The graph formats: their base class, their registry, and the builder that they read into."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from mahc.errors import FormatError, GraphError, UnknownNameError
from mahc.graphs.dag import DAG
from mahc.graphs.marks import EDGE_MARKS, Edge, Mark, join_marks
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import describe_bad_name, is_name
from mahc.registry import Registry

Graph = DAG | MixedGraph
_FileEdge = tuple[str, str, str, int | None]  # left, mark, right, line

# A mixed graph stores a square matrix of marks, so a small file must not name a huge number of variables.
MAX_VARIABLES = 10_000
MAX_EDGES = 500_000
# For the two variables of an edge: name of the attribute -> value.
EdgeAttributes = Mapping[frozenset[str], Mapping[str, float | bool]]
ATTRIBUTES = ("strength", "reversible", "confidence")  # in the order in which files list them
GRAPH_FORMATS: Registry[type[GraphFormat]] = Registry("graph format", package="mahc.graphs.files")


class GraphBuilder:
    """Collects variables and edges; a graph with arcs only becomes a DAG, any other a MixedGraph.

    With `names` the variables are these, in this order: another one in the file is an error, and one that is not
    in the file has no edges.

    >>> builder = GraphBuilder("g.csv", names=["a", "b", "c"])
    >>> builder.add_edge("b", "-->", "a", line=2)
    >>> builder.build()
    DAG(3 variables, 1 arc: b -> a)
    """

    def __init__(self, file: object = None, names: Sequence[str] | None = None) -> None:
        self.file = file
        self._closed = names is not None
        self._names = dict.fromkeys(names or ())
        self._trimmed: dict[str, str] = {}
        self._edges: dict[frozenset[str], _FileEdge] = {}

    def refuse(self, sentence: str, line: int | None = None) -> NoReturn:
        """Raise a FormatError for a line of the file."""
        raise FormatError(sentence if len(sentence) <= 400 else sentence[:397] + "...", self.file, line)

    def knows(self, name: str) -> bool:
        """Whether the variable is known already."""
        return name in self._names

    def add_variable(self, name: str, line: int | None = None) -> None:
        """Add a variable unless it is known already."""
        if name in self._names:
            return
        if self._closed:
            self.refuse(str(UnknownNameError("variable", name, self._names)), line)
        if not is_name(name):
            self.refuse(describe_bad_name(name), line)
        other = self._trimmed.setdefault(name.strip(), name)
        if other != name:
            self.refuse(f"the names {other!r} and {name!r} differ only in spaces around them", line)
        if len(self._names) >= MAX_VARIABLES:
            self.refuse(f"the graph has more than {MAX_VARIABLES:,} variables", line)
        self._names[name] = None

    def _refuse_repeated(self, left: str, mark: str, right: str, line: int | None) -> NoReturn:
        from_, known, to, first = self._edges[frozenset((left, right))]
        where = "" if first is None or first == line else f" (first in line {first})"
        if mark == known == "-->" and from_ == right:
            self.refuse(f"the arcs {from_} -> {to} and {left} -> {right} form a cycle{where}", line)
        self.refuse(f"the edge between {left} and {right} is given twice{where}", line)

    def add_edge(self, left: str, mark: str, right: str, line: int | None = None) -> None:
        """Add an edge and its variables."""
        if mark not in EDGE_MARKS:
            self.refuse(str(UnknownNameError("edge mark", mark, EDGE_MARKS)), line)
        self.add_variable(left, line)
        self.add_variable(right, line)
        near, far = EDGE_MARKS[mark]
        if (near, far) == (Mark.ARROW, Mark.TAIL):
            left, mark, right = right, join_marks(far, near), left
        if left == right:
            self.refuse(f"the edge between {left} and {right} connects a variable to itself", line)
        pair = frozenset((left, right))
        if pair in self._edges:
            self._refuse_repeated(left, mark, right, line)
        if len(self._edges) >= MAX_EDGES:
            self.refuse(f"the graph has more than {MAX_EDGES:,} edges", line)
        self._edges[pair] = (left, mark, right, line)

    def build(self) -> Graph:
        """The graph; a directed cycle is an error at the line that closes it."""
        edges = list(self._edges.values())
        if any(mark != "-->" for _, mark, _, _ in edges):
            return MixedGraph(self._names, [edge[:3] for edge in edges])
        try:
            return _make_dag(self._names, edges)
        except GraphError:
            line, sentence = _find_cycle(self._names, edges)
            raise FormatError(sentence, self.file, line) from None


def _make_dag(names: Iterable[str], edges: Sequence[_FileEdge]) -> DAG:
    return DAG(names, [(left, right) for left, _, right, _ in edges])


def _find_cycle(names: Iterable[str], edges: Sequence[_FileEdge]) -> tuple[int | None, str]:
    # Bisection for the arc that closes the first cycle: the first `low` arcs have none, the first `high` have one.
    low, high, sentence = 0, len(edges) + 1, ""
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _make_dag(names, edges[:middle])
            low = middle
        except GraphError as mistake:
            high, sentence = middle, str(mistake)
    return edges[high - 1][3], sentence


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
