"""Resamples of a data set: a weight per row, from a random stream of its own for each resample.

Rows are drawn from the table sorted by content, so that a resample depends on the seed, its number and the content of
the data alone: not on the order of rows, columns or states, nor on whether equal rows are repeated or weighted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.settings import BootstrapSettings
from mahc.data import Dataset
from mahc.data.fingerprint import hash_rows
from mahc.errors import DataError
from mahc.networks.random_streams import stream

MOST_DRAWN = 1 << 28  # rows of a resample, one random number each


@dataclass(frozen=True)
class Resampler:
    """Draws resample 0, 1, 2, ... of a data set; each is independent of how many there are and of the others.

    >>> from mahc.data import read
    >>> resampler = Resampler(read({"a": ["x", "y", "x", "y"]}), BootstrapSettings(seed=7))
    >>> int(resampler.weights(0).sum()), resampler.table(0).rows
    (4, 4)
    """

    data: Dataset
    settings: BootstrapSettings

    def __post_init__(self) -> None:
        least = 2 if self.settings.how == "half" else 1
        if not least <= self.data.size <= MOST_DRAWN:
            raise DataError(
                f"the data have {self.data.size:,} rows, their weights counted: "
                f"{self.settings.how} needs {least} to {MOST_DRAWN:,}"
            )

    @cached_property
    def _order(self) -> NDArray[np.uint32]:
        """The rows sorted by content."""
        data = self.data
        hashes = hash_rows(data.names, data.states, data.columns, data.rows)
        return np.argsort(hashes, kind="stable").astype(np.uint32)

    @cached_property
    def _ends(self) -> NDArray[np.int64] | None:
        """Where the copies of each sorted row end; None where each row counts once."""
        weights = self.data.weights
        return None if weights is None else np.cumsum(weights[self._order])

    def prepare(self) -> None:
        """Compute what all resamples share; to be called before several threads draw."""
        self._order, self._ends  # noqa: B018 - fills the cache

    def weights(self, number: int) -> NDArray[np.int64]:
        """How often each stored row is in resample `number`."""
        generator = stream(self.settings.seed, self.settings.how, str(number))
        size = self.data.size
        if self.settings.how == "half":
            drawn = generator.choice(size, size // 2, replace=False, shuffle=False)
        else:
            drawn = generator.integers(0, size, size)
        place = drawn if self._ends is None else np.searchsorted(self._ends, drawn, side="right")
        return np.bincount(self._order[place], minlength=self.data.rows)

    def table(self, number: int) -> Dataset:
        """Resample `number` as a table; all states of the data stay states, also those that were not drawn."""
        data, weights = self.data, self.weights(number)
        if data.weights is None:
            rows = np.repeat(np.arange(data.rows), weights)
            return Dataset(data.names, data.states, tuple(column[rows] for column in data.columns))
        kept = np.flatnonzero(weights)
        return Dataset(data.names, data.states, tuple(column[kept] for column in data.columns), weights[kept])


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
        "bootstrap" (as many rows as there are, with replacement) or "half" (half of them, without replacement).

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
