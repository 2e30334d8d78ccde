"""Graphs as JSON: the names in order, and the arcs, or the edges with their marks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mahc.graphs.dag import DAG
from mahc.graphs.files.graph_builder import Graph, GraphBuilder
from mahc.graphs.files.graph_format import GRAPH_FORMATS, GraphFormat


@GRAPH_FORMATS.register("json")
@dataclass(frozen=True)
class GraphJson(GraphFormat):
    """`{"names": [...], "arcs": [[from, to], ...]}`, or `"edges": [[left, mark, right], ...]`.

    >>> GraphJson().parse('{"names": ["a", "b"], "edges": [["a", "o->", "b"]]}')
    MixedGraph(2 variables, 1 edges: a o-> b)
    """

    title = "JSON (names, and arcs or edges)"
    suffixes = (".json",)
    keeps = "everything, with the order of the variables"

    def recognises(self, text: str) -> bool:
        return text.lstrip().startswith("{")

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        content = _load(builder, text)
        if not isinstance(content, dict) or "names" not in content or ("arcs" in content) == ("edges" in content):
            builder.refuse('the file needs an object with "names" and with either "arcs" or "edges"')
        unknown = sorted(set(content) - {"names", "arcs", "edges"})
        if unknown:
            builder.refuse(f'"{unknown[0]}" is none of "names", "arcs" and "edges"')
        names = _texts(builder, content["names"], None, "names")
        for name in names:
            builder.add_variable(name)
        if len(set(names)) < len(names):
            builder.refuse('a variable stands twice in "names"')
        part = "arcs" if "arcs" in content else "edges"
        if not isinstance(content[part], list):
            builder.refuse(f'"{part}" is not a list')
        for item in content[part]:
            words = _texts(builder, item, 2 if part == "arcs" else 3, part)
            left, mark, right = (words[0], "-->", words[1]) if part == "arcs" else words
            for name in (left, right):
                if not builder.knows(name):
                    builder.refuse(f"'{name}' in {json.dumps(item, ensure_ascii=False)} is not one of the names")
            builder.add_edge(left, mark, right)

    def render(self, graph: Graph) -> str:
        part, items = ("arcs", graph.arcs) if isinstance(graph, DAG) else ("edges", graph.edges)
        listed = ",\n".join("    " + json.dumps(item, ensure_ascii=False) for item in items)
        body = f"[\n{listed}\n  ]" if items else "[]"
        return f'{{\n  "names": {json.dumps(graph.names, ensure_ascii=False)},\n  "{part}": {body}\n}}\n'


def _load(builder: GraphBuilder, text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            builder.refuse("a key of an object is given twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as mistake:
        builder.refuse(f"this is not JSON: {mistake.msg}", mistake.lineno)
    except (RecursionError, ValueError):  # nested thousands deep, or a number of thousands of digits
        builder.refuse("this JSON is no graph: it is nested too deeply or holds an endless number")


def _texts(builder: GraphBuilder, item: Any, count: int | None, part: str) -> list[str]:
    if not isinstance(item, list) or not all(isinstance(word, str) for word in item):
        builder.refuse(f'"{part}" holds something that is not a list of texts')
    if count is not None and len(item) != count:
        builder.refuse(f'"{part}" holds a list of {len(item)} texts where {count} are needed')
    return [str(word) for word in item]
