"""What tests said as plain JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mahc.learning.test_details import Evidence
from mahc.results.json_values import as_list, as_number, as_place, as_text


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    """Rows of variable numbers and what was said of them."""
    return {
        "alpha": evidence.alpha,
        "separations": [[u, v, list(given), log_p] for (u, v), (given, log_p) in evidence.separations.items()],
        "barred": [[u, v, text] for (u, v), text in sorted(evidence.barred.items())],
        "required": [[u, v, text] for (u, v), text in sorted(evidence.required.items())],
    }


def evidence_from_dict(found: Mapping[str, Any], variables: int) -> Evidence:
    """What was written; a ValueError, KeyError or TypeError where it is not that."""

    def at(v: Any) -> int:
        return as_place(v, variables)

    separations = {}
    for u, v, given, log_p in (as_list(row, 4) for row in as_list(found["separations"])):
        separations[at(u), at(v)] = tuple(at(w) for w in as_list(given)), as_number(log_p)
    return Evidence(
        as_number(found["alpha"]),
        separations,
        {(at(u), at(v)): as_text(text) for u, v, text in found["barred"]},
        {(at(u), at(v)): as_text(text) for u, v, text in found["required"]},
    )
