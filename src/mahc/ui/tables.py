"""Probability tables of the variables, for the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from mahc.data import Dataset, Kind
from mahc.engine.counts import TableSource
from mahc.inference.em import fit_em
from mahc.networks import fit
from mahc.networks.fitting import count_tables, states_of
from mahc.results.learned import Learned

MAX_NUMBERS = 2_000  # of one table; larger ones are not shown


def list_tables(learned: Learned, data: Dataset | TableSource) -> list[dict[str, Any]] | None:
    """For each variable its parents and the frequencies of its states given theirs; None without a DAG or with numbers.

    Where values are missing, the tables are those of expectation-maximisation.

    A table has one row per configuration of the parents, the last parent fastest. Where it would have more than
    `MAX_NUMBERS` numbers, `rows` is null and `numbers` says how many. `seen` says which configurations occur; null
    where values are missing.
    """
    if learned.without_dag is not None or any(column.kind is not Kind.DISCRETE for column in data.columns):
        return None
    dag = learned.dag
    sizes = [len(states_of(data, name).states) for name in dag.names]
    numbers = [prod(sizes[p] for p in parents) * sizes[v] for v, parents in enumerate(dag.parent_sets)]
    small = [v for v, number in enumerate(numbers) if number <= MAX_NUMBERS]
    kept = {dag.names[v] for v in small}
    shown = type(dag)(dag.names, [arc for arc in dag.arcs if arc[1] in kept])
    incomplete = isinstance(data, Dataset) and not data.complete
    network = fit_em(shown, data).network if isinstance(data, Dataset) and incomplete else fit(shown, data)
    counted = None if isinstance(data, Dataset) else count_tables(shown, data)
    found: list[dict[str, Any]] = []
    for v, parents in enumerate(dag.parent_sets):
        entry: dict[str, Any] = {"parents": list(parents), "numbers": numbers[v], "rows": None}
        if numbers[v] <= MAX_NUMBERS:
            entry["seen"] = None
            if counted is not None:
                entry["seen"] = (counted[v].sum(axis=1) > 0).tolist()
            elif isinstance(data, Dataset) and not incomplete:
                entry["seen"] = _seen(data, dag.names, network.parents[v])
            entry["parents"] = list(network.parents[v])
            entry["rows"] = [[round(float(p), 4) for p in row] for row in network.tables[v]]
        found.append(entry)
    return found


def _seen(data: Dataset, names: Sequence[str], parents: Sequence[int]) -> list[bool]:
    """Whether each configuration of the parents occurs, the last parent fastest."""
    index = np.zeros(data.rows, np.int64)
    size = 1
    for parent in parents:
        column = data.discrete[data.index(names[parent])]
        index = index * len(column.states) + column.codes
        size *= len(column.states)
    weights = None if data.weights is None else data.weights
    return [bool(count) for count in np.bincount(index, weights, size).tolist()]
