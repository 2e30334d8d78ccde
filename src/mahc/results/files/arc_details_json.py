"""`ArcDetails` as plain JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.learning.found import FORBIDDEN, Base
from mahc.results.arc_details import ArcDetails
from mahc.results.files.json_values import LARGEST, as_index, as_list, as_number, as_text

Table = dict[str, list[Any]]


def arc_details_to_dict(details: ArcDetails) -> dict[str, Any]:
    """Known values only: columns `from`, `to` (numbers of variables) and the values beside them."""
    return {
        "gain": _table(~np.isnan(details.gain), value=details.gain),
        "reversal_gain": _table(~np.isnan(details.reversal_gain), value=details.reversal_gain),
        "averaged_gain": _optional(details.averaged_gain),
        "averaged_reversal_gain": _optional(details.averaged_reversal_gain),
        "pruned": _pruned(details.level, details.score_with),
        "bases": [
            [[v, list(base.parents), base.score] for v, base in sorted(level.items())] for level in details.bases
        ],
        "max_parents": details.max_parents.tolist(),
        "forbidden": [[u, v, text] for (u, v), text in sorted(details.forbidden.items())],
        "required": [[u, v, text] for (u, v), text in sorted(details.required.items())],
        "connecting": sorted(list(arc) for arc in details.connecting),
    }


def arc_details_from_dict(found: Mapping[str, Any], variables: int) -> ArcDetails:
    """The details that were written; a ValueError, KeyError or TypeError where the values are wrong."""
    averaged, averaged_reversal = found["averaged_gain"], found["averaged_reversal_gain"]
    bases = tuple(
        {as_index(v, variables): _base(parents, score, variables) for v, parents, score in rows}
        for rows in found["bases"]
    )
    level, score = _read_pruned(found["pruned"], bases, variables)
    max_parents = _numbers(found["max_parents"], "i")
    if len(max_parents) != variables:
        raise ValueError("max_parents has another length than variables")
    return ArcDetails(
        gain=_matrix(found["gain"], variables),
        reversal_gain=_matrix(found["reversal_gain"], variables),
        averaged_gain=None if averaged is None else _matrix(averaged, variables),
        averaged_reversal_gain=None if averaged_reversal is None else _matrix(averaged_reversal, variables),
        level=level,
        score_with=score,
        bases=bases,
        max_parents=max_parents.astype(np.int32),
        forbidden={(as_index(u, variables), as_index(v, variables)): as_text(t) for u, v, t in found["forbidden"]},
        required={(as_index(u, variables), as_index(v, variables)): as_text(t) for u, v, t in found["required"]},
        connecting=frozenset((as_index(u, variables), as_index(v, variables)) for u, v in found["connecting"]),
    )


def _table(where: NDArray[np.bool_], **matrices: NDArray[Any]) -> Table:
    tails, heads = np.nonzero(where)
    columns = {name: matrix[tails, heads].tolist() for name, matrix in matrices.items()}
    return {"from": tails.tolist(), "to": heads.tolist(), **columns}


def _optional(matrix: NDArray[np.float64] | None) -> Table | None:
    return None if matrix is None else _table(~np.isnan(matrix), value=matrix)


def _pruned(level: NDArray[np.uint8] | None, score_with: NDArray[np.float64] | None) -> Table | None:
    if level is None or score_with is None:
        return None
    # Arcs that knowledge forbade before pruning began are listed in `forbidden`.
    return _table((level > 0) & (level < FORBIDDEN), level=level, score=score_with)


def _base(parents: Any, score: Any, variables: int) -> Base:
    return Base(tuple(as_index(u, variables) for u in as_list(parents)), as_number(score))


def _numbers(values: Any, kinds: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in kinds):
        raise ValueError("a column of numbers has another content")
    if array.dtype.kind == "f" and not (np.abs(array) <= LARGEST).all():
        raise ValueError("a column of numbers has one that is not from -1e300 to 1e300")
    return array


def _places(table: Table, variables: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    tails, heads = _numbers(table["from"], "i").astype(np.int64), _numbers(table["to"], "i").astype(np.int64)
    for column in (tails, heads):
        if column.size and not 0 <= int(column.min()) <= int(column.max()) < variables:
            raise ValueError("the number of a variable is out of range")
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
