"""Hill climbing that breaks ties by the order of columns, as other tools do: contestants of docs/results-plan.toml."""

from __future__ import annotations

import random

import mahc
from mahc.data import Dataset, read


def in_file_order(path: str) -> tuple[tuple[str, str], ...]:
    """Ties go to the first column; the columns of a sample are in the order of the network's file."""
    return _climb(read(path))


def in_shuffled_order(path: str) -> tuple[tuple[str, str], ...]:
    """The same with shuffled columns, so that their order is unrelated to causes, as in most files."""
    data = read(path)
    order = list(range(len(data.names)))
    random.Random(len(data.codes[0])).shuffle(order)
    names = tuple(data.names[v] for v in order)
    return _climb(Dataset.coded(names, tuple(data.labels[v] for v in order), tuple(data.codes[v] for v in order)))


def _climb(data: Dataset) -> tuple[tuple[str, str], ...]:
    return mahc.learn(data, "hc", ties="file-order", threads=1).arcs
