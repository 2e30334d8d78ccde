"""Random data with something to learn in them, and random knowledge about them."""

from __future__ import annotations

import itertools
import random

import numpy as np

from mahc.data import Dataset
from mahc.knowledge.knowledge import Knowledge


def dependent_data(rng: random.Random, names: tuple[str, ...], rows: int) -> Dataset:
    """Columns that depend on up to two earlier ones; some are constant, some copies, all labels occur."""
    columns: list[list[int]] = []
    for v in range(len(names)):
        states = rng.choice([1, 2, 2, 2, 3, 4])
        sources = rng.sample(range(v), min(v, rng.randint(0, 2)))
        strength = rng.choice([0.5, 0.8, 1.0])
        columns.append(
            [
                sum(columns[u][i] for u in sources) % states
                if sources and rng.random() < strength
                else rng.randrange(states)
                for i in range(rows)
            ]
        )
    shown = [sorted(set(column)) for column in columns]
    coded = tuple(np.array([labels.index(x) for x in column]) for labels, column in zip(shown, columns, strict=True))
    shuffled = tuple(rng.sample(names, len(names)))
    return Dataset.coded(shuffled, tuple(tuple(map(str, labels)) for labels in shown), coded)


def random_knowledge(rng: random.Random, names: tuple[str, ...]) -> Knowledge:
    """A little of everything; now and then it contradicts itself."""

    def some(share: float) -> list[tuple[str, str]]:
        return [pair for pair in itertools.permutations(names, 2) if rng.random() < share]

    tiers: list[list[str]] = []
    if rng.random() < 0.5:
        shuffled = rng.sample(names, rng.randint(2, len(names)))
        cut = rng.randint(1, len(shuffled) - 1)
        tiers = [shuffled[:cut], shuffled[cut:]]
    return Knowledge(
        required_arcs=some(0.04),
        required_edges=some(0.06),
        forbidden_arcs=some(0.1),
        forbidden_edges=some(0.04),
        tiers=tiers,
        strict_tiers=rng.random() < 0.3,
        max_parents={name: rng.randint(1, 2) for name in names if rng.random() < 0.2},
    )
