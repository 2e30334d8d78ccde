"""Exact forward sampling: parents first, each variable from the row of its table that its parents choose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.errors import SettingError
from mahc.networks.network import Network, Table
from mahc.networks.streams import stream

Codes = NDArray[np.unsignedinteger[Any]]

# Rows drawn at a time: the temporary arrays stay in the processor's cache.
CHUNK = 32_768
MAX_ROWS = 2**40


def sample_codes(network: Network, rows: int, seed: int) -> tuple[Codes, ...]:
    """One column of state numbers per variable, in the network's order.

    Variable `name` takes one double per row from `stream(seed, "sample", name)`, in row order: the value is
    the first state whose cumulative probability exceeds it. The first rows of a longer sample are the
    shorter sample, and neither the chunks nor the order of the variables change a single value.
    """
    columns = tuple(np.empty(_check_rows(rows), dtype=code_type(len(states))) for states in network.states)
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
    types = [code_type(len(states)) for states in network.states]
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


def code_type(states: int) -> np.dtype[np.unsignedinteger[Any]]:
    """The narrowest code that holds this many states."""
    return np.dtype(np.uint8 if states <= 256 else np.uint16)


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
