"""Layered layout (Sugiyama) of each connected component, packed side by side; edges pass between the nodes.

Every node lies in a row. An edge runs sideways only between two rows, where there are no nodes, and passes a row
through a gap kept free for it. So no edge passes behind a node that it does not touch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mahc.drawing.curve import Curve, Point, Segment
from mahc.drawing.rows import Pair, assign_rows, direct_downwards, order_rows, place_points
from mahc.graphs.walks import label_components

Size = tuple[float, float]

COMPONENT_GAP = 34.0
BAND_GAP = 24.0
CLEAR = 5.0  # distance of an edge from nodes and other edges next to it in a row
MOST_FREE = 12.0
Route = tuple[Point, ...]
APART = 12.0


@dataclass(frozen=True)
class Layout:
    """The centre of every node, a curve between the two centres of every edge, and the bands from top to bottom.

    >>> placed = lay_out([(40, 20), (40, 20)], arcs=[(0, 1)], lines=[])
    >>> placed.width, [round(y) for _, y in placed.middles]
    (40.0, [10, 74])
    """

    width: float
    height: float
    middles: tuple[Point, ...]
    curves: tuple[Curve, ...]
    bands: tuple[tuple[float, float], ...] = ()


def lay_out(
    sizes: Sequence[Size], arcs: Sequence[Pair], lines: Sequence[Pair], bands: Sequence[int] | None = None
) -> Layout:
    """Place nodes of these sizes, arcs downwards, lines in any direction.

    Parameters
    ----------
    sizes : sequence of (width, height)
        One for each node.
    arcs, lines : sequence of (int, int)
        Edges with and without a direction; `curves` of the result has the arcs, then the lines.
    bands : sequence of int, optional
        For each node the number of its band, from 0 without gaps; bands lie one below another.
    """
    edges = (*arcs, *lines)
    if bands is not None and sizes:
        one = _lay_out_component(list(range(len(sizes))), sizes, list(arcs), list(lines), bands)
        return _pack(len(sizes), edges, [one])
    components = []
    for nodes in _connected(len(sizes), edges):
        inside = set(nodes)
        own_arcs = [edge for edge in arcs if edge[0] in inside]
        own_lines = [edge for edge in lines if edge[0] in inside]
        components.append(_lay_out_component(nodes, sizes, own_arcs, own_lines, [0] * len(sizes)))
    return _pack(len(sizes), edges, components)


@dataclass(frozen=True)
class _Component:
    width: float
    height: float
    middles: dict[int, Point]
    curves: dict[Pair, Curve]
    bands: tuple[tuple[float, float], ...]


def _connected(count: int, edges: Sequence[Pair]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for v, label in enumerate(label_components(count, edges)):
        groups.setdefault(label, []).append(v)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))


def _assign_rows(
    nodes: list[int], arcs: list[Pair], lines: list[Pair], bands: Sequence[int]
) -> tuple[list[Pair], dict[int, int], list[int]]:
    # All edges downwards, the row of each node, and the first row of each band.
    directed: dict[Pair, Pair] = {}
    row: dict[int, int] = {}
    starts: list[int] = []
    below = 0
    for band in sorted({bands[v] for v in nodes}):
        members = [v for v in nodes if bands[v] == band]
        own = [[(a, b) for a, b in group if bands[a] == bands[b] == band] for group in (arcs, lines)]
        downward = direct_downwards(members, *own)
        directed.update(zip((*own[0], *own[1]), downward, strict=True))
        starts.append(below)
        row.update({v: r + below for v, r in assign_rows(members, downward).items()})
        below = max(row.values()) + 1
    for a, b in (*arcs, *lines):
        if bands[a] != bands[b]:
            directed[a, b] = (a, b) if bands[a] < bands[b] else (b, a)
    return [directed[edge] for edge in (*arcs, *lines)], row, starts


def _lay_out_component(
    nodes: list[int], sizes: Sequence[Size], arcs: list[Pair], lines: list[Pair], bands: Sequence[int]
) -> _Component:
    downward, row, starts = _assign_rows(nodes, arcs, lines, bands)
    rows: list[list[int]] = [[] for _ in range(max(row.values()) + 1)]
    for v in nodes:
        rows[row[v]].append(v)
    widths = {v: sizes[v][0] for v in nodes}
    chains: list[list[int]] = []
    bends: set[int] = set()
    for a, b in downward:  # a bend in every row that an edge passes
        chain = [a]
        for r in range(row[a] + 1, row[b]):
            bend = len(sizes) + len(bends)
            bends.add(bend)
            widths[bend] = 2.0
            rows[r].append(bend)
            chain.append(bend)
        chains.append([*chain, b])
    up: dict[int, list[int]] = {v: [] for v in widths}
    down: dict[int, list[int]] = {v: [] for v in widths}
    for chain in chains:
        for v, u in itertools.pairwise(chain):
            down[v].append(u)
            up[u].append(v)
    rows = order_rows(rows, up, down)
    x = place_points(rows, up, down, widths, bends)
    spans = _stack(rows, down, x, sizes, starts)
    left = min(x[v] - widths[v] / 2 for v in widths)
    right = max(x[v] + widths[v] / 2 for v in widths)
    spot = {v: (x[v] - left, sum(spans[r]) / 2) for r, points in enumerate(rows) for v in points}
    half = {v: (spans[r][1] - spans[r][0]) / 2 for r, points in enumerate(rows) for v in points}
    free = free_space(rows, {v: place[0] for v, place in spot.items()}, widths, bends)
    middles = {v: spot[v] for v in nodes}
    routes = spread_ends(middles, sizes, [(c[0], c[-1]) for c in chains], [tuple(spot[v] for v in c) for c in chains])
    curves: dict[Pair, Curve] = {}
    for edge, chain, points in zip((*arcs, *lines), chains, routes, strict=True):
        space = [free.get(v, 0.0) for v in chain]
        fills = [v in bends or sizes[v][1] / 2 >= half[v] for v in chain]
        curve = route_chain(points, [half[v] for v in chain], space, (fills[0], fills[-1]))
        curves[edge] = curve if chain[0] == edge[0] else curve.reversed()
    limits = [*starts, len(rows)]
    heights = tuple((spans[a][0], spans[b - 1][1]) for a, b in itertools.pairwise(limits))
    return _Component(right - left, spans[-1][1], middles, curves, heights)


def _stack(
    rows: Sequence[Sequence[int]],
    down: dict[int, list[int]],
    x: dict[int, float],
    sizes: Sequence[Size],
    starts: Sequence[int],
) -> list[tuple[float, float]]:
    # The top and bottom of every row.
    spans: list[tuple[float, float]] = []
    top = 0.0
    for r, points in enumerate(rows):
        tall = max(sizes[v][1] for v in points if v < len(sizes))
        spans.append((top, top + tall))
        # Rows are further apart where edges run far sideways, which would otherwise be almost flat.
        far = max((abs(x[v] - x[u]) for v in points for u in down[v]), default=0.0)
        top += tall + min(120.0, max(44.0, 0.16 * far)) + (BAND_GAP if r + 1 in starts else 0.0)
    return spans


def _pack(count: int, edges: Sequence[Pair], components: Sequence[_Component]) -> Layout:
    # Components in rows from the left, the largest first; as wide as the widest component or a page of good shape.
    area = sum((p.width + COMPONENT_GAP) * (p.height + COMPONENT_GAP) for p in components)
    page = max([1.5 * math.sqrt(area), *(p.width for p in components)], default=0.0)
    middles: list[Point] = [(0.0, 0.0)] * count
    curves: dict[Pair, Curve] = {}
    left = top = tall = width = 0.0
    for component in components:
        if left and left + component.width > page:
            left, top, tall = 0.0, top + tall + COMPONENT_GAP, 0.0
        for v, (x, y) in component.middles.items():
            middles[v] = (x + left, y + top)
        for edge, curve in component.curves.items():
            curves[edge] = curve.moved(left, top)
        width = max(width, left + component.width)
        left += component.width + COMPONENT_GAP
        tall = max(tall, component.height)
    bands = components[0].bands if len(components) == 1 else ()
    return Layout(width, top + tall, tuple(middles), tuple(curves[edge] for edge in edges), bands)


def free_space(
    rows: Sequence[Sequence[int]], x: Mapping[int, float], widths: Mapping[int, float], bends: set[int]
) -> dict[int, float]:
    """How far an edge may move to either side while it passes a row at one of the bends.

    >>> free_space([[0, 2, 1]], {0: 0.0, 2: 40.0, 1: 80.0}, {0: 60.0, 1: 60.0, 2: 2.0}, {2})
    {2: 5.0}
    """
    free: dict[int, float] = {}
    for row in rows:
        for i, v in enumerate(row):
            if v in bends:
                beside = [row[j] for j in (i - 1, i + 1) if 0 <= j < len(row)]
                gaps = [abs(x[u] - x[v]) - widths[u] / 2 - CLEAR for u in beside]
                free[v] = max(0.0, min([MOST_FREE, *gaps]))
    return free


def route_chain(
    points: Sequence[Point], halves: Sequence[float], free: Sequence[float], filled: tuple[bool, bool]
) -> Curve:
    """A smooth curve from the first point to the last, downwards.

    Parameters
    ----------
    points : sequence of (x, y)
        Where the edge passes the middle of each row, its two ends included.
    halves : sequence of float
        Half the height of each of these rows.
    free : sequence of float
        How far the edge may move to either side within each row.
    filled : (bool, bool)
        Whether the first and the last node are as high as their rows; otherwise the edge leaves the row vertically.

    >>> route_chain([(0, 10), (0, 74)], [10, 10], [0, 0], (True, True)).path()
    'M0 10C0 13.3 0 16.7 0 20C0 34.7 0 49.3 0 64C0 67.3 0 70.7 0 74'
    """
    slopes = _slopes(points, halves, free)
    lean = [slope * half for slope, half in zip(slopes, halves, strict=True)]
    segments: list[Segment] = []
    last = len(points) - 1
    for i, (x, y) in enumerate(points):
        above, below = (x - lean[i], y - halves[i]), (x + lean[i], y + halves[i])
        segments.append(_line((x, y) if i == 0 else above, (x, y) if i == last else below))
        if i == last:
            break
        following = points[i + 1]
        enter = (following[0] - lean[i + 1], following[1] - halves[i + 1])
        high = enter[1] - below[1]
        chord = (enter[0] - below[0]) / high
        first = chord if i == 0 and filled[0] else slopes[i]
        second = chord if i + 1 == last and filled[1] else slopes[i + 1]
        third = high / 3
        segments.append(
            (below, (below[0] + first * third, below[1] + third), (enter[0] - second * third, enter[1] - third), enter)
        )
    return Curve(tuple(segments))


def _slopes(points: Sequence[Point], halves: Sequence[float], free: Sequence[float]) -> list[float]:
    # dx/dy within each row: that of a smooth curve (Fritsch and Carlson), limited by the free space; 0 at the ends.
    steps = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(points)]
    slopes = [0.0]
    for i, (before, after) in enumerate(itertools.pairwise(steps), 1):
        smooth = 0.0 if before * after <= 0 else 2 * before * after / (before + after)
        limit = free[i] / halves[i]
        slopes.append(max(-limit, min(limit, smooth)))
    return [*slopes, 0.0]


def _line(start: Point, end: Point) -> Segment:
    (x0, y0), (x1, y1) = start, end
    across, down = (x1 - x0) / 3, (y1 - y0) / 3
    return start, (x0 + across, y0 + down), (x1 - across, y1 - down), end


def spread_ends(
    middles: Mapping[int, Point] | Sequence[Point],
    sizes: Sequence[tuple[float, float]],
    edges: Sequence[tuple[int, int]],
    routes: Sequence[Route],
) -> list[Route]:
    """The routes with their two ends moved sideways inside the nodes.

    >>> nodes = [(0.0, 0.0), (-50.0, 90.0), (50.0, 90.0)]
    >>> routes = [(nodes[0], nodes[1]), (nodes[0], nodes[2])]
    >>> [route[0] for route in spread_ends(nodes, [(60, 20)] * 3, [(0, 1), (0, 2)], routes)]
    [(-6.0, 0.0), (6.0, 0.0)]
    """
    moved = [list(route) for route in routes]
    groups: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
    for number, ((first, second), route) in enumerate(zip(edges, routes, strict=True)):
        for node, end, following in ((first, 0, route[1]), (second, -1, route[-2])):
            across, along = following[0] - middles[node][0], following[1] - middles[node][1]
            groups.setdefault((node, along > 0), []).append((across / abs(along), number, end))
    for (node, _), ends in groups.items():
        (x, y), width = middles[node], sizes[node][0]
        apart = min(APART, (width - 20) / max(1, len(ends) - 1))
        for place, (_, number, end) in enumerate(sorted(ends)):
            moved[number][end] = (x + (place - (len(ends) - 1) / 2) * apart, y)
    return [tuple(route) for route in moved]
