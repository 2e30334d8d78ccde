"""The edge lists of Bayesys (`DAGtrue_*.csv`, `DAGlearned.csv`): `ID,Variable 1,Dependency,Variable 2`."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from mahc.graphs.files.csv_rows import first_row, read_rows, write_rows
from mahc.graphs.files.graph_format import GRAPH_FORMATS, Graph, GraphBuilder, GraphFormat, edges_of, unconnected_names
from mahc.plurals import count
from mahc.safe_text import escape_controls

log = logging.getLogger(__name__)

HEADER = ("ID", "Variable 1", "Dependency", "Variable 2")
# Dependencies as Bayesys writes them, and variants, to the marks of mahc.
DEPENDENCIES = {
    "->": "-->",
    "<-": "<--",
    "<->": "<->",
    "-": "---",
    "--": "---",
    "o-": "o--",
    "-o": "--o",
    "o->": "o->",
    "<-o": "<-o",
    "o-o": "o-o",
}
WRITTEN = {"-->": "->", "<->": "<->", "---": "---", "o->": "o->", "o-o": "o-o", "o--": "o--"}


@GRAPH_FORMATS.register("bayesys")
@dataclass(frozen=True)
class Bayesys(GraphFormat):
    """One numbered edge per row; unconnected variables are not in the file, so pass `names` to keep them.

    >>> Bayesys().parse("ID,Variable 1,Dependency,Variable 2\\n1,asia,->,tub\\n").arcs
    (('asia', 'tub'),)
    """

    title = "Bayesys edge list (ID,Variable 1,Dependency,Variable 2)"
    suffixes = ()
    also_read = (".csv",)
    keeps = "all marks; not unconnected variables"

    def recognises(self, text: str) -> bool:
        return first_row(text)[:4] == [cell.lower() for cell in HEADER]

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        rows = read_rows(builder, text)
        line, header = next(rows, (1, []))
        if [cell.strip().lower() for cell in header] != [cell.lower() for cell in HEADER]:
            builder.refuse(f"the header is '{','.join(header)}' where '{','.join(HEADER)}' is needed", line)
        for line, row in rows:
            if len(row) != len(HEADER):
                builder.refuse(f"the row has {count(len(row), 'cell')}, not {len(HEADER)}", line)
            _, left, dependency, right = row
            mark = dependency.strip()
            builder.add_edge(left, DEPENDENCIES.get(mark, mark), right, line)

    def render(self, graph: Graph) -> str:
        unconnected = unconnected_names(graph)
        if unconnected:
            log.warning(
                "a Bayesys list cannot hold unconnected variables: %d left out (%s)",
                len(unconnected),
                escape_controls(", ".join(unconnected[:5]) + (", ..." if len(unconnected) > 5 else "")),
            )
        edges = enumerate(edges_of(graph), start=1)
        return write_rows([HEADER, *((str(i), e.left, WRITTEN[e.mark], e.right) for i, e in edges)])
