"""Graphs as JSON: the names in order, and the arcs, or the edges with their marks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mahc.documents import parse_json
from mahc.graphs.dag import DAG
from mahc.graphs.files.graph_format import GRAPH_FORMATS, Graph, GraphBuilder, GraphFormat
from mahc.plurals import noun


@GRAPH_FORMATS.register("json")
@dataclass(frozen=True)
class GraphJson(GraphFormat):
    """`{"names": [...], "arcs": [[from, to], ...]}`, or `"edges": [[left, mark, right], ...]`.

    >>> GraphJson().parse('{"names": ["a", "b"], "edges": [["a", "o->", "b"]]}')
    MixedGraph(2 variables, 1 edge: a o-> b)
    """

    title = "JSON (names, and arcs or edges)"
    suffixes = (".json",)
    keeps = "everything, with the order of the variables"

    def recognises(self, text: str) -> bool:
        return text.lstrip().startswith("{")

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        content = parse_json(text, builder.file)
        if not isinstance(content, dict) or "names" not in content or ("arcs" in content) == ("edges" in content):
            builder.refuse('the file needs an object with "names" and with either "arcs" or "edges"')
        unknown = sorted(set(content) - {"names", "arcs", "edges"})
        if unknown:
            builder.refuse(f'"{unknown[0]}" is not one of "names", "arcs" and "edges"')
        names = _texts(builder, content["names"], None, "names")
        for name in names:
            builder.add_variable(name)
        if len(set(names)) < len(names):
            builder.refuse('a variable is listed twice in "names"')
        part = "arcs" if "arcs" in content else "edges"
        if not isinstance(content[part], list):
            builder.refuse(f'"{part}" is not a list')
        for item in content[part]:
            values = _texts(builder, item, 2 if part == "arcs" else 3, part)
            left, mark, right = (values[0], "-->", values[1]) if part == "arcs" else values
            for name in (left, right):
                if not builder.knows(name):
                    builder.refuse(f"'{name}' in {json.dumps(item, ensure_ascii=False)} is not one of the names")
            builder.add_edge(left, mark, right)

    def render(self, graph: Graph) -> str:
        part, items = ("arcs", graph.arcs) if isinstance(graph, DAG) else ("edges", graph.edges)
        listed = ",\n".join("    " + json.dumps(item, ensure_ascii=False) for item in items)
        body = f"[\n{listed}\n  ]" if items else "[]"
        return f'{{\n  "names": {json.dumps(graph.names, ensure_ascii=False)},\n  "{part}": {body}\n}}\n'


def _texts(builder: GraphBuilder, item: Any, count: int | None, part: str) -> list[str]:
    if not isinstance(item, list) or not all(isinstance(value, str) for value in item):
        builder.refuse(f'"{part}" must hold lists of strings')
    if count is not None and len(item) != count:
        builder.refuse(f'"{part}" holds a list of {len(item)} {noun(len(item), "string")}, not {count}')
    return [str(value) for value in item]
