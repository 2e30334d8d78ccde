"""Figure 3: every other algorithm's measures relative to the reference's."""

from __future__ import annotations

from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.paper.charts.bars import Bar, horizontal
from mahc.paper.charts.palette import BETTER, BETTER_CLASS, WORSE, WORSE_CLASS
from mahc.paper.charts.panels import Entry, Panel, arrange
from mahc.paper.charts.scale import linear
from mahc.paper.estimate import Estimate, mean
from mahc.paper.figures.figure import Figure
from mahc.paper.printed_subset import printed_subset
from mahc.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "The mean over the experiments of each algorithm's measure relative to {who}'s, minus 100 %: below zero the "
    "algorithm was worse than {who}. SHD is compared as ({who}'s + 1) / (the other's + 1), the other measures as the "
    "other's / {who}'s. Experiments that one of the two did not finish, or in which {who}'s measure is not above zero "
    "(no ratio), are left out; a class is the mean of its members."
)
OF_PAPER = (
    " The paper prints this figure without numbers: those beside ours are computed in the same way from its Table B.1, "
    "on the cases and sizes of this run."
)
PERCENT = Column("", unit="%")


def relative_figure(results: Results) -> Figure:
    """Figure 3, five measures by kinds of data."""
    data = results.outline.data
    names = [(other.label, (other,)) for other in results.others] + _classes(results)
    found = {
        (measure, kind, name): results.over_seeds(partial(_of_group, results, members, kind, measure))
        for measure in MEASURES
        for kind in data
        for name, members in names
    }
    reference = results.reference_name
    title = f"Figure 3. Graphical accuracy relative to {reference}"
    panels = [_panel(found, names, measure, kind, len(results.others)) for measure in MEASURES for kind in data]
    legend = [Entry(f"algorithm, worse than {reference}", WORSE), Entry("algorithm, better", BETTER)]
    if len(names) > len(results.others):
        legend += [Entry("learning class, worse", WORSE_CLASS), Entry("learning class, better", BETTER_CLASS)]
    columns = tuple(Column(MEASURE_TITLES[measure], kind, 1, "%") for kind in data for measure in MEASURES)
    printed = printed_subset(results)
    caption = CAPTION.format(who=reference) + (OF_PAPER if results.follows_paper else "")
    lines = tuple(
        Line(
            (name,),
            tuple(_cell(found[m, kind, name], _of_paper(printed, members, kind, m)) for kind in data for m in MEASURES),
        )
        for name, members in names
    )
    table = Table("figure-3", title, caption, (f"Relative to {reference}",), columns, (Block("", lines),))
    return Figure(arrange(title, panels, max(len(data), 1), legend), table)


def relative(results: Results, where: Experiment, other: ContestantInfo, measure: str) -> float | None:
    """One experiment's relative difference in percent; None where there is no ratio."""
    reference = results.reference
    if reference is None:
        return None
    mahc, theirs = results.measure(reference, where, measure), results.measure(other, where, measure)
    if mahc is None or theirs is None:
        return None
    if measure == "shd":
        return 100 * ((mahc + 1) / (theirs + 1) - 1)
    return 100 * (theirs / mahc - 1) if mahc > 0 else None


def _of_group(
    results: Results, members: tuple[ContestantInfo, ...], data: str, measure: str, seed: int
) -> float | None:
    wheres = list(results.experiments(data, seed=seed))
    return mean(mean(relative(results, where, one, measure) for where in wheres) for one in members)


def _classes(results: Results) -> list[tuple[str, tuple[ContestantInfo, ...]]]:
    names = list(dict.fromkeys(other.learning_class for other in results.others if other.learning_class))
    grouped = [(name, tuple(one for one in results.others if one.learning_class == name)) for name in names]
    labels = {other.label for other in results.others}
    return [(f"{name} (class)" if name in labels else name, many) for name, many in grouped if len(many) > 1]


def _panel(
    found: dict[tuple[str, str, str], Estimate | None],
    names: list[tuple[str, tuple[ContestantInfo, ...]]],
    measure: str,
    data: str,
    algorithms: int,
) -> Panel:
    # Both kinds of data share a scale, so that a pair of panels can be compared.
    scale = linear(
        end
        for (name, _, _), value in found.items()
        if name == measure and value is not None
        for end in (value.mean, value.low, value.high)
        if end is not None
    )
    bars = []
    for position, (name, _) in enumerate(names):
        value = found[measure, data, name]
        if value is None:
            bars.append((name, Bar(None, WORSE)))
            continue
        worse, better = (WORSE, BETTER) if position < algorithms else (WORSE_CLASS, BETTER_CLASS)
        label = PERCENT.show(value.mean, signed=True)
        colour = worse if value.mean < 0 else better
        bars.append((name, Bar(value.mean, colour, f"{name}: {label}", value.low, value.high, label)))
    return horizontal(f"{MEASURE_TITLES[measure]}, {data} data", bars, scale)


def _of_paper(printed: Results, members: tuple[ContestantInfo, ...], data: str, measure: str) -> float | None:
    same = tuple(printed.by_paper_name(one.paper_name) if one.paper_name else None for one in members)
    known = tuple(one for one in same if one is not None)
    return _of_group(printed, known, data, measure, 0) if len(known) == len(members) else None


def _cell(value: Estimate | None, paper: float | None) -> Cell:
    return Cell(value, paper, "" if value else "no ratio")
