"""The JSON document that the page shows; its schema is in docs/reference/api.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from mahc._version import __version__
from mahc.data import Dataset
from mahc.engine.counts import TableSource, units_of
from mahc.errors import MahcError
from mahc.graphs import MixedGraph
from mahc.graphs.marks import EDGE_MARKS, Edge, Mark
from mahc.results.learned import Learned
from mahc.results.summary import facts
from mahc.ui.audit import audit_of, plain_audit
from mahc.ui.confidence import arc_confidence, describe_confidence
from mahc.ui.curves import arc_curve
from mahc.ui.methods import describe_methods
from mahc.ui.page_words import with_arrows
from mahc.ui.places import Places, place
from mahc.ui.reasons import pack_reasons
from mahc.ui.reproduce import Source, reproduce
from mahc.ui.tables import list_tables

FORMAT = "mahc-view"
FORMAT_VERSION = 1
MARKS = {Mark.TAIL: "tail", Mark.ARROW: "arrow", Mark.CIRCLE: "circle"}


def make_document(
    learned: Learned,
    data: Dataset | TableSource | None = None,
    source: Source | None = None,
    *,
    with_reasons: bool = True,
) -> dict[str, Any]:
    """Everything that the page shows of a result, as plain JSON values.

    Parameters
    ----------
    learned : Learned
        The result.
    data : Dataset or TableSource, optional
        The data it was learned from; without them states, frequencies and tables are null. Of counts over pieces there
        is no audit.
    source : Source, optional
        Where the data came from, for the title and for the commands that repeat the run.
    with_reasons : bool
        Whether to embed the reason for every ordered pair; the server answers these one by one instead.

    Returns
    -------
    dict
        The document.

    Examples
    --------
    >>> import mahc
    >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
    >>> document = make_document(learned)
    >>> document["format"], [arc["from"] for arc in document["arcs"]]
    ('mahc-view', [0])
    """
    source = source or Source()
    places = place(learned.graph)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": source.name,
        "kind": learned.kind,
        "unit": learned.run.unit,
        "size": [round(places.width, 1), round(places.height, 1)],
        "variables": _list_variables(learned, data, places),
        "arcs": _list_arcs(learned, places, data if isinstance(data, Dataset) else None),
        "pattern": _list_pattern(learned),
        "knowledge": learned.knowledge.to_dict(),
        "panel": None if source.panel is None else source.panel.describe(),
        "constraint_costs": [{"constraint": c.constraint, "cost": c.cost} for c in learned.constraint_costs],
        "run": _describe_run(learned, source),
        "reproduce": reproduce(learned, source),
        "tables": None if data is None else list_tables(learned, data),
        "confidence": describe_confidence(learned),
        "audit": plain_audit(audit_of(data, source.name, learned.data.rows)) if isinstance(data, Dataset) else None,
        "methods": describe_methods(learned, None if source.panel is None else source.panel.describe()),
        "reasons": pack_reasons(learned) if with_reasons else None,
    }


def _list_variables(learned: Learned, data: Dataset | TableSource | None, places: Places) -> list[dict[str, Any]]:
    found = []
    for name in learned.variables:
        box = places.boxes[name]
        entry: dict[str, Any] = {"name": name, "lines": list(box.lines)}
        entry |= {side: round(getattr(box, side), 1) for side in ("x", "y", "width", "height")}
        entry["states"] = entry["counts"] = None
        if data is not None and name in data.names:
            entry |= _summarise(data, name)
        found.append(entry)
    return found


def edge_values(edge: Edge, at: dict[str, int]) -> dict[str, Any]:
    """An edge as indices of its variables and the marks at its two ends."""
    near, far = EDGE_MARKS[edge.mark]
    return {"from": at[edge.left], "to": at[edge.right], "marks": [MARKS[near], MARKS[far]]}


def _summarise(data: Dataset | TableSource, name: str) -> dict[str, Any]:
    """What is shown of a column; of counts over pieces the states, and nothing of numbers."""
    at = data.names.index(name)
    column = data.columns[at]
    if isinstance(data, Dataset):
        weights = None if data.weights is None else data.weights.astype(np.float64) / data.unit
        return column.summary(weights)
    if column.state_count is None:
        return {}
    return column.with_rows(np.arange(column.state_count, dtype=np.uint32)).summary(
        np.asarray(data.marginals[at]) / units_of(data)[1]
    )


def _list_arcs(learned: Learned, places: Places, data: Dataset | None) -> list[dict[str, Any]]:
    at = {name: i for i, name in enumerate(learned.variables)}
    graph = learned.graph if isinstance(learned.graph, MixedGraph) else learned.graph.to_mixed()
    strengths, known = learned.strengths(), learned.knowledge
    required = {frozenset(pair) for pair in (*known.required_arcs, *known.required_edges)}
    either = {frozenset((e.left, e.right)) for e in learned.pattern.edges if e.mark == "---"}
    found = []
    for edge in graph.edges:
        pair = (edge.left, edge.right)
        strength = strengths.get(pair)
        route = places.routes.get(pair)
        found.append(
            {
                **edge_values(edge, at),
                "strength": None if strength is None else round(strength, 4),
                "reversible": frozenset(pair) in either,
                "required": frozenset(pair) in required,
                "confidence": arc_confidence(learned.confidence, *pair),
                "reason": _explain(learned, *pair),
                "curve": arc_curve(data, *pair),
                "route": None if route is None else [[round(x, 1), round(y, 1)] for x, y in route],
            }
        )
    return found


def _explain(learned: Learned, tail: str, head: str) -> dict[str, Any] | None:
    try:
        reason = learned.explain(tail, head)
    except MahcError:  # a large result is saved without reasons
        return None
    return {"kind": reason.kind, "sentence": with_arrows(reason.sentence), "numbers": dict(reason.numbers)}


def _list_pattern(learned: Learned) -> list[dict[str, Any]] | None:
    if learned.kind != "DAG":
        return None
    at = {name: i for i, name in enumerate(learned.variables)}
    return [edge_values(edge, at) for edge in learned.pattern.edges]


def _describe_run(learned: Learned, source: Source) -> dict[str, Any]:
    run, pruning = learned.run, learned.pruning
    told = facts(learned)
    if source.panel is not None:
        told.insert(1, ("Rows", source.panel.describe()))
    return {
        "algorithm": learned.algorithm,
        "settings": dict(learned.settings),
        "score": {"name": run.score.name, "base": run.score.base, "value": learned.score, **run.score_settings},
        "averaged_score": learned.averaged_score,
        "gap": learned.gap,
        "ties": run.ties,
        "start": [list(arc) for arc in run.start],
        "stop_reason": learned.stop_reason.value,
        "seconds": run.seconds,
        "total_seconds": run.total_seconds,
        "timings": dict(run.timings),
        "rows": learned.data.rows,
        "weight": learned.data.size,
        "fingerprint": learned.data.fingerprint,
        "version": run.version,
        "written_by": __version__,
        "facts": [[with_arrows(text) for text in fact] for fact in told],
        "pruning": None
        if pruning is None
        else {
            "pruned_per_level": list(pruning.pruned_per_level),
            "candidate_sets_per_level": list(pruning.valid_sets_per_level),
            "arcs_left": len(pruning.allowed_arcs),
        },
        "steps": [[s.move, s.tail, s.head, s.score, s.averaged_score] for s in learned.steps],
    }
