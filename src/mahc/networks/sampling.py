"""Forward sampling: parents first, each variable from the table row that its parents select."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Codes, Interventions, code_type
from mahc.data.dataset import Dataset
from mahc.data.prepare.matching import StateFinder
from mahc.errors import SettingError, UnknownNameError
from mahc.networks.network import Network, Table
from mahc.networks.random_streams import stream
from mahc.plurals import count

# Rows per chunk: the temporary arrays stay in the processor's cache.
CHUNK = 32_768
MAX_ROWS = 2**40
MAX_BYTES = 2**34
Do = Mapping[str, object] | Collection[str]


def sample(network: Network, rows: int, seed: int, *, do: Do | None = None, unseen_states: bool = False) -> Dataset:
    """Draw rows from a network.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        Number of rows.
    seed : int
        The seed; the same seed gives the same rows on every machine.
    do : dict or list of str, optional
        An experiment: the variables that it sets, each with its state. A variable whose state is None, and all those
        of a list, are set to a random state in each row. The data say so (`Dataset.interventions`), and
        `Dataset.stack` joins them with others.
    unseen_states : bool
        Whether states that do not occur are kept. Without them the data equal what is read from a written file, and
        have the same score.

    Returns
    -------
    Dataset
        The rows.

    Raises
    ------
    MahcError
        If the number of rows or the seed is out of range.

    Examples
    --------
    >>> from mahc.networks import load_network
    >>> sample(load_network("asia"), rows=5, seed=1)
    Dataset(5 rows, 8 variables: asia, tub, smoke, lung, bronc, either, ...)
    >>> treated = sample(load_network("asia"), rows=5, seed=1, do={"smoke": "yes"})
    >>> treated.select(["smoke"]).states, treated.interventions.targets
    ((('yes',),), (frozenset({'smoke'}),))
    """
    if do is None:
        data = Dataset.coded(network.names, network.values, sample_codes(network, rows, seed))
    else:
        states = dict.fromkeys(do) if not isinstance(do, Mapping) else dict(do)
        changed = set_variables(network, states)
        what = "do " + ", ".join(f"{name}={state}" for name, state in sorted(states.items()))
        codes = sample_codes(changed, rows, seed, what)
        given = Interventions((frozenset(states),), np.zeros(rows, np.uint8))
        data = replace(Dataset.coded(network.names, network.values, codes), interventions=given)
    return data if unseen_states else data.without_unused_states()


def set_variables(network: Network, states: Mapping[str, object]) -> Network:
    """The network in which these variables have no causes: each has its state or, where that is None, any.

    >>> from mahc.networks import load_network
    >>> set_variables(load_network("asia"), {"bronc": None}).tables[4].tolist()
    [[0.5, 0.5]]
    """
    parents, tables = list(network.parents), list(network.tables)
    for name, state in states.items():
        if name not in network.names:
            raise UnknownNameError("variable", str(name), network.names)
        node = network.names.index(name)
        labels = network.states[node]
        table = np.full((1, len(labels)), 1 / len(labels))
        if state is not None:
            place = StateFinder(network.values[node]).find(state)
            if place < 0:
                raise UnknownNameError(f"state of '{name}'", str(state), labels)
            table = np.eye(len(labels))[place : place + 1]
        parents[node], tables[node] = (), table
    return replace(network, parents=tuple(parents), tables=tuple(tables))


def sample_codes(network: Network, rows: int, seed: int, what: str = "sample") -> tuple[Codes, ...]:
    """One column of codes per variable, in the order of the network.

    Variable `name` takes one double per row from `stream(seed, what, name)`, in row order: the value is
    the first state whose cumulative probability exceeds it. So a shorter sample is the beginning of a longer one,
    and neither the chunks nor the order of the variables change any value.
    """
    types = [code_type(len(states)) for states in network.states]
    size = check_rows(rows) * sum(kind.itemsize for kind in types)
    if size > MAX_BYTES:
        raise SettingError(
            f"{count(rows, 'row')} of '{network.name}' take {size / 2**30:,.0f} GiB, above the limit of 16: draw fewer"
        )
    columns = tuple(np.empty(rows, dtype=kind) for kind in types)
    start = 0
    for chunk in sample_chunks(network, rows, seed, what=what):
        stop = start + len(chunk[0])
        for column, piece in zip(columns, chunk, strict=True):
            column[start:stop] = piece
        start = stop
    return columns


def sample_chunks(
    network: Network, rows: int, seed: int, chunk: int = CHUNK, what: str = "sample"
) -> Iterator[tuple[Codes, ...]]:
    """The columns of `sample` in chunks, for samples larger than the memory."""
    left = check_rows(rows)
    draws = [stream(seed, what, name) for name in network.names]
    sums = [cumulative(table) for table in network.tables]
    types = [code_type(len(states)) for states in network.states]
    while left:
        size = min(chunk, left)
        drawn: dict[int, NDArray[np.intp]] = {}
        for node in network.order:
            row = np.zeros(size, dtype=np.intp)
            for parent in network.parents[node]:
                row *= len(network.states[parent])
                row += drawn[parent]
            drawn[node] = find_states(sums[node], row, draws[node].random(size))
        yield tuple(drawn[node].astype(kind) for node, kind in enumerate(types))
        left -= size


def check_rows(rows: int) -> int:
    """Return the number of rows; raise SettingError if it is not valid."""
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= MAX_ROWS:
        raise SettingError(f"the number of rows is {rows!r}: it must be a whole number from 1 to {MAX_ROWS}")
    return rows


def cumulative(table: Table) -> Table:
    """Cumulative probabilities without the last, padded with 2 to 2^k - 1 columns for a binary search."""
    sums = np.cumsum(table, axis=1)
    sums /= sums[:, -1:]  # the sum may differ from 1 by rounding; a state of probability 0 is never drawn
    width = 2 ** (table.shape[1] - 1).bit_length() - 1
    sums_by_row = np.full((len(table), width), 2.0)
    sums_by_row[:, : table.shape[1] - 1] = sums[:, :-1]
    return sums_by_row


def find_states(sums_by_row: Table, row: NDArray[np.intp], draw: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each draw, the number of cumulative probabilities in its row that it reaches: the state."""
    width = sums_by_row.shape[1]
    flat = sums_by_row.ravel()
    base = row * width
    state = np.zeros(len(row), dtype=np.intp)
    step = (width + 1) // 2
    while step:
        state += step * (flat[base + (state + (step - 1))] <= draw)
        step //= 2
    return state
