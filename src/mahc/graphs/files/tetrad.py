"""Graphs as Tetrad saves them in text: a line of nodes, then numbered edges."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mahc.errors import FormatError
from mahc.graphs.files.graph_format import GRAPH_FORMATS, Graph, GraphBuilder, GraphFormat, edges_of

_NUMBER = re.compile(r"\d{1,9}\. ")
_MARK = re.compile(r"(?<=\s)([-<o]-[->o])(?=\s)")
_EXTRAS = ("Ambiguous triples", "Underlined triples", "Dotted underlined triples")
# Newer versions append remarks to an edge: definitely or possibly direct, (no) latent confounder.
_REMARKS = frozenset(("dd", "pd", "nl", "pl"))


@GRAPH_FORMATS.register("tetrad")
@dataclass(frozen=True)
class Tetrad(GraphFormat):
    """`Graph Nodes:` with names between semicolons (or commas), `Graph Edges:` with one edge per line.

    >>> from mahc.graphs import DAG
    >>> print(Tetrad().render(DAG(["a", "b"], [("a", "b")])), end="")
    Graph Nodes:
    a;b
    <BLANKLINE>
    Graph Edges:
    1. a --> b
    """

    title = "Tetrad text (Graph Nodes: ...)"
    suffixes = (".txt", ".tetrad")
    keeps = "all variables and marks; names without semicolons, line breaks or edge marks"

    def recognises(self, text: str) -> bool:
        return text.lstrip().startswith("Graph Nodes:")

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        section = ""
        for line, content in enumerate(text.split("\n"), start=1):
            content = content.strip()
            if (content.startswith("Graph ") and content.endswith(":")) or content.startswith(_EXTRAS):
                section = content
            elif content.startswith("Graph Nodes:"):
                _read_nodes(builder, content.removeprefix("Graph Nodes:").strip(), line)
                section = "Graph Nodes:"
            elif not content:
                continue
            elif section == "Graph Nodes:":
                _read_nodes(builder, content, line)
            elif section == "Graph Edges:":
                _read_edge(builder, content, line)
            elif not section:
                builder.refuse(f"'{content[:40]}' comes before 'Graph Nodes:'", line)
        if not section:
            builder.refuse("there is no line 'Graph Nodes:'")

    def render(self, graph: Graph) -> str:
        for name in graph.names:
            odd = name != name.strip() or name.startswith("Graph ") or bool(re.search("[;\n\r]", name))
            if odd or _MARK.search(f" {name} "):
                raise FormatError(f"Tetrad text cannot hold the name {name!r}: write JSON instead")
        if len(graph.names) == 1 and "," in graph.names[0]:
            raise FormatError(f"Tetrad text cannot hold {graph.names[0]!r} alone: write JSON instead")
        edges = [f"{i}. {' '.join(edge)}" for i, edge in enumerate(edges_of(graph), start=1)]
        return "\n".join(["Graph Nodes:", ";".join(graph.names), "", "Graph Edges:", *edges]) + "\n"


def _read_nodes(builder: GraphBuilder, content: str, line: int) -> None:
    for name in content.split(";" if ";" in content else ","):
        builder.add_variable(name.strip(), line)


def _read_edge(builder: GraphBuilder, content: str, line: int) -> None:
    number = _NUMBER.match(content)
    rest = content[number.end() :].strip() if number else content
    found = _MARK.split(rest)
    if len(found) != 3:
        builder.refuse(f"'{content[:60]}' is not an edge like '1. a --> b'", line)
    left, mark, right = (word.strip() for word in found)
    remarks = right.split()
    while not builder.knows(right) and len(remarks) > 1 and remarks[-1] in _REMARKS:
        right = right[: -len(remarks.pop())].strip()
    for name in (left, right):
        if not builder.knows(name):
            builder.refuse(f"'{name}' is not in the list of nodes", line)
    builder.add_edge(left, mark, right, line)
