"""Rows in memory whose weights need more than 32 bits: counted digit by digit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine.counts import FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.engine.rows import MOST_WEIGHT, EngineRows
from mahc.errors import DataError


class WideRows:
    """A count source over rows with weights of up to 2^53: the sum of sources, one for each digit of the weights.

    A digit has so many bits that the counts of one source stay below 2^32.

    >>> import numpy as np
    >>> data = Dataset.coded(["a"], [["x", "y"]], [np.array([0, 1])], np.array([10**12, 7]))
    >>> WideRows(data, threads=1).count_families(Families.of([(0, [])])).cells.tolist()
    [1000000000000, 7]
    """

    def __init__(self, data: Dataset, threads: int | None = None, cache_mebibytes: int = 256) -> None:
        assert data.weights is not None
        self.names, self.rows, self.size = data.names, data.rows, data.size
        self.total, self.unit = data.total, data.unit
        self._data = data
        bits = max(1, (MOST_WEIGHT // max(1, data.rows)).bit_length() - 1)
        self._parts: list[tuple[int, EngineRows]] = []
        weights, shift = data.weights, 0
        while int((weights >> shift).max()):
            digit = (weights >> shift) & ((1 << bits) - 1)
            if digit.any():
                part = replace(data, weights=digit)
                self._parts.append((shift, EngineRows(part, threads=threads, cache_mebibytes=cache_mebibytes)))
            shift += bits

    @property
    def marginals(self) -> Sequence[NDArray[np.int64]]:
        """For each variable, how often each of its states occurs."""
        totals = [np.zeros(states, np.int64) for states in self._data.state_counts.tolist()]
        for shift, part in self._parts:
            for total, counts in zip(totals, part.marginals, strict=True):
                total += counts << shift
        return totals

    def fingerprint(self) -> str:
        """The fingerprint of the data."""
        return self._data.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family of a batch."""
        total = None
        for shift, part in self._parts:
            found = part.count_families(families)
            cells = found.cells.astype(np.int64) << shift
            total = FamilyCounts(cells if total is None else total.cells + cells, found.offsets)
        assert total is not None
        return total

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """For every state of the wanted variables, the wrapping sum of the hashes of the rows that have it."""
        total = np.zeros_like(state_hashes)
        for shift, part in self._parts:
            total += part.sum_row_hashes(state_hashes, wanted) << np.uint64(shift)
        return total


def hold_rows(
    data: Dataset,
    threads: int | None = None,
    cache_mebibytes: int = 256,
    weights: NDArray[np.integer] | None = None,
) -> EngineRows | WideRows:
    """Counts of rows in memory, whatever their total weight; `weights` are those of a resample."""
    if data.total <= MOST_WEIGHT:
        return EngineRows(data, threads=threads, cache_mebibytes=cache_mebibytes, weights=weights)
    if data.interventions is not None:
        raise DataError(f"rows of experiments may have a total weight of at most {MOST_WEIGHT:,}: divide the weights")
    drawn = data if weights is None else replace(data, weights=weights.astype(np.int64, copy=False))
    return WideRows(drawn, threads, cache_mebibytes)
