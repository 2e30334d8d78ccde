"""The points where edges end on a node: side by side, not all in one point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Point = tuple[float, float]
Route = tuple[Point, ...]

APART = 12.0


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
