"""GraphML; edges have a `mark` if the graph has other edges than arcs or undirected edges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from mahc.errors import FormatError
from mahc.graphs.files.graph_format import (
    GRAPH_FORMATS,
    EdgeAttributes,
    Graph,
    GraphBuilder,
    GraphFormat,
    attribute_names,
    attribute_text,
    edges_of,
)

SPACE = "http://graphml.graphdrawing.org/xmlns"
_KEY = '  <key id="{0}" for="edge" attr.name="{0}" attr.type="{1}"/>'
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@GRAPH_FORMATS.register("graphml")
@dataclass(frozen=True)
class GraphMl(GraphFormat):
    """As networkx and igraph write it; the name of a node is its data `name` or `label` if all nodes have one.

    >>> from mahc.graphs import DAG
    >>> GraphMl().parse(GraphMl().render(DAG(["a", "b"], [("a", "b")]))).arcs
    (('a', 'b'),)
    """

    title = "GraphML"
    suffixes = (".graphml",)
    keeps = "all variables and marks; names that XML allows"

    def recognises(self, text: str) -> bool:
        return "<graphml" in text[:2000]

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        _Events(builder).read(text)

    def render(self, graph: Graph) -> str:
        return self.render_with(graph, {})

    def render_with(self, graph: Graph, attributes: EdgeAttributes) -> str:
        for name in graph.names:
            if _FORBIDDEN.search(name):
                raise FormatError(f"GraphML cannot hold the name {name!r}: write JSON instead")
        edges, names = edges_of(graph), attribute_names(attributes)
        default, marked = "directed", False
        if any(edge.mark != "-->" for edge in edges):
            default, marked = "undirected", any(edge.mark != "---" for edge in edges)
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{SPACE}">']
        lines += [_KEY.format("mark", "string")] if marked else []
        lines += [_KEY.format(name, "boolean" if name == "reversible" else "double") for name in names]
        lines.append(f'  <graph edgedefault="{default}">')
        lines += [f"    <node id={quoteattr(name)}/>" for name in graph.names]
        for left, mark, right in edges:
            known = attributes.get(frozenset((left, right)), {})
            data = [("mark", mark)] if marked else []
            data += [(name, attribute_text(known[name])) for name in names if name in known]
            ends = f"    <edge source={quoteattr(left)} target={quoteattr(right)}"
            values = "".join(f'<data key="{key}">{escape(value)}</data>' for key, value in data)
            lines.append(f"{ends}>{values}</edge>" if values else f"{ends}/>")
        return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


@dataclass
class _Item:
    line: int
    attributes: dict[str, str]
    data: dict[str, str] = field(default_factory=dict)


class _Events:
    # Handles the events of the parser; nodes and edges are kept with their lines until the end.

    def __init__(self, builder: GraphBuilder) -> None:
        self._builder = builder
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.buffer_text = True
        self._keys: dict[str, str] = {}
        self._nodes: dict[str, _Item] = {}
        self._edges: list[_Item] = []
        self._item: _Item | None = None
        self._key: str | None = None
        self._directed: bool | None = None

    def read(self, text: str) -> None:
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as mistake:
            self._builder.refuse(f"this is not XML: {expat.ErrorString(mistake.code)}", mistake.lineno)
        if self._directed is None:
            self._builder.refuse("there is no <graph> in the file")
        names = self._find_names()
        seen: set[str] = set()
        for item, name in zip(self._nodes.values(), names.values(), strict=True):
            if name in seen:
                self._builder.refuse(f"two nodes are named '{name}'", item.line)
            seen.add(name)
            self._builder.add_variable(name, item.line)
        for edge in self._edges:
            self._add_edge(edge, names)

    def _refuse_doctype(self, *_: object) -> None:
        line = self._parser.CurrentLineNumber
        self._builder.refuse("the file declares a document type, which is not supported: remove it", line)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        tag, line = tag.rpartition(" ")[2], self._parser.CurrentLineNumber
        if tag == "key":
            self._keys[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif tag == "graph":
            if self._directed is not None:
                self._builder.refuse("there is more than one <graph> in the file", line)
            self._directed = attributes.get("edgedefault", "directed") != "undirected"
        elif tag == "node":
            self._item = _Item(line, attributes)
            name = self._require(self._item, "id", "node")
            if name in self._nodes:
                self._builder.refuse(f"the node '{name}' is given twice", line)
            self._nodes[name] = self._item
        elif tag == "edge":
            self._item = _Item(line, attributes)
            self._edges.append(self._item)
        elif tag == "hyperedge":
            self._builder.refuse("hyperedges are not supported", line)
        elif tag == "data":
            self._key = self._keys.get(attributes.get("key", ""), attributes.get("key", ""))

    def _close(self, tag: str) -> None:
        tag = tag.rpartition(" ")[2]
        if tag == "data":
            self._key = None
        elif tag in ("node", "edge"):
            self._item = None

    def _add_text(self, text: str) -> None:
        if self._item is not None and self._key is not None:
            self._item.data[self._key] = self._item.data.get(self._key, "") + text

    def _require(self, item: _Item, key: str, tag: str) -> str:
        if key not in item.attributes:
            self._builder.refuse(f"a <{tag}> has no '{key}'", item.line)
        return item.attributes[key]

    def _find_names(self) -> dict[str, str]:
        for key in ("name", "label"):
            names = {node: item.data.get(key, "").strip() for node, item in self._nodes.items()}
            if names and all(names.values()):
                return names
        return {node: node for node in self._nodes}

    def _add_edge(self, edge: _Item, names: dict[str, str]) -> None:
        ends = [self._require(edge, end, "edge") for end in ("source", "target")]
        for end in ends:
            if end not in names:
                self._builder.refuse(f"an edge leads to '{end}', which is not a node", edge.line)
        directed = edge.attributes.get("directed", "true" if self._directed else "false") == "true"
        mark = edge.data.get("mark", "").strip() or ("-->" if directed else "---")
        self._builder.add_edge(names[ends[0]], mark, names[ends[1]], edge.line)
