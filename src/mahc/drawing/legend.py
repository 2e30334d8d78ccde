"""The legend of a picture: one sample line and one text for each kind of edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mahc.drawing.curve import Curve
from mahc.drawing.edge_style import EdgeStyle, draw_edge
from mahc.drawing.text_width import SIZE, escape, measure
from mahc.graphs.marks import EDGE_MARKS

SAMPLE = 40.0
GAP = 22.0
ROW = 20.0


@dataclass(frozen=True)
class LegendEntry:
    """A sample edge (its marks as text such as `-->`; empty: no sample) and what it means."""

    text: str
    mark: str = ""
    style: EdgeStyle = field(default_factory=EdgeStyle)

    @property
    def width(self) -> float:
        """The width of sample and text."""
        return measure(self.text) + (SAMPLE + 8 if self.mark else 0.0)


def arrange(entries: Sequence[LegendEntry], width: float) -> list[list[LegendEntry]]:
    """The entries in rows that fit the width where they can.

    >>> entries = [LegendEntry("arc", "-->"), LegendEntry("line", "---")]
    >>> [len(row) for row in arrange(entries, 80.0)], [len(row) for row in arrange(entries, 400.0)]
    ([1, 1], [2])
    """
    rows: list[list[LegendEntry]] = []
    left = 0.0
    for entry in entries:
        if not rows or left + entry.width > width:
            rows.append([])
            left = 0.0
        rows[-1].append(entry)
        left += entry.width + GAP
    return rows


def draw_legend(rows: Sequence[Sequence[LegendEntry]], top: float) -> str:
    """The SVG of the rows, from the left border downwards."""
    parts = []
    for r, row in enumerate(rows):
        left, y = 0.0, top + ROW * (r + 0.5)
        for entry in row:
            parts.append(_draw_entry(entry, left, y))
            left += entry.width + GAP
    return f'<g class="legend">{"".join(parts)}</g>'


def _draw_entry(entry: LegendEntry, left: float, y: float) -> str:
    sample = ""
    if entry.mark:
        right = left + SAMPLE
        curve = Curve((((left, y), (left + SAMPLE / 3, y), (right - SAMPLE / 3, y), (right, y)),))
        sample = draw_edge(curve, EDGE_MARKS[entry.mark], entry.style)
        left = right + 8
    return f'{sample}<text x="{left:.1f}" y="{y + 0.35 * SIZE:.1f}">{escape(entry.text)}</text>'
