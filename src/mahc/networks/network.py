"""A Bayesian network: a DAG with probability tables, which are checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import State
from mahc.data.prepare.types import label
from mahc.errors import DataError, GraphError, UnknownNameError
from mahc.graphs.names import LONGEST, is_name
from mahc.graphs.names import check_names as graph_names
from mahc.graphs.walks import sort_topologically
from mahc.plurals import count, noun

if TYPE_CHECKING:
    import polars as pl

    from mahc.graphs import DAG


Table = NDArray[np.float64]
# Tolerance for the sum of a row: published networks are rounded to seven digits.
ROW_TOLERANCE = 1e-6
MAX_STATES = 65_535  # codes are at most 16 bits wide


@dataclass(frozen=True, eq=False)
class Network:
    """A Bayesian network: variables, their states and parents, and one probability table each; immutable and checked.

    Parameters
    ----------
    name : str
        The name of the network.
    names : tuple of str
        The variables.
    states : tuple of tuples of str
        The states of each variable.
    parents : tuple of tuples of int
        The indices of the parents of each variable.
    tables : tuple of arrays
        For each variable one row per configuration of its parents, the LAST parent fastest, and one column per state.
        They are kept as given: the sum of a row may differ from 1 by up to 1e-6, and sampling divides by the sum.
    origin : str
        Where the network comes from.
    typed_states : tuple of tuples of str, int, float or bool, optional
        The states in the type of the column that they come from; `states` are their printed forms.

    Raises
    ------
    MahcError
        If the parts do not fit together; the message names the variable.

    Examples
    --------
    >>> rain = np.array([[0.2, 0.8]])
    >>> wet = np.array([[0.9, 0.1], [0.05, 0.95]])
    >>> lawn = Network("lawn", ("rain", "wet"), (("yes", "no"), ("yes", "no")), ((), (0,)), (rain, wet))
    >>> lawn
    Network('lawn', 2 variables, 1 arc, 3 free parameters)
    >>> lawn.arcs
    (('rain', 'wet'),)
    """

    name: str
    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Table, ...]
    origin: str = ""
    typed_states: tuple[tuple[State, ...], ...] | None = None

    def __post_init__(self) -> None:
        lengths = {len(self.names), len(self.states), len(self.parents), len(self.tables)}
        if lengths != {len(self.names)}:
            raise DataError(f"network '{self.name}' needs states, parents and a table for each variable")
        check_names(self)
        for node in range(len(self.names)):
            check_parents(self, node)
        _ = self.order  # raises if there is a cycle
        object.__setattr__(self, "tables", tuple(checked_table(self, node) for node in range(len(self.names))))

    def __repr__(self) -> str:
        return (
            f"Network({self.name!r}, {len(self.names)} {noun(len(self.names), 'variable')}, "
            f"{len(self.arcs)} {noun(len(self.arcs), 'arc')}, "
            f"{self.free_parameters} {noun(self.free_parameters, 'free parameter')})"
        )

    def __eq__(self, other: object) -> bool:
        """Same variables in the same order, same parents, same numbers; name and origin are ignored."""
        if not isinstance(other, Network):
            return NotImplemented
        mine, theirs = (self.names, self.states, self.parents), (other.names, other.states, other.parents)
        return mine == theirs and all(map(np.array_equal, self.tables, other.tables))

    def __hash__(self) -> int:
        return hash((self.names, self.states, self.parents))

    @property
    def values(self) -> tuple[tuple[State, ...], ...]:
        """The states of each variable in their type, text where that is not known."""
        return self.states if self.typed_states is None else self.typed_states

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Every arc as (parent, child) names, in the order of the children."""
        return tuple((self.names[p], self.names[c]) for c, parents in enumerate(self.parents) for p in parents)

    @property
    def dag(self) -> DAG:
        """The graph without the tables."""
        from mahc.graphs import DAG

        return DAG(self.names, self.arcs)

    def table(self, variable: str) -> pl.DataFrame:
        """The probability table of a variable as a polars frame.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        polars.DataFrame
            One row for each configuration of the parents: their states in columns of their names, then the
            probability of each state of the variable in a column `P(variable=state)`.

        Raises
        ------
        UnknownNameError
            If the network has no such variable.

        Examples
        --------
        >>> from mahc.networks import load_network
        >>> load_network("asia").table("lung").rows()
        [('yes', 0.1, 0.9), ('no', 0.01, 0.99)]
        """
        import polars as pl

        if variable not in self.names:
            raise UnknownNameError("variable", variable, self.names)
        node = self.names.index(variable)
        parents, states, table = self.parents[node], self.states[node], self.tables[node]
        sizes = [len(self.states[parent]) for parent in parents]
        shares = np.asarray(table).reshape(-1, len(states))
        codes = np.unravel_index(np.arange(len(shares)), sizes) if parents else ()
        columns: dict[str, object] = {
            self.names[parent]: [self.states[parent][code] for code in each]
            for parent, each in zip(parents, codes, strict=True)
        }
        columns |= {f"P({variable}={state})": shares[:, place] for place, state in enumerate(states)}
        return pl.DataFrame(columns)

    @property
    def free_parameters(self) -> int:
        """The number of free parameters (equation 2 of the paper), for the declared states."""
        return sum(
            (len(states) - 1) * prod(len(self.states[p]) for p in parents)
            for states, parents in zip(self.states, self.parents, strict=True)
        )

    @property
    def average_degree(self) -> float:
        """Neighbours per variable: twice the arcs over the variables."""
        return 2 * sum(map(len, self.parents)) / len(self.names)

    @property
    def max_in_degree(self) -> int:
        """The largest number of parents."""
        return max(map(len, self.parents))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Parents before children; among those ready, the first by name."""
        return sort_topologically(self.names, self.parents)


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
