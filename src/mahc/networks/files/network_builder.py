"""Collects the variables and tables of a network file."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from mahc.errors import FormatError, MahcError, UnknownNameError
from mahc.networks.network import Network, Table
from mahc.plurals import count

# A few bytes of a broken file can declare a table larger than the memory.
MAX_NUMBERS = 2**25
MAX_STATES = 2**20


class NetworkBuilder:
    """Collects variables, then tables; an error names the file and the line.

    >>> builder = NetworkBuilder()
    >>> builder.add_variable("a", ["x", "y"])
    >>> builder.set_table("a", [], np.array([[0.5, 0.5]]))
    >>> builder.build()
    Network('', 1 variable, 0 arcs, 1 free parameter)
    """

    def __init__(self, file: object = None) -> None:
        self.file = file
        self.name = ""
        self.origin = ""
        self.states: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, tuple[tuple[str, ...], Table]] = {}
        self._numbers = 0
        self._labels = 0

    def add_variable(self, name: str, states: Sequence[str], line: int | None = None) -> None:
        """Add a variable and its states."""
        if name in self.states:
            raise FormatError(f"the variable '{name}' is declared twice", self.file, line)
        self._labels += len(states)
        if self._labels > MAX_STATES:
            raise FormatError(
                f"the variables up to '{name}' have more than {MAX_STATES:,} states: too many",
                self.file,
                line,
            )
        self.states[name] = tuple(states)

    def blank_table(self, name: str, parents: Sequence[str], line: int | None = None) -> Table:
        """A table of the right shape, filled with NaN, for a variable without one."""
        for variable in (name, *parents):
            if variable not in self.states:
                unknown = UnknownNameError("variable", variable, self.states)
                raise FormatError(str(unknown), self.file, line)
        if name in self._tables:
            raise FormatError(f"the variable '{name}' has two tables", self.file, line)
        shape = (prod(len(self.states[parent]) for parent in parents), len(self.states[name]))
        self._numbers += prod(shape)
        if self._numbers > MAX_NUMBERS:
            raise FormatError(
                f"the tables up to '{name}' have more than {MAX_NUMBERS:,} numbers: too many", self.file, line
            )
        return np.full(shape, np.nan)

    def row_of(self, parents: Sequence[str], states: Sequence[str], line: int | None = None) -> int:
        """The row of a configuration of the parents, the last parent fastest."""
        if len(states) != len(parents):
            raise FormatError(
                f"a row names {count(len(states), 'state')} for {count(len(parents), 'parent')}", self.file, line
            ) from None
        row = 0
        for parent, state in zip(parents, states, strict=True):
            if state not in self.states[parent]:
                unknown = UnknownNameError(f"state of '{parent}'", state, self.states[parent])
                raise FormatError(str(unknown), self.file, line)
            row = row * len(self.states[parent]) + self.states[parent].index(state)
        return row

    def set_table(self, name: str, parents: Sequence[str], table: Table, line: int | None = None) -> None:
        """Set the table of a variable."""
        if np.isnan(table).any():
            row = int(np.flatnonzero(np.isnan(table).any(axis=1))[0])
            raise FormatError(f"the table of '{name}' has no row {row + 1} of {len(table)}", self.file, line)
        self._tables[name] = (tuple(parents), table)

    def build(self) -> Network:
        """The complete, checked network."""
        positions = {name: place for place, name in enumerate(self.states)}
        for name in self.states:
            if name not in self._tables:
                raise FormatError(f"the variable '{name}' has no table", self.file)
        parents = (self._tables[name][0] for name in self.states)
        try:
            return Network(
                self.name,
                tuple(self.states),
                tuple(self.states.values()),
                tuple(tuple(positions[parent] for parent in chosen) for chosen in parents),
                tuple(self._tables[name][1] for name in self.states),
                self.origin,
            )
        except MahcError as mistake:
            raise FormatError(str(mistake), self.file) from None
