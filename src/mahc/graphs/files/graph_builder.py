"""From the words of a file to a graph: every mistake is told with the file and the line it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from mahc.errors import FormatError, GraphError, UnknownNameError
from mahc.graphs.dag import DAG
from mahc.graphs.marks import SPELLINGS, Mark, spell
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import is_name, refuse_name

Graph = DAG | MixedGraph
_Told = tuple[str, str, str, int | None]  # left, mark, right, line

# A mixed graph keeps a square of marks, so a small file must not name a huge number of variables.
MAX_VARIABLES = 10_000
MAX_EDGES = 500_000


class GraphBuilder:
    """Collects variables and edges; a graph of arcs alone becomes a DAG, any other a MixedGraph.

    With `names` the variables are these, in this order: another one in the file is a mistake, and one that
    the file leaves out has no edges.

    >>> builder = GraphBuilder("g.csv", names=["a", "b", "c"])
    >>> builder.add_edge("b", "-->", "a", line=2)
    >>> builder.build()
    DAG(3 variables, 1 arcs: b -> a)
    """

    def __init__(self, file: object = None, names: Sequence[str] | None = None) -> None:
        self.file = file
        self._closed = names is not None
        self._names = dict.fromkeys(names or ())
        self._trimmed: dict[str, str] = {}
        self._edges: dict[frozenset[str], _Told] = {}

    def refuse(self, sentence: str, line: int | None = None) -> NoReturn:
        """Raise a FormatError at a line of the file."""
        raise FormatError(sentence if len(sentence) <= 400 else sentence[:397] + "...", self.file, line)

    def knows(self, name: str) -> bool:
        """Whether the variable was given or met already."""
        return name in self._names

    def add_variable(self, name: str, line: int | None = None) -> None:
        """Make sure that a variable is there."""
        if name in self._names:
            return
        if self._closed:
            self.refuse(str(UnknownNameError("variable", name, self._names)), line)
        if not is_name(name):
            self.refuse(refuse_name(name), line)
        other = self._trimmed.setdefault(name.strip(), name)
        if other != name:
            self.refuse(f"the names {other!r} and {name!r} differ in spaces around them alone", line)
        if len(self._names) >= MAX_VARIABLES:
            self.refuse(f"the graph has more than {MAX_VARIABLES:,} variables", line)
        self._names[name] = None

    def _refuse_second(self, left: str, mark: str, right: str, line: int | None) -> NoReturn:
        from_, known, to, first = self._edges[frozenset((left, right))]
        where = "" if first is None or first == line else f" (first in line {first})"
        if mark == known == "-->" and from_ == right:
            self.refuse(f"the arcs {from_} -> {to} and {left} -> {right} form a cycle{where}", line)
        self.refuse(f"the edge between {left} and {right} is given twice{where}", line)

    def add_edge(self, left: str, mark: str, right: str, line: int | None = None) -> None:
        """Add an edge; its variables need not have been met before."""
        if mark not in SPELLINGS:
            self.refuse(str(UnknownNameError("edge mark", mark, SPELLINGS)), line)
        self.add_variable(left, line)
        self.add_variable(right, line)
        near, far = SPELLINGS[mark]
        if (near, far) == (Mark.ARROW, Mark.TAIL):
            left, mark, right = right, spell(far, near), left
        if left == right:
            self.refuse(f"the edge between {left} and {right} joins a variable to itself", line)
        pair = frozenset((left, right))
        if pair in self._edges:
            self._refuse_second(left, mark, right, line)
        if len(self._edges) >= MAX_EDGES:
            self.refuse(f"the graph has more than {MAX_EDGES:,} edges", line)
        self._edges[pair] = (left, mark, right, line)

    def build(self) -> Graph:
        """The graph; arcs alone that form a cycle are refused at the line that closes it."""
        edges = list(self._edges.values())
        if any(mark != "-->" for _, mark, _, _ in edges):
            return MixedGraph(self._names, [edge[:3] for edge in edges])
        try:
            return _join_arcs(self._names, edges)
        except GraphError:
            line, sentence = _find_cycle(self._names, edges)
            raise FormatError(sentence, self.file, line) from None


def _join_arcs(names: Iterable[str], edges: Sequence[_Told]) -> DAG:
    return DAG(names, [(left, right) for left, _, right, _ in edges])


def _find_cycle(names: Iterable[str], edges: Sequence[_Told]) -> tuple[int | None, str]:
    # The arc that closes the first cycle: the first `low` arcs have none, the first `high` have one.
    low, high, sentence = 0, len(edges) + 1, ""
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _join_arcs(names, edges[:middle])
            low = middle
        except GraphError as mistake:
            high, sentence = middle, str(mistake)
    return edges[high - 1][3], sentence
