"""Figures 4 and 5: the difference of each contestant's BIC from the true graph's."""

from __future__ import annotations

from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.measures import discrepancy
from mahc.paper.charts.bars import Bar, vertical
from mahc.paper.charts.palette import colour_of
from mahc.paper.charts.panels import Entry, arrange
from mahc.paper.charts.scale import two_sided
from mahc.paper.estimate import Estimate
from mahc.paper.figures.figure import Figure
from mahc.paper.names import file_word, title_of
from mahc.paper.numbers import DATA
from mahc.paper.results import Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table
from mahc.plurals import count

CAPTION = (
    "BIC minus the true graph's BIC, in percent of the true graph's, by case and sample size: above zero the learned "
    "graph scores higher than the true one. The axis is linear up to ±1 % and logarithmic beyond."
)
PERCENT = Column("", digits=2, unit="%")


def discrepancy_figure(results: Results, data: str) -> Figure:
    """Figure 4 for clean data, Figure 5 for a noise."""
    number = 4 if data == "clean" else 5
    shown = tuple(one for one in results.learners if not one.paper_name.startswith("MAHC_"))
    places = [(case, size) for _, case, size in results.places(data=data)]
    found = {
        (one.label, case, size): results.over_all_seeds(partial(above_truth, results, one, case, data, size))
        for one in shown
        for case, size in places
    }
    ran = {one.label: results.places(one, data) for one in shown}
    colours = {one.label: colour_of(one.paper_name, place) for place, one in enumerate(shown)}
    title = f"Figure {number}. BIC against the true graph's, {data} data"
    panels = []
    for case in results.outline.cases:
        groups = [
            (f"{size:,}", [_bar(one.label, size, found[one.label, case, size], colours[one.label]) for one in shown])
            for name, size in places
            if name == case
        ]
        ends = [value.mean for (_, name, _), value in found.items() if name == case and value is not None]
        panels.append(vertical(f"{title_of(case)}, % of the truth's BIC", groups, two_sided(ends)))
    lines = tuple(
        Line(
            (title_of(case), f"{size:,}"),
            tuple(_cell(found[one.label, case, size], (data, case, size) in ran[one.label]) for one in shown),
        )
        for case, size in places
    )
    columns = tuple(Column(one.label, digits=2, unit="%") for one in shown)
    key = f"figure-{number}" if data in DATA else f"figure-{number}-{file_word(data)}"
    table = Table(key, title, CAPTION, ("Case", "Sample size"), columns, (Block("", lines),))
    return Figure(arrange(title, panels, 2, [Entry(name, colour) for name, colour in colours.items()]), table)


def above_truth(results: Results, who: ContestantInfo, case: str, data: str, size: int, seed: int) -> float | None:
    """The discrepancy of one cell in percent."""
    where = Experiment(case, data, size, seed)
    truth = results.truth
    score, true = results.score(who, where), None if truth is None else results.score(truth, where)
    return None if score is None or not true else discrepancy(score, true)


def _bar(name: str, size: int, value: Estimate | None, colour: str) -> Bar:
    if value is None:
        return Bar(None, colour)
    return Bar(value.mean, colour, f"{name}, {count(size, 'row')}: {PERCENT.show(value.mean, signed=True)}")


def _cell(value: Estimate | None, in_plan: bool) -> Cell:
    return Cell(value, None, "" if value else ("no score" if in_plan else "–"))
