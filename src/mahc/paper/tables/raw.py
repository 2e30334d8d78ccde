"""Table B.1: the result of every contestant in every experiment."""

from __future__ import annotations

from functools import cache

from mahc.experiment.outline import ContestantInfo
from mahc.experiment.row import OUTCOME_WORDS, Row
from mahc.paper.estimate import Estimate
from mahc.paper.names import paper_case, title_of
from mahc.paper.numbers import raw_rows
from mahc.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "The mean over the seeds of each contestant's results. The paper's BIC is that of the paper's sample, so it also "
    "differs from ours by chance. Failed seeds are left out of the mean and counted in the last column."
)
COLUMNS = (
    Column("BIC", digits=1),
    *(Column(MEASURE_TITLES[name], digits=1 if name == "shd" else 3) for name in MEASURES),
    Column("Failed", digits=0),
)


def raw_table(results: Results) -> Table:
    """Table B.1, one block for each contestant."""
    blocks = tuple(
        Block(
            one.label
            if not one.paper_name or one.paper_name == one.label
            else f"{one.label} (the paper's {one.paper_name})",
            tuple(_line(results, one, case, data, size) for data, case, size in results.places(one)),
        )
        for one in results.outline.contestants
    )
    return Table("table-b1", "Table B.1. Raw scores", CAPTION, ("Case", "Sample size", "Data"), COLUMNS, blocks)


@cache
def _printed() -> dict[tuple[str, str, str, int], Row]:
    return {(row.contestant, row.case, row.data, row.rows): row for row in raw_rows()}


def _line(results: Results, who: ContestantInfo, case: str, data: str, size: int) -> Line:
    wheres = [Experiment(case, data, size, seed) for seed in results.outline.seeds]
    rows = [row for where in wheres if (row := results.row(who, where)) is not None]
    printed = _printed().get((who.paper_name, paper_case(case), data, size))
    failed = sorted({OUTCOME_WORDS.get(row.outcome, row.outcome) for row in rows if not row.finished})
    note = ", ".join(failed) if rows else "not run"
    cells = [_cell([row.score for row in rows if row.finished], printed.score if printed else None, note or "no score")]
    for name in MEASURES:
        found = [row.measures.get(name) for row in rows if row.finished]
        cells.append(_cell(found, printed.measures.get(name) if printed else None, note or "none"))
    count = sum(not row.finished for row in rows)
    lost = None if printed is None else float(not printed.finished)
    cells.append(Cell(Estimate(count, None, len(rows)), lost) if rows else Cell(None, lost, "not run"))
    return Line((title_of(case), f"{size:,}", data), tuple(cells))


def _cell(values: list[float | None], paper: float | None, note: str) -> Cell:
    ours = Estimate.of(values)
    return Cell(ours, paper, "" if ours else note)
