"""The ledger as plain JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.learning.found import BARRED, Base
from mahc.results.arc_details import Ledger
from mahc.results.json_values import as_list, as_number, as_place, as_text

Table = dict[str, list[Any]]


def ledger_to_dict(ledger: Ledger) -> dict[str, Any]:
    """Only what is known is written: columns `from`, `to` (variable numbers) and the values beside them."""
    return {
        "gain": _table(~np.isnan(ledger.gain), value=ledger.gain),
        "turn": _table(~np.isnan(ledger.turn), value=ledger.turn),
        "averaged_gain": _optional(ledger.averaged_gain),
        "averaged_turn": _optional(ledger.averaged_turn),
        "pruned": None if ledger.level is None or ledger.score_with is None else _pruned(ledger),
        "bases": [[[v, list(base.parents), base.score] for v, base in sorted(level.items())] for level in ledger.bases],
        "limit": ledger.limit.tolist(),
        "barred": [[u, v, text] for (u, v), text in sorted(ledger.barred.items())],
        "required": [[u, v, text] for (u, v), text in sorted(ledger.required.items())],
        "joining": sorted(list(arc) for arc in ledger.joining),
    }


def ledger_from_dict(found: Mapping[str, Any], variables: int) -> Ledger:
    """The ledger that was written; a ValueError, KeyError or TypeError where it is not one."""
    averaged_gain, averaged_turn = found["averaged_gain"], found["averaged_turn"]
    bases = tuple(
        {as_place(v, variables): _base(parents, score, variables) for v, parents, score in rows}
        for rows in found["bases"]
    )
    level, score = _read_pruned(found["pruned"], bases, variables)
    limit = _numbers(found["limit"], "i")
    if len(limit) != variables:
        raise ValueError("the limits do not fit the variables")
    return Ledger(
        _matrix(found["gain"], variables),
        _matrix(found["turn"], variables),
        None if averaged_gain is None else _matrix(averaged_gain, variables),
        None if averaged_turn is None else _matrix(averaged_turn, variables),
        level,
        score,
        bases,
        limit.astype(np.int32),
        {(as_place(u, variables), as_place(v, variables)): as_text(text) for u, v, text in found["barred"]},
        {(as_place(u, variables), as_place(v, variables)): as_text(text) for u, v, text in found["required"]},
        frozenset((as_place(u, variables), as_place(v, variables)) for u, v in found["joining"]),
    )


def _table(where: NDArray[np.bool_], **matrices: NDArray[Any]) -> Table:
    tails, heads = np.nonzero(where)
    columns = {name: matrix[tails, heads].tolist() for name, matrix in matrices.items()}
    return {"from": tails.tolist(), "to": heads.tolist(), **columns}


def _optional(matrix: NDArray[np.float64] | None) -> Table | None:
    return None if matrix is None else _table(~np.isnan(matrix), value=matrix)


def _pruned(ledger: Ledger) -> Table:
    # What knowledge barred before pruning began is told by `barred`.
    assert ledger.level is not None
    assert ledger.score_with is not None
    gone = (ledger.level > 0) & (ledger.level < BARRED)
    return _table(gone, level=ledger.level, score=ledger.score_with)


def _base(parents: Any, score: Any, variables: int) -> Base:
    return Base(tuple(as_place(u, variables) for u in as_list(parents)), as_number(score))


def _numbers(values: Any, kinds: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in kinds):
        raise ValueError("a column of numbers holds something else")
    return array


def _places(table: Table, variables: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    tails, heads = _numbers(table["from"], "i").astype(np.int64), _numbers(table["to"], "i").astype(np.int64)
    for column in (tails, heads):
        if column.size and not 0 <= int(column.min()) <= int(column.max()) < variables:
            raise ValueError("a variable's number is out of range")
    if len(tails) != len(heads):
        raise ValueError("columns differ in length")
    return tails, heads


def _matrix(table: Table, variables: int) -> NDArray[np.float64]:
    matrix = np.full((variables, variables), np.nan)
    matrix[_places(table, variables)] = _numbers(table["value"], "if")
    return matrix


def _read_pruned(
    table: Table | None, bases: tuple[Mapping[int, Base], ...], variables: int
) -> tuple[NDArray[np.uint8] | None, NDArray[np.float64] | None]:
    if table is None:
        return None, None
    tails, heads = _places(table, variables)
    levels = _numbers(table["level"], "i").astype(np.int64)
    for m, v in {*zip(levels.tolist(), heads.tolist(), strict=True)}:
        if not 1 <= m <= len(bases) or v not in bases[m - 1]:
            raise ValueError(f"variable {v} has no base at level {m}")
    level = np.zeros((variables, variables), np.uint8)
    score = np.full((variables, variables), np.nan)
    level[tails, heads] = levels
    score[tails, heads] = _numbers(table["score"], "if")
    return level, score
