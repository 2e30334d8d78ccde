"""The picture of a learned graph: width by strength, opacity by confidence, reversible arcs without arrowhead."""

from __future__ import annotations

from mahc.drawing.edge_style import EdgeStyle
from mahc.drawing.layout import place_graphs
from mahc.drawing.page import LegendEntry, draw
from mahc.drawing.svg import too_dense
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.pictures import PICTURES, THICKEST, Picture, rank_widths
from mahc.plurals import count
from mahc.results.edges import EdgeRecord, edge_records
from mahc.results.learned import Learned
from mahc.results.summary import count_edges

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


def plot_learned(learned: Learned, *, reversible: bool = True, tiers: bool = True, title: str | None = None) -> Picture:
    """The picture of a result; see `Learned.plot`."""
    note = too_dense(learned.graph)
    if note:
        return Picture(note)
    records = edge_records(learned)
    drawn = learned.pattern if reversible or not isinstance(learned.graph, DAG) else learned.graph.to_mixed()
    layout = place_graphs(learned.graph, tiers=learned.knowledge.tiers if tiers else ())
    styles = _styles(learned, records)
    if title is None:
        title = f"{learned.algorithm.upper()}: {count(len(learned.variables), 'variable')}, {count_edges(learned)}"
    return Picture(draw(drawn, layout, styles, title=title, legend=_legend(learned, records, drawn)))


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
