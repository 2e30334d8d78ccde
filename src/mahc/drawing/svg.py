"""A graph as an SVG picture in layers, with the marks at both ends of each edge."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from mahc.drawing.curve import Curve, Point
from mahc.drawing.edge_ends import spread_ends
from mahc.drawing.layout import Layout, lay_out
from mahc.drawing.text_width import SIZE, escape, measure, shorten
from mahc.errors import GraphError, SettingError
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Edge, Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.pictures import PICTURES

MARGIN = 14.0
HIGH = 26.0
SKETCHED = 600
DRAWN, DRAWN_PER_NODE = 400, 4  # largest number of edges that is drawn, in total or per variable
INK, PAPER, FILL, RIM = "#44546a", "#ffffff", "#eef3f9", "#5b7ba3"
_COLOUR = re.compile(r"[a-zA-Z]{3,30}|#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")

Pairs = Mapping[tuple[str, str], str]
Widths = Mapping[tuple[str, str], float]


def svg(graph: DAG | MixedGraph, *, highlight: Pairs | None = None, widths: Widths | None = None) -> str:
    """The picture of a graph; edges may have a colour (`highlight`) and a line width in pixels (`widths`).

    An edge is given by its two variables in any order; a colour is a CSS name or #rgb or #rrggbb.

    >>> svg(DAG(["a", "b"], [("a", "b")])).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    mixed = graph.to_mixed() if isinstance(graph, DAG) else graph
    names = sorted(mixed.names)  # the picture does not depend on the order of columns
    place = {name: i for i, name in enumerate(names)}
    colours = _check_colours(mixed, highlight or {})
    strokes = _check_widths(mixed, widths or {})
    edges = sorted(mixed.edges, key=lambda edge: (not _points_right(edge), edge))
    arcs = [(place[e.left], place[e.right]) for e in edges if _points_right(e)]
    lines = [(place[e.left], place[e.right]) for e in edges if not _points_right(e)]
    sizes = [(max(44.0, measure(shorten(name)) + 20), HIGH) for name in names]
    layout = lay_out(sizes, arcs, lines)
    parts = []
    routes = spread_ends(layout.middles, sizes, (*arcs, *lines), layout.routes)
    for edge, route in zip(edges, routes, strict=True):
        pair = frozenset((edge.left, edge.right))
        ends = [_box(layout.middles[place[v]], sizes[place[v]]) for v in (edge.left, edge.right)]
        marks = (mixed.mark(edge.right, edge.left), mixed.mark(edge.left, edge.right))
        parts.append(_draw_edge(edge, route, ends, marks, colours.get(pair, INK), strokes.get(pair, 1.4)))
    parts += [_draw_node(name, layout.middles[i], sizes[i]) for i, name in enumerate(names)]
    return _frame(layout, parts, f"graph of {len(names)} variables and {len(edges)} edges")


def svg_or_note(graph: DAG | MixedGraph) -> str:
    """The picture, or a note if the graph is too dense to be readable (and drawing would take minutes).

    >>> from itertools import combinations
    >>> names = [f"v{i}" for i in range(40)]
    >>> "too dense" in svg_or_note(MixedGraph(names, [(a, "o-o", b) for a, b in combinations(names, 2)]))
    True
    """
    edges = len(graph.arcs) if isinstance(graph, DAG) else len(graph.edges)
    if edges <= max(DRAWN, DRAWN_PER_NODE * len(graph.names)):
        return svg(graph)
    note = f"{len(graph.names):,} variables and {edges:,} edges: too dense to be drawn"
    text = f'<text x="0" y="{SIZE:g}">{note}</text>'
    return _frame(Layout(measure(note), SIZE, (), ()), [text], note)


def sketch(graph: DAG | MixedGraph) -> str | None:
    """The picture for a notebook, or None (the text is shown) if it would be too large."""
    edges = len(graph.arcs) if isinstance(graph, DAG) else len(graph.edges)
    return svg(graph) if max(len(graph.names), edges) <= SKETCHED else None


def _points_right(edge: Edge) -> bool:
    return edge.mark in ("-->", "o->")


