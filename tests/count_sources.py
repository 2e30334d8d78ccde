"""Count sources in plain Python: what `CountSource` asks for, in the most obvious way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine import Families, FamilyCounts
from mahc.engine.counts import Hashes, mix_bits


class DictionarySource:
    """Counts with dictionaries of row tuples; a table of which nothing occurs is left out."""

    def __init__(self, data: Dataset) -> None:
        weights = [1] * data.rows if data.weights is None else data.weights.tolist()
        self._data = data
        self._rows: list[tuple[tuple[int, ...], int]] = list(
            zip(zip(*(column.tolist() for column in data.codes), strict=True), weights, strict=True)
        )
        self.names = data.names
        self.rows = data.rows
        self.size = data.size
        self.states = [len(labels) for labels in data.labels]
        self.requests = 0

    @property
    def marginals(self) -> Sequence[NDArray[np.int64]]:
        return [self._marginal(v) for v in range(len(self.names))]

    def fingerprint(self) -> str:
        return self._data.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        self.requests += 1
        cells: list[int] = []
        offsets = [0]
        for child, parents in families:
            cells += self._lay_out(self.count((*parents, child)), child, parents)
            offsets.append(len(cells))
        return FamilyCounts(np.array(cells, np.int64), np.array(offsets, np.int64))

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        first = np.cumsum([0, *self.states])
        sums = [0] * len(state_hashes)
        for row, weight in self._rows:
            told = [int(state_hashes[first[v] + code]) for v, code in enumerate(row) if self.states[v] > 1]
            mixed = int(mix_bits(np.array([sum(told) % 2**64], np.uint64))[0]) * weight
            for v in np.flatnonzero(wanted).tolist():
                sums[first[v] + row[v]] = (sums[first[v] + row[v]] + mixed) % 2**64
        return np.array(sums, np.uint64)

    def count(self, variables: Sequence[int]) -> Counter[tuple[int, ...]]:
        found: Counter[tuple[int, ...]] = Counter()
        for row, weight in self._rows:
            found[tuple(row[v] for v in variables)] += weight
        return found

    def _marginal(self, v: int) -> NDArray[np.int64]:
        found = self.count([v])
        return np.array([found[(code,)] for code in range(self.states[v])], np.int64)

    def _lay_out(self, counts: Counter[tuple[int, ...]], child: int, parents: Sequence[int]) -> list[int]:
        if not parents:
            return [counts[(code,)] for code in range(self.states[child])]
        table = list(product(range(self.states[parents[-1]]), range(self.states[child])))
        occurring = sorted({cell[:-2] for cell in counts})
        return [counts[(*base, *cell)] for base in occurring for cell in table]


class ShardedSource(DictionarySource):
    """The rows in shards, each counted by itself; the counts are added, the last shard's first."""

    def __init__(self, data: Dataset, shards: int = 3) -> None:
        super().__init__(data)
        self._shards = [self._rows[k::shards] for k in range(shards)]

    def count(self, variables: Sequence[int]) -> Counter[tuple[int, ...]]:
        total: Counter[tuple[int, ...]] = Counter()
        for shard in reversed(self._shards):
            part: Counter[tuple[int, ...]] = Counter()
            for row, weight in shard:
                part[tuple(row[v] for v in variables)] += weight
            total.update(part)
        return total

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        total = np.zeros_like(state_hashes)
        whole = self._rows
        for shard in self._shards:
            self._rows = shard
            total += super().sum_row_hashes(state_hashes, wanted)
        self._rows = whole
        return total
