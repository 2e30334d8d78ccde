"""A graph as an SVG picture in layers, with the marks at both ends of each edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mahc.drawing.edge_style import EdgeStyle
from mahc.drawing.layout import GraphLayout, place_graphs
from mahc.drawing.page import draw, note_page
from mahc.errors import GraphError, SettingError
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.pictures import PICTURES
from mahc.graphs.taking import take_graph
from mahc.plurals import count

SKETCHED = 600
DRAWN, DRAWN_PER_NODE = 400, 4  # largest number of edges that is drawn, in total or per variable
_COLOUR = re.compile(r"[a-zA-Z]{3,30}|#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")

Graph = DAG | MixedGraph
Pair = tuple[str, str]


def svg(
    graph: Graph,
    *,
    highlight: Mapping[Pair, str] | None = None,
    widths: Mapping[Pair, float] | None = None,
    opacities: Mapping[Pair, float] | None = None,
    reversible: Iterable[Pair] | None = None,
    tiers: Sequence[Sequence[str]] = (),
    title: str = "",
    layout: GraphLayout | None = None,
) -> str:
    """Draw a graph.

    An edge is given by its two variables in any order.

    Parameters
    ----------
    graph : DAG or MixedGraph
        The graph to draw.
    highlight : dict of (str, str) to str, optional
        Colours of edges: a CSS name, #rgb or #rrggbb.
    widths : dict of (str, str) to float, optional
        Line widths in pixels.
    opacities : dict of (str, str) to float, optional
        Opacities of edges, above 0 and at most 1; for instance how sure they are.
    reversible : iterable of (str, str), optional
        Edges whose direction is not determined; a dot in the middle marks them. By default the undirected edges of a
        graph that has only arcs and undirected edges, such as a CPDAG.
    tiers : sequence of sequences of str
        Bands from top to bottom, each with the names of its variables.
    title : str
        A line above the picture.
    layout : GraphLayout, optional
        Positions made by `place_graphs`, to draw several graphs of the same variables alike.

    Returns
    -------
    str
        The SVG text. It has a `viewBox` and is never wider than its container.

    Raises
    ------
    GraphError
        If an edge that is named is not in the graph.
    SettingError
        If a colour, width or opacity is out of range.

    Examples
    --------
    >>> svg(DAG(["a", "b"], [("a", "b")])).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    graph = take_graph(graph)
    mixed = graph.to_mixed() if isinstance(graph, DAG) else graph
    colours = _check_colours(mixed, highlight or {})
    strokes = _check_numbers(mixed, widths or {}, "line width", 20, " pixels")
    sure = _check_numbers(mixed, opacities or {}, "opacity", 1, "")
    dotted = _default_reversible(mixed) if reversible is None else {_check_edge(mixed, pair) for pair in reversible}
    styles = {}
    for edge in mixed.edges:
        pair = frozenset((edge.left, edge.right))
        plain = EdgeStyle(reversible=pair in dotted, note=" ".join(edge))
        styles[edge.left, edge.right] = EdgeStyle(
            colours.get(pair, plain.colour),
            strokes.get(pair, plain.width),
            sure.get(pair, 1.0),
            reversible=plain.reversible,
            note=plain.note,
        )
    placed = place_graphs(mixed, tiers=tiers) if layout is None else layout
    return draw(mixed, placed, styles, title=title)


def svg_or_note(graph: Graph) -> str:
    """The picture, or a note if the graph is too dense to be readable (and drawing would take minutes).

    >>> from itertools import combinations
    >>> names = [f"v{i}" for i in range(40)]
    >>> "too dense" in svg_or_note(MixedGraph(names, [(a, "o-o", b) for a, b in combinations(names, 2)]))
    True
    """
    return too_dense(graph) or svg(graph)


def too_dense(*graphs: Graph) -> str:
    """A note as SVG if the graphs have too many edges to be drawn; empty otherwise."""
    variables = len(graphs[0].names)
    edges = max(len(graph.arcs) if isinstance(graph, DAG) else len(graph.edges) for graph in graphs)
    if edges <= max(DRAWN, DRAWN_PER_NODE * variables):
        return ""
    return note_page(f"{count(variables, 'variable')} and {count(edges, 'edge')}: too dense to be drawn")


def sketch(graph: Graph) -> str | None:
    """The picture for a notebook, or None (the text is shown) if it would be too large."""
    edges = len(graph.arcs) if isinstance(graph, DAG) else len(graph.edges)
    return svg(graph) if max(len(graph.names), edges) <= SKETCHED else None


def _default_reversible(graph: MixedGraph) -> set[frozenset[str]]:
    if any(edge.mark not in ("-->", "---") for edge in graph.edges):
        return set()
    return {frozenset((edge.left, edge.right)) for edge in graph.edges if edge.mark == "---"}


def _check_edge(graph: MixedGraph, pair: Pair) -> frozenset[str]:
    if not graph.mark(*pair):
        raise GraphError(f"there is no edge between {pair[0]} and {pair[1]} to highlight")
    return frozenset(pair)


def _check_colours(graph: MixedGraph, highlight: Mapping[Pair, str]) -> dict[frozenset[str], str]:
    for colour in highlight.values():
        if not _COLOUR.fullmatch(colour):
            raise SettingError(f"the colour {colour!r} is neither a name nor #rgb nor #rrggbb")
    return {_check_edge(graph, pair): colour for pair, colour in highlight.items()}


def _check_numbers(
    graph: MixedGraph, numbers: Mapping[Pair, float], what: str, most: float, unit: str
) -> dict[frozenset[str], float]:
    for number in numbers.values():
        if not 0 < number <= most:
            raise SettingError(f"the {what} {number!r} is not above 0 and at most {most:g}{unit}")
    return {_check_edge(graph, pair): float(number) for pair, number in numbers.items()}


PICTURES.register("svg_or_note")(svg_or_note)
PICTURES.register("sketch")(sketch)
