"""Resamples of a data set: a weight per row, from a random stream of its own for each resample.

Rows are drawn from the table sorted by content, so that a resample depends on the seed, its number and the content of
the data alone: not on the order of rows or columns, on the labels of states, nor on whether equal rows are repeated or
weighted. Where weights have fractions, rows are drawn alike, each with its weight: a row is one
observation then, whatever it weighs. Where rows come from experiments, those of each experiment are drawn from its own.

Poisson weights are the exception: they depend on the number of a row in the data, so that they can be drawn where the
pieces of large data are (`engine/poisson_weights.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.row_order import sort_rows
from mahc.confidence.settings import BootstrapSettings
from mahc.data import Dataset
from mahc.data.columns import Continuous
from mahc.engine.poisson_weights import PoissonWeights
from mahc.errors import DataError, Mention
from mahc.networks.random_streams import stream
from mahc.plurals import count

MOST_DRAWN = 1 << 28  # rows of a resample, one random number each
BLOCK = 1 << 20  # random numbers at a time
MERGED = 4
WEIGHT = "\0weight"  # no name of a variable
POISSON = "poisson"
LEAST_POISSON = 100  # rows: with fewer, a resample may be far too small, or have no row at all


@dataclass(frozen=True)
class Resampler:
    """Draws resample 0, 1, 2, ... of a data set; each is independent of how many there are and of the others.

    Parameters
    ----------
    data : Dataset
        The data.
    settings : BootstrapSettings
        How rows are drawn, and the seed.

    Examples
    --------
    >>> from mahc.data import read
    >>> resampler = Resampler(read({"a": ["x", "y", "x", "y"]}), BootstrapSettings(seed=7))
    >>> int(resampler.weights(0).sum()), resampler.table(0).rows
    (4, 4)
    """

    data: Dataset
    settings: BootstrapSettings

    def __post_init__(self) -> None:
        if self.settings.how == POISSON:
            refuse_few(self._size)
            return
        least = 2 if self.settings.how == "half" else 1
        if not least <= self._size <= MOST_DRAWN:
            raise DataError(
                f"the data have {count(self._size, 'row')}, their weights counted: "
                f"{self.settings.how} needs {least} to {MOST_DRAWN:,}"
            )

    @cached_property
    def _pool(self) -> Pool:
        if self.settings.how == POISSON:
            return Pool(self.data, None, None)  # the rows as they are: their numbers decide
        return find_pool(self.data)

    def prepare(self) -> Dataset:
        """The rows that the weights are about, computed once; to be called before several threads draw."""
        _ = self._strata
        return self._pool.data

    def weights(self, number: int) -> NDArray[np.int64]:
        """How often each row of `prepare()` is in resample `number`."""
        if self.settings.how == POISSON:
            own = None if self._fractional else self.data.weights
            return self._weigh(PoissonWeights(self.settings.seed).draw(number, 0, self.data.rows, own))
        generator = stream(self.settings.seed, self.settings.how, str(number))
        if self._strata is None:
            return self._weigh(self._draw(generator, self._size))
        return self._weigh(sum(self._draw(generator, len(numbers), numbers) for numbers in self._strata))  # type: ignore[arg-type]

    @property
    def _fractional(self) -> bool:
        return self.data.unit > 1

    @property
    def _size(self) -> int:
        """How many rows there are to draw from."""
        return self.data.rows if self._fractional else self.data.size

    def _weigh(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        """The weights of rows that were drawn so often."""
        own = self._pool.data.weights
        return drawn * own if self._fractional and own is not None else drawn

    def _draw(
        self, generator: np.random.Generator, size: int, numbers: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """How often each row is drawn, from all rows or from those with these numbers."""
        pool = self._pool
        if self.settings.how == "half":
            drawn = generator.choice(size, size // 2 or (numbers is not None), replace=False, shuffle=False)
            return pool.count(drawn if numbers is None else numbers[drawn])
        found = np.zeros(pool.data.rows, np.int64)
        for start in range(0, size, BLOCK):
            drawn = generator.integers(0, size, min(BLOCK, size - start))
            found += pool.count(drawn if numbers is None else numbers[drawn])
        return found

    @cached_property
    def _strata(self) -> list[NDArray[np.int64]] | None:
        """The numbers of the rows of each experiment, within which rows are drawn; None where there is none."""
        given = self._pool.data.interventions
        if given is None or self.settings.how == POISSON:  # each row is drawn by itself
            return None
        codes = given.codes[self._pool.places(np.arange(self._size))]
        found = [np.flatnonzero(codes == experiment) for experiment in range(len(given.targets))]
        return sorted(found, key=lambda numbers: int(numbers[0]))

    def table(self, number: int) -> Dataset:
        """Resample `number` as a table; all states of the data stay states, also those that were not drawn."""
        data, weights = self.prepare(), self.weights(number)
        if self.data.weights is None:
            rows = np.repeat(np.arange(data.rows), weights)
            return data.take(rows)
        kept = np.flatnonzero(weights)
        return replace(data.take(kept, weights[kept]), unit=data.unit)


def refuse_few(size: int) -> None:
    """The size of a Poisson resample is random: few rows are refused."""
    if size < LEAST_POISSON:
        raise DataError(
            f"the data have {count(size, 'row')}, their weights counted: poisson needs {LEAST_POISSON}: use ",
            Mention("how", "bootstrap"),
        )


@dataclass(frozen=True)
class Pool:
    """The rows to draw from, as `data` stores them: numbers 0 to size - 1 stand for the rows sorted by content.

    `ends` says where the numbers of each sorted row end (None: each row has one number), `order` which stored row
    the sorted row is (None: `data` is sorted).
    """

    data: Dataset
    ends: NDArray[np.int64] | None
    order: NDArray[np.uint32] | None

    def count(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each stored row was drawn."""
        return np.bincount(self.places(drawn), minlength=self.data.rows)

    def places(self, drawn: NDArray[np.int64]) -> NDArray[np.integer]:
        """The stored rows that these numbers stand for."""
        place = drawn if self.ends is None else np.searchsorted(self.ends, drawn, side="right")
        return place if self.order is None else self.order[place]


