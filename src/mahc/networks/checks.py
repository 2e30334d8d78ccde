"""Validity checks of a network, each with its error message."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.types import label
from mahc.errors import DataError, GraphError
from mahc.graphs.names import LONGEST, is_name
from mahc.graphs.names import check_names as graph_names
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.networks.network import Network

# Tolerance for the sum of a row: published networks are rounded to seven digits.
ROW_TOLERANCE = 1e-6
MAX_STATES = 65_535  # codes are at most 16 bits wide


def check_names(network: Network) -> None:
    """Check that there are variables and states with valid, distinct names."""
    if not network.names:
        raise DataError(f"network '{network.name}' has no variables")
    graph_names(network.names)
    for name, states in zip(network.names, network.states, strict=True):
        if not 1 <= len(states) <= MAX_STATES:
            raise DataError(f"variable '{name}' has {count(len(states), 'state')}: 1 to {MAX_STATES} are allowed")
        for state in states:
            if not is_name(state):
                raise DataError(
                    f"variable '{name}' has the state {state[:40]!r}: states are strings of 1 to {LONGEST:,} "
                    "characters, not all of them spaces"
                )
        repeated = _first_repeated(states)
        if repeated is not None:
            raise DataError(f"variable '{name}' has the state '{repeated}' twice: its states must differ")
    if tuple(tuple(map(label, values)) for values in network.values) != network.states:
        raise DataError(f"network '{network.name}' has typed states that are not printed like its states")


def _first_repeated(names: tuple[str, ...]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def check_parents(network: Network, node: int) -> None:
    """Check that the parents exist and are listed once."""
    name, parents = network.names[node], network.parents[node]
    if len(set(parents)) < len(parents):
        raise GraphError(f"variable '{name}' lists a parent twice")
    for parent in parents:
        if not 0 <= parent < len(network.names):
            raise GraphError(f"variable '{name}' has the parent number {parent}, which does not exist")


def checked_table(network: Network, node: int) -> NDArray[np.float64]:
    """A read-only copy of the table of a node; raise DataError unless every row is a distribution."""
    name = network.names[node]
    rows = prod(len(network.states[p]) for p in network.parents[node])
    table = np.array(network.tables[node], dtype=np.float64)
    if table.shape != (rows, len(network.states[node])):
        raise DataError(
            f"the table of '{name}' has shape {table.shape}: {count(rows, 'row')} (one per configuration of its "
            f"parents) of {count(len(network.states[node]), 'probability')} (one per state) are needed"
        )
    within = np.isfinite(table) & (table >= 0) & (table <= 1 + ROW_TOLERANCE)
    if not within.all():
        row, column = map(int, np.argwhere(~within)[0])
        raise DataError(
            f"the table of '{name}' holds {table[row, column]!s} in row {row + 1}: give a probability from 0 to 1"
        )
    sums = table.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > ROW_TOLERANCE)
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"the table of '{name}' has probabilities that sum to {sums[row]:.9g} in row {row + 1}"
            f"{_configuration(network, node, row)}: a row must sum to 1 within {ROW_TOLERANCE:g}"
        )
    table.flags.writeable = False
    return table


def _configuration(network: Network, node: int, row: int) -> str:
    """The configuration of the parents in a row, as ` (a=yes, b=no)`; empty for a root."""
    parts = []
    for parent in reversed(network.parents[node]):
        row, state = divmod(row, len(network.states[parent]))
        parts.append(f"{network.names[parent]}={network.states[parent][state]}")
    return f" ({', '.join(reversed(parts))})" if parts else ""
