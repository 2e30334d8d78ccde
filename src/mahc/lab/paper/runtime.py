"""Section 3.4: the seconds of learning, added up (Figure 6), and the ratios of the totals."""

from __future__ import annotations

from functools import partial

from mahc.lab.outline import ContestantInfo
from mahc.lab.paper.results import Experiment, Results, title_of
from mahc.lab.report.charts import (
    DASHES,
    Bar,
    Break,
    Curve,
    Figure,
    arrange,
    colour_of,
    curves,
    horizontal,
    logarithmic,
)
from mahc.lab.report.table import Block, Cell, Column, Estimate, Line, Table

CAPTION = (
    "Seconds of learning. A cell that failed counts with the time limit of the plan, as in the paper; cells that are "
    "not available or were not run do not count. The paper counts at least one second for each cell and corrects for "
    "the processor; here neither is done, since all ran on the same machine."
)
SECONDS = Column("", digits=1, unit=" s")
RUNTIME_CLAIM_CAPTION = (
    "{who}'s total seconds of learning divided by each other contestant's, on the same experiments of the same run; "
    "above 1 {who} took longer. A cell that failed counts with the time limit; one that was not available is left out."
)
WORDS = {
    "HC": "slightly slower (section 3.4), a few times slower (section 4)",
    "MMHC": "a few times slower",
    "PC-Stable": "many times faster",
    "FCI": "many times faster",
    "GOBNILP": "many times faster",
    "MAHC_onlyAveraging": "impractical without pruning; 10 experiments given up after 12 hours",
}


def cumulative_figure(results: Results) -> Figure:
    """Figure 6a: the running total of seconds over the experiments, clean data first."""
    places, seeds = results.places(), results.outline.seeds
    found: dict[str, list[float]] = {}
    for one in results.complete:
        total, sums = 0.0, []
        for data, case, size in places:
            seconds = Estimate.of(_seconds(results, one, Experiment(case, data, size, seed)) for seed in seeds)
            total += seconds.mean if seconds is not None else 0.0
            sums.append(total)
        if total > 0:
            found[one.label] = sums
    lines = [
        Curve(one.label, tuple(found[one.label]), colour_of(one.paper_name, k), DASHES.get(one.paper_name, ""))
        for k, one in enumerate(results.learners)
        if one.label in found
    ]
    before = [("", ""), *((data, case) for data, case, _ in places)]
    starts = [
        Break(place, title_of(case), f"{data} data" if data != before[place][0] else "")
        for place, (data, case, _) in enumerate(places)
        if (data, case) != before[place]
    ]
    scale = logarithmic(value for sums in found.values() for value in sums)
    title = "Figure 6a. Cumulative runtime"
    panel = curves("Seconds so far, logarithmic axis", lines, starts, scale, width=1000)
    heads = ("Data", "Case", "Sample size")
    body = tuple(
        Line((data, title_of(case), f"{size:,}"), tuple(_plain(found[name][place]) for name in found))
        for place, (data, case, size) in enumerate(places)
    )
    columns = tuple(Column(name, digits=2, unit=" s") for name in found)
    table = Table("figure-6a", title, CAPTION, heads, columns, (Block("", body),))
    return Figure(arrange(title, [panel], 1), table)


def total_figure(results: Results) -> Figure:
    """Figure 6b: total seconds of each contestant, from the fastest to the slowest; logarithmic, so not stacked."""
    data = results.outline.data
    found = {
        one.label: tuple(results.over_seeds(partial(total_seconds, results, one, (kind,))) for kind in data)
        for one in results.complete
    }
    totals = {name: sum(value.mean for value in values if value is not None) for name, values in found.items()}
    colours = {one.label: colour_of(one.paper_name, place) for place, one in enumerate(results.learners)}
    ran = [one for one in results.complete if totals[one.label] > 0]
    order = sorted(ran, key=lambda one: (totals[one.label], one.label))
    scale = logarithmic(value.mean for values in found.values() for value in values if value is not None)
    panels = [
        horizontal(
            f"Seconds in all, {kind} data",
            [_bar(one, colours[one.label], found[one.label][k]) for one in order],
            scale,
            head=140,
        )
        for k, kind in enumerate(data)
    ]
    title = "Figure 6b. Total runtime"
    columns = (*(Column(kind, digits=2, unit=" s") for kind in data), Column("Total", digits=2, unit=" s"))
    lines = tuple(
        Line((one.label,), (*(_known(value) for value in found[one.label]), _plain(totals[one.label]))) for one in order
    )
    table = Table("figure-6b", title, CAPTION, ("Contestant",), columns, (Block("", lines),))
    return Figure(arrange(title, panels, 2), table)


def total_seconds(results: Results, who: ContestantInfo, data: tuple[str, ...], seed: int) -> float | None:
    """All seconds of one seed on these kinds of data; None where nothing was run."""
    wheres = [where for kind in data for where in results.experiments(kind, seed=seed)]
    known = [seconds for where in wheres if (seconds := _seconds(results, who, where)) is not None]
    return sum(known) if known else None


def runtime_ratio(
    results: Results, who: ContestantInfo, other: ContestantInfo, data: tuple[str, ...], seed: int
) -> float | None:
    """One contestant's total over another's, over the experiments of one seed that both have run."""
    pairs = []
    for where in (where for kind in data for where in results.experiments(kind, seed=seed)):
        ours, theirs = _seconds(results, who, where), _seconds(results, other, where)
        if ours is not None and theirs is not None:
            pairs.append((ours, theirs))
    total = sum(theirs for _, theirs in pairs)
    return sum(ours for ours, _ in pairs) / total if total > 0 else None


def _seconds(results: Results, who: ContestantInfo, where: Experiment) -> float | None:
    row = results.row(who, where)
    if row is None or row.outcome == "unavailable":
        return None
    if row.finished:
        return row.seconds
    return results.outline.seconds_limit if results.outline.seconds_limit is not None else row.seconds


def _bar(one: ContestantInfo, colour: str, value: Estimate | None) -> tuple[str, Bar]:
    if value is None:
        return one.label, Bar(None, colour, label="not run")
    label = SECONDS.show(value.mean)
    return one.label, Bar(value.mean, colour, f"{one.label}: {label}", value.low, value.high, label)


def _known(value: Estimate | None) -> Cell:
    return Cell(value, None, "" if value else "not run")


def _plain(value: float) -> Cell:
    return Cell(Estimate(value, None, 1))


def runtime_claim(results: Results) -> Table:
    """The reference's total divided by every other learner's, by kind of data and overall."""
    data = results.outline.data
    groups = [(kind, (kind,)) for kind in data] + ([("all", data)] if len(data) > 1 else [])
    reference = results.reference
    lines = []
    for other in results.learners:
        if reference is None or other is reference:
            continue
        values = [results.over_seeds(partial(runtime_ratio, results, reference, other, kinds)) for _, kinds in groups]
        cells = tuple(Cell(value, None, "" if value else "not run") for value in values)
        words = (WORDS.get(other.paper_name, ""),) if results.follows_paper else ()
        lines.append(Line((other.label, *words), cells))
    columns = tuple(Column(f"{name} data", digits=3, unit="×") for name, _ in groups)
    name = results.reference_name
    paper = ("The paper says MAHC is",) if results.follows_paper else ()
    heads = (f"{name}'s time divided by that of", *paper)
    title, caption = f"{name}'s runtime divided by the others'", RUNTIME_CLAIM_CAPTION.format(who=name)
    return Table("runtime-claim", title, caption, heads, columns, (Block("", tuple(lines)),))
