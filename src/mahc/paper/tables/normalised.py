"""Table 6: the BIC of every contestant, normalised within each experiment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.paper.estimate import mean
from mahc.paper.numbers import normalised_scores as paper_scores
from mahc.paper.printed_subset import covers_paper
from mahc.paper.results import Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "Within each experiment the lowest BIC is 0 % and the highest 100 %, the true graph's included; then the mean over "
    "the cases. A contestant without a score is left out of its mean only; an experiment in which the true graph has "
    "no score (noisy Pathfinder in the paper) is left out for all."
)


def normalised_table(results: Results) -> Table:
    """Table 6, one block for each kind of data."""
    shown = _shown(results)
    blocks = tuple(
        Block(
            f"{data} data",
            tuple(
                _line(results, shown, data, size)
                for size in results.outline.sizes
                if any(True for _ in results.experiments(data, size=size))
            ),
        )
        for data in results.outline.data
    )
    columns = tuple(Column(one.label, digits=2, unit="%") for one in shown)
    return Table("table-6", "Table 6. Normalised BIC", CAPTION, ("Sample size",), columns, blocks)


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


def _line(results: Results, shown: tuple[ContestantInfo, ...], data: str, size: int) -> Line:
    cells = []
    printed = paper_scores() if covers_paper(results) else {}
    for one in shown:
        ours = results.over_seeds(partial(mean_normalised, results, one, data, size))
        cells.append(Cell(ours, printed.get((data, size, one.paper_name)), "" if ours else "no score"))
    return Line((f"{size:,}",), tuple(cells))
