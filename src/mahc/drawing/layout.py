"""Positions of the variables and routes of the edges of one or more graphs, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mahc.drawing.curve import Curve
from mahc.drawing.labels import NodeBox, node_size
from mahc.drawing.layered import lay_out
from mahc.errors import GraphError, UnknownNameError
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.taking import take_graph

Graph = DAG | MixedGraph
Pair = tuple[str, str]
PADDING = 17.0


@dataclass(frozen=True)
class GraphLayout:
    """Where a picture has its variables and edges, in pixels from the top left corner.

    Attributes
    ----------
    width, height : float
        The size of the picture without a margin.
    nodes : dict of str to NodeBox
        The box of each variable, sorted by name.
    routes : dict of (str, str) to Curve
        The curve of each edge from the border of its first variable to the border of its second. An edge is named
        as in the first graph that has it; `route` finds it by its variables in either order.
    bands : tuple of TierBand
        The tiers from top to bottom; none if no tiers were given.

    Examples
    --------
    >>> placed = place_graphs(DAG(["a", "b"], [("a", "b")]))
    >>> placed.nodes["a"].y < placed.nodes["b"].y
    True
    >>> placed.route("a", "b").path()
    'M22 26C22 40.7 22 55.3 22 70'
    """

    width: float
    height: float
    nodes: dict[str, NodeBox]
    routes: dict[Pair, Curve]
    bands: tuple[TierBand, ...] = ()

    def route(self, first: str, second: str) -> Curve:
        """The curve of an edge from `first` to `second`; a GraphError where the layout has no such edge."""
        for name in (first, second):
            if name not in self.nodes:
                raise UnknownNameError("variable", name, self.nodes)
        if (first, second) in self.routes:
            return self.routes[first, second]
        if (second, first) in self.routes:
            return self.routes[second, first].reversed()
        raise GraphError(f"the layout has no edge between {first} and {second}")

    def to_dict(self) -> dict[str, Any]:
        """The layout for JSON: boxes with their centre, routes as SVG paths and as cubic Bezier segments.

        >>> sorted(place_graphs(DAG(["a", "b"], [("a", "b")])).to_dict())
        ['bands', 'height', 'nodes', 'routes', 'width']
        """
        return {
            "width": self.width,
            "height": self.height,
            "nodes": [
                {"name": name, "x": box.x, "y": box.y, "width": box.width, "height": box.height, "lines": box.lines}
                for name, box in self.nodes.items()
            ],
            "routes": [
                {"from": first, "to": second, "path": curve.path(), "segments": curve.segments}
                for (first, second), curve in self.routes.items()
            ],
            "bands": [{"label": band.label, "top": band.top, "bottom": band.bottom} for band in self.bands],
        }


def place_graphs(*graphs: Graph, tiers: Sequence[Sequence[str]] = ()) -> GraphLayout:
    """Lay out one graph, or several of the same variables with the same positions.

    The layout depends on the variables' names and the edges, not on their order or on random numbers.

    Parameters
    ----------
    *graphs : DAG or MixedGraph
        The graphs. Arrows point downwards where they can; where two graphs disagree on a direction, the first
        graph that has the edge decides. Every edge of any of the graphs has a route.
    tiers : sequence of sequences of str
        Bands from top to bottom, each with the names of its variables; a variable may be in none.

    Returns
    -------
    GraphLayout
        Positions and routes.

    Raises
    ------
    GraphError
        If there is no graph, or the graphs have different variables.

    Examples
    --------
    >>> dag = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> other = DAG(["a", "b", "c"], [("b", "a"), ("a", "c")])
    >>> sorted(place_graphs(dag, other).routes)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    graphs = tuple(take_graph(graph) for graph in graphs)
    mixed = [graph.to_mixed() if isinstance(graph, DAG) else graph for graph in graphs]
    if not mixed:
        raise GraphError("there is no graph to lay out")
    if any(set(graph.names) != set(mixed[0].names) for graph in mixed):
        raise GraphError("graphs that share their positions must have the same variables")
    names = sorted(mixed[0].names)  # the layout does not depend on the order of columns
    place = {name: i for i, name in enumerate(names)}
    directed, undirected = _join_edges(mixed)
    arcs, lines = ([(place[a], place[b]) for a, b in pairs] for pairs in (directed, undirected))
    sizes = [node_size(name) for name in names]
    bands = assign_bands(names, (*directed, *undirected), tiers)
    layout = lay_out(sizes, arcs, lines, None if bands is None else bands.numbers)
    outside = [False] * len(names) if bands is None else bands.outside
    boxes = {name: NodeBox.of(name, *layout.middles[i], outside[i]) for name, i in place.items()}
    routes = {}
    for (first, second), curve in zip((*directed, *undirected), layout.curves, strict=True):
        routes[first, second] = curve.leave(boxes[first].holds).reversed().leave(boxes[second].holds).reversed()
    drawn = () if bands is None else bands.place(layout.bands)
    return GraphLayout(layout.width, layout.height, boxes, routes, drawn)


