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
    known = np.ones(data.rows, np.bool_)
    cell = np.zeros(data.rows, np.int64)
    for cause in causes:
        known &= ~data.missing(cause)
        cell = cell * (len(data.states[cause]) + 1) + data.data.columns[cause]
    observed = known & ~data.missing(v)
    own = data.data.weights
    counts = np.ones(data.rows, np.int64) if own is None else own
    size = int(cell.max()) + 1
    rows = np.bincount(cell[known], counts[known], size)
    seen = np.bincount(cell[observed], counts[observed], size)
    share = seen.sum() / max(1.0, rows.sum())
    if share == 0:
        return None
    # One row at the overall share is added to each configuration, so that rare ones have no extreme weights.
    chance = (seen + share) / (rows + 1.0)
    steps = np.rint(LOG_STEPS * np.log2(share / chance))
    logs: NDArray[np.int16] = np.clip(steps, -MOST_STEPS, MOST_STEPS).astype(np.int16)[cell]
    logs[~observed] = 0
    return logs
