"""The rows, held by the compiled core."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.dataset import whole_rows
from mahc.engine import _native
from mahc.engine.counts import FamilyCounts, Hashes
from mahc.engine.families import Families
from mahc.errors import DataError, InvalidSettingError, SettingError
from mahc.plurals import count

MEBIBYTE = 1 << 20
MOST_ROWS = 1 << 28
MOST_WEIGHT = (1 << 32) - 1
MOST_REPEATED = 4  # copies of a row, on average
MOST_REPEATED_BYTES = 1 << 26
MOST_CELLS = 1 << 26  # of a joint table


def instruction_levels() -> list[str]:
    """The instruction-set levels that this build and this machine share, plainest first.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> instruction_levels()[0]
    'scalar'
    """
    return _native.levels()


class EngineRows:
    """A data set ready to be counted; the columns are shared with the `Dataset`, not copied.

    Rows with small weights are copied as often as they count, where the copies are small: the results are the same
    and found sooner.

    Parameters
    ----------
    data : Dataset
        The rows.
    threads : int, optional
        Number of threads; all processors if left out.
    cache_mebibytes : int
        Memory for counts that are kept.
    level : str, optional
        One of `instruction_levels()`; the fastest if left out.
    weights : array of int, optional
        How often each row counts, in place of the weights of `data`: a resample.

    Examples
    --------
    >>> from mahc.data import read
    >>> rows = EngineRows(read({"a": ["x", "y", "x"], "b": ["u", "u", "v"]}))
    >>> cells, configurations, method = rows.family_counts(0, [1])
    >>> sorted(cells.tolist()), sorted(configurations.tolist())
    ([0, 1, 1, 1], [1, 2])
    """

    def __init__(
        self,
        data: Dataset,
        *,
        threads: int | None = None,
        cache_mebibytes: int = 1024,
        level: str | None = None,
        weights: NDArray[np.integer] | None = None,
    ) -> None:
        if threads is None:
            threads = available_processors()
        if threads < 1:
            raise InvalidSettingError("threads", threads, "give 1 or more, or leave it out to use all processors")
        if cache_mebibytes < 1:
            raise InvalidSettingError("cache_mebibytes", cache_mebibytes, "give 1 or more")
        if level is not None and level not in instruction_levels():
            raise SettingError(
                f"this machine has no instruction set level '{level}' (it has {', '.join(instruction_levels())})"
            )
        chosen = data.weights if weights is None else weights
        self.total, self.unit = data.rows if chosen is None else int(chosen.sum()), data.unit
        self.size = whole_rows(self.total, self.unit)
        if data.rows > MOST_ROWS or self.total > MOST_WEIGHT:
            raise DataError(
                f"the data have {count(data.rows, 'row')} of total weight {self.total:,}, more than the engine counts "
                f"({MOST_ROWS} rows, weight {MOST_WEIGHT}): use a sample, or divide the weights"
            )
        self.data = data
        self.names = data.names
        self._weights, self._cache_mebibytes, self._level = chosen, cache_mebibytes, level
        self._order = list(range(len(data.names)))
        counts = None if chosen is None else chosen.astype(np.uint32)
        repeated = self._may_repeat(weights is not None, cache_mebibytes * MEBIBYTE)
        columns = list(data.codes)
        states = data.state_counts.tolist()
        memory = cache_mebibytes * MEBIBYTE
        self.native = _native.Engine(columns, states, counts, threads, memory, level or "", repeated)

    def _may_repeat(self, resample: bool, cache_bytes: int) -> bool:
        """Whether a row of weight 3 is stored three times.

        A row without a weight is counted three to four times as fast as one with a weight. The rows of a data set are
        shared with it, so that the copies must be few in bytes, too; a resample has no rows of its own to share.
        """
        if self.total > min(MOST_REPEATED * self.data.rows, MOST_ROWS):
            return False
        size = self.total * self.data.row_bytes
        return resample or size <= min(MOST_REPEATED_BYTES, cache_bytes // 4)

    @property
    def level(self) -> str:
        """The instruction-set level in use."""
        return self.native.level

    @property
    def threads(self) -> int:
        """How many threads share a batch."""
        return self.native.threads

    def arrange(self, order: Sequence[int]) -> None:
        """Renumber the variables: position i is from now on what was variable `order[i]`; before any scoring."""
        self.native.arrange(list(order))
        self.names = tuple(self.names[v] for v in order)
        self._order = [self._order[v] for v in order]

    def parts(self) -> tuple[list[EngineRows], list[list[int]]]:
        """The rows that tell the causes of each variable: sets of rows, and which of them each variable has.

        One set, of all rows, unless some rows come from experiments; several of one variable where experiments changed
        its mechanism.
        """
        sets, which = row_sets(self.data, self._order)
        return [self._part(mask) for mask in sets], which

    def _part(self, mask: NDArray[np.bool_] | None) -> EngineRows:
        if mask is None:
            return self
        weights = None if self._weights is None else self._weights[mask]
        part = EngineRows(
            replace(self.data.take(mask), interventions=None, weights=None),
            threads=self.threads,
            cache_mebibytes=self._cache_mebibytes,
            level=self._level,
            weights=weights,
        )
        part.arrange(self._order)
        return part

    def content_hashes(self) -> Hashes:
        """How many rows of experiments each variable was a target in: what tells variables apart that rows do not."""
        given = self.data.interventions
        if given is None:
            return np.zeros(len(self.names), np.uint64)
        aside = [given.speaking(self.data.names[v]) for v in self._order]
        own = np.ones(self.data.rows, np.int64) if self._weights is None else self._weights
        return np.array([0 if mask is None else int(own[~mask].sum()) for mask in aside], np.uint64)

    @property
    def rows(self) -> int:
        """How many rows are stored."""
        return self.data.rows

    @property
    def marginals(self) -> list[NDArray[np.int64]]:
        """For each variable, how often each of its states occurs."""
        return [np.array(self.native.marginal(v), np.int64) for v in range(len(self.names))]

    def fingerprint(self) -> str:
        """The fingerprint of the data set."""
        return self.data.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family of a batch: complete tables up to 2^23 cells, so that shards can be added.

        Larger families have the tables of parent configurations that occur.
        """
        try:
            counted = self.native.count_families(families.children, families.offsets, families.parents)
        except OverflowError as error:
            raise DataError(
                f"{error} (2^25): lower the in-degree, or merge states of the variables with most states"
            ) from None
        return FamilyCounts(*counted)

    def sum_row_hashes(self, state_hashes: Hashes, wanted: NDArray[np.bool_]) -> Hashes:
        """For every state of the wanted variables, the sum of the hashes of the rows that have it."""
        return self.native.sum_row_hashes(state_hashes, wanted)

    def family_counts(
        self, child: int, parents: Sequence[int], method: str | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], str]:
        """Counts of the cells and of the parent configurations (with zeros or without), and the method used."""
        return self.native.family_counts(child, list(parents), method or "")

    def joint_counts(self, variables: Sequence[int]) -> NDArray[np.uint32]:
        """The table of some variables, one axis each: how often every combination of their states occurs."""
        shape = tuple(len(self.native.marginal(v)) for v in variables)
        if math.prod(shape) > MOST_CELLS:
            names = ", ".join(self.names[v] for v in variables)
            raise DataError(
                f"a table of {names} would have {count(math.prod(shape), 'cell')}, more than {MOST_CELLS:,}: "
                "drop the variable of most states, or merge its states"
            )
        return self.native.joint_counts(list(variables), MOST_CELLS).reshape(shape)


def row_sets(data: Dataset, order: Sequence[int]) -> tuple[list[NDArray[np.bool_] | None], list[list[int]]]:
    """The sets of rows that have tables of their own, None for all rows, and which of them each variable has.

    >>> from mahc.data import read
    >>> sets, which = row_sets(read({"a": ["x", "y", "x"], "b": ["u", "u", "v"]}, interventions=["", "", "b"]), [0, 1])
    >>> [None if each is None else each.tolist() for each in sets], which
    ([None, [True, True, False]], [[0], [1]])
    """
    given = data.interventions
    if given is None:
        return [None], [[0] for _ in order]
    places: dict[tuple[int, ...], int] = {}
    which = []
    for v in order:
        blocks = given.blocks(data.names[v])
        if not blocks:
            raise DataError(
                f"an experiment set '{data.names[v]}' in every row, so nothing can be learned about its causes: "
                "leave it out, or add rows in which it was not set"
            )
        which.append([places.setdefault(block, len(places)) for block in blocks])
    masks = (given.rows_of(block) for block in places)
    return [None if mask.all() else mask for mask in masks], which


def available_processors() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
