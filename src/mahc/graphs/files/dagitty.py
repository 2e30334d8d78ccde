"""The format of DAGitty (dagitty.net and its R package): `dag { a -> b }`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mahc.errors import FormatError
from mahc.graphs.files.dot_parser import Attributes, DotReader, Token, quote
from mahc.graphs.files.graph_format import GRAPH_FORMATS, Graph, GraphBuilder, GraphFormat, edges_of

_KINDS = ("dag", "pdag", "mag", "pag", "digraph", "graph")
# DAGitty writes @ for a circle.
_SIGNS = {
    "->": "-->",
    "<-": "<--",
    "--": "---",
    "<->": "<->",
    "@->": "o->",
    "<-@": "<-o",
    "@-@": "o-o",
    "@--": "o--",
    "--@": "--o",
}
_WRITTEN = {ours: sign for sign, ours in _SIGNS.items()}
_OPENING = re.compile(r"(?:dag|pdag|mag|pag)\s*[\w\"]*\s*\{", re.IGNORECASE)
_PLAIN = re.compile(r"[0-9A-Za-z_.]+")
_KEYWORDS = frozenset(("subgraph", "graph", "node", "edge", *_KINDS))


@GRAPH_FORMATS.register("dagitty")
@dataclass(frozen=True)
class Dagitty(GraphFormat):
    """`dag`, `pdag`, `mag` or `pag` and braces; positions and roles of variables are ignored.

    >>> Dagitty().parse('pag { a @-> b [pos="0,1"]; c }').edges
    (Edge(left='a', mark='o->', right='b'),)
    """

    title = "DAGitty (dag { ... })"
    suffixes = (".dagitty",)
    also_read = (".txt",)
    keeps = "all variables and marks; names without control characters"

    def recognises(self, text: str) -> bool:
        return _OPENING.match(text.lstrip()[:200]) is not None

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        def mark_of(kind: str, sign: Token, attributes: Attributes) -> str | None:
            return _SIGNS.get(sign.text)

        DotReader(builder, text, _KINDS, mark_of).read()

    def render(self, graph: Graph) -> str:
        return self.render_with_roles(graph, {})

    def render_with_roles(self, graph: Graph, roles: Mapping[str, str]) -> str:
        """The code with roles of variables: exposure, outcome or latent."""
        edges = edges_of(graph)
        marks = {edge.mark for edge in edges}
        kind = "pag" if any("o" in mark for mark in marks) else "mag" if "<->" in marks else "dag"
        if kind == "dag" and "---" in marks:
            kind = "pdag"
        lines = [_write(name) + (f" [{roles[name]}]" if name in roles else "") for name in graph.names]
        lines += [f"{_write(left)} {_WRITTEN[mark]} {_write(right)}" for left, mark, right in edges]
        return "\n".join([f"{kind} {{", *lines, "}"]) + "\n"


def _write(name: str) -> str:
    if _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS:
        return name
    if any(letter < " " or letter == "\x7f" for letter in name):
        raise FormatError(f"DAGitty: the name {name!r} contains a control character: write JSON instead")
    try:
        return quote(name)
    except FormatError as mistake:
        raise FormatError(f"DAGitty: {mistake}") from None
