"""A learned graph as one JSON file and back; the layout is stable, scripts read it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError
from mahc.files import write_atomically
from mahc.graphs import DAG, Edge
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.settings import choose_algorithm
from mahc.results.arc_details import MOST_PAIRS_KEPT
from mahc.results.arc_details_json import ledger_from_dict, ledger_to_dict
from mahc.results.json_values import as_list, as_number, as_optional_number, as_pairs, as_table, as_text, as_whole
from mahc.results.learned import KINDS, STOP_REASONS, ConstraintCost, Learned, PruningSummary, TakenStep
from mahc.results.test_details_json import evidence_from_dict, evidence_to_dict
from mahc.scores import make_score

FORMAT = "mahc-result"
FORMAT_VERSION = 1


def summary_to_dict(learned: Learned) -> dict[str, Any]:
    """The part that `mahc learn --json` prints."""
    pruning = learned.pruning
    return {
        "algorithm": learned.algorithm,
        "settings": dict(learned.settings),
        "variables": list(learned.variables),
        "kind": learned.kind,
        "arcs": [list(arc) for arc in learned.arcs],
        "edges": None if learned.edges is None else [list(edge) for edge in learned.edges],
        "extension": None if learned.extension is None else [list(arc) for arc in learned.extension],
        "score": {
            "name": learned.score_name,
            "base": learned.score_base,
            "value": learned.score,
            **learned.score_settings,
        },
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
        "stop_reason": learned.stop_reason,
        "steps": len(learned.steps),
        "rows": learned.rows,
        "size": learned.size,
        "fingerprint": learned.fingerprint,
        "version": learned.version,
        "seconds": learned.seconds,
    }


def learned_to_dict(learned: Learned) -> dict[str, Any]:
    """Everything, as plain JSON values."""
    kept = _keeps_pairs(learned)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **summary_to_dict(learned),
        "local_scores": None if learned.local_scores is None else list(learned.local_scores),
        "score_settings": dict(learned.score_settings),
        "path": [[s.move, s.tail, s.head, s.score, s.averaged_score, s.seconds] for s in learned.steps],
        "knowledge": learned.knowledge.to_dict(),
        "start": [list(arc) for arc in learned.start],
        "ties": learned.ties,
        "ledger": ledger_to_dict(learned.ledger) if kept and learned.ledger is not None else None,
        "evidence": evidence_to_dict(learned.evidence) if kept and learned.evidence is not None else None,
    }


def _keeps_pairs(learned: Learned) -> bool:
    return len(learned.variables) ** 2 <= MOST_PAIRS_KEPT


def save_learned(learned: Learned, path: str | Path) -> None:
    """Write the result to one file, whole or not at all."""
    write_atomically(Path(path), json.dumps(learned_to_dict(learned), allow_nan=False) + "\n")


def load_learned(path: str | Path) -> Learned:
    """Read a result; anything else is refused with the file's name."""
    found = _read_json(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError("is not a mahc result: give the result.json that `mahc learn --out DIR` wrote", path)
    if found.get("format_version") != FORMAT_VERSION:
        raise FormatError(
            f"has format version {found.get('format_version')!r}, this mahc reads {FORMAT_VERSION}: update mahc",
            path,
        )
    try:
        return _build(found)
    except KeyError as problem:
        raise FormatError(f"is damaged ({problem} is missing): learn again", path) from None
    except (TypeError, ValueError, OverflowError, MahcError) as problem:
        raise FormatError(f"is damaged ({problem}): learn again", path) from None


def _read_json(path: str | Path) -> Any:
    expected = "give the result.json that `mahc learn --out DIR` wrote"
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except FileNotFoundError:
        raise FormatError(f"there is no such file: {expected}", path) from None
    except OSError as problem:
        raise FormatError(f"cannot be read ({problem.strerror or problem}): {expected}", path) from None
    except json.JSONDecodeError as problem:
        raise FormatError(f"is not JSON: {expected}", path, problem.lineno) from None
    except (ValueError, RecursionError):
        raise FormatError(f"is not JSON: {expected}", path) from None


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _build(found: dict[str, Any]) -> Learned:
    variables = tuple(as_text(name) for name in as_list(found["variables"]))
    score, pruning, ledger = as_table(found["score"]), found["pruning"], found["ledger"]
    local, edges, extension, evidence = (found.get(k) for k in ("local_scores", "edges", "extension", "evidence"))
    if found["stop_reason"] not in STOP_REASONS:
        raise ValueError(f"stop_reason is {found['stop_reason']!r}")
    learned = Learned(
        variables=variables,
        arcs=as_pairs(found["arcs"]),
        algorithm=as_text(found["algorithm"]),
        settings=as_table(found["settings"]),
        score_name=as_text(score["name"]),
        score_base=as_number(score["base"]),
        score_settings={key: as_number(value) for key, value in as_table(found["score_settings"]).items()},
        local_scores=None if local is None else tuple(as_number(x) for x in as_list(local, len(variables))),
        averaged_score=as_optional_number(found["averaged_score"]),
        stop_reason=found["stop_reason"],
        steps=tuple(_build_step(step) for step in as_list(found["path"])),
        pruning=None if pruning is None else _build_pruning(as_table(pruning)),
        ledger=None if ledger is None else ledger_from_dict(as_table(ledger), len(variables)),
        knowledge=Knowledge.from_dict(as_table(found["knowledge"])),
        constraint_costs=tuple(_build_cost(as_table(cost)) for cost in as_list(found["constraint_costs"])),
        start=as_pairs(found["start"]),
        ties=as_text(found["ties"]),
        fingerprint=as_text(found["fingerprint"]),
        rows=as_whole(found["rows"]),
        size=as_whole(found["size"]),
        version=as_text(found["version"]),
        seconds=as_number(found["seconds"]),
        gap=as_optional_number(found.get("gap")),
        kind=as_text(found.get("kind", "DAG")),
        edges=None if edges is None else tuple(_build_edge(edge) for edge in as_list(edges)),
        extension=None if extension is None else as_pairs(extension),
        evidence=None if evidence is None else evidence_from_dict(as_table(evidence), len(variables)),
    )
    _check_parts(learned)
    return learned


def _build_step(step: Any) -> TakenStep:
    move, tail, head, score, averaged, seconds = as_list(step, 6)
    return TakenStep(
        as_text(move),
        as_text(tail),
        as_text(head),
        as_number(score),
        as_optional_number(averaged),
        as_number(seconds),
    )


def _build_pruning(pruning: dict[str, Any]) -> PruningSummary:
    return PruningSummary(
        tuple(as_whole(n) for n in as_list(pruning["pruned_per_level"])),
        tuple(as_whole(n) for n in as_list(pruning["valid_sets_per_level"])),
        as_pairs(pruning["allowed_arcs"]),
    )


def _build_cost(cost: dict[str, Any]) -> ConstraintCost:
    return ConstraintCost(as_text(cost["constraint"]), as_number(cost["cost"]))


def _check_parts(learned: Learned) -> None:
    """The parts must be known to this mahc and fit each other; a cycle, an unknown name shows here."""
    choose_algorithm(learned.algorithm, learned.settings)
    make_score(learned.score_name, base=learned.score_base, **learned.score_settings)
    if learned.edges is None:
        if learned.local_scores is None:
            raise ValueError("local_scores are missing")
        learned.cpdag  # noqa: B018 - builds the graph, and tries the knowledge on it
    else:
        _check_edges(learned)
    DAG(learned.variables, learned.start)
    learned.knowledge.check(learned.variables, search_in_degree=max(1, len(learned.variables)))


def _build_edge(edge: Any) -> Edge:
    left, mark, right = as_list(edge, 3)
    return Edge(as_text(left), as_text(mark), as_text(right))


def _check_edges(learned: Learned) -> None:
    if learned.kind not in KINDS[1:]:
        raise ValueError(f"kind is {learned.kind!r} where there are edges")
    if learned.evidence is None and _keeps_pairs(learned):
        raise ValueError("evidence is missing")
    if learned.arcs != tuple((edge.left, edge.right) for edge in learned.pattern.edges if edge.mark == "-->"):
        raise ValueError("arcs and edges do not fit")
    if (learned.extension is None) != (learned.local_scores is None):
        raise ValueError("extension and local_scores do not fit")
    if learned.extension is not None:
        learned.dag  # noqa: B018 - builds it
