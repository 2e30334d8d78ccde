"""Data with missing values that are to stay missing: a data set in which the state `missing` means "not known"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.data.prepare.notes import Note
from mahc.data.settings import MISSING_METHODS, MISSING_STATE, ReadSettings
from mahc.errors import DataError, InvalidSettingError, Mention, Message, choices
from mahc.plurals import count, verb


@dataclass(frozen=True, eq=False)
class IncompleteData:
    """A data set whose last state `missing`, where a variable has it, stands for a value that is not known.

    `data` is as `read(..., missing="state")` returns it, with `missing` last; `states` leaves `missing` out, so a
    value is missing where its code equals the number of states. `mahc.learn(data, missing="weighted")` makes one.

    >>> from mahc.data import read
    >>> found = IncompleteData(read({"rain": ["no", "yes", ""], "wet": ["no", "yes", "no"]}, missing="state"))
    >>> found.states, found.missing_counts
    ((('no', 'yes'), ('no', 'yes')), (1, 0))
    """

    data: Dataset
    method: str = "pairwise"  # how a graph is learned from it: one of MISSING_METHODS

    def __post_init__(self) -> None:
        if self.method not in MISSING_METHODS:
            raise InvalidSettingError("missing", self.method, Message("give one of ", choices(MISSING_METHODS)))
        columns, states = list(self.data.columns), list(self.data.states)
        for v, labels in enumerate(states):
            if labels == (MISSING_STATE,):
                raise DataError(f"column '{self.data.names[v]}' has no value at all: leave it out")
            if MISSING_STATE in labels[:-1]:
                columns[v], states[v] = _move_last(columns[v], labels)
            if states[v][-1] == MISSING_STATE and not (columns[v] == len(states[v]) - 1).any():
                states[v] = states[v][:-1]
        if tuple(states) != self.data.states:
            object.__setattr__(self, "data", replace(self.data, states=tuple(states), columns=tuple(columns)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.data.names

    @property
    def rows(self) -> int:
        """The number of stored rows, complete or not."""
        return self.data.rows

    @property
    def size(self) -> int:
        """The total weight of the rows."""
        return self.data.size

    @cached_property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The states of each variable, without `missing`."""
        return tuple(labels[:-1] if labels[-1] == MISSING_STATE else labels for labels in self.data.states)

    @cached_property
    def missing_counts(self) -> tuple[int, ...]:
        """The number of rows in which each variable is missing."""
        return tuple(int(np.count_nonzero(self.missing(v))) for v in range(len(self.names)))

    @property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return not any(self.missing_counts)

    def missing(self, v: int) -> NDArray[np.bool_]:
        """In which rows variable v is missing."""
        found: NDArray[np.bool_] = self.data.columns[v] == len(self.states[v])
        return found

    @cached_property
    def complete_rows(self) -> NDArray[np.bool_]:
        """Which rows have all values."""
        found = np.ones(self.rows, dtype=np.bool_)
        for v in range(len(self.names)):
            found &= ~self.missing(v)
        return found

    @property
    def reading(self) -> ReadSettings | None:
        """The settings with which the data were read, with the method for missing values."""
        return None if self.data.reading is None else replace(self.data.reading, missing=self.method)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was decided while the data were read."""
        return self.data.notes

    def fingerprint(self) -> str:
        """The fingerprint of the data with `missing` as a state."""
        return self.data.fingerprint()

    def drop(self) -> Dataset:
        """The complete rows only; a DataError where there are fewer than two."""
        keep = self.complete_rows
        kept = int(np.count_nonzero(keep))
        if kept < 2:
            raise DataError(
                f"{count(kept, 'row')} of {self.rows:,} {verb(kept, 'have')} all values: too few to learn from; use ",
                Mention("missing", "weighted"),
                ", or leave out the columns with most missing values",
            )
        weights = None if self.data.weights is None else self.data.weights[keep]
        return self.filled(tuple(column[keep] for column in self.data.columns), weights)

    def filled(self, columns: tuple[NDArray[np.integer], ...], weights: NDArray[np.int64] | None) -> Dataset:
        """A complete data set with these codes; states that no longer occur are left out."""
        states, coded = [], []
        for labels, column in zip(self.states, columns, strict=True):
            used = np.unique(column)
            states.append(tuple(labels[k] for k in used.tolist()))
            coded.append(np.searchsorted(used, column).astype(np.uint32))
        return Dataset(self.names, tuple(states), tuple(coded), weights, self.data.notes, self.data.reading)


def _move_last(
    column: NDArray[np.unsignedinteger], labels: tuple[str, ...]
) -> tuple[NDArray[np.unsignedinteger], tuple[str, ...]]:
    place = labels.index(MISSING_STATE)
    order = np.arange(len(labels), dtype=np.uint32)
    moved = np.where(order == place, len(labels) - 1, order - (order > place)).astype(np.uint32)
    return moved[column], (*labels[:place], *labels[place + 1 :], MISSING_STATE)
