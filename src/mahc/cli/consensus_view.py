"""What `mahc average` and `mahc consensus` print and write: the graph of many, with the share of each edge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mahc.cli.printing import say, say_json, tell
from mahc.confidence.settings import RULES
from mahc.plurals import count
from mahc.results.frequencies import percent

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
        "rule": consensus.rule,
        "variables": list(consensus.graph.names),
        "edges": [list(edge) for edge in consensus.graph.edges],
        "arcs": None if consensus.dag is None else [list(arc) for arc in consensus.dag.arcs],
        "pairs": consensus.to_frame().to_dicts(),
        "left_out": [list(each) for each in consensus.left_out],
    }


def render_text(consensus: Consensus) -> list[str]:
    """Lines: what was averaged, then the edges by falling share."""
    names, total = consensus.counts.names, consensus.graphs
    edges = consensus.graph.edges
    how = f"an edge is in if more than {consensus.threshold:.1%} have it"
    if consensus.rule is not None:
        how = f"chosen by the rule {consensus.rule} ({RULES[consensus.rule]})"
    title = f"{count(len(edges), 'edge')} over {count(len(names), 'variable')}, from {count(total, 'graph')}; {how}"
    ranked = sorted(edges, key=lambda edge: (-consensus.counts.edge(edge.left, edge.right), edge))
    width = max((len(" ".join(edge)) for edge in edges), default=0)
    lines = []
    for edge in ranked[:MAX_ROWS]:
        share = f"{percent(consensus.counts.edge(edge.left, edge.right), total)} %"
        lines.append(f"  {' '.join(edge).ljust(width)}  {share:>5}  {_directions(consensus, edge.left, edge.right)}")
    if len(ranked) > MAX_ROWS:
        lines.append(f"  and {len(ranked) - MAX_ROWS:,} more; --json lists all")
    return [title, "", *lines]


def _directions(consensus: Consensus, left: str, right: str) -> str:
    """The shares of both directions or, of PAGs, of every kind of edge, the most frequent first."""
    counts, total = consensus.counts, consensus.graphs
    if consensus.dag is not None:
        return f"{percent(counts.arc(left, right), total)} : {percent(counts.arc(right, left), total)}"
    found = counts.marks(left, right)
    ranked = sorted(found, key=lambda text: (-found[text], text))
    return ", ".join(f"{text} {percent(found[text], total)}" for text in ranked)
