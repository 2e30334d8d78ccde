"""Rows in an order that depends on their content alone: not on the order of rows or columns, nor on labels of states.

Resamples and held-out parts number the rows in this order, so that they are the same rows whatever the states are
called. States are told apart by how often they occur, then by the rows that have them, as in `learning/tie_order.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import MISSING_STATE, Discrete, label_hashes
from mahc.engine.counts import Hashes, mix_bits

MOST_ROUNDS = 200


def sort_rows(data: Dataset) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """The rows in that order, and where in it each run of equal rows begins.

    >>> from mahc.data import read
    >>> order, starts = sort_rows(read({"a": ["x", "y", "x"], "b": ["u", "v", "u"]}))
    >>> order.tolist(), starts.tolist()
    ([0, 2, 1], [0, 2])
    """
    order = np.argsort(hash_rows(data), kind="stable").astype(np.uint32)
    first = np.zeros(data.rows, np.bool_)
    first[0] = True
    for _, column in data.hashed_columns:
        keys = column.sort_keys()[order]
        first[1:] |= keys[1:] != keys[:-1]
    return order, np.flatnonzero(first)


def hash_rows(data: Dataset) -> Hashes:
    """One number per row. Equal rows have equal numbers; other rows have others, but for chance.

    States of one variable that are not told apart are images of each other under a symmetry of the data: one of them
    is singled out, which then tells the states of other variables apart, too.
    """
    columns = dict(zip(data.names, data.columns, strict=True))
    discrete = [(name, column) for name in sorted(columns) if isinstance(column := columns[name], Discrete)]
    states = [_States(name, column, data.weights) for name, column in discrete]
    fixed = np.zeros(data.rows, np.uint64)
    for name, column in data.hashed_columns:
        if not isinstance(columns.get(name), Discrete):
            fixed += column.hasher(name, 0)(slice(0, data.rows))
    weights = None if data.weights is None else data.weights.astype(np.uint64)
    told_apart = -1
    for _ in range(MOST_ROUNDS):
        tied = [each for each in states if each.tied]
        found = _add_up(fixed, states)
        if not tied:
            return found
        known = sum(each.told_apart for each in tied)
        if known == told_apart:
            tied[0].single_out()
            known = -1
        else:
            mixed = found if weights is None else found * weights
            for each in tied:
                each.refine(mixed)
        told_apart = known
    for each in states:
        each.use_labels()
    return _add_up(fixed, states)


def _add_up(fixed: Hashes, states: list[_States]) -> Hashes:
    found = fixed.copy()
    for each in states:
        found += each.hashes[each.codes]
    return mix_bits(found)


class _States:
    """The states of one variable, each with a hash; a missing value is one of them."""

    def __init__(self, name: str, column: Discrete, weights: NDArray[np.int64] | None) -> None:
        self.codes = column.codes
        self._labels = label_hashes(name, (*column.labels, MISSING_STATE), 0)
        counts = np.bincount(self.codes, weights, len(self._labels)).astype(np.uint64)
        self._occur = counts > 0
        self.hashes = mix_bits(label_hashes(name, ("",), 0) + mix_bits(counts))

    @property
    def told_apart(self) -> int:
        """How many different hashes there are."""
        return len(np.unique(self.hashes[self._occur]))

    @property
    def tied(self) -> bool:
        """Whether two states have the same hash."""
        return self.told_apart < int(np.count_nonzero(self._occur))

    def refine(self, rows: Hashes) -> None:
        """Take in the sums of the hashes of the rows that have each state."""
        sums = np.zeros(len(self.hashes), np.uint64)
        np.add.at(sums, self.codes, rows)
        self.hashes = mix_bits(self.hashes ^ mix_bits(sums))

    def single_out(self) -> None:
        """Give one state of the first tied class another hash."""
        values, counts = np.unique(self.hashes[self._occur], return_counts=True)
        equal = np.flatnonzero(self._occur & (self.hashes == values[counts > 1][0]))
        chosen = equal[np.argmin(self._labels[equal])]
        self.hashes[chosen] = mix_bits(self.hashes[chosen : chosen + 1] + np.uint64(1))[0]

    def use_labels(self) -> None:
        """Tell all states apart by their labels."""
        self.hashes = mix_bits(self.hashes + self._labels)
