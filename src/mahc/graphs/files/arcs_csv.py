"""A list of arcs as CSV: `from,to`, `mark` if the graph has other edges than arcs, then what is known of each edge."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.graphs.files.csv_rows import first_row, read_rows, write_rows
from mahc.graphs.files.graph_format import (
    ATTRIBUTES,
    GRAPH_FORMATS,
    EdgeAttributes,
    Graph,
    GraphBuilder,
    GraphFormat,
    attribute_names,
    attribute_text,
    edges_of,
    unconnected_names,
)
from mahc.plurals import count


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

    title = "arc list (from,to[,mark][,strength][,reversible][,confidence])"
    suffixes = (".csv",)
    keeps = "all variables and marks"

    def recognises(self, text: str) -> bool:
        return first_row(text)[:2] == ["from", "to"]

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        rows = read_rows(builder, text)
        line, header = next(rows, (1, []))
        columns = [cell.strip().lower() for cell in header]
        has_mark = columns[2:3] == ["mark"]
        known = columns[2 + has_mark :]
        if columns[:2] != ["from", "to"] or len(set(known)) < len(known) or not set(known) <= set(ATTRIBUTES):
            builder.refuse(
                f"the header is '{','.join(header)}' where 'from,to' or 'from,to,mark' is needed; "
                f"{', '.join(ATTRIBUTES)} may follow",
                line,
            )
        for line, row in rows:
            if not len(columns) - 1 <= len(row) <= len(columns):
                builder.refuse(f"the row has {count(len(row), 'cell')}, not {len(columns)}", line)
            left, right, mark = (*row[: 2 + has_mark], "", "")[:3]
            if not right:
                if mark:
                    builder.refuse(f"the edge '{left} {mark}' has no second variable", line)
                builder.add_variable(left, line)
            else:
                builder.add_edge(left, mark.strip() or "-->", right, line)

    def render(self, graph: Graph) -> str:
        return self.render_with(graph, {})

    def render_with(self, graph: Graph, attributes: EdgeAttributes) -> str:
        edges, names = edges_of(graph), attribute_names(attributes)
        marked = any(edge.mark != "-->" for edge in edges)
        rows = [("from", "to", *(["mark"] if marked else []), *names)]
        for edge in edges:
            known = attributes.get(frozenset((edge.left, edge.right)), {})
            values = (attribute_text(known.get(name)) for name in names)
            rows.append((edge.left, edge.right, *([edge.mark] if marked else []), *values))
        blank = [""] * (len(rows[0]) - 1)
        return write_rows([*rows, *((name, *blank) for name in unconnected_names(graph))])
