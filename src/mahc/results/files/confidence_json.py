"""The frequencies of a bootstrap as one JSON file and back, so that resamples can be added later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError
from mahc.files import write_atomically
from mahc.graphs.edge_counts import EdgeCounts
from mahc.graphs.marks import EDGE_MARKS
from mahc.graphs.names import check_names
from mahc.results.confidence import HOW, Confidence
from mahc.results.files.json_file import read_json
from mahc.results.files.json_values import as_index, as_list, as_table, as_text, as_whole
from mahc.results.files.run_json import data_from_dict, data_to_dict, run_from_dict, run_to_dict

FORMAT = "mahc-confidence"
FORMAT_VERSION = 1
EXPECTED = "give the confidence.json that `mahc bootstrap --out DIR` wrote"
KINDS = ("DAG", "CPDAG", "PAG")


def confidence_to_dict(confidence: Confidence) -> dict[str, Any]:
    """Everything, as plain JSON values."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **run_to_dict(confidence.run),
        "data": data_to_dict(confidence.data),
        "variables": list(confidence.variables),
        "kind": confidence.kind,
        "how": confidence.how,
        "seed": confidence.seed,
        "requested": confidence.requested,
        "resamples": confidence.resamples,
        "graphs": _counts_to_list(confidence.graphs),
        "patterns": _counts_to_list(confidence.patterns),
    }


def save_confidence(confidence: Confidence, path: str | Path) -> None:
    """Write the file, whole or not at all."""
    write_atomically(path, json.dumps(confidence_to_dict(confidence), allow_nan=False) + "\n")


def load_confidence(path: str | Path) -> Confidence:
    """Read what was saved; a FormatError with the file's name where it is not that."""
    found = read_json(path, EXPECTED)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError(f"is not a saved bootstrap: {EXPECTED}", path)
    version = found.get("format_version")
    if version != FORMAT_VERSION:
        raise FormatError(f"has format version {version!r}, this mahc reads {FORMAT_VERSION}: bootstrap again", path)
    try:
        return confidence_from_dict(found)
    except KeyError as problem:
        raise FormatError(f"is damaged ({problem} is missing): bootstrap again", path) from None
    except (TypeError, ValueError, OverflowError, MahcError) as problem:
        raise FormatError(f"is damaged ({problem}): bootstrap again", path) from None


def confidence_from_dict(found: dict[str, Any]) -> Confidence:
    """The confidence that was written; a ValueError, KeyError or TypeError where the values are wrong."""
    names = check_names(as_text(name) for name in as_list(found["variables"]))
    how, kind, done = as_text(found["how"]), as_text(found["kind"]), as_whole(found["resamples"])
    if how not in HOW or kind not in KINDS or not 1 <= done <= as_whole(found["requested"]):
        raise ValueError("how, kind or the number of resamples is not one that mahc writes")
    run = run_from_dict(found)
    run.knowledge.check(names, search_in_degree=max(1, len(names)))
    return Confidence(
        data=data_from_dict(as_table(found["data"])),
        run=run,
        how=how,
        seed=as_whole(found["seed"]),
        requested=as_whole(found["requested"]),
        kind=kind,
        graphs=_counts_from_list(found["graphs"], names, done),
        patterns=_counts_from_list(found["patterns"], names, done),
    )


def _counts_to_list(counts: EdgeCounts) -> list[list[Any]]:
    return [[i, j, dict(sorted(of_pair.items()))] for (i, j), of_pair in sorted(counts.counts.items())]


def _counts_from_list(found: Any, names: tuple[str, ...], graphs: int) -> EdgeCounts:
    counts: dict[tuple[int, int], dict[str, int]] = {}
    for left, right, table in (as_list(row, 3) for row in as_list(found)):
        i, j = as_index(left, len(names)), as_index(right, len(names))
        of_pair = {text: as_whole(n) for text, n in as_table(table).items()}
        if not i < j or (i, j) in counts or not of_pair.keys() <= EDGE_MARKS.keys():
            raise ValueError(f"the counts of the pair {left}, {right} are not valid")
        if not 1 <= sum(of_pair.values()) <= graphs:
            raise ValueError(f"the pair {left}, {right} is counted more often than there are resamples")
        counts[i, j] = of_pair
    return EdgeCounts(names, graphs, counts)
