"""Figures 3 to 5: measures relative to the reference's, and scores relative to the true graph's."""

from __future__ import annotations

from functools import partial

from mahc.lab.outline import ContestantInfo
from mahc.lab.paper.numbers import DATA
from mahc.lab.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results, file_word, printed_subset, title_of
from mahc.lab.report.charts import (
    BETTER,
    BETTER_CLASS,
    WORSE,
    WORSE_CLASS,
    Bar,
    Figure,
    Panel,
    arrange,
    colour_of,
    horizontal,
    linear,
    two_sided,
    vertical,
)
from mahc.lab.report.table import Block, Cell, Column, Estimate, Line, Table, mean
from mahc.measures import discrepancy
from mahc.plurals import count

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
DISCREPANCY_CAPTION = (
    "BIC minus the true graph's BIC, in percent of the true graph's, by case and sample size: above zero the learned "
    "graph scores higher than the true one. The axis is linear up to ±1 % and logarithmic beyond."
)
DISCREPANCY_PERCENT = Column("", digits=2, unit="%")


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
    legend = {f"algorithm, worse than {reference}": WORSE, "algorithm, better": BETTER}
    if len(names) > len(results.others):
        legend |= {"learning class, worse": WORSE_CLASS, "learning class, better": BETTER_CLASS}
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
            tuple(_score_cell(found[one.label, case, size], (data, case, size) in ran[one.label]) for one in shown),
        )
        for case, size in places
    )
    columns = tuple(Column(one.label, digits=2, unit="%") for one in shown)
    key = f"figure-{number}" if data in DATA else f"figure-{number}-{file_word(data)}"
    table = Table(key, title, DISCREPANCY_CAPTION, ("Case", "Sample size"), columns, (Block("", lines),))
    return Figure(arrange(title, panels, 2, colours), table)


def above_truth(results: Results, who: ContestantInfo, case: str, data: str, size: int, seed: int) -> float | None:
    """The discrepancy of one cell in percent."""
    where = Experiment(case, data, size, seed)
    truth = results.truth
    score, true = results.score(who, where), None if truth is None else results.score(truth, where)
    return None if score is None or not true else discrepancy(score, true)


def _bar(name: str, size: int, value: Estimate | None, colour: str) -> Bar:
    if value is None:
        return Bar(None, colour)
    return Bar(value.mean, colour, f"{name}, {count(size, 'row')}: {DISCREPANCY_PERCENT.show(value.mean, signed=True)}")


def _score_cell(value: Estimate | None, in_plan: bool) -> Cell:
    return Cell(value, None, "" if value else ("no score" if in_plan else "–"))
