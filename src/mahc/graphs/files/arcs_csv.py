"""A list of arcs as CSV: `from,to`, and `mark` if the graph has other edges than arcs."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.graphs.files.csv_rows import first_row, read_rows, write_rows
from mahc.graphs.files.graph_builder import Graph, GraphBuilder
from mahc.graphs.files.graph_format import GRAPH_FORMATS, GraphFormat, edges_of, unconnected_names


@GRAPH_FORMATS.register("arcs")
@dataclass(frozen=True)
class ArcsCsv(GraphFormat):
    """One edge per row; an unconnected variable has its own row with an empty `to`.

    >>> from mahc.graphs import DAG
    >>> print(ArcsCsv().render(DAG(["a", "b", "c"], [("a", "b")])), end="")
    from,to
    a,b
    c,
    """

    title = "arc list (from,to[,mark])"
    suffixes = (".csv",)
    keeps = "all variables and marks"

    def recognises(self, text: str) -> bool:
        return first_row(text)[:2] == ["from", "to"]

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        rows = read_rows(builder, text)
        line, header = next(rows, (1, []))
        columns = [cell.strip().lower() for cell in header]
        if columns not in (["from", "to"], ["from", "to", "mark"]):
            builder.refuse(f"the header is '{','.join(header)}' where 'from,to' or 'from,to,mark' is needed", line)
        for line, row in rows:
            if not len(columns) - 1 <= len(row) <= len(columns):
                builder.refuse(f"the row has {len(row)} cells where {len(columns)} are needed", line)
            left, right, mark = (*row, "", "")[:3]
            if not right:
                if mark:
                    builder.refuse(f"the edge '{left} {mark}' has no second variable", line)
                builder.add_variable(left, line)
            else:
                builder.add_edge(left, mark.strip() or "-->", right, line)

    def render(self, graph: Graph) -> str:
        edges, unconnected = edges_of(graph), unconnected_names(graph)
        if all(edge.mark == "-->" for edge in edges):
            return write_rows(
                [("from", "to"), *((e.left, e.right) for e in edges), *((name, "") for name in unconnected)]
            )
        rows = [("from", "to", "mark"), *((e.left, e.right, e.mark) for e in edges)]
        return write_rows([*rows, *((name, "", "") for name in unconnected)])
