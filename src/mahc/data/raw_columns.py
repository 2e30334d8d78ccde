"""Columns as they came in, before anything is decided: distinct values and which row has which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.decisions import Decision, Problem

# One less than two bytes would hold: the code 65,535 stays free.
MOST_STATES = 65_535


@dataclass(frozen=True)
class Labels:
    """Row i holds values[codes[i]]; None stands for missing, text is not yet interpreted.

    With `declared` the values are categories in an order that somebody chose, and stay what they are.

    >>> Labels(["no", "yes"], np.array([0, 1, 1])).rows
    3
    """

    values: Sequence[object]
    codes: NDArray[np.integer]
    declared: bool = False

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.codes)

    def take(self, keep: NDArray[np.bool_]) -> Labels:
        """The same column with some of its rows."""
        return replace(self, codes=self.codes[keep])


@dataclass(frozen=True)
class Numbers:
    """A number per row, NaN where it is missing: a column with too many values to list.

    >>> Numbers(np.array([0.5, 1.5])).rows
    2
    """

    numbers: NDArray[np.float64]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.numbers)

    def take(self, keep: NDArray[np.bool_]) -> Numbers:
        """The same column with some of its rows."""
        return Numbers(self.numbers[keep])


@dataclass(frozen=True)
class Refused:
    """A column that cannot be used whatever the settings.

    >>> Refused("date", Problem("born", "type", "holds dates", "leave it out"), 3).rows
    3
    """

    kind: str
    problem: Problem
    rows: int

    def take(self, keep: NDArray[np.bool_]) -> Refused:
        """The same refusal for some of the rows."""
        return replace(self, rows=int(keep.sum()))


Column = Labels | Numbers | Refused


@dataclass(frozen=True)
class Table:
    """Names and columns of one source, and what was decided while reading it.

    >>> Table("the data", ("rain",), (Labels(["no"], np.array([0])),)).rows
    1
    """

    source: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    notes: tuple[Decision, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.columns[0].rows

    def take(self, keep: NDArray[np.bool_]) -> Table:
        """The same table with some of its rows."""
        return replace(self, columns=tuple(column.take(keep) for column in self.columns))


def too_many_states(name: str, kind: str, states: int, rows: int, at_least: bool = False) -> Refused:
    """The verdict on a column with more states than a code can tell apart."""
    more = "at least " if at_least else ""
    where = f"the first {rows:,} rows" if at_least else f"{rows:,} rows"
    message = f"has {more}{states:,} states in {where}, and {MOST_STATES:,} is the most"
    fix = "leave it out if it is an identifier, group its values, or discretise it if they are numbers"
    return Refused(kind, Problem(name, "too-many-states", message, fix), rows)
