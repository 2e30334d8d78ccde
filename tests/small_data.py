"""Small random data sets and their BIC by counting in dictionaries."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import oracles_search as slow

from mahc.data import Dataset


def random_data(rng: random.Random, fewer: bool = False) -> Dataset:
    """Columns that depend on earlier ones, so that there is something to learn."""
    n = rng.choice([2, 3, 4] if fewer else [3, 4, 4, 4, 5, 5, 6, 7])
    rows = rng.choice([20, 60, 200])
    states = [rng.randint(1, 4) if rng.random() < 0.3 else 2 for _ in range(n)]
    columns: list[list[int]] = []
    for v in range(n):
        sources = rng.sample(range(v), min(v, rng.randint(0, 2)))
        strength = rng.choice([0.5, 0.8, 1.0])
        column = [
            sum(columns[u][i] for u in sources) % states[v]
            if sources and rng.random() < strength
            else rng.randrange(states[v])
            for i in range(rows)
        ]
        columns.append(column)
    shown = [sorted(set(column)) for column in columns]
    coded = tuple(np.array([labels.index(x) for x in column]) for labels, column in zip(shown, columns, strict=True))
    return Dataset.coded(
        tuple(f"v{v}" for v in rng.sample(range(n), n)), tuple(tuple(map(str, labels)) for labels in shown), coded
    )


def local_bic(data: Dataset, order: list[int]) -> slow.Local:
    """BIC in bits by counting in dictionaries; variable i of the oracle is `order[i]` of the data."""
    columns = [data.codes[v].tolist() for v in order]
    states = [len(data.labels[v]) for v in order]

    @cache
    def local(child: int, parents: tuple[int, ...]) -> float:
        cells: dict[tuple[int, ...], int] = {}
        totals: dict[tuple[int, ...], int] = {}
        for i in range(data.rows):
            key = tuple(columns[p][i] for p in parents)
            totals[key] = totals.get(key, 0) + 1
            cell = (columns[child][i], *key)
            cells[cell] = cells.get(cell, 0) + 1
        likelihood = math.fsum(n * math.log2(n / totals[cell[1:]]) for cell, n in cells.items())
        free = (states[child] - 1) * math.prod(states[p] for p in parents)
        return likelihood - 0.5 * math.log2(data.rows) * free

    return local
