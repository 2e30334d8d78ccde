"""Rows in an order that depends on their content alone: not on the order of rows or columns, nor on labels of states.

Resamples and held-out parts number the rows in this order, so that they are the same rows whatever the states are
called. States are told apart by how often they occur, then by the rows that have them, as in `learning/tie_order.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.columns import MISSING_STATE, label_hashes
from mahc.engine.counts import Hashes, mix_bits

MOST_DRAWN = 10**9  # rows that NumPy draws without replacement
MOST_TRIALS = 200  # ways to single out a state that are tried
MOST_WORK = 10**9  # cells of the data that they look at
Codes = NDArray[np.unsignedinteger]


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

    Where states of a variable are not told apart, each is singled out in turn, and that is taken for which the hashes
    that follow are the least. Where several are, they are nearly always images of each other under a symmetry of the
    data; in data made for it (all rows of even sum and a few others) labels may decide.
    """
    colouring = _Colouring.of(data)
    colouring.refine()
    trials = min(MOST_TRIALS, MOST_WORK // (data.rows * len(data.names)))
    while (tied := colouring.first_tie()) is not None:
        column, equal = tied
        trials -= len(equal)
        if trials < 0:
            colouring.use_labels()
            break
        colouring = min((colouring.singling_out(column, state) for state in equal), key=_Colouring.key)
    return colouring.rows()


def split_copies(copies: NDArray[np.int64], parts: int, generator: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """For each part, how many copies of each distinct row are in it: drawn without replacement.

    The parts differ in size by one row at most; beyond 10^9 rows, which NumPy does not draw without replacement, each
    row goes to each part with the same probability.

    >>> from mahc.networks.random_streams import stream
    >>> drawn = list(split_copies(np.array([3, 1]), 2, stream(1, "example")))
    >>> [int(part.sum()) for part in drawn], sum(drawn).tolist()
    ([2, 2], [3, 1])
    """
    left, size = copies, int(copies.sum())
    for part in range(parts):
        share = parts - part
        if size < MOST_DRAWN:
            inside = generator.multivariate_hypergeometric(left, -(-int(left.sum()) // share), method="marginals")
        else:
            inside = generator.binomial(left, 1 / share)
        left = left - inside
        yield inside


class _Colouring:
    """A hash for each state of each discrete variable; a missing value is one more state."""

    def __init__(self, fixed: Hashes, weights: Hashes | None, codes: list[Codes], hashes: list[Hashes]) -> None:
        self._fixed, self._weights, self._codes, self._hashes = fixed, weights, codes, hashes
        self._labels: list[Hashes] = []

    @staticmethod
    def of(data: Dataset) -> _Colouring:
        """Hashes from how often each state occurs; columns of numbers and experiments are hashed by their content."""
        columns = data.discrete_by_name
        fixed = np.zeros(data.rows, np.uint64)
        for name, column in data.hashed_columns:
            if name not in columns:
                fixed += column.hasher(name, 0)(slice(0, data.rows))
        weights = None if data.weights is None else data.weights.astype(np.uint64)
        codes, hashes, labels = [], [], []
        for name in sorted(columns):
            column = columns[name]
            labels.append(label_hashes(name, (*column.labels, MISSING_STATE), 0))
            counts = np.bincount(column.codes, data.weights, len(labels[-1])).astype(np.uint64)
            own = mix_bits(label_hashes(name, ("",), 0) + mix_bits(counts))
            # States that do not occur must not be tied: their numbers are of no use.
            own[counts == 0] = np.arange(np.count_nonzero(counts == 0), dtype=np.uint64)
            codes.append(column.codes)
            hashes.append(own)
        made = _Colouring(fixed, weights, codes, hashes)
        made._labels = labels
        return made

    def rows(self) -> Hashes:
        """The hash of each row, from those of its states."""
        found = self._fixed.copy()
        for codes, hashes in zip(self._codes, self._hashes, strict=True):
            found += hashes[codes]
        return mix_bits(found)

    def refine(self) -> None:
        """States that are tied take in the sum of their rows, until that tells no more states apart."""
        told_apart = -1
        while (known := sum(len(np.unique(hashes)) for hashes in self._hashes)) > told_apart:
            told_apart = known
            tied = [v for v, hashes in enumerate(self._hashes) if len(np.unique(hashes)) < len(hashes)]
            if not tied:
                return
            rows = self.rows() if self._weights is None else self.rows() * self._weights
            for v in tied:
                sums = np.zeros(len(self._hashes[v]), np.uint64)
                np.add.at(sums, self._codes[v], rows)
                self._hashes[v] = np.where(sums == 0, self._hashes[v], mix_bits(self._hashes[v] ^ mix_bits(sums)))

    def first_tie(self) -> tuple[int, list[int]] | None:
        """The first variable with tied states, and those of its smallest class."""
        for v, hashes in enumerate(self._hashes):
            values, counts = np.unique(hashes, return_counts=True)
            if len(values) < len(hashes):
                smallest = values[np.argmin(np.where(counts > 1, counts, len(hashes) + 1))]
                return v, np.flatnonzero(hashes == smallest).tolist()
        return None

    def singling_out(self, column: int, state: int) -> _Colouring:
        """What follows if a state has a hash of its own."""
        hashes = [each.copy() for each in self._hashes]
        hashes[column][state] = mix_bits(hashes[column][state : state + 1] + np.uint64(1))[0]
        made = _Colouring(self._fixed, self._weights, self._codes, hashes)
        made._labels = self._labels
        made.refine()
        return made

    def key(self) -> bytes:
        """All hashes of rows, in an order of their own; big-endian bytes compare as the numbers do."""
        rows = self.rows()
        order = np.argsort(rows, kind="stable")
        weights = np.ones(len(rows), np.uint64) if self._weights is None else self._weights
        unique, first = np.unique(rows[order], return_index=True)
        return np.stack([unique, np.add.reduceat(weights[order], first)]).astype(">u8").tobytes()

    def use_labels(self) -> None:
        """Tell all states apart by their labels."""
        self._hashes = [mix_bits(own + more) for own, more in zip(self._hashes, self._labels, strict=True)]
