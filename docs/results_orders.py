"""Hill climbing that breaks ties by an order of columns, as other tools do: contestants of docs/results-plan.toml."""

from __future__ import annotations

import random

import mahc
from mahc.data import Dataset, read


def in_file_order(path: str) -> tuple[tuple[str, str], ...]:
    """Ties go to the column that stands first; the columns of a sample stand as in its network's file."""
    return _climb(read(path))


def in_shuffled_order(path: str) -> tuple[tuple[str, str], ...]:
    """The same with the columns in an order that knows nothing of causes, as in most people's files."""
    data = read(path)
    order = list(range(len(data.names)))
    random.Random(len(data.columns[0])).shuffle(order)
    names = tuple(data.names[v] for v in order)
    return _climb(Dataset(names, tuple(data.states[v] for v in order), tuple(data.columns[v] for v in order)))


def _climb(data: Dataset) -> tuple[tuple[str, str], ...]:
    return mahc.learn(data, "hc", ties="file-order", threads=1).arcs
