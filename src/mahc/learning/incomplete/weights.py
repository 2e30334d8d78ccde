"""Inverse-probability weights of rows, from the causes of missingness (Liu and Constantinou, 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data.incomplete import IncompleteData
from mahc.engine.incomplete import LOG_STEPS, MOST_STEPS, RowWeights
from mahc.learning.incomplete.causes import find_causes

ROWS_PER_CONFIGURATION = 20  # of the causes, on average: with fewer the weakest causes are left out


def weigh_rows(data: IncompleteData) -> RowWeights:
    """For every variable whose missingness has causes, the weight of each row in which it is observed.

    The weight of a row is the probability that v is observed at all, divided by the probability given the row's values
    of the causes. It makes the rows with v observed resemble all rows. A row is counted with the product of the
    weights of the variables that are counted.
    """
    causes = [_affordable(data, mine) for mine in find_causes(data)]
    return RowWeights([_weigh(data, v, mine) for v, mine in enumerate(causes)], causes)


def _affordable(data: IncompleteData, causes: Sequence[int]) -> list[int]:
    kept: list[int] = []
    configurations = 1
    for cause in causes:
        configurations *= len(data.states[cause])
        if configurations * ROWS_PER_CONFIGURATION > data.rows:
            break
        kept.append(cause)
    return sorted(kept)


def _weigh(data: IncompleteData, v: int, causes: Sequence[int]) -> NDArray[np.int16] | None:
    if not causes:
        return None
    # Missing is one more digit here, so that every row has a cell; cells with a missing cause have no weight.
    cell, known = np.zeros(data.rows, np.intp), np.ones(1, np.bool_)
    for cause in causes:
        digits = len(data.data.states[cause])
        cell = cell * digits + data.data.columns[cause]
        known = np.logical_and.outer(known, np.arange(digits) < len(data.states[cause])).ravel()
    lost, own = data.missing(v), data.data.weights
    rows = np.bincount(cell, own, len(known)) * known
    seen = rows - np.bincount(cell[lost], None if own is None else own[lost], len(known)) * known
    share = seen.sum() / max(1.0, rows.sum())
    if share == 0:
        return None
    # One row at the overall share is added to each configuration, so that rare ones have no extreme weights.
    chance = (seen + share) / (rows + 1.0)
    steps = np.clip(np.rint(LOG_STEPS * np.log2(share / chance)), -MOST_STEPS, MOST_STEPS) * known
    logs: NDArray[np.int16] = steps.astype(np.int16)[cell]
    logs[lost] = 0
    return logs
