"""Tables by case: the networks (Table 2), normalised scores (Table 6), raw scores (Table B.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, partial

from mahc.lab.outline import OUTCOME_WORDS, ContestantInfo, Row
from mahc.lab.paper.numbers import network_facts, raw_rows
from mahc.lab.paper.numbers import normalised_scores as paper_scores
from mahc.lab.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results, covers_paper, paper_case, title_of
from mahc.lab.report.table import Block, Cell, Column, Estimate, Line, Table, mean

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
NORMALISED_CAPTION = (
    "Within each experiment the lowest BIC is 0 % and the highest 100 %, the true graph's included; then the mean over "
    "the cases. A contestant without a score is left out of its mean only; an experiment in which the true graph has "
    "no score (noisy Pathfinder in the paper) is left out for all."
)
RAW_CAPTION = (
    "The mean over the seeds of each contestant's results. The paper's BIC is that of the paper's sample, so it also "
    "differs from ours by chance. Failed seeds are left out of the mean and counted in the last column."
)
COLUMNS = (
    Column("BIC", digits=1),
    *(Column(MEASURE_TITLES[name], digits=1 if name == "shd" else 3) for name in MEASURES),
    Column("Failed", digits=0),
)


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


def normalised_table(results: Results) -> Table:
    """Table 6, one block for each kind of data."""
    shown = _shown(results)
    blocks = tuple(
        Block(
            f"{data} data",
            tuple(
                _normalised_line(results, shown, data, size)
                for size in results.outline.sizes
                if any(True for _ in results.experiments(data, size=size))
            ),
        )
        for data in results.outline.data
    )
    columns = tuple(Column(one.label, digits=2, unit="%") for one in shown)
    return Table("table-6", "Table 6. Normalised BIC", NORMALISED_CAPTION, ("Sample size",), columns, blocks)


def normalised(results: Results, where: Experiment) -> Mapping[str, float]:
    """Each contestant's percentage in one experiment, by label; empty where the truth has no score."""
    truth = results.truth
    if truth is None or results.score(truth, where) is None:
        return {}
    scores = {one.label: results.score(one, where) for one in _shown(results)}
    known = {label: score for label, score in scores.items() if score is not None}
    low, high = min(known.values()), max(known.values())
    # Where all score the same, all are the best.
    return {label: 100 * (score - low) / (high - low) if high > low else 100.0 for label, score in known.items()}


def mean_normalised(results: Results, who: ContestantInfo, data: str, size: int, seed: int) -> float | None:
    """One cell of Table 6 for one seed."""
    return mean(normalised(results, where).get(who.label) for where in results.experiments(data, size=size, seed=seed))


def _shown(results: Results) -> tuple[ContestantInfo, ...]:
    # The ablations are compared in Table 7; here they would change the scale, as would contestants that take part in
    # only some samples.
    return tuple(
        one
        for one in results.outline.contestants
        if not one.paper_name.startswith("MAHC_") and one not in results.partial
    )


def _normalised_line(results: Results, shown: tuple[ContestantInfo, ...], data: str, size: int) -> Line:
    cells = []
    printed = paper_scores() if covers_paper(results) else {}
    for one in shown:
        ours = results.over_seeds(partial(mean_normalised, results, one, data, size))
        cells.append(Cell(ours, printed.get((data, size, one.paper_name)), "" if ours else "no score"))
    return Line((f"{size:,}",), tuple(cells))


def raw_table(results: Results) -> Table:
    """Table B.1, one block for each contestant."""
    blocks = tuple(
        Block(
            one.label
            if not one.paper_name or one.paper_name == one.label
            else f"{one.label} (the paper's {one.paper_name})",
            tuple(_raw_line(results, one, case, data, size) for data, case, size in results.places(one)),
        )
        for one in results.outline.contestants
    )
    return Table("table-b1", "Table B.1. Raw scores", RAW_CAPTION, ("Case", "Sample size", "Data"), COLUMNS, blocks)


@cache
def _printed() -> dict[tuple[str, str, str, int], Row]:
    return {(row.contestant, row.case, row.data, row.rows): row for row in raw_rows()}


def _raw_line(results: Results, who: ContestantInfo, case: str, data: str, size: int) -> Line:
    wheres = [Experiment(case, data, size, seed) for seed in results.outline.seeds]
    rows = [row for where in wheres if (row := results.row(who, where)) is not None]
    printed = _printed().get((who.paper_name, paper_case(case), data, size))
    failed = sorted({OUTCOME_WORDS.get(row.outcome, row.outcome) for row in rows if not row.finished})
    note = ", ".join(failed) if rows else "not run"
    cells = [
        _mean_cell([row.score for row in rows if row.finished], printed.score if printed else None, note or "no score")
    ]
    for name in MEASURES:
        found = [row.measures.get(name) for row in rows if row.finished]
        cells.append(_mean_cell(found, printed.measures.get(name) if printed else None, note or "none"))
    count = sum(not row.finished for row in rows)
    lost = None if printed is None else float(not printed.finished)
    cells.append(Cell(Estimate(count, None, len(rows)), lost) if rows else Cell(None, lost, "not run"))
    return Line((title_of(case), f"{size:,}", data), tuple(cells))


def _mean_cell(values: list[float | None], paper: float | None, note: str) -> Cell:
    ours = Estimate.of(values)
    return Cell(ours, paper, "" if ours else note)
