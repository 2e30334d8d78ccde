"""Layout of a graph: a layered layout (Sugiyama) of each connected component, packed side by side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from mahc.drawing.crossing import order_rows
from mahc.drawing.layering import Pair, assign_rows, direct_downwards
from mahc.drawing.placing import place_points
from mahc.graphs.components import label_components

Point = tuple[float, float]
Size = tuple[float, float]

COMPONENT_GAP = 34.0


@dataclass(frozen=True)
class Layout:
    """The centre of every node, and for every edge its points from the first end to the second.

    >>> placed = lay_out([(40, 20), (40, 20)], arcs=[(0, 1)], lines=[])
    >>> placed.width, [round(y) for _, y in placed.middles]
    (40.0, [10, 74])
    """

    width: float
    height: float
    middles: tuple[Point, ...]
    routes: tuple[tuple[Point, ...], ...]


def lay_out(sizes: Sequence[Size], arcs: Sequence[Pair], lines: Sequence[Pair]) -> Layout:
    """Place nodes of these sizes, arcs downwards, lines in any direction; `routes` has the arcs, then the lines."""
    edges = (*arcs, *lines)
    components = []
    for nodes in _connected(len(sizes), edges):
        inside = set(nodes)
        own_arcs = [edge for edge in arcs if edge[0] in inside]
        own_lines = [edge for edge in lines if edge[0] in inside]
        components.append(_lay_out_component(nodes, sizes, own_arcs, own_lines))
    return _pack(len(sizes), edges, components)


@dataclass(frozen=True)
class _Component:
    width: float
    height: float
    middles: dict[int, Point]
    routes: dict[Pair, tuple[Point, ...]]


def _connected(count: int, edges: Sequence[Pair]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for v, label in enumerate(label_components(count, edges)):
        groups.setdefault(label, []).append(v)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))


def _lay_out_component(nodes: list[int], sizes: Sequence[Size], arcs: list[Pair], lines: list[Pair]) -> _Component:
    downward = direct_downwards(nodes, arcs, lines)
    row = assign_rows(nodes, downward)
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
    y, height = _stack(rows, down, x, sizes)
    left = min(x[v] - widths[v] / 2 for v in widths)
    right = max(x[v] + widths[v] / 2 for v in widths)
    spot = {v: (x[v] - left, y[v]) for v in widths}
    routes: dict[Pair, tuple[Point, ...]] = {}
    for edge, chain in zip((*arcs, *lines), chains, strict=True):
        points = [spot[v] for v in chain]
        routes[edge] = tuple(points if chain[0] == edge[0] else points[::-1])
    return _Component(right - left, height, {v: spot[v] for v in nodes}, routes)


def _stack(
    rows: Sequence[Sequence[int]], down: dict[int, list[int]], x: dict[int, float], sizes: Sequence[Size]
) -> tuple[dict[int, float], float]:
    y: dict[int, float] = {}
    top = 0.0
    for r, points in enumerate(rows):
        tall = max(sizes[v][1] for v in points if v < len(sizes))
        for v in points:
            y[v] = top + tall / 2
        # Rows are further apart where edges run far sideways, which would otherwise be almost flat.
        far = max((abs(x[v] - x[u]) for v in points for u in down[v]), default=0.0)
        top += tall + (min(120.0, max(44.0, 0.16 * far)) if r + 1 < len(rows) else 0.0)
    return y, top


def _pack(count: int, edges: Sequence[Pair], components: Sequence[_Component]) -> Layout:
    # Components in rows from the left, the largest first; as wide as the widest component or a page of good shape.
    area = sum((p.width + COMPONENT_GAP) * (p.height + COMPONENT_GAP) for p in components)
    page = max([1.5 * math.sqrt(area), *(p.width for p in components)], default=0.0)
    middles: list[Point] = [(0.0, 0.0)] * count
    routes: dict[Pair, tuple[Point, ...]] = {}
    left = top = tall = width = 0.0
    for component in components:
        if left and left + component.width > page:
            left, top, tall = 0.0, top + tall + COMPONENT_GAP, 0.0
        for v, (x, y) in component.middles.items():
            middles[v] = (x + left, y + top)
        for edge, points in component.routes.items():
            routes[edge] = tuple((x + left, y + top) for x, y in points)
        width = max(width, left + component.width)
        left += component.width + COMPONENT_GAP
        tall = max(tall, component.height)
    return Layout(width, top + tall, tuple(middles), tuple(routes[edge] for edge in edges))
