"""Inverse-probability weights of rows, from the causes of missingness (Liu and Constantinou, 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine.incomplete import LOG_STEPS, MOST_STEPS, RowWeights
from mahc.learning.control import Control
from mahc.learning.incomplete.causes import find_causes

ROWS_PER_CONFIGURATION = 20  # of the causes, on average: with fewer the weakest causes are left out


def weigh_rows(data: Dataset, control: Control | None = None) -> RowWeights:
    """For every variable whose missingness has causes, the weight of each row in which it is observed.

    The weight of a row is the probability that v is observed at all, divided by the probability given the row's values
    of the causes. It makes the rows with v observed resemble all rows. A row is counted with the product of the
    weights of the variables that are counted. Raises Stopped when the control stops the run.
    """
    causes = [_affordable(data, mine) for mine in find_causes(data, control)]
    logs = []
    for v, mine in enumerate(causes):
        if control is not None:
            control.check()
        logs.append(_weigh(data, v, mine))
    return RowWeights(logs, causes)


def _affordable(data: Dataset, causes: Sequence[int]) -> list[int]:
    kept: list[int] = []
    configurations = 1
    for cause in causes:
        configurations *= len(data.discrete[cause].states)
        if configurations * ROWS_PER_CONFIGURATION > data.rows:
            break
        kept.append(cause)
    return sorted(kept)


def _weigh(data: Dataset, v: int, causes: Sequence[int]) -> NDArray[np.int16] | None:
    if not causes:
        return None
    # Missing is one more digit here, so that every row has a cell; cells with a missing cause have no weight.
    cell, known = data.discrete[causes[0]].codes.astype(np.intp), _states_of(data, causes[0])
    for cause in causes[1:]:
        cell *= data.discrete[cause].code_count
        cell += data.discrete[cause].codes
        known = np.logical_and.outer(known, _states_of(data, cause)).ravel()
    # Two places per cell: the rows in which v is missing, and those in which it is observed.
    counts = np.bincount(2 * cell + ~data.columns[v].missing, data.weights, 2 * len(known)).reshape(-1, 2)
    rows, seen = counts.sum(axis=1) * known, counts[:, 1] * known
    share = seen.sum() / max(1.0, rows.sum())
    if share == 0:
        return None
    # One row at the overall share is added to each configuration, so that rare ones have no extreme weights.
    chance = (seen + share) / (rows + 1.0)
    steps = np.clip(np.rint(LOG_STEPS * np.log2(share / chance)), -MOST_STEPS, MOST_STEPS) * known
    logs: NDArray[np.int16] = steps.astype(np.int16)[cell]
    return logs


def _states_of(data: Dataset, v: int) -> NDArray[np.bool_]:
    """For each code of a variable, whether it is a state."""
    return np.arange(data.discrete[v].code_count) < len(data.discrete[v].states)