def _check_edge(graph: MixedGraph, pair: tuple[str, str]) -> frozenset[str]:
    if not graph.mark(*pair):
        raise GraphError(f"there is no edge between {pair[0]} and {pair[1]} to highlight")
    return frozenset(pair)


def _check_colours(graph: MixedGraph, highlight: Pairs) -> dict[frozenset[str], str]:
    for colour in highlight.values():
        if not _COLOUR.fullmatch(colour):
            raise SettingError(f"the colour {colour!r} is neither a name nor #rgb nor #rrggbb")
    return {_check_edge(graph, pair): colour for pair, colour in highlight.items()}


def _check_widths(graph: MixedGraph, widths: Widths) -> dict[frozenset[str], float]:
    for width in widths.values():
        if not 0 < width <= 20:
            raise SettingError(f"the line width {width!r} is not above 0 and at most 20 pixels")
    return {_check_edge(graph, pair): float(width) for pair, width in widths.items()}


def _box(middle: Point, size: tuple[float, float]) -> Callable[[Point], bool]:
    # Whether a point is inside the rounded node.
    half_width, half_height = size[0] / 2, size[1] / 2
    radius = half_height

    def inside(point: Point) -> bool:
        across = max(abs(point[0] - middle[0]) - (half_width - radius), 0.0)
        along = max(abs(point[1] - middle[1]) - (half_height - radius), 0.0)
        return math.hypot(across, along) < radius

    return inside


def _draw_edge(
    edge: Edge,
    route: tuple[Point, ...],
    ends: list[Callable[[Point], bool]],
    marks: tuple[Mark, Mark],
    colour: str,
    width: float,
) -> str:
    curve = Curve.through(route)
    drawn = []
    for inside, mark in zip(ends, marks, strict=True):
        curve = curve.leave(inside)
        tip = curve.start
        curve = curve.shorten(_length(mark, width))
        if mark is not Mark.TAIL:
            drawn.append(_draw_mark(mark, tip, curve.start, colour, width))
        curve = curve.reversed()
    line = f'<path d="{curve.path()}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    return f"<g><title>{escape(' '.join(edge))}</title>{line}{''.join(drawn)}</g>"


def _length(mark: Mark, width: float) -> float:
    return {Mark.ARROW: 6.5 + 1.8 * width, Mark.CIRCLE: 6.0 + width}.get(mark, 0.0)


def _draw_mark(mark: Mark, tip: Point, base: Point, colour: str, width: float) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    if mark is Mark.CIRCLE:
        x, y, r = base[0] + dx / 2, base[1] + dy / 2, math.hypot(dx, dy) / 2
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"'
        return f'{shape} fill="{PAPER}" stroke="{colour}" stroke-width="{min(width, 2.0):g}"/>'
    side = 0.42
    left = (base[0] - side * dy - 0.12 * dx, base[1] + side * dx - 0.12 * dy)
    right = (base[0] + side * dy - 0.12 * dx, base[1] - side * dx - 0.12 * dy)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, left, base, right))
    return f'<polygon points="{corners}" fill="{colour}"/>'


def _draw_node(name: str, middle: Point, size: tuple[float, float]) -> str:
    (x, y), (wide, high) = middle, size
    box = f'<rect x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:g}"'
    look = f'rx="{high / 2:g}" fill="{FILL}" stroke="{RIM}"'
    text = f'<text x="{x:.1f}" y="{y + 0.35 * SIZE:.1f}" text-anchor="middle">{escape(shorten(name))}</text>'
    return f"<g><title>{escape(name)}</title>{box} {look}/>{text}</g>"


def _frame(layout: Layout, parts: list[str], label: str) -> str:
    wide, high = math.ceil(layout.width + 2 * MARGIN), math.ceil(layout.height + 2 * MARGIN)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'role="img" aria-label="{label}">'
    )
    paper = f'<rect width="{wide}" height="{high}" fill="{PAPER}"/>'
    group = (
        f'<g transform="translate({MARGIN:g} {MARGIN:g})" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="{SIZE:g}" fill="#1f2d3d">'
    )
    return "\n".join([opening, paper, group, *parts, "</g>", "</svg>"])


PICTURES.register("svg_or_note")(svg_or_note)
PICTURES.register("sketch")(sketch)