def find_pool(data: Dataset) -> Pool:
    """Sort the rows by content; merge equal ones where that leaves at most a quarter of them.

    A weight with a fraction is part of the content.

    The sort is by a hash. Rows that differ and have the same hash stay apart, so that merging is exact.
    """
    if data.unit > 1 and data.weights is not None:
        keyed = (Continuous(data.weights.astype(np.float64)), *data.columns)
        rows = Dataset((WEIGHT, *data.names), keyed, interventions=data.interventions)
        return Pool(data, None, sort_rows(rows)[0])
    order, starts = sort_rows(data)
    weights = None if data.weights is None else data.weights[order]
    if len(starts) * MERGED > data.rows:
        return Pool(data, None if weights is None else np.cumsum(weights), order)
    counts = np.diff(starts, append=data.rows) if weights is None else np.add.reduceat(weights, starts)
    merged = replace(data.take(order[starts]), weights=None)
    return Pool(merged, np.cumsum(counts), None)


def resampled(data: Dataset, number: int, *, seed: int = 1, how: str = "bootstrap") -> Dataset:
    """Return one resample of a data set: the one from which `mahc.bootstrap` learns its graph `number`.

    Parameters
    ----------
    data : Dataset
        The data, as `mahc.read` returns them.
    number : int
        Which resample: 0 is the first.
    seed : int
        The seed of the bootstrap.
    how : str
        "bootstrap" (as many rows as there are, with replacement), "half" (half of them, without replacement) or
        "poisson" (a row of weight w is drawn Poisson(w) times, by its number in the data).

    Returns
    -------
    Dataset
        The rows that were drawn; it has all states of the data, also those that were not drawn.

    Raises
    ------
    MahcError
        Where a setting is wrong or there are too few rows.

    Examples
    --------
    >>> from mahc.data import read
    >>> resampled(read({"a": ["x", "y", "x", "y"], "b": ["u", "v", "w", "w"]}), 0).rows
    4
    """
    return Resampler(data, BootstrapSettings(seed=seed, how=how)).table(number)
