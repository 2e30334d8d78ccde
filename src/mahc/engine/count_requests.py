"""Requests to a count source, of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.engine.counts import CountSource, FamilyCounts
from mahc.engine.families import Families
from mahc.errors import DataError

Numbers = TypeVar("Numbers")
MOST_CELLS = 1 << 24  # of one request: 128 MiB of counts


class CountRequests:
    """Splits batches into requests of bounded size and checks the answers."""

    def __init__(self, source: CountSource) -> None:
        self.source = source
        self.states = np.array([len(counts) for counts in source.marginals], np.int64)

    def split(self, families: Families) -> Iterator[tuple[slice, Families]]:
        """Parts of the batch whose full tables have at most `MOST_CELLS` cells, or one family each."""
        cells = _full_cells(families, self.states.astype(np.float64))
        start, total = 0, 0.0
        for i, count in enumerate(cells.tolist()):
            if i > start and total + count > MOST_CELLS:
                yield slice(start, i), families[start:i]
                start, total = i, 0.0
            total += count
        if start < len(families):
            yield slice(start, len(families)), families[start:]

    def compute(self, families: Families, function: Callable[[Families, FamilyCounts], Numbers]) -> Numbers:
        """What the core computes from the counts of these families."""
        counts = self.source.count_families(families)
        try:
            return function(families, counts)
        except DataError:
            raise
        except (TypeError, ValueError) as error:
            raise DataError(f"the count source returned unusable counts: {error}") from None

    def tables(self, families: Families) -> Iterator[NDArray[np.int64]]:
        """The tables of each family in turn, with the axes (configuration of the other parents, last parent, child)."""
        for _, part in self.split(families):
            counts = self.source.count_families(part)
            for i, (child, parents) in enumerate(part):
                yield counts.tables(i, int(self.states[parents[-1]]), int(self.states[child]))


def _full_cells(families: Families, states: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many cells the full table of each family has."""
    logs = np.concatenate([[0.0], np.cumsum(np.log2(states[families.parents]))])
    parents = logs[families.offsets[1:]] - logs[families.offsets[:-1]]
    cells: NDArray[np.float64] = states[families.children] * np.exp2(np.minimum(parents, 900.0))
    return cells
