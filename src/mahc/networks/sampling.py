"""Exact forward sampling: parents first, each variable from the row of its table that its parents choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Codes, Dataset, narrowest
from mahc.errors import SettingError
from mahc.networks.network import Network, Table
from mahc.networks.random_streams import stream

# Rows drawn at a time: the temporary arrays stay in the processor's cache.
CHUNK = 32_768
MAX_ROWS = 2**40
MAX_BYTES = 2**34


def sample(network: Network, rows: int, seed: int, *, unseen_states: bool = False) -> Dataset:
    """Rows drawn from the network; states that no row shows are left out unless asked for.

    Left out, the data are what a reader makes of the written file, and score the same.

    >>> from mahc.networks import load_network
    >>> sample(load_network("asia"), rows=5, seed=1)
    Dataset(5 rows, 8 variables: asia, tub, smoke, lung, bronc, either, ...)
    """
    data = Dataset(network.names, network.states, sample_codes(network, rows, seed))
    return data if unseen_states else drop_unseen(data)


def drop_unseen(data: Dataset) -> Dataset:
    """The same data without the states that no row shows."""
    columns, states = list(data.columns), list(data.states)
    for place, (labels, column) in enumerate(zip(data.states, data.columns, strict=True)):
        seen = np.bincount(column, minlength=len(labels)) > 0
        if not seen.all():
            columns[place] = (np.cumsum(seen) - 1)[column].astype(narrowest(int(seen.sum())))
            states[place] = tuple(label for label, kept in zip(labels, seen, strict=True) if kept)
    return replace(data, states=tuple(states), columns=tuple(columns))


def sample_codes(network: Network, rows: int, seed: int) -> tuple[Codes, ...]:
    """One column of state numbers per variable, in the network's order.

    Variable `name` takes one double per row from `stream(seed, "sample", name)`, in row order: the value is
    the first state whose cumulative probability exceeds it. The first rows of a longer sample are the
    shorter sample, and neither the chunks nor the order of the variables change a single value.
    """
    types = [narrowest(len(states)) for states in network.states]
    size = _check_rows(rows) * sum(kind.itemsize for kind in types)
    if size > MAX_BYTES:
        raise SettingError(f"{rows:,} rows of '{network.name}' take {size / 2**30:,.0f} GiB: at most 16 are drawn")
    columns = tuple(np.empty(rows, dtype=kind) for kind in types)
    start = 0
    for chunk in sample_chunks(network, rows, seed):
        stop = start + len(chunk[0])
        for column, piece in zip(columns, chunk, strict=True):
            column[start:stop] = piece
        start = stop
    return columns


def sample_chunks(network: Network, rows: int, seed: int, chunk: int = CHUNK) -> Iterator[tuple[Codes, ...]]:
    """The same columns piece by piece, for samples larger than the memory."""
    left = _check_rows(rows)
    draws = [stream(seed, "sample", name) for name in network.names]
    ladders = [_ladder(table) for table in network.tables]
    types = [narrowest(len(states)) for states in network.states]
    while left:
        size = min(chunk, left)
        drawn: dict[int, NDArray[np.intp]] = {}
        for node in network.order:
            row = np.zeros(size, dtype=np.intp)
            for parent in network.parents[node]:
                row *= len(network.states[parent])
                row += drawn[parent]
            drawn[node] = _climb(ladders[node], row, draws[node].random(size))
        yield tuple(drawn[node].astype(kind) for node, kind in enumerate(types))
        left -= size


def _check_rows(rows: int) -> int:
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= MAX_ROWS:
        raise SettingError(f"the number of rows is {rows!r}: it must be a whole number from 1 to {MAX_ROWS}")
    return rows


def _ladder(table: Table) -> Table:
    """Cumulative probabilities without the last, padded with 2 for a binary search of 2^k - 1 steps."""
    sums = np.cumsum(table, axis=1)
    sums /= sums[:, -1:]  # a row may miss one by rounding; a state of probability 0 is still never drawn
    width = 2 ** (table.shape[1] - 1).bit_length() - 1
    ladder = np.full((len(table), width), 2.0)
    ladder[:, : table.shape[1] - 1] = sums[:, :-1]
    return ladder


def _climb(ladder: Table, row: NDArray[np.intp], draw: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each draw, how many steps of its row's ladder it has reached."""
    width = ladder.shape[1]
    flat = ladder.ravel()
    base = row * width
    state = np.zeros(len(row), dtype=np.intp)
    step = (width + 1) // 2
    while step:
        state += step * (flat[base + (state + (step - 1))] <= draw)
        step //= 2
    return state
