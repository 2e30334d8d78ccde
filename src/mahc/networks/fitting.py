"""Fitting the tables of a graph to data: maximum likelihood, or with a Dirichlet prior."""

from __future__ import annotations

from math import isfinite, prod

import numpy as np

from mahc.data.columns import Discrete
from mahc.data.dataset import Dataset, describe_size
from mahc.engine.counts import TableSource, units_of
from mahc.engine.families import Families
from mahc.errors import DataError, Mention, SettingError, UnknownNameError
from mahc.graphs import DAG
from mahc.graphs.taking import take_directed
from mahc.networks.network import Network, Table
from mahc.plurals import count

# A table of 2^25 numbers has 256 MB.
MAX_NUMBERS = 2**25


def fit(dag: DAG, data: Dataset | TableSource, ess: float = 0.0, name: str = "fitted") -> Network:
    """Fit the probability tables of a graph to data.

    With `ess` = 0 a row holds the observed frequencies (maximum likelihood). With `ess` > 0, ess / (q r) is added
    to the count of each of the r states in each of the q configurations of the parents (the prior of BDeu), so
    that no probability is 0. A configuration that never occurs is uniform; `origin` gives the number of these.

    Parameters
    ----------
    dag : DAG
        The graph.
    data : Dataset or TableSource
        The data, or counts of rows in pieces; columns that the graph does not have are ignored.
    ess : float
        The equivalent sample size of the prior.
    name : str
        The name of the network.

    Returns
    -------
    Network
        The graph with its tables.

    Raises
    ------
    MahcError
        If the data lack a variable of the graph.

    Examples
    --------
    >>> codes = np.array([0, 0, 1, 1])
    >>> data = Dataset.coded(("rain", "wet"), (("no", "yes"), ("no", "yes")), (codes, np.array([0, 0, 1, 0])))
    >>> fit(DAG(["rain", "wet"], [("rain", "wet")]), data).tables[1].tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    dag = take_directed(dag)
    refuse_bad_prior(ess)
    counts = count_tables(dag, data)
    tables = [_normalise(count, ess) for count in counts]
    unseen = sum(int(np.count_nonzero(count.sum(axis=1) == 0)) for count in counts)
    rows = sum(map(len, counts))
    how = f"Dirichlet prior of equivalent sample size {ess:g}" if ess else "maximum likelihood"
    origin = f"fitted to {describe_size(data.size, units_of(data)[1])}, {how}"
    if unseen:
        origin += f"; {count(unseen, 'configuration')} of parents of {rows:,} did not occur: uniform"
    columns = [states_of(data, variable) for variable in dag.names]
    labels, values = tuple(each.labels for each in columns), tuple(each.states for each in columns)
    return Network(name, dag.names, labels, dag.parent_sets, tuple(tables), origin, values)


def count_tables(dag: DAG, data: Dataset | TableSource) -> tuple[Table, ...]:
    """Count every family of a graph: one row per configuration of the parents, one column per state."""
    lacking = next((name for name in dag.names if name not in data.names), None)
    if lacking is not None:
        raise DataError(f"the data lack a variable of the graph: {UnknownNameError('column', lacking, data.names)}")
    places = [data.names.index(variable) for variable in dag.names]
    families = [
        (places[child], [places[parent] for parent in parents]) for child, parents in enumerate(dag.parent_sets)
    ]
    sizes = [len(states_of(data, name).states) for name in dag.names]
    for child, parents in enumerate(dag.parent_sets):
        _refuse_large(dag.names[child], len(parents), prod(sizes[v] for v in (child, *parents)))
    if isinstance(data, Dataset):
        return tuple(_count(data, parents, child) for child, parents in families)
    found = data.count_tables(Families.of(families))
    unit = units_of(data)[1]
    return tuple(counts.reshape(-1, states) / unit for counts, states in zip(found, sizes, strict=True))


def states_of(data: Dataset | TableSource, name: str) -> Discrete:
    """The column of a variable, which must have states."""
    if isinstance(data, Dataset):
        return data.discrete[data.index(name)]
    column = data.columns[data.names.index(name)]
    if not isinstance(column, Discrete):
        raise DataError(
            f"column '{name}' holds numbers, and their distinct rows do not fit into memory: cut it with ",
            Mention("discretise"),
            ", or fit to a sample of the rows",
        )
    return column


def _refuse_large(name: str, parents: int, size: int) -> None:
    if size > MAX_NUMBERS:
        raise SettingError(
            f"the table of '{name}' with its {count(parents, 'parent')} "
            f"would have {count(size, 'number')}: at most {MAX_NUMBERS:,} are fitted"
        )


def _count(data: Dataset, parents: list[int], child: int) -> Table:
    speaking = None if data.interventions is None else data.interventions.speaking(data.names[child])
    data = data if speaking is None else data.take(speaking)  # the other rows say nothing about its causes
    states = len(data.labels[child])
    size = prod(len(data.labels[parent]) for parent in parents) * states
    cell = np.zeros(data.rows, dtype=np.int64)
    for variable in (*parents, child):  # the last parent fastest, the child within it
        cell *= len(data.labels[variable])
        cell += data.codes[variable]
    counts = np.bincount(cell, weights=data.weights, minlength=size)
    return counts.astype(np.float64).reshape(-1, states) / data.unit


def refuse_bad_prior(ess: object) -> None:
    """Refuse an equivalent sample size that is no number, negative or infinite."""
    if isinstance(ess, bool) or not isinstance(ess, int | float) or not isfinite(ess) or ess < 0:
        raise SettingError(f"the equivalent sample size is {ess!r}: it must be 0 or a positive number")


def _normalise(counts: Table, ess: float) -> Table:
    smoothed = counts + ess / counts.size
    sums = smoothed.sum(axis=1, keepdims=True)
    uniform = np.full_like(smoothed, 1 / counts.shape[1])
    table: Table = np.divide(smoothed, sums, out=uniform, where=sums > 0)
    return table
