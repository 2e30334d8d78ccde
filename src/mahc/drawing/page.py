"""The whole picture: title, bands, edges, variables, legend, in one SVG that scales to its container."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mahc.drawing.curve import Curve, Point
from mahc.drawing.edge_style import PAPER, EdgeStyle, draw_edge
from mahc.drawing.labels import LINE, SIZE, NodeBox, escape, measure
from mahc.drawing.layout import PADDING as BAND_PADDING
from mahc.drawing.layout import GraphLayout
from mahc.graphs.marks import EDGE_MARKS
from mahc.graphs.mixed import MixedGraph
from mahc.plurals import count

SAMPLE = 40.0
GAP = 22.0
ROW = 20.0
MARGIN = 14.0
GUTTER = 50.0  # for the labels of the bands
NARROWEST_LEGEND = 420.0
TITLE_SIZE, TITLE_HEIGHT = 15.0, 26.0
FILL, RIM, BANDS = "#eef3f9", "#5b7ba3", ("#f6f4ee", "#fbfaf7")
DASHED_BOX = "dashed box: variable in no tier"


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


def draw(
    graph: MixedGraph,
    layout: GraphLayout,
    styles: Mapping[tuple[str, str], EdgeStyle],
    *,
    title: str = "",
    legend: Sequence[LegendEntry] = (),
) -> str:
    """The SVG of a graph whose edges have routes in the layout; `styles` by the names of an edge of the graph."""
    parts = []
    taken: list[Point] = []
    for left, _, right in graph.edges:
        marks = (graph.mark(right, left), graph.mark(left, right))
        curve, style = layout.route(left, right), styles.get((left, right), EdgeStyle())
        middle = _free_middle(curve, taken) if style.sign or style.reversible else None
        parts.append(draw_edge(curve, marks, style, middle))
    parts += [_draw_node(name, box) for name, box in layout.nodes.items()]
    label = f"graph of {count(len(graph.names), 'variable')} and {count(len(graph.edges), 'edge')}"
    if any(box.tierless for box in layout.nodes.values()):
        legend = (*legend, LegendEntry(DASHED_BOX))
    return _frame(layout, parts, f"{title}: {label}" if title else label, title, legend)


def _free_middle(curve: Curve, taken: list[Point]) -> Point:
    # As near the middle as possible without covering the sign or dot of another edge.
    places = [curve.along(share) for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)]
    chosen = next((place for place in places if all(math.dist(place, other) > 15 for other in taken)), places[0])
    taken.append(chosen)
    return chosen


def note_page(note: str) -> str:
    """A picture that holds one sentence."""
    text = f'<text x="0" y="{SIZE:g}">{escape(note)}</text>'
    return _frame(GraphLayout(measure(note), SIZE, {}, {}), [text], note, "", ())


def _draw_node(name: str, box: NodeBox) -> str:
    corner = f'x="{box.x - box.width / 2:.1f}" y="{box.y - box.height / 2:.1f}"'
    dash = ' stroke-dasharray="4 3"' if box.tierless else ""
    shape = (
        f'<rect {corner} width="{box.width:.1f}" height="{box.height:g}" rx="{box.radius:g}" '
        f'fill="{FILL}" stroke="{RIM}"{dash}/>'
    )
    first = box.y + 0.35 * SIZE - LINE * (len(box.lines) - 1) / 2
    text = "".join(
        f'<text x="{box.x:.1f}" y="{first + i * LINE:.1f}" text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(box.lines)
    )
    return f"<g><title>{escape(name)}</title>{shape}{text}</g>"


def _draw_bands(layout: GraphLayout, width: float) -> list[str]:
    parts = []
    for i, band in enumerate(layout.bands):
        middle = (band.top + band.bottom) / 2
        shape = f'<rect class="band" x="{-GUTTER:g}" y="{band.top:.1f}" width="{width + GUTTER:.1f}"'
        parts.append(f'{shape} height="{band.bottom - band.top:.1f}" fill="{BANDS[i % 2]}"/>')
        text = f'<text x="{8 - GUTTER:g}" y="{middle + 4:.1f}" font-size="11" fill="#6b6250">'
        parts.append(f"{text}{escape(band.label)}</text>")
    return parts


def _frame(layout: GraphLayout, parts: list[str], label: str, title: str, legend: Sequence[LegendEntry]) -> str:
    gutter = GUTTER if layout.bands else 0.0
    above = (TITLE_HEIGHT if title else 0.0) + (BAND_PADDING if layout.bands else 0.0)
    below = BAND_PADDING if layout.bands else 0.0
    rows = arrange(legend, max(layout.width, NARROWEST_LEGEND))
    needed = [sum(entry.width + ROW for entry in row) for row in rows]
    inner = max([layout.width, measure(title) * TITLE_SIZE / SIZE * 1.1, *needed])
    parts = [*_draw_bands(layout, inner), *parts]
    bottom = layout.height + below
    if rows:
        parts.append(draw_legend(rows, bottom + 14))
        bottom += 14 + ROW * len(rows)
    wide, high = math.ceil(inner + gutter + 2 * MARGIN), math.ceil(bottom + above + 2 * MARGIN)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'style="max-width:100%;height:auto" role="img" aria-label="{escape(label)}">'
    )
    paper = f'<rect width="{wide}" height="{high}" fill="{PAPER}"/>'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    heading = f'<text x="{MARGIN:g}" y="{MARGIN + 13:g}" {font} font-size="{TITLE_SIZE:g}" font-weight="bold"'
    drawn_title = [f'{heading} fill="#1f2d3d">{escape(title)}</text>'] if title else []
    group = (
        f'<g transform="translate({MARGIN + gutter:g} {MARGIN + above:g})" {font} font-size="{SIZE:g}" fill="#1f2d3d">'
    )
    return "\n".join([opening, paper, *drawn_title, group, *parts, "</g>", "</svg>"])
