"""Adjacency matrices as CSV, with the names in the first row and column."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.errors import FormatError
from mahc.graphs.files.csv_rows import first_row, read_rows, write_rows
from mahc.graphs.files.graph_format import GRAPH_FORMATS, Graph, GraphBuilder, GraphFormat, edges_of
from mahc.graphs.marks import EDGE_MARKS, Mark, join_marks
from mahc.plurals import count

_ZERO = frozenset(("", "0", "0.0", "false"))
_ONE = frozenset(("1", "1.0", "true"))
_SIGNS = {"-": Mark.TAIL, ">": Mark.ARROW, "o": Mark.CIRCLE}
_CELLS = {mark: sign for sign, mark in _SIGNS.items()}


@GRAPH_FORMATS.register("adjacency")
@dataclass(frozen=True)
class AdjacencyCsv(GraphFormat):
    """1 in row i, column j is an arc i -> j, 1 in both cells an undirected edge; other marks at j are `-`, `>` or `o`.

    >>> from mahc.graphs import DAG
    >>> print(AdjacencyCsv().render(DAG(["a", "b"], [("a", "b")])), end="")
    ,a,b
    a,0,1
    b,0,0
    """

    title = "adjacency matrix (names in the first row and column)"
    suffixes = ()
    also_read = (".csv",)
    keeps = "all variables and marks; not a graph without variables"

    def recognises(self, text: str) -> bool:
        row = first_row(text)
        return row[0] == "" and len(row) > 1

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        rows = list(read_rows(builder, text))
        if not rows:
            builder.refuse("the file is empty: a row of names is needed", 1)
        header, columns = rows[0][0], rows[0][1][1:]
        for name in columns:
            builder.add_variable(name, header)
        place = {name: i for i, name in enumerate(columns)}
        if len(place) < len(columns):
            builder.refuse("the first row has a name twice", header)
        if len(rows) != len(columns) + 1:
            builder.refuse(
                f"the matrix has {count(len(rows) - 1, 'row')} and {count(len(columns), 'column')}: make it square",
                rows[-1][0],
            )
        cells: dict[int, dict[int, str]] = {}
        lines: dict[int, int] = {}
        for line, row in rows[1:]:
            i = _find_row(builder, place, row, line)
            if i in cells:
                builder.refuse(f"the row '{row[0]}' is given twice", line)
            cells[i], lines[i] = _read_cells(builder, row[1:], line), line
        for i, row_cells in cells.items():
            for j, cell in row_cells.items():
                back = cells[j].get(i)
                if back is None or i <= j:
                    builder.add_edge(columns[i], _combine_cells(builder, cell, back, lines[i]), columns[j], lines[i])

    def render(self, graph: Graph) -> str:
        if not graph.names:
            raise FormatError("a matrix needs at least one variable: write JSON instead")
        marks = {}
        plain = all(edge.mark in ("-->", "---") for edge in edges_of(graph))
        for left, mark, right in edges_of(graph):
            near, far = EDGE_MARKS[mark]
            marks[left, right] = "1" if plain else _CELLS[far]
            marks[right, left] = ("1" if mark == "---" else "0") if plain else _CELLS[near]
        rows = ((a, *(marks.get((a, b), "0") for b in graph.names)) for a in graph.names)
        return write_rows([("", *graph.names), *rows])


def _find_row(builder: GraphBuilder, place: dict[str, int], row: list[str], line: int) -> int:
    if len(row) != len(place) + 1:
        cells = count(len(row) - 1, "cell")
        builder.refuse(f"the row has {cells} after its name, not {len(place)}", line)
    if row[0] not in place:
        builder.refuse(f"the row is named '{row[0]}', but no column is", line)
    return place[row[0]]


def _read_cells(builder: GraphBuilder, row: list[str], line: int) -> dict[int, str]:
    cells = {}
    for j, text in enumerate(row):
        cell = text.strip().lower()
        if cell in _ZERO:
            continue
        if cell not in _ONE and cell not in _SIGNS:
            builder.refuse(f"the cell '{text}' is not one of 0, 1, '-', '>' and 'o'", line)
        cells[j] = "1" if cell in _ONE else cell
    return cells


def _combine_cells(builder: GraphBuilder, cell: str, back: str | None, line: int) -> str:
    if cell == "1" and back in (None, "1"):
        return "-->" if back is None else "---"
    if back is None or "1" in (cell, back):
        builder.refuse("an edge with marks needs one of '-', '>' and 'o' at both ends", line)
    return join_marks(_SIGNS[back], _SIGNS[cell])
