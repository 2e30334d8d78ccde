"""The leaderboard: means over all samples, by case and size; and how far the graphs of two contestants agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from mahc.graphs import MixedGraph
from mahc.lab.outline import ContestantInfo, Row
from mahc.lab.paper.results import Experiment, Results, same_seeds, title_of
from mahc.lab.report.table import Block, Cell, Column, Estimate, Line, Table, mean
from mahc.measures import compare
from mahc.plurals import noun

COUNTS = (Column("Failures", digits=0), Column("Not available", digits=0))
CAPTION = (
    "F1 between the graphs of two contestants on the same rows, as CPDAG or PAG: 1 if they are the same, 0 if they "
    "have no edge in common. The true graph of these data is not known, so agreement is not correctness."
)


@dataclass(frozen=True)
class Measure:
    """A column of the leaderboard; `sign` is 1 where more is better, -1 where less is, 0 where neither is."""

    column: Column
    read: Callable[[Row], float | None]
    sign: int


GRAPH = (
    Measure(Column("F1", digits=3), lambda row: row.measures.get("f1"), 1),
    Measure(Column("SHD", digits=1), lambda row: row.measures.get("shd"), -1),
    Measure(Column("BSF", digits=3), lambda row: row.measures.get("bsf"), 1),
)
DISTANCES = (
    Measure(Column("Wrong effects, parents", digits=3), lambda row: row.measures.get("parent_distance"), -1),
    Measure(Column("Wrong effects, ancestors", digits=3), lambda row: row.measures.get("ancestor_distance"), -1),
    Measure(Column("Wrong effects, optimal set", digits=3), lambda row: row.measures.get("optimal_distance"), -1),
)
SCORE = Measure(
    Column("BIC, bits per row", digits=3), lambda row: None if row.score is None else row.score / row.rows, 1
)
HELD_OUT = Measure(Column("Held-out bits per row", digits=3), lambda row: row.held_out_bits, -1)
EDGES = Measure(Column("Edges", digits=1), lambda row: row.edges, 0)
SECONDS = Measure(Column("Seconds", digits=3), lambda row: row.seconds, -1)


def leaderboard(results: Results) -> Table:
    """All contestants that take part in all samples, the best first."""
    measures = _measures(results)
    common = common_samples(results, results.complete)
    every = list(results.experiments())
    lines = [_line(results, one, measures, common, every) for one in ranked(results, results.complete, common)]
    return Table(
        "leaderboard",
        "All samples",
        _caption(results, common),
        ("Contestant",),
        tuple(measure.column for measure in measures) + COUNTS,
        (Block("", tuple(lines)),),
    )


def leaderboard_of_partial(results: Results) -> Table:
    """One leaderboard for each contestant that takes part in only some samples, over those samples."""
    measures, blocks = _measures(results), []
    for who in results.partial:
        everyone = (*results.complete, who)
        own = [where for where in results.experiments() if results.takes_part(who, where)]
        common = common_samples(results, everyone, own)
        lines = tuple(_line(results, one, measures, common, own) for one in ranked(results, everyone, common))
        title = f"{who.label}: {len(common):,} of its {len(own):,} {noun(len(own), 'sample')}"
        blocks.append(Block(title, lines))
    return Table(
        "leaderboard-some-samples",
        "Contestants that take part in only some samples",
        "Click a line to compare a contestant with those that take part in all samples. Means are over those of its "
        "samples that all of them finished, with a seed that all its cases have.",
        ("Contestant",),
        tuple(measure.column for measure in measures) + COUNTS,
        tuple(blocks),
        folded=True,
    )


def leaderboard_by_case(results: Results) -> Table:
    """The leaderboard of each case, size and kind of data; each contestant over its own finished samples."""
    blocks = []
    measures = _measures(results)
    order = ranked(results, results.learners, common_samples(results, results.complete))
    for data, case, size in results.places():
        wheres = list(results.experiments(data, case=case, size=size))
        taking_part = (one for one in order if any(results.takes_part(one, where) for where in wheres))
        lines = tuple(_line(results, one, measures, wheres, wheres) for one in taking_part)
        title = f"{title_of(case)}, {size:,} {noun(size, 'row')}, " + (
            "data set" if case in results.outline.data_sets else f"{data} data"
        )
        blocks.append(Block(title, lines))
    return Table(
        "leaderboard-by-case",
        "By case and size",
        "Click a line to see these samples. Each mean is over the seeds that the contestant finished.",
        ("Contestant",),
        tuple(measure.column for measure in measures) + COUNTS,
        tuple(blocks),
        folded=True,
    )


def common_samples(
    results: Results, learners: Sequence[ContestantInfo], among: Sequence[Experiment] | None = None
) -> list[Experiment]:
    """The samples that all these learners finished, with a seed that all cases have; all of these if there are none.

    Learners that finished none, or that could not run here on some, do not count.
    """
    every = same_seeds(list(results.experiments()) if among is None else among)
    absent = {row.contestant for row in results.unavailable}
    active = [
        one for one in learners if one.label not in absent and any(results.finished(one, where) for where in every)
    ]
    common = [where for where in every if active and all(results.finished(one, where) for one in active)]
    return common or every


def ranked(results: Results, learners: Sequence[ContestantInfo], common: Sequence[Experiment]) -> list[ContestantInfo]:
    """The learners by their first measure, the best first; those that finished only some samples come after them."""
    measures = _measures(results)

    def place(one: ContestantInfo) -> tuple[bool, bool, float, int]:
        value = mean(results.value(one, where, measures[0].read) for where in common)
        order = learners.index(one)
        partly = sum(results.finished(one, where) for where in common) < len(common)
        return value is None, partly, -measures[0].sign * (value or 0.0), order

    return sorted(learners, key=place)


def _measures(results: Results) -> tuple[Measure, ...]:
    outline = results.outline
    on_networks = len(outline.cases) > len(outline.data_sets)
    held_out = (HELD_OUT,) if outline.data_sets else ()
    return (*((*GRAPH, *_distances(results)) if on_networks else ()), *held_out, SCORE, EDGES, SECONDS)


def _distances(results: Results) -> list[Measure]:
    """Those that some row has: they need gadjid, and graphs other than PAGs."""
    return [each for each in DISTANCES if any(each.read(row) is not None for row in results.rows)]


def _caption(results: Results, common: Sequence[Experiment]) -> str:
    every = list(results.experiments())
    count = len(same_seeds(every))
    shared = " with a seed that all cases have" if count < len(every) else ""
    over = f"all {count:,} {noun(count, 'sample')}{shared}"
    if len(common) != count:
        some = f"the {len(common):,} of {count:,} {noun(count, 'sample')}{shared}"
        over = f"{some} that every contestant available here has finished"
    wrong = " wrong effects," if _distances(results) else ""
    text = (
        f"Means over {over}, ± half of the 95 % interval over the seeds (from three seeds on). Higher is "
        f"better for F1, BSF and BIC, lower for SHD,{wrong} held-out bits and seconds."
    )
    if results.reference is not None:
        text += (
            f" ▲ better and ▼ worse than {results.reference.label}, where the interval of the difference on the same "
            "samples does not contain zero."
        )
    return text


def _line(
    results: Results,
    who: ContestantInfo,
    measures: Sequence[Measure],
    wheres: Sequence[Experiment],
    counted: Sequence[Experiment],
) -> Line:
    # Means over `wheres`; failures among all samples `counted`.
    cells = []
    for measure in measures:
        ours = results.over_all_seeds(partial(_mean_of_seed, results, who, measure.read, wheres))
        cells.append(Cell(ours, None, "" if ours else "–", tone=_tone(results, who, measure, wheres) if ours else ""))
    rows = [row for where in counted if (row := results.row(who, where)) is not None]
    absent = sum(row.outcome == "unavailable" for row in rows)
    failed = sum(not row.finished for row in rows) - absent
    seeds = len(results.outline.seeds)
    cells += [Cell(Estimate(float(number), None, seeds)) for number in (failed, absent)]
    finished = sum(results.finished(who, where) for where in wheres)
    fewer = f" (on {finished:,} of {len(wheres):,} {noun(len(wheres), 'sample')})" if 0 < finished < len(wheres) else ""
    return Line((f"{who.label}{fewer}",), tuple(cells))


def _tone(results: Results, who: ContestantInfo, measure: Measure, wheres: Sequence[Experiment]) -> str:
    reference = results.reference
    if reference is None or reference.label == who.label or not measure.sign:
        return ""

    def gap(seed: int) -> float | None:
        pairs = [
            (results.value(who, where, measure.read), results.value(reference, where, measure.read))
            for where in wheres
            if where.seed == seed
        ]
        return mean(None if a is None or b is None else measure.sign * (a - b) for a, b in pairs)

    found = results.over_all_seeds(gap)
    if found is None or found.margin is None or abs(found.mean) <= found.margin:
        return ""
    return "better" if found.mean > 0 else "worse"


def _mean_of_seed(
    results: Results,
    who: ContestantInfo,
    read: Callable[[Row], float | None],
    wheres: Sequence[Experiment],
    seed: int,
) -> float | None:
    return mean(results.value(who, where, read) for where in wheres if where.seed == seed)


def agreement_table(results: Results) -> Table:
    """One block for each data set, over all its sizes."""
    learners = results.learners
    blocks = tuple(
        Block(title_of(case), tuple(_agreement_line(results, one, learners, case) for one in learners))
        for case in results.outline.data_sets
    )
    columns = tuple(Column(one.label, digits=3) for one in learners)
    return Table("agreement", "Agreement between contestants", CAPTION, ("Contestant",), columns, blocks)


def _agreement_line(results: Results, one: ContestantInfo, learners: tuple[ContestantInfo, ...], case: str) -> Line:
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
