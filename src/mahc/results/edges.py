"""The edges of a result with everything that is known of each: strength, reversibility, confidence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mahc.graphs import Edge

if TYPE_CHECKING:
    import polars as pl

    from mahc.graphs.files.graph_format import EdgeAttributes
    from mahc.results.learned import Learned


@dataclass(frozen=True)
class EdgeRecord:
    """One edge of the learned graph.

    `strength` is the score lost without the edge (None where it is not known), `reversible` whether the data and the
    knowledge leave its direction open (None in a PAG, whose circles say that), `confidence` the share of resamples
    that have the edge (None without a bootstrap).
    """

    left: str
    mark: str
    right: str
    strength: float | None
    reversible: bool | None
    confidence: float | None

    @property
    def attributes(self) -> dict[str, float | bool]:
        """What is known, by name."""
        found = {"strength": self.strength, "reversible": self.reversible, "confidence": self.confidence}
        return {name: value for name, value in found.items() if value is not None}


def edge_records(learned: Learned) -> tuple[EdgeRecord, ...]:
    """All edges, the strongest first, then by name."""
    strengths = learned.strengths()
    undirected = {frozenset((edge.left, edge.right)) for edge in learned.pattern.edges if edge.mark == "---"}
    confidence = learned.confidence
    edges = learned.edges or tuple(Edge(tail, "-->", head) for tail, head in learned.arcs)
    records = []
    for left, mark, right in edges:
        strength = strengths.get((left, right))
        records.append(
            EdgeRecord(
                left,
                mark,
                right,
                strength if strength is not None and math.isfinite(strength) else None,
                None if learned.kind == "PAG" else frozenset((left, right)) in undirected,
                None if confidence is None else confidence.edge(left, right),
            )
        )
    return tuple(sorted(records, key=lambda edge: (-(edge.strength or 0.0), edge.left, edge.right)))


def edge_attributes(learned: Learned) -> EdgeAttributes:
    """What is known of each edge, for files and networkx."""
    return {frozenset((edge.left, edge.right)): edge.attributes for edge in edge_records(learned)}


def make_frame(learned: Learned) -> pl.DataFrame:
    """The edges as a table; `confidence` only where there is one."""
    import polars as pl

    records = edge_records(learned)
    columns: dict[str, Any] = {
        "from": pl.Series([edge.left for edge in records], dtype=pl.String),
        "mark": pl.Series([edge.mark for edge in records], dtype=pl.String),
        "to": pl.Series([edge.right for edge in records], dtype=pl.String),
        "strength": pl.Series([edge.strength for edge in records], dtype=pl.Float64),
        "reversible": pl.Series([edge.reversible for edge in records], dtype=pl.Boolean),
    }
    if learned.confidence is not None:
        columns["confidence"] = pl.Series([edge.confidence for edge in records], dtype=pl.Float64)
    return pl.DataFrame(columns)


def make_networkx(learned: Learned) -> Any:
    """The graph for networkx, with what is known of the run and of each edge."""
    drawn = learned.graph.to_networkx()
    known = {"algorithm": learned.algorithm, "kind": learned.kind, "score": learned.score, "unit": learned.run.unit}
    drawn.graph.update({name: value for name, value in known.items() if value is not None})
    for edge in edge_records(learned):
        drawn.edges[edge.left, edge.right].update(edge.attributes)
    return drawn
