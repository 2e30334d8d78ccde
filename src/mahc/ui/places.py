"""Where the page draws variables and edges: an adapter of `mahc.drawing`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mahc.drawing.labels import NodeBox
from mahc.drawing.layout import place_graphs
from mahc.drawing.svg import DRAWN, DRAWN_PER_NODE
from mahc.graphs import DAG, MixedGraph

Point = tuple[float, float]

# Of a route past some thirty layers. In a graph of 5,000 variables edges reach over hundreds of them: their routes
# would be nine tenths of the page, and nobody can follow them.
MOST_POINTS = 180


@dataclass(frozen=True)
class Places:
    """The size of the drawing, the box of each variable by name, and the route of each edge by its two names.

    A route is the points of a chain of cubic Bezier curves: start, then two control points and an end for each. Edges
    past very many layers have none: the page finds its own way from box to box.
    """

    width: float
    height: float
    boxes: dict[str, NodeBox]
    routes: dict[tuple[str, str], list[Point]]


def place(graph: DAG | MixedGraph) -> Places:
    """Lay out a graph; one that is too dense to be drawn in layers is laid out on a grid, without routes.

    >>> places = place(DAG(["a", "b"], [("a", "b")]))
    >>> places.boxes["a"].y < places.boxes["b"].y, len(places.routes["a", "b"])
    (True, 4)
    """
    edges = len(graph.arcs) if isinstance(graph, DAG) else len(graph.edges)
    if edges > max(DRAWN, DRAWN_PER_NODE * len(graph.names)):
        return _place_on_grid(sorted(graph.names))
    layout = place_graphs(graph)
    routes = {}
    for pair, curve in layout.routes.items():
        points = [curve.start, *(point for segment in curve.segments for point in segment[1:])]
        if len(points) <= MOST_POINTS:
            routes[pair] = points
    return Places(layout.width, layout.height, dict(layout.nodes), routes)


def _place_on_grid(names: list[str]) -> Places:
    columns = math.ceil(math.sqrt(len(names)))
    step = max(NodeBox.of(name, 0.0, 0.0).width for name in names) + 30
    boxes = {
        name: NodeBox.of(name, (i % columns + 0.5) * step, (i // columns + 0.5) * 90) for i, name in enumerate(names)
    }
    return Places(columns * step, math.ceil(len(names) / columns) * 90.0, boxes, {})
