"""The same data in another dress, for the tests that nothing of it shows."""

from __future__ import annotations

import numpy as np

from mahc.data import Dataset


def shuffled(data: Dataset, rng: np.random.Generator) -> Dataset:
    """The same data with columns, rows and states in another order, and every state called something else."""
    rows = rng.permutation(data.rows)
    names, states, columns = [], [], []
    for v in rng.permutation(len(data.names)).tolist():
        count = len(data.labels[v])
        names.append(data.names[v])
        columns.append(rng.permutation(count)[data.codes[v]][rows])
        states.append(tuple(f"label {k}" for k in rng.permutation(count)))
    weights = None if data.weights is None else data.weights[rows]
    return Dataset.coded(tuple(names), tuple(states), tuple(columns), weights)
