"""A learned graph as one JSON file and back; the layout is stable, scripts read it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from mahc.errors import FormatError
from mahc.formats.atomic import write_atomically
from mahc.search.knowledge import Knowledge
from mahc.search.learned import STOP_REASONS, ConstraintCost, Learned, PruningSummary, TakenStep
from mahc.search.ledger import MOST_PAIRS_KEPT
from mahc.search.ledger_json import ledger_from_dict, ledger_to_dict

FORMAT = "mahc-result"
FORMAT_VERSION = 1


def summary_to_dict(learned: Learned) -> dict[str, Any]:
    """The part that `mahc learn --json` prints."""
    pruning = learned.pruning
    return {
        "algorithm": learned.algorithm,
        "settings": dict(learned.settings),
        "variables": list(learned.variables),
        "arcs": [list(arc) for arc in learned.arcs],
        "score": {
            "name": learned.score_name,
            "base": learned.score_base,
            "value": learned.score,
            **learned.score_settings,
        },
        "averaged_score": learned.averaged_score,
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
    kept = learned.ledger if len(learned.variables) ** 2 <= MOST_PAIRS_KEPT else None
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **summary_to_dict(learned),
        "local_scores": list(learned.local_scores),
        "score_settings": dict(learned.score_settings),
        "path": [[s.move, s.tail, s.head, s.score, s.averaged_score, s.seconds] for s in learned.steps],
        "knowledge": learned.knowledge.to_dict(),
        "start": [list(arc) for arc in learned.start],
        "ties": learned.ties,
        "ledger": None if kept is None else ledger_to_dict(kept),
    }


def save_learned(learned: Learned, path: str | Path) -> None:
    """Write the result to one file, whole or not at all."""
    write_atomically(Path(path), json.dumps(learned_to_dict(learned), allow_nan=False) + "\n")


def load_learned(path: str | Path) -> Learned:
    """Read a result; anything else is refused with the file's name."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FormatError(
            "there is no such file: give the result.json that `mahc learn --out DIR` wrote", path
        ) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise FormatError(f"cannot be read ({problem}): give a result.json", path) from None
    except (json.JSONDecodeError, RecursionError) as problem:
        line = getattr(problem, "lineno", None)
        raise FormatError("is not JSON: give the result.json that `mahc learn --out DIR` wrote", path, line) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError("is not a mahc result: give the result.json that `mahc learn --out DIR` wrote", path)
    if found.get("format_version") != FORMAT_VERSION:
        raise FormatError(
            f"has format version {found.get('format_version')!r}, this mahc reads {FORMAT_VERSION}: update mahc",
            path,
        )
    try:
        return _build(found, path)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FormatError(f"is damaged ({type(problem).__name__}: {problem}): learn again", path) from None


def _build(found: dict[str, Any], path: object) -> Learned:
    variables = tuple(str(name) for name in found["variables"])
    arcs = tuple((str(a), str(b)) for a, b in found["arcs"])
    if found["stop_reason"] not in STOP_REASONS:
        raise ValueError(f"stop_reason {found['stop_reason']!r}")
    pruning = found["pruning"]
    learned = Learned(
        variables=variables,
        arcs=arcs,
        algorithm=str(found["algorithm"]),
        settings=dict(found["settings"]),
        score_name=str(found["score"]["name"]),
        score_base=float(found["score"]["base"]),
        score_settings={str(k): float(v) for k, v in found["score_settings"].items()},
        local_scores=tuple(float(x) for x in found["local_scores"]),
        averaged_score=None if found["averaged_score"] is None else float(found["averaged_score"]),
        stop_reason=found["stop_reason"],
        steps=tuple(
            TakenStep(str(m), str(a), str(b), float(s), None if v is None else float(v), float(t))
            for m, a, b, s, v, t in found["path"]
        ),
        pruning=None
        if pruning is None
        else PruningSummary(
            tuple(int(n) for n in pruning["pruned_per_level"]),
            tuple(int(n) for n in pruning["valid_sets_per_level"]),
            tuple((str(a), str(b)) for a, b in pruning["allowed_arcs"]),
        ),
        ledger=None if found["ledger"] is None else ledger_from_dict(found["ledger"], len(variables)),
        knowledge=Knowledge.from_dict(found["knowledge"]),
        constraint_costs=tuple(
            ConstraintCost(str(c["constraint"]), float(c["cost"])) for c in found["constraint_costs"]
        ),
        start=tuple((str(a), str(b)) for a, b in found["start"]),
        ties=str(found["ties"]),
        fingerprint=str(found["fingerprint"]),
        rows=int(found["rows"]),
        size=int(found["size"]),
        version=str(found["version"]),
        seconds=float(found["seconds"]),
    )
    if len(learned.local_scores) != len(variables) or not math.isfinite(learned.score):
        raise ValueError("local_scores do not fit the variables")
    learned.dag  # noqa: B018 - a cycle or an unknown name in the file shows here
    return learned
