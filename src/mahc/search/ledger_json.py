"""The ledger as plain JSON values and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.errors import FormatError
from mahc.search.ledger import Ledger
from mahc.search.pruning import Base


def ledger_to_dict(ledger: Ledger) -> dict[str, Any]:
    """Only what is known is written: triples [from, to, value] by variable number."""
    return {
        "gain": _triples(ledger.gain),
        "turn": _triples(ledger.turn),
        "averaged_gain": None if ledger.averaged_gain is None else _triples(ledger.averaged_gain),
        "averaged_turn": None if ledger.averaged_turn is None else _triples(ledger.averaged_turn),
        "pruned": None if ledger.level is None else _pruned(ledger),
        "bases": [[[v, list(base.parents), base.score] for v, base in sorted(level.items())] for level in ledger.bases],
        "limit": ledger.limit.tolist(),
        "barred": [[u, v, text] for (u, v), text in sorted(ledger.barred.items())],
        "required": [[u, v, text] for (u, v), text in sorted(ledger.required.items())],
    }


def ledger_from_dict(found: Mapping[str, Any], variables: int, file: object = None) -> Ledger:
    """The ledger that was written; anything else is a FormatError."""
    try:
        level, score = _read_pruned(found["pruned"], variables)
        return Ledger(
            _matrix(found["gain"], variables),
            _matrix(found["turn"], variables),
            None if found["averaged_gain"] is None else _matrix(found["averaged_gain"], variables),
            None if found["averaged_turn"] is None else _matrix(found["averaged_turn"], variables),
            level,
            score,
            tuple(
                {int(v): Base(tuple(int(u) for u in parents), float(score)) for v, parents, score in rows}
                for rows in found["bases"]
            ),
            np.array(found["limit"], np.int32),
            {(int(u), int(v)): str(text) for u, v, text in found["barred"]},
            {(int(u), int(v)): str(text) for u, v, text in found["required"]},
        )
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise FormatError(f"the ledger of this result cannot be read ({problem})", file) from None


def _triples(matrix: NDArray[np.float64]) -> list[list[float | int]]:
    rows, columns = np.nonzero(~np.isnan(matrix))
    values = matrix[rows, columns]
    triples = zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True)
    return [[u, v, x if math.isfinite(x) else 0.0] for u, v, x in triples]


def _matrix(triples: list[list[float]], variables: int) -> NDArray[np.float64]:
    matrix = np.full((variables, variables), np.nan)
    for u, v, x in triples:
        matrix[int(u), int(v)] = float(x)
    return matrix


def _pruned(ledger: Ledger) -> list[list[float | int | None]]:
    assert ledger.level is not None
    assert ledger.score_with is not None
    rows, columns = np.nonzero(ledger.level)
    levels, scores = ledger.level[rows, columns].tolist(), ledger.score_with[rows, columns].tolist()
    quads = zip(rows.tolist(), columns.tolist(), levels, scores, strict=True)
    return [[u, v, m, None if math.isnan(x) else x] for u, v, m, x in quads]


def _read_pruned(
    quads: list[list[float]] | None, variables: int
) -> tuple[NDArray[np.uint8] | None, NDArray[np.float64] | None]:
    if quads is None:
        return None, None
    level = np.zeros((variables, variables), np.uint8)
    score = np.full((variables, variables), np.nan)
    for u, v, m, x in quads:
        level[int(u), int(v)] = int(m)
        score[int(u), int(v)] = math.nan if x is None else float(x)
    return level, score
