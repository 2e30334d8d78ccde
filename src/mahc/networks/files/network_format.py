"""The network formats: their base class, their registry, and the builder that they read into."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import ClassVar

import numpy as np

from mahc.errors import FormatError, MahcError, Message, PerInterface, UnknownNameError
from mahc.networks.network import Network, Table
from mahc.plurals import count
from mahc.registry import Registry

# A few bytes of a broken file can declare a table larger than the memory.
MAX_NUMBERS = 2**25
MAX_STATES = 2**20
SAFE_NAMES = PerInterface(" (mahc.networks.safe_names.with_safe_names)", " (--safe-names)")
NETWORK_FORMATS: Registry[type[NetworkFormat]] = Registry("network format", package="mahc.networks.files")


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


def require_names(
    network: Network,
    kind: str,
    allowed: re.Pattern[str],
    described: str,
    states: re.Pattern[str] | None = None,
) -> None:
    """Raise FormatError if the format cannot hold the name of a variable or state."""
    for name, labels in zip(network.names, network.states, strict=True):
        if not allowed.fullmatch(name):
            raise FormatError(_refusal(kind, f"the variable '{name}'", described))
        for label in labels:
            if not (states or allowed).fullmatch(label):
                what = described if states is None else "text without quotes or control characters"
                raise FormatError(_refusal(kind, f"the state '{label}' of '{name}'", what))


def configurations(network: Network, node: int) -> Iterator[tuple[str, ...]]:
    """The states of the parents for each row of a table, the last parent fastest."""
    return product(*(network.states[parent] for parent in network.parents[node]))


def _refusal(kind: str, what: str, described: str) -> Message:
    return Message(f"{kind} cannot hold {what}: it needs {described}; write .json, or replace such names", SAFE_NAMES)


@dataclass(frozen=True)
class NetworkFormat(ABC):
    """A text format for networks. To add one, register a subclass in its own file.

    >>> NETWORK_FORMATS["xmlbif"].suffixes
    ('.xmlbif', '.bifxml', '.xml')
    """

    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[str]  # what survives a round trip, for the table in docs/reference/formats.md
    writable: ClassVar[bool] = True
    names: ClassVar[re.Pattern[str] | None] = None  # the names that it can hold; None: all
    state_names: ClassVar[re.Pattern[str] | None] = None  # the same for states; None: as for variables

    @abstractmethod
    def parse(self, text: str, file: object = None) -> Network:
        """Read the network in a text; `file` is named in errors."""

    @abstractmethod
    def render(self, network: Network) -> str:
        """Write the network as text; raise FormatError if the format cannot hold a name."""
