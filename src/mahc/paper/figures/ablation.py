"""Figure 8: HC, each phase alone, and MAHC, on every sample."""

from __future__ import annotations

from collections.abc import Callable

from mahc.experiment.outline import ContestantInfo
from mahc.paper.charts.bars import Bar, vertical
from mahc.paper.charts.palette import colour_of
from mahc.paper.charts.panels import Entry, Panel, arrange
from mahc.paper.charts.scale import Scale, linear, logarithmic
from mahc.paper.estimate import Estimate
from mahc.paper.figures.figure import Figure
from mahc.paper.names import title_of
from mahc.paper.numbers import ONLY_AVERAGING, ONLY_PRUNING
from mahc.paper.results import MEASURE_TITLES, Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table
from mahc.plurals import count

SHOWN = ("HC", ONLY_PRUNING, ONLY_AVERAGING, "MAHC")
CAPTION = (
    "The mean over the seeds, by case and, from left to right within each case, by growing sample size. SHD, free "
    "parameters and edges are on logarithmic axes; the bar of the BIC shows its difference from HC's, in percent."
)
SECONDS_CAPTION = "The seconds of learning behind the figure of the phases, on a logarithmic axis."
Reader = Callable[[Results, ContestantInfo, Experiment], float | None]
Found = dict[tuple[str, str, str, int], Estimate | None]


def ablation_figure(results: Results) -> Figure:
    """Figure 8 without its runtime, which depends on the machine."""
    measures = ("bsf", "f1", "recall", "precision", "shd")
    parts: list[tuple[Column, Reader, Callable[[list[float]], Scale]]] = [
        (
            Column(MEASURE_TITLES[name], digits=1 if name == "shd" else 3),
            _measure(name),
            logarithmic if name == "shd" else linear,
        )
        for name in measures
    ]
    parts.append((Column("BIC above HC's", digits=3, unit="%"), _above_hc, linear))
    parts.append(
        (Column("Free parameters", digits=0), lambda r, who, at: _field(r, who, at, "free_parameters"), logarithmic)
    )
    parts.append((Column("Edges", digits=1), lambda r, who, at: _field(r, who, at, "edges"), logarithmic))
    return _figure(results, "figure-8", "Figure 8. HC, each phase alone, and MAHC", CAPTION, parts)


def ablation_seconds_figure(results: Results) -> Figure:
    """The runtime of Figure 8."""
    column = Column("Seconds", digits=3)
    parts: list[tuple[Column, Reader, Callable[[list[float]], Scale]]] = [
        (column, lambda r, who, at: _field(r, who, at, "seconds"), logarithmic)
    ]
    return _figure(results, "figure-8-seconds", "Figure 8. Runtime", SECONDS_CAPTION, parts)


def _figure(
    results: Results,
    key: str,
    title: str,
    caption: str,
    parts: list[tuple[Column, Reader, Callable[[list[float]], Scale]]],
) -> Figure:
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
    legend = [Entry(name, colour) for name, colour in colours.items()]
    return Figure(arrange(title, panels, max(len(results.outline.data), 1), legend), table)


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


def _measure(name: str) -> Reader:
    return lambda results, who, where: results.measure(who, where, name)


def _field(results: Results, who: ContestantInfo, where: Experiment, name: str) -> float | None:
    row = results.row(who, where)
    if row is None or not row.finished:
        return None
    return {"free_parameters": row.free_parameters, "edges": row.edges, "seconds": row.seconds}[name]


def _above_hc(results: Results, who: ContestantInfo, where: Experiment) -> float | None:
    baseline = results.by_paper_name("HC")
    score, base = results.score(who, where), results.score(baseline, where) if baseline else None
    return None if score is None or not base else 100 * (score - base) / abs(base)
