"""Graphviz DOT: arcs as edges of a digraph, other marks as arrow shapes."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

from mahc.errors import FormatError
from mahc.graphs.files.dot_parser import Attributes, DotReader, Token, quote
from mahc.graphs.files.graph_format import (
    ATTRIBUTES,
    GRAPH_FORMATS,
    EdgeAttributes,
    Graph,
    GraphBuilder,
    GraphFormat,
    attribute_text,
    edges_of,
)
from mahc.graphs.marks import EDGE_MARKS, Mark, join_marks
from mahc.graphs.pictures import rank_widths
from mahc.safe_text import escape_controls

_LOG = logging.getLogger(__name__)
_SHAPES = {
    **dict.fromkeys(("normal", "vee", "open", "empty", "onormal", "halfopen", "inv", ""), Mark.ARROW),
    **dict.fromkeys(("dot", "odot"), Mark.CIRCLE),
    "none": Mark.TAIL,
}
_WRITTEN = {Mark.ARROW: "normal", Mark.CIRCLE: "odot", Mark.TAIL: "none"}
_DIRECTIONS = ("forward", "back", "both", "none")
_OPENING = re.compile(r"(?:strict\s+)?(?:di)?graph\b", re.IGNORECASE)


@GRAPH_FORMATS.register("dot")
@dataclass(frozen=True)
class Dot(GraphFormat):
    """`digraph { a -> b }`; `dir`, `arrowhead` and `arrowtail` (normal, none, odot) hold the marks; labels are ignored.

    >>> Dot().parse('digraph { a -> b [dir=both, arrowtail=odot]; c }').edges
    (Edge(left='a', mark='o->', right='b'),)
    """

    title = "Graphviz DOT"
    suffixes = (".dot", ".gv")
    keeps = "all variables and marks; names that do not end in a backslash"

    def recognises(self, text: str) -> bool:
        return _OPENING.match(text.lstrip()) is not None

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        def mark_of(kind: str, sign: Token, attributes: Attributes) -> str | None:
            if sign.text != ("->" if kind == "digraph" else "--"):
                return None
            direction = attributes.get("dir", "forward" if kind == "digraph" else "none").lower()
            if direction not in _DIRECTIONS:
                builder.refuse(f"dir is '{direction}' where one of {', '.join(_DIRECTIONS)} is needed", sign.line)
            near = attributes.get("arrowtail", "normal") if direction in ("back", "both") else "none"
            far = attributes.get("arrowhead", "normal") if direction in ("forward", "both") else "none"
            for shape in (near, far):
                if shape not in _SHAPES:
                    builder.refuse(f"the arrow shape '{shape}' is not one of normal, vee, odot and none", sign.line)
            return join_marks(_SHAPES[near], _SHAPES[far])

        reader = DotReader(builder, text, ("digraph", "graph"), mark_of)
        reader.read()
        if reader.labels:
            node, label = next(iter(reader.labels.items()))
            more = f" and {len(reader.labels) - 1} more" if len(reader.labels) > 1 else ""
            shown = escape_controls(f"'{node}', not '{label}'{more}")
            _LOG.warning("a DOT node is known by its name, not by its label: %s", shown)

    def render(self, graph: Graph) -> str:
        return self.render_with(graph, {})

    def render_with(self, graph: Graph, attributes: EdgeAttributes) -> str:
        lines = [f"  {_quote(name)};" for name in graph.names]
        widths = _pen_widths(attributes)
        for left, mark, right in edges_of(graph):
            near, far = EDGE_MARKS[mark]
            style = [f"dir=both, arrowtail={_WRITTEN[near]}, arrowhead={_WRITTEN[far]}"]
            style = {"-->": [], "---": ["dir=none"], "<->": ["dir=both"]}.get(mark, style)
            pair = frozenset((left, right))
            known = attributes.get(pair, {})
            if mark == "-->" and known.get("reversible"):
                style.append("arrowhead=empty")  # read back as an arrowhead
            style += [f'{name}="{attribute_text(known[name])}"' for name in ATTRIBUTES if name in known]
            style += [f"penwidth={widths[pair]:g}"] if pair in widths else []
            listed = f" [{', '.join(style)}]" if style else ""
            lines.append(f"  {_quote(left)} -> {_quote(right)}{listed};")
        return "\n".join(["digraph {", *lines, "}"]) + "\n"


def _pen_widths(attributes: EdgeAttributes) -> dict[frozenset[str], float]:
    strengths = {pair: float(known["strength"]) for pair, known in attributes.items() if "strength" in known}
    return {pair: round(width, 2) for pair, width in rank_widths(strengths).items()}


def _quote(name: str) -> str:
    try:
        return quote(name)
    except FormatError as mistake:
        raise FormatError(f"DOT: {mistake}") from None