def _join_edges(graphs: Sequence[MixedGraph]) -> tuple[list[Pair], list[Pair]]:
    # The edges of all graphs, each once: those that point to the right, then the others; each part sorted.
    found: dict[frozenset[str], tuple[bool, Pair]] = {}
    for graph in graphs:
        for left, mark, right in graph.edges:
            found.setdefault(frozenset((left, right)), (mark in ("-->", "o->"), (left, right)))
    pairs = [sorted(pair for points, pair in found.values() if points == wanted) for wanted in (True, False)]
    return pairs[0], pairs[1]


@dataclass(frozen=True)
class TierBand:
    """One tier: its label and where its band begins and ends."""

    label: str
    top: float
    bottom: float


@dataclass(frozen=True)
class BandNumbers:
    """For each variable the band that it lies in, and whether it is there although it is in no tier."""

    numbers: tuple[int, ...]
    outside: tuple[bool, ...]
    labels: tuple[str, ...]

    def place(self, heights: Sequence[tuple[float, float]]) -> tuple[TierBand, ...]:
        """The bands around rows with these tops and bottoms."""
        return tuple(
            TierBand(label, top - PADDING, bottom + PADDING)
            for label, (top, bottom) in zip(self.labels, heights, strict=True)
        )


def assign_bands(
    names: Sequence[str], edges: Sequence[tuple[str, str]], tiers: Sequence[Sequence[str]]
) -> BandNumbers | None:
    """The band of each variable; None if there are no tiers.

    A variable in no tier lies in the last band of its parents or, without parents, in the first band of its children.

    >>> assign_bands(["a", "b", "c"], [("b", "c")], [["a"], ["b"]]).numbers
    (0, 1, 1)
    """
    tier_of: dict[str, int] = {}
    for number, tier in enumerate(tiers):
        for name in tier:
            if name not in names:
                raise UnknownNameError("variable", name, names)
            if name in tier_of:
                raise GraphError(f"the variable '{name}' is in two tiers")
            tier_of[name] = number
    if not tier_of:
        return None
    used = sorted(set(tier_of.values()))
    band = {name: used.index(number) for name, number in tier_of.items()}
    numbers = _place_others(names, edges, band)
    labels = tuple(f"tier {number + 1}" for number in used)
    return BandNumbers(tuple(numbers[name] for name in names), tuple(name not in band for name in names), labels)


def _place_others(names: Sequence[str], edges: Sequence[tuple[str, str]], band: dict[str, int]) -> dict[str, int]:
    parents: dict[str, list[str]] = {name: [] for name in names}
    children: dict[str, list[str]] = {name: [] for name in names}
    for first, second in edges:
        parents[second].append(first)
        children[first].append(second)
    found = {name: band.get(name, 0) for name in names}
    others = [name for name in names if name not in band]
    changed = True
    while changed:  # bands only rise, so this ends even if the edges form a cycle
        changed = False
        for name in others:
            lowest = max((found[parent] for parent in parents[name]), default=0)
            if lowest > found[name]:
                found[name], changed = lowest, True
    for name in others:
        if not parents[name] and children[name]:
            found[name] = min(found[child] for child in children[name])
    return found
