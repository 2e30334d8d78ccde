"""The picture of a comparison: both graphs at the same positions, and every difference marked.

Colours differ for colour-blind readers too (blue, orange, purple of Okabe and Ito), and each kind of difference also
has its own sign and line.
"""

from __future__ import annotations

from dataclasses import replace

from mahc.drawing.edge_style import EdgeStyle
from mahc.drawing.layout import place_graphs
from mahc.drawing.page import LegendEntry, draw
from mahc.drawing.svg import too_dense
from mahc.graphs.marks import Edge
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.pictures import PICTURES, Picture
from mahc.measures.comparison import Comparison
from mahc.measures.matching import EdgeMatch

STYLES = {
    "matched": EdgeStyle(),
    "missing": EdgeStyle(colour="#c25700", width=2.0, dash="6 4", sign="\u2212"),
    "extra": EdgeStyle(colour="#0072b2", width=2.4, sign="+"),
    "partial": EdgeStyle(colour="#8e3a80", width=2.0, dash="1.5 3", sign="\u21c4"),
}
MEANINGS = {
    "matched": ("in both", "-->"),
    "missing": ("missing: only in the true graph", "-->"),
    "extra": ("extra: only in the learned graph", "-->"),
    "partial": ("reversed or marked otherwise; drawn as learned", "-->"),
}


def plot_comparison(comparison: Comparison, *, title: str = "") -> Picture:
    """The picture of a comparison; see `Comparison.plot`."""
    learned, true = comparison.learned, comparison.true
    note = too_dense(learned, true)
    if note:
        return Picture(note)
    drawn = _join(learned, true)
    layout = place_graphs(true, learned)
    styles = {}
    for match in comparison.edges:
        styles[match.first, match.second] = styles[match.second, match.first] = _style(match)
    return Picture(draw(drawn, layout, styles, title=title, legend=_legend(comparison)))


def _join(learned: MixedGraph, true: MixedGraph) -> MixedGraph:
    # The edges of the learned graph, and those that only the true graph has.
    has = {frozenset((edge.left, edge.right)) for edge in learned.edges}
    missing: list[Edge] = [edge for edge in true.edges if frozenset((edge.left, edge.right)) not in has]
    return MixedGraph(true.names, [*learned.edges, *missing])


def _style(match: EdgeMatch) -> EdgeStyle:
    style = STYLES[match.kind]
    text = match.learned or match.true or ""
    note = (
        text
        if match.kind == "matched"
        else f"{match.kind}: true {match.true or 'no edge'}, learned {match.learned or 'no edge'}"
    )
    return replace(style, note=note, reversible=match.kind == "matched" and " --- " in text)


def _legend(comparison: Comparison) -> list[LegendEntry]:
    counts = comparison.counts
    number = {
        "matched": counts.matched,
        "missing": counts.missing,
        "extra": counts.extra,
        "partial": counts.partial,
    }
    entries = [LegendEntry(f"{number[kind]:,} {text}", mark, STYLES[kind]) for kind, (text, mark) in MEANINGS.items()]
    if any(" --- " in (edge.learned or edge.true or "") for edge in comparison.edges):
        entries.append(LegendEntry("dot: reversible", "---", EdgeStyle(reversible=True)))
    return entries


PICTURES.register("comparison")(plot_comparison)
