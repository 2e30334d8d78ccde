"""A learned graph as one JSON file and back; the fields are stable, because scripts read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError
from mahc.files import write_atomically
from mahc.graphs import DAG
from mahc.learning.settings import choose_algorithm
from mahc.results.edge_records import edge_records
from mahc.results.files.confidence_json import confidence_from_dict, confidence_to_dict
from mahc.results.files.json_file import read_json
from mahc.results.files.json_values import as_list, as_table, as_text
from mahc.results.files.run_json import data_from_dict, data_to_dict, reading_to_dict, run_from_dict
from mahc.results.learned import Learned
from mahc.results.score_details import ScoreDetails
from mahc.results.test_details import TestDetails

FORMAT = "mahc-result"
FORMAT_VERSION = 2
MAX_PAIRS_SAVED = 1_000_000  # about 1,000 variables; larger results are saved without the details of every pair
EXPECTED = "give the result.json that `mahc learn --out DIR` wrote"
DETAILS: dict[str, type[ScoreDetails | TestDetails]] = {"DAG": ScoreDetails, "CPDAG": TestDetails, "PAG": TestDetails}


def summary_to_dict(learned: Learned) -> dict[str, Any]:
    """The part that `mahc learn --json` prints."""
    pruning, run = learned.pruning, learned.run
    records = {(edge.left, edge.right): edge for edge in edge_records(learned)}
    in_order = [records[left, right] for left, _, right in learned.edges or ((a, "", b) for a, b in learned.arcs)]
    return {
        "format_version": FORMAT_VERSION,
        "algorithm": learned.algorithm,
        "settings": dict(learned.settings),
        "variables": list(learned.variables),
        "kind": learned.kind,
        "arcs": [list(arc) for arc in learned.arcs],
        "edges": None if learned.edges is None else [list(edge) for edge in learned.edges],
        "extension": None if learned.extension is None else [list(arc) for arc in learned.extension],
        "strengths": [edge.strength for edge in in_order],
        "reversible": [edge.reversible for edge in in_order],
        "score": {"name": run.score.name, "base": run.score.base, "value": learned.score, **run.score_settings},
        "averaged_score": learned.averaged_score,
        "gap": learned.gap,
        "pruning": None
        if pruning is None
        else {
            "pruned_per_level": list(pruning.pruned_per_level),
            "valid_sets_per_level": list(pruning.valid_sets_per_level),
            "allowed_arcs": [list(arc) for arc in pruning.allowed_arcs],
        },
        "constraint_costs": [{"constraint": c.constraint, "cost": c.cost} for c in learned.constraint_costs],
        "stop_reason": learned.stop_reason.value,
        "steps": len(learned.steps),
        **data_to_dict(learned.data),
        "version": run.version,
        "seconds": run.seconds,
    }


def learned_to_dict(learned: Learned) -> dict[str, Any]:
    """Everything, as plain JSON values."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **summary_to_dict(learned),
        "local_scores": None if learned.local_scores is None else list(learned.local_scores),
        "score_settings": learned.run.score_settings,
        "knowledge": learned.knowledge.to_dict(),
        "start": [list(arc) for arc in learned.run.start],
        "ties": learned.run.ties,
        "missing": learned.run.missing,
        "reading": None if learned.data.reading is None else reading_to_dict(learned.data.reading),
        **learned.details.to_dict(_keeps_pairs(learned.variables)),
        "confidence": None if learned.confidence is None else confidence_to_dict(learned.confidence),
    }


def _keeps_pairs(variables: tuple[str, ...]) -> bool:
    return len(variables) ** 2 <= MAX_PAIRS_SAVED


def save_learned(learned: Learned, path: str | Path) -> None:
    """Write the result to one file, whole or not at all."""
    write_atomically(path, json.dumps(learned_to_dict(learned), allow_nan=False) + "\n")


def load_learned(path: str | Path) -> Learned:
    """Read a result; a FormatError with the file's name where it is not one."""
    return learned_from_dict(read_json(path, EXPECTED), path, EXPECTED)


def learned_from_dict(found: object, place: object, expected: str) -> Learned:
    """The result that `learned_to_dict` gave; a FormatError that begins with `place` where it is not one."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError(f"is not a mahc result: {expected}", place)
    version = found.get("format_version")
    if version != FORMAT_VERSION:
        advice = "learn again, or use the version of mahc that wrote it"
        raise FormatError(f"has format version {version!r}, this mahc reads {FORMAT_VERSION}: {advice}", place)
    try:
        return _build(found)
    except KeyError as problem:
        raise FormatError(f"is damaged ({problem} is missing): learn again", place) from None
    except (TypeError, ValueError, OverflowError, MahcError) as problem:
        raise FormatError(f"is damaged ({problem}): learn again", place) from None


def _build(found: dict[str, Any]) -> Learned:
    variables = tuple(as_text(name) for name in as_list(found["variables"]))
    run = run_from_dict(found)
    data = data_from_dict(found)
    kind = as_text(found["kind"])
    if kind not in DETAILS:
        raise ValueError(f"kind is {kind!r}")
    learned = Learned(data, run, DETAILS[kind].from_dict(found, variables, _keeps_pairs(variables)))
    _check_parts(learned)
    confidence = found.get("confidence")
    return learned if confidence is None else learned.with_confidence(confidence_from_dict(as_table(confidence)))


def _check_parts(learned: Learned) -> None:
    """Check what the parts must agree on: known settings, a knowledge and start graph that fit the variables."""
    choose_algorithm(learned.algorithm, learned.settings)
    learned.pattern  # noqa: B018 - builds it, which fails where the knowledge does not fit the graph
    DAG(learned.variables, learned.run.start)
    learned.knowledge.check(learned.variables, search_in_degree=max(1, len(learned.variables)))
