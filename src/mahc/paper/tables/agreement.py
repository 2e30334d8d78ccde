"""Data sets without a true graph: how far the graphs of every two contestants agree."""

from __future__ import annotations

from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.experiment.row import Row
from mahc.graphs import MixedGraph
from mahc.measures import compare
from mahc.paper.estimate import mean
from mahc.paper.names import title_of
from mahc.paper.results import Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "F1 between the graphs of two contestants on the same rows, as CPDAG or PAG: 1 if they are the same, 0 if they "
    "have no edge in common. The true graph of these data is not known, so agreement is not correctness."
)


def agreement_table(results: Results) -> Table:
    """One block for each data set, over all its sizes."""
    learners = results.learners
    blocks = tuple(
        Block(title_of(case), tuple(_line(results, one, learners, case) for one in learners))
        for case in results.outline.data_sets
    )
    columns = tuple(Column(one.label, digits=3) for one in learners)
    return Table("agreement", "Agreement between contestants", CAPTION, ("Contestant",), columns, blocks)


def _line(results: Results, one: ContestantInfo, learners: tuple[ContestantInfo, ...], case: str) -> Line:
    cells = []
    for other in learners:
        ours = results.over_all_seeds(partial(_agreement, results, one, other, case)) if other is not one else None
        cells.append(Cell(ours, None, "" if ours else "–"))
    return Line((one.label,), tuple(cells))


def _agreement(results: Results, one: ContestantInfo, other: ContestantInfo, case: str, seed: int) -> float | None:
    found = []
    for where in results.experiments(case=case, seed=seed):
        first, second = results.row(one, where), results.row(other, where)
        found.append(None if first is None or second is None else _f1(first, second))
    return mean(found)


def _f1(first: Row, second: Row) -> float | None:
    if first.pattern is None or second.pattern is None:
        return None
    names = sorted({name for edge in (*first.pattern, *second.pattern) for name in (edge[0], edge[2])})
    if not names:
        return 1.0  # two graphs without edges
    graphs = [MixedGraph(names, [(e[0], e[1], e[2]) for e in row.pattern or ()]) for row in (first, second)]
    return compare(graphs[0], graphs[1], "pag")["f1"]
