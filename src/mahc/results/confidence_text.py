"""Confidence in what a result shows: its explanations, its facts and its list of arcs or edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mahc.errors import DataError
from mahc.plurals import count
from mahc.results.confidence import Confidence
from mahc.results.edge_table import EdgeTable
from mahc.results.explanation import Explanation
from mahc.results.intervals import percent
from mahc.results.records import DataRecord, RunRecord

SURE = 0.95
LIKELY = 0.5


def check_belongs(confidence: Confidence, data: DataRecord, run: RunRecord) -> None:
    """Refuse the confidence of other data, or of another algorithm."""
    if confidence.data.fingerprint != data.fingerprint:
        raise DataError("the bootstrap is of other data than the graph: resample the data that it was learned from")
    if confidence.run.algorithm != run.algorithm:
        raise DataError(
            f"the bootstrap is of {confidence.run.algorithm} and the graph of {run.algorithm}: use the same algorithm"
        )


def add_confidence(reason: Explanation, confidence: Confidence) -> Explanation:
    """The explanation of an arc or edge with its frequencies in the resamples."""
    if reason.tail == reason.head:
        return reason
    numbers = {
        "edge_frequency": confidence.edge(reason.tail, reason.head),
        "direction_frequency": confidence.direction(reason.tail, reason.head),
        "opposite_frequency": confidence.direction(reason.head, reason.tail),
    }
    sentence = f"{reason.sentence} The edge is {confidence.sentence(reason.tail, reason.head)}."
    return replace(reason, sentence=sentence, numbers={**reason.numbers, **numbers})


def describe_confidence(confidence: Confidence, adjacent: Sequence[tuple[str, str]]) -> str:
    """What was resampled, how many edges of the graph come back nearly always, and which others often do."""
    shares = [confidence.edge(left, right) for left, right in adjacent]
    text = confidence.describe()
    if shares:
        sure = sum(share >= SURE for share in shares)
        text += f"; {sure:,} of {count(len(shares), 'edge')} in at least {SURE:.0%} of them"
    joined = {frozenset(pair) for pair in adjacent}
    missing = [
        (pair, share)
        for pair, share in confidence.frequencies().items()
        if share >= LIKELY and frozenset(pair) not in joined
    ]
    if missing:
        missing.sort(key=lambda each: (-each[1], each[0]))
        shown = ", ".join(f"{left} - {right} ({share:.0%})" for (left, right), share in missing[:3])
        more = ", ..." if len(missing) > 3 else ""
        text += f"; not in the graph, but in at least half: {shown}{more}"
    return text


def add_columns(listed: EdgeTable, confidence: Confidence) -> EdgeTable:
    """The list of arcs or edges with the share of resamples that have each and, of arcs, of both directions."""
    directed = confidence.kind == "DAG"
    heading = ("resamples", "direction") if directed else ("resamples", "as here")
    rows = []
    for row in listed.rows:
        left, mark, right = row[:3]
        share = f"{percent(confidence.graphs.edge(left, right), confidence.resamples)} %"
        if directed:
            detail = confidence.direction_ratio(left, right)
        else:
            detail = f"{percent(confidence.graphs.marks(left, right).get(mark, 0), confidence.resamples)} %"
        rows.append((*row[:4], share, detail, *row[4:]))
    return EdgeTable(listed.title, (*listed.headings[:4], *heading, *listed.headings[4:]), tuple(rows))
