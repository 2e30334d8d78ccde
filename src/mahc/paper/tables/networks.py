"""Table 2: the case studies."""

from __future__ import annotations

from dataclasses import asdict

from mahc.paper.estimate import Estimate
from mahc.paper.names import paper_case, title_of
from mahc.paper.numbers import network_facts
from mahc.paper.results import Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "The true networks. Free parameters are counted with all states of the network. Where the network could not be "
    "read, nodes and arcs are those of the rows of the ground truth."
)
KEYS = {
    "nodes": Column("Nodes", digits=0),
    "arcs": Column("Arcs", digits=0),
    "average_degree": Column("Average degree", digits=2),
    "maximum_in_degree": Column("Maximum in-degree", digits=0),
    "free_parameters": Column("Free parameters", digits=0),
}


def networks_table(results: Results) -> Table:
    """Table 2 from the networks, or from the ground truth's rows on clean data."""
    lines = tuple(_line(results, case) for case in results.outline.cases)
    return Table("table-2", "Table 2. The case studies", CAPTION, ("Case",), tuple(KEYS.values()), (Block("", lines),))


def _sizes(results: Results, case: str) -> dict[str, float | None]:
    """What is known of a case's network, by column."""
    known = next((size for size in results.outline.networks if size.name == case), None)
    if known is not None:
        return {**asdict(known), "maximum_in_degree": known.max_in_degree}
    truth = results.truth
    for where in results.experiments("clean", case=case):
        row = None if truth is None else results.row(truth, where)
        if row is not None and row.finished:
            degree = 2 * row.edges / row.variables if row.variables and row.edges is not None else None
            return {"nodes": row.variables, "arcs": row.edges, "average_degree": degree}
    return {}


def _line(results: Results, case: str) -> Line:
    values = _sizes(results, case)
    printed = network_facts().get(paper_case(case), {})
    cells = [_cell(values.get(key), printed.get(key)) for key in KEYS]
    return Line((title_of(case),), tuple(cells))


def _cell(value: float | None, paper: float | None) -> Cell:
    return Cell(None, paper, "not known") if value is None else Cell(Estimate(value, None, 1), paper)
