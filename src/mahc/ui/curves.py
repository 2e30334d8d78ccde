"""How a variable changes with a parent, for the page: means or shares in bins of the parent's values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import Continuous, Discrete
from mahc.data.rank_bins import rank_bins

BINS = 12
MOST_STATES = 8  # of a variable that is shown with a curve for each


def arc_curve(data: Dataset | None, tail: str, head: str) -> dict[str, Any] | None:
    """The curve of an arc, one of whose ends holds numbers; None for other arcs and without the data.

    `x` are the means of the tail in bins of about equal weight, or `states` its states. Each of `lines` has `y`: the
    means of the head or, where that has states, the share of one of them.

    >>> from mahc.data import read
    >>> data = read({"x": [1.5, 2.5, 3.5, 4.5] * 6, "y": [2.5, 4.5, 6.5, 8.5] * 6})
    >>> arc_curve(data, "x", "y")
    {'x': [1.5, 2.5, 3.5, 4.5], 'states': None, 'lines': [{'name': 'y', 'y': [2.5, 4.5, 6.5, 8.5]}]}
    """
    if data is None or tail not in data.names or head not in data.names:
        return None
    cause, effect = (data.columns[data.index(name)] for name in (tail, head))
    if not isinstance(cause, Continuous) and not isinstance(effect, Continuous):
        return None
    known = ~(cause.missing | effect.missing)
    cause, effect = cause.take(known), effect.take(known)
    weights = np.ones(cause.rows) if data.weights is None else data.weights[known].astype(np.float64)
    if not cause.rows or (isinstance(effect, Discrete) and len(effect.states) > MOST_STATES):
        return None
    states = list(cause.labels) if isinstance(cause, Discrete) else None
    codes: NDArray[np.integer]
    if isinstance(cause, Continuous):
        codes = rank_bins(cause.values, None if data.weights is None else data.weights[known], BINS)
    else:
        codes = cause.codes
    size = int(codes.max()) + 1 if states is None else len(states)
    totals = np.bincount(codes, weights, size)

    def means(values: Any) -> list[float | None]:
        sums = np.bincount(codes, weights * values, size)
        return [round(float(s / t), 6) if t else None for s, t in zip(sums, totals, strict=True)]

    if isinstance(effect, Continuous):
        lines = [{"name": head, "y": means(effect.values)}]
    else:
        lines = [{"name": label, "y": means(effect.codes == k)} for k, label in enumerate(effect.labels)]
    return {"x": means(cause.as_numbers()) if states is None else None, "states": states, "lines": lines}
