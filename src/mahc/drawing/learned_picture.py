"""The picture of a learned graph: width by strength, opacity by confidence, reversible arcs without arrowhead."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mahc.drawing.edge_style import EdgeStyle
from mahc.drawing.layout import place_graphs
from mahc.drawing.page import LegendEntry, draw
from mahc.drawing.svg import Graph, too_dense
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import look_up
from mahc.graphs.pictures import PICTURES, THICKEST, Picture, rank_widths
from mahc.plurals import count
from mahc.results.edges import EdgeRecord, edge_records
from mahc.results.learned import Learned
from mahc.results.summary import count_edges
from mahc.setting_checks import Whole

STEPS = Whole(0, 1_000_000)
PALEST = 0.35  # opacity of an edge in no resample

MEANINGS = {
    "DAG": {
        "-->": "direction determined by the data and the knowledge",
        "---": "reversible: the data do not determine the direction",
    },
    "CPDAG": {"-->": "in every DAG that fits", "---": "reversible: the data do not determine the direction"},
    "PAG": {
        "-->": "cause of",
        "o->": "the left is a cause, or a hidden variable causes both",
        "<->": "a hidden variable causes both",
        "o-o": "undetermined",
        "---": "joined by selection",
        "o--": "undetermined at the circle",
    },
}


def plot_learned(
    learned: Learned,
    *,
    reversible: bool = True,
    tiers: bool = True,
    title: str | None = None,
    around: str | Iterable[str] | None = None,
    steps: int = 2,
) -> Picture:
    """The picture of a result; see `Learned.plot`."""
    graph: Graph = learned.graph
    drawn = learned.pattern if reversible or not isinstance(graph, DAG) else graph.to_mixed()
    bands = learned.knowledge.tiers if tiers else ()
    if around is not None:
        near = neighbourhood(graph, around, steps)
        graph, drawn = _part(graph, near), _mixed_part(drawn, near)
        bands = tuple(kept for band in bands if (kept := tuple(name for name in band if name in near)))
    note = too_dense(graph)
    if note:
        return Picture(note)
    shown = set(graph.names)
    records = tuple(edge for edge in edge_records(learned) if edge.left in shown and edge.right in shown)
    layout = place_graphs(graph, tiers=bands)
    styles = _styles(learned, records)
    if title is None:
        title = _title(learned, graph, steps if around is not None else None)
    return Picture(draw(drawn, layout, styles, title=title, legend=_legend(learned, records, drawn)))


def neighbourhood(graph: Graph, around: str | Iterable[str], steps: int) -> set[str]:
    """The variables at most `steps` edges away from one of these.

    >>> sorted(neighbourhood(DAG("abcd", [("a", "b"), ("b", "c"), ("c", "d")]), "a", 2))
    ['a', 'b', 'c']
    """
    STEPS.require("steps", steps)
    positions = {name: place for place, name in enumerate(graph.names)}
    near = {graph.names[look_up(name, positions)] for name in ([around] if isinstance(around, str) else around)}
    beside: dict[str, set[str]] = {name: set() for name in graph.names}
    for a, b in graph.arcs if isinstance(graph, DAG) else ((edge.left, edge.right) for edge in graph.edges):
        beside[a].add(b)
        beside[b].add(a)
    last = near
    for _ in range(steps):
        last = {other for name in last for other in beside[name]} - near
        near = near | last
    return near


def _part(graph: Graph, names: Collection[str]) -> Graph:
    if not isinstance(graph, DAG):
        return _mixed_part(graph, names)
    kept = [name for name in graph.names if name in names]
    return DAG(kept, [(a, b) for a, b in graph.arcs if a in names and b in names])


def _mixed_part(graph: MixedGraph, names: Collection[str]) -> MixedGraph:
    kept = [name for name in graph.names if name in names]
    return MixedGraph(kept, [(e.left, e.mark, e.right) for e in graph.edges if e.left in names and e.right in names])


def _title(learned: Learned, drawn: Graph, steps: int | None) -> str:
    name, whole = learned.algorithm.upper(), count(len(learned.variables), "variable")
    if steps is None:
        return f"{name}: {whole}, {count_edges(learned)}"
    return f"{name}: {len(drawn.names):,} of {whole}, at most {count(steps, 'edge')} away"


def _styles(learned: Learned, records: tuple[EdgeRecord, ...]) -> dict[tuple[str, str], EdgeStyle]:
    strengths = {(edge.left, edge.right): edge.strength for edge in records}
    widths = rank_widths({pair: value for pair, value in strengths.items() if value is not None})
    styles: dict[tuple[str, str], EdgeStyle] = {}
    required = _required_pairs(learned)
    for edge in records:
        pair = (edge.left, edge.right)
        opacity = 1.0 if edge.confidence is None else PALEST + (1 - PALEST) * edge.confidence
        style = EdgeStyle(
            width=widths.get(pair, EdgeStyle.width),
            opacity=opacity,
            reversible=bool(edge.reversible),
            required=frozenset(pair) in required,
            note=_describe(edge, learned.run.unit, frozenset(pair) in required),
        )
        styles[pair] = styles[pair[::-1]] = style  # the pattern may name the two variables in the other order
    return styles


def _required_pairs(learned: Learned) -> set[frozenset[str]]:
    known = learned.knowledge
    return {frozenset(pair) for pair in (*known.required_arcs, *known.required_edges)}


def _describe(edge: EdgeRecord, unit: str, required: bool) -> str:
    parts = [f"{edge.left} {edge.mark} {edge.right}"]
    parts += ["required"] if required else []
    parts += ["reversible"] if edge.reversible else []
    parts += [] if edge.strength is None else [f"strength {edge.strength:,.2f} {unit}"]
    parts += [] if edge.confidence is None else [f"in {edge.confidence:.0%} of the resamples"]
    return ", ".join(parts)


def _legend(learned: Learned, records: tuple[EdgeRecord, ...], drawn: MixedGraph) -> list[LegendEntry]:
    used = {edge.mark for edge in drawn.edges}
    meanings = MEANINGS[learned.kind]
    entries = [
        LegendEntry(text, mark, EdgeStyle(reversible=mark == "---" and learned.kind != "PAG"))
        for mark, text in meanings.items()
        if mark in used
    ]
    if "---" not in used and any(edge.reversible for edge in records):
        entries.append(LegendEntry(MEANINGS["DAG"]["---"], "-->", EdgeStyle(reversible=True)))
    required = _required_pairs(learned)
    if any(frozenset((edge.left, edge.right)) in required for edge in records):
        entries.append(LegendEntry("square: required by the knowledge", "---", EdgeStyle(required=True)))
    if any(edge.strength is not None for edge in records):
        entries.append(LegendEntry("wider: stronger (by rank)", "---", EdgeStyle(width=THICKEST)))
    if any(edge.confidence is not None for edge in records):
        entries.append(LegendEntry("paler: in fewer resamples", "---", EdgeStyle(opacity=PALEST, width=2.0)))
    return entries


PICTURES.register("learned")(plot_learned)
