"""Resamples of data in pieces, by Poisson weights: many in one pass."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.resampling import (
    MOST_SEARCHES,
    SEARCH_BYTES,
    NumberedPieces,
    SharedPasses,
    pieces_of,
    resample_in_passes,
)
from mahc.cluster.sharded_rows import CompactRows, ShardedRows
from mahc.confidence.resampling import refuse_few
from mahc.confidence.settings import BootstrapSettings
from mahc.confidence.workers import SIDE_BY_SIDE_BYTES, Resamples, search_weighted
from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.engine import CountSource
from mahc.engine.control import Stopped
from mahc.engine.poisson_weights import PoissonWeights
from mahc.errors import DataError, MahcError
from mahc.learning.control import Control
from mahc.learning.request import Request
from mahc.learning.searching import Searched, search
from mahc.opening import rows_of


def resamples_of_pieces(request: Request, opened: Dataset | CountSource, settings: BootstrapSettings) -> Resamples:
    """Resamples of data that were opened with `numbered`; where the distinct rows are in memory, of these."""
    refuse_fractions(opened, "the bootstrap of data in pieces")
    refuse_few(opened.size)
    weights = PoissonWeights(settings.seed)
    if isinstance(opened, CompactRows):
        return DistinctResamples(pieces_of(opened), weights, rows_of(request.data, request.data))
    if isinstance(opened, ShardedRows):
        return PassResamples(opened, weights)
    raise DataError("a count source has no rows to resample: give the data themselves")


class DistinctResamples:
    """Resamples of pieces whose distinct rows are in memory: a pass brings the weights of many resamples.

    Parameters
    ----------
    pieces : NumberedPieces
        The pieces.
    weights : PoissonWeights
        How resamples are drawn.
    data : Dataset
        The distinct rows.
    """

    ahead: ClassVar[int] = 2

    def __init__(self, pieces: NumberedPieces, weights: PoissonWeights, data: Dataset) -> None:
        self._pieces, self._weights, self._data = pieces, weights, data
        self._drawn: dict[int, NDArray[np.int64]] = {}

    def workers(self, threads: int) -> int:
        """Small tables side by side, large ones one after another."""
        size = self._data.rows * self._data.row_bytes
        return max(1, min(threads, SIDE_BY_SIDE_BYTES // max(1, size)))

    def begin(self, number: int, last: int, control: Control) -> None:
        """Draw the weights of this resample and of as many after it as the memory holds."""
        if number not in self._drawn:
            most = self._pieces.most_resamples(self._data.rows)
            wanted = range(number, min(last + 1, number + most))
            found = self._pieces.weigh_distinct(self._weights, wanted, control)
            assert found.shape[1] == self._data.rows
            self._drawn.update(zip(wanted, found, strict=True))

    def search(self, request: Request, number: int, control: Control) -> Searched:
        """Search the weighted rows."""
        return search_weighted(request, self._data, self._drawn[number], control)

    def end(self, number: int) -> None:
        """The weights are not needed any more."""
        self._drawn.pop(number, None)


class PassResamples:
    """Resamples of pieces that are counted in passes: the searches of several resamples share each pass.

    Parameters
    ----------
    source : ShardedRows
        The rows.
    weights : PoissonWeights
        How resamples are drawn.
    """

    ahead: ClassVar[int] = 1  # a search that has not started would keep the others waiting

    def __init__(self, source: ShardedRows, weights: PoissonWeights) -> None:
        self._source = source
        self._shared = SharedPasses(source.numbered, weights)
        self._side_by_side = max(1, min(MOST_SEARCHES, source.budget // SEARCH_BYTES))

    def workers(self, threads: int) -> int:
        """As many as the memory allows: they wait for passes most of the time."""
        return self._side_by_side

    def begin(self, number: int, last: int, control: Control) -> None:
        """The others wait for this search."""
        self._shared.join()

    def search(self, request: Request, number: int, control: Control) -> Searched:
        """Search the resample; its counts come from passes."""
        budget = self._source.budget // self._side_by_side
        try:
            source = resample_in_passes(self._source, self._shared, number, budget, control)
            return search(replace(request, data=source), control, details=False)
        except MahcError:
            if control.stop_reason() is not None:
                raise Stopped from None
            raise

    def end(self, number: int) -> None:
        """The others need not wait for it."""
        self._shared.leave()
