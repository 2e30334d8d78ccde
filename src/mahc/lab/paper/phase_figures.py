"""Figures 7 and 8: what pruning removes, and each phase of MAHC alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mahc.lab.outline import ContestantInfo, Row
from mahc.lab.paper.numbers import ONLY_AVERAGING, ONLY_PRUNING, text_number
from mahc.lab.paper.results import MEASURE_TITLES, Experiment, Results, paper_case, title_of
from mahc.lab.report.charts import (
    LEVELS,
    Bar,
    Figure,
    Panel,
    Scale,
    arrange,
    colour_of,
    linear,
    logarithmic,
    stacked,
    vertical,
)
from mahc.lab.report.table import Block, Cell, Column, Estimate, Line, Table
from mahc.plurals import count

CAPTION = (
    "Arcs pruned by MAHC at each level of in-degree, in percent of all |V|(|V|-1) arcs; the lowest total comes first. "
    "The paper gives numbers for Asia at 1,000 clean rows only."
)
TITLE = "Figure 7. Arcs pruned at each level"
PERCENT = Column("", unit="%")
Shares = tuple[Estimate | None, ...]
SHOWN = ("HC", ONLY_PRUNING, ONLY_AVERAGING, "MAHC")
ABLATION_CAPTION = (
    "The mean over the seeds, by case and, from left to right within each case, by growing sample size. SHD, free "
    "parameters and edges are on logarithmic axes; the bar of the BIC shows its difference from HC's, in percent."
)
SECONDS_CAPTION = "The seconds of learning behind the figure of the phases, on a logarithmic axis."
Reader = Callable[[Results, ContestantInfo, Experiment], float | None]
Part = tuple[Column, Reader, Callable[[list[float]], Scale]]
Found = dict[tuple[str, str, str, int], Estimate | None]


def pruning_figure(results: Results) -> Figure:
    """Figure 7, one panel for each kind of data."""
    levels = range(1, _deepest(results) + 1)
    panels, blocks = [], []
    for data in results.outline.data:
        found = {
            (case, size): tuple(
                results.over_all_seeds(partial(pruned_share, results, case, data, size, k)) for k in levels
            )
            for _, case, size in results.places(data=data)
        }
        known = {key: shares for key, shares in found.items() if all(share is not None for share in shares) and shares}
        order = sorted(known, key=lambda key: (round(_total(known[key]), 9), key))
        bars = [(f"{title_of(case)} {size:,}", _pieces(known[case, size])) for case, size in order]
        panels.append(stacked(f"{data} data, % of all arcs", bars, linear([100.0])))
        lines = tuple(_line(data, case, size, known[case, size]) for case, size in order)
        blocks.append(Block(f"{data} data", lines))
    columns = (*(Column(f"Level {k}", unit="%") for k in levels), Column("Total", unit="%"))
    table = Table("figure-7", TITLE, CAPTION, ("Case", "Sample size"), columns, tuple(blocks))
    legend = {f"level {k}": _colour(k) for k in levels}
    return Figure(arrange(TITLE, panels, 2, legend), table)


def pruned_share(results: Results, case: str, data: str, size: int, level: int, seed: int) -> float | None:
    """The arcs that one level removed in one cell, in percent of all; level 0 means all levels."""
    who = results.by_paper_name("MAHC")
    row = None if who is None else results.row(who, Experiment(case, data, size, seed))
    if row is None or row.pruned_per_level is None or not row.variables:
        return None
    pruned = row.pruned_per_level
    count = sum(pruned) if level == 0 else (pruned[level - 1] if level <= len(pruned) else 0)
    return 100 * count / (row.variables * (row.variables - 1)) if row.variables > 1 else None


def _deepest(results: Results) -> int:
    who = results.by_paper_name("MAHC")
    if who is None:
        return 0
    rows = (results.row(who, where) for where in results.experiments())
    return max((len(row.pruned_per_level) for row in rows if row is not None and row.pruned_per_level), default=0)


def _total(shares: Shares) -> float:
    return sum(share.mean for share in shares if share is not None)


def _colour(level: int) -> str:
    return LEVELS[min(level - 1, len(LEVELS) - 1)]


def _pieces(shares: Shares) -> list[Bar]:
    label = PERCENT.show(_total(shares))
    return [
        Bar(share.mean, _colour(k), f"level {k}: {PERCENT.show(share.mean)}", label=label)
        for k, share in enumerate(shares, 1)
        if share is not None
    ]


def _line(data: str, case: str, size: int, shares: Shares) -> Line:
    printed: list[float | None] = [None] * (len(shares) + 1)
    if (paper_case(case), data, size) == ("asia", "clean", 1000) and len(shares) == 3:
        counts = [text_number(f"asia 1000 pruned at level {k}") for k in (1, 2, 3)]
        printed = [100 * count / text_number("asia possible arcs") for count in (*counts, sum(counts))]
    total = Estimate(_total(shares), None, shares[0].seeds if shares[0] else 0)
    cells = tuple(Cell(share, paper) for share, paper in zip((*shares, total), printed, strict=True))
    return Line((title_of(case), f"{size:,}"), cells)


def ablation_figure(results: Results) -> Figure:
    """Figure 8 without its runtime, which depends on the machine."""
    parts: list[Part] = [
        (Column(MEASURE_TITLES[name], digits=3), _measure(name), linear)
        for name in ("bsf", "f1", "recall", "precision")
    ]
    parts += [
        (Column("SHD", digits=1), _measure("shd"), logarithmic),
        (Column("BIC above HC's", digits=3, unit="%"), _above_hc, linear),
        (Column("Free parameters", digits=0), _reads(lambda row: row.free_parameters), logarithmic),
        (Column("Edges", digits=1), _reads(lambda row: row.edges), logarithmic),
    ]
    return _figure(results, "figure-8", "Figure 8. HC, each phase alone, and MAHC", ABLATION_CAPTION, parts)


def ablation_seconds_figure(results: Results) -> Figure:
    """The runtime of Figure 8."""
    parts: list[Part] = [(Column("Seconds", digits=3), _reads(lambda row: row.seconds), logarithmic)]
    return _figure(results, "figure-8-seconds", "Figure 8. Runtime", SECONDS_CAPTION, parts)


def _measure(name: str) -> Reader:
    return lambda results, who, where: results.measure(who, where, name)


def _reads(read: Callable[[Row], float | None]) -> Reader:
    return lambda results, who, where: results.value(who, where, read)


def _figure(results: Results, key: str, title: str, caption: str, parts: list[Part]) -> Figure:
    shown = [one for name in SHOWN if (one := results.by_paper_name(name)) is not None]
    colours = {one.label: colour_of(one.paper_name, place) for place, one in enumerate(shown)}
    panels, lines = [], []
    for column, read, scale in parts:
        found = _collect(results, shown, read)
        for data in results.outline.data:
            panels.append(_panel(results, shown, colours, column, data, found, scale))
            lines += [
                Line((column.name, data, title_of(case), f"{size:,}"), _cells(shown, found, data, case, size))
                for _, case, size in results.places(data=data)
            ]
    columns = tuple(Column(one.label, digits=3) for one in shown)
    table = Table(key, title, caption, ("What", "Data", "Case", "Sample size"), columns, (Block("", tuple(lines)),))
    return Figure(arrange(title, panels, max(len(results.outline.data), 1), colours), table)


def _collect(results: Results, shown: list[ContestantInfo], read: Reader) -> Found:
    seeds = results.outline.seeds
    return {
        (one.label, data, case, size): Estimate.of(
            read(results, one, Experiment(case, data, size, seed)) for seed in seeds
        )
        for one in shown
        for data, case, size in results.places()
    }


def _panel(
    results: Results,
    shown: list[ContestantInfo],
    colours: dict[str, str],
    column: Column,
    data: str,
    found: Found,
    scale: Callable[[list[float]], Scale],
) -> Panel:
    groups = []
    for case in results.outline.cases:
        bars: list[Bar] = []
        for size in (size for _, name, size in results.places(data=data) if name == case):
            for one in shown:
                value = found[one.label, data, case, size]
                hint = "" if value is None else f"{one.label}, {count(size, 'row')}: {column.show(value.mean)}"
                bars.append(Bar(value.mean if value else None, colours[one.label], hint))
            bars.append(Bar(None, "none"))  # a gap between sample sizes
        groups.append((title_of(case), bars[:-1]))
    ends = [value.mean for value in found.values() if value is not None]
    unit = f", {column.unit}" if column.unit else ""
    return vertical(f"{column.name}{unit}, {data} data", groups, scale(ends), width=560)


def _cells(shown: list[ContestantInfo], found: Found, data: str, case: str, size: int) -> tuple[Cell, ...]:
    values = [found[one.label, data, case, size] for one in shown]
    return tuple(Cell(value, None, "" if value else "none") for value in values)


def _above_hc(results: Results, who: ContestantInfo, where: Experiment) -> float | None:
    baseline = results.by_paper_name("HC")
    score, base = results.score(who, where), results.score(baseline, where) if baseline else None
    return None if score is None or not base else 100 * (score - base) / abs(base)
