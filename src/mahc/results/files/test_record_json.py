"""`TestRecord` as plain JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mahc.learning.tested_graph import TestRecord, UnchosenArc
from mahc.results.files.json_values import as_flag, as_index, as_list, as_number, as_optional_number, as_text


def record_to_dict(record: TestRecord) -> dict[str, Any]:
    """Rows of variable numbers and what was found about them."""
    return {
        "alpha": record.alpha,
        "separations": [[u, v, list(given), log_p] for (u, v), (given, log_p) in record.separations.items()],
        "forbidden": [[u, v, text] for (u, v), text in sorted(record.forbidden.items())],
        "required": [[u, v, text] for (u, v), text in sorted(record.required.items())],
        **(
            {"unchosen": [[u, v, arc.gain, arc.alone] for (u, v), arc in record.unchosen.items()]}
            if record.unchosen
            else {}
        ),
    }


def record_from_dict(found: Mapping[str, Any], variables: int) -> TestRecord:
    """The record that was written; a ValueError, KeyError or TypeError where the values are wrong."""

    def at(v: Any) -> int:
        return as_index(v, variables)

    separations = {}
    for u, v, given, log_p in (as_list(row, 4) for row in as_list(found["separations"])):
        separations[at(u), at(v)] = tuple(at(w) for w in as_list(given)), as_number(log_p)
    return TestRecord(
        as_number(found["alpha"]),
        separations,
        {(at(u), at(v)): as_text(text) for u, v, text in found["forbidden"]},
        {(at(u), at(v)): as_text(text) for u, v, text in found["required"]},
        {
            (at(u), at(v)): UnchosenArc(as_optional_number(gain), as_flag(alone))
            for u, v, gain, alone in (as_list(row, 4) for row in as_list(found.get("unchosen", [])))
        },
    )
