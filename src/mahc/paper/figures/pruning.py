"""Figure 7: the share of arcs that each level of pruning removes."""

from __future__ import annotations

from functools import partial

from mahc.paper.charts.bars import Bar, stacked
from mahc.paper.charts.palette import LEVELS
from mahc.paper.charts.panels import Entry, arrange
from mahc.paper.charts.scale import linear
from mahc.paper.estimate import Estimate
from mahc.paper.figures.figure import Figure
from mahc.paper.names import paper_case, title_of
from mahc.paper.numbers import text_number
from mahc.paper.results import Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "Arcs pruned by MAHC at each level of in-degree, in percent of all |V|(|V|-1) arcs; the lowest total comes first. "
    "The paper gives numbers for Asia at 1,000 clean rows only."
)
TITLE = "Figure 7. Arcs pruned at each level"
PERCENT = Column("", unit="%")
Shares = tuple[Estimate | None, ...]


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
    legend = [Entry(f"level {k}", _colour(k)) for k in levels]
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
