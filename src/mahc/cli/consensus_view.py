"""What `mahc average` and `mahc consensus` print and write: the graph of many, with the share of each edge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mahc.cli.printing import say, say_json, tell
from mahc.results.intervals import percent
from mahc.results.phrases import count

if TYPE_CHECKING:
    from mahc.confidence import Consensus

MAX_ROWS = 60


def deliver_consensus(consensus: Consensus, out: Path | None, as_json: bool, more: dict[str, object]) -> None:
    """Write the graph where a file is named, and print it; `more` is added to the JSON."""
    if out is not None:
        consensus.write_graph(out)
    if as_json:
        say_json({**to_document(consensus), **more}, indent=2)
    else:
        say(*render_text(consensus))
        if out is not None:
            say("", f"Written to {out}")
    for left, right, reason in consensus.left_out:
        tell(f"note: {left} - {right} is frequent but left out: {reason}")


def to_document(consensus: Consensus) -> dict[str, object]:
    """For JSON, numbers in full."""
    return {
        "graphs": consensus.graphs,
        "threshold": consensus.threshold,
        "variables": list(consensus.graph.names),
        "edges": [list(edge) for edge in consensus.graph.edges],
        "arcs": [list(arc) for arc in consensus.dag.arcs],
        "pairs": consensus.to_frame().to_dicts(),
        "left_out": [list(each) for each in consensus.left_out],
    }


def render_text(consensus: Consensus) -> list[str]:
    """Lines: what was averaged, then the edges by falling share."""
    names, total = consensus.counts.names, consensus.graphs
    edges = consensus.graph.edges
    title = (
        f"{count(len(edges), 'edge')} over {count(len(names), 'variable')}, from {count(total, 'graph')}; "
        f"an edge is in if more than {consensus.threshold:.1%} have it"
    )
    ranked = sorted(edges, key=lambda edge: (-consensus.counts.edge(edge.left, edge.right), edge))
    width = max((len(" ".join(edge)) for edge in edges), default=0)
    lines = []
    for edge in ranked[:MAX_ROWS]:
        share = f"{percent(consensus.counts.edge(edge.left, edge.right), total)} %"
        there, back = consensus.counts.arc(edge.left, edge.right), consensus.counts.arc(edge.right, edge.left)
        lines.append(f"  {' '.join(edge).ljust(width)}  {share:>5}  {percent(there, total)} : {percent(back, total)}")
    if len(ranked) > MAX_ROWS:
        lines.append(f"  and {len(ranked) - MAX_ROWS:,} more")
    return [title, "", *lines]
