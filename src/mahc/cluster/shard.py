"""A piece whose values are coded, and the core on its rows."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.coding import Coding, Values, read_weights
from mahc.cluster.pieces import Piece
from mahc.data import Dataset
from mahc.data.columns import EXPERIMENT, Column
from mahc.engine import EngineRows
from mahc.engine.wide_rows import WideRows, hold_rows
from mahc.errors import DataError

MOST_CACHE, MEBIBYTE = 64, 1 << 20
StoredRows = tuple[list[Values], NDArray[np.int64] | None]


class Shard:
    """Coded rows; a copy in another process is made from the piece, not from the rows.

    >>> import tempfile, pathlib
    >>> from mahc.cluster.opening import read_states
    >>> from mahc.cluster.pieces import find_pieces
    >>> from mahc.cluster.runner import LocalRunner
    >>> from mahc.data.settings import ReadSettings
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "a.csv"
    >>> _ = file.write_text("rain,wet\\nno,no\\nyes,yes\\n")
    >>> pieces = find_pieces(file)
    >>> Shard(pieces[0], read_states(LocalRunner(pieces), ["rain", "wet"], ReadSettings()).coding).data
    Dataset(2 rows, 2 variables: rain, wet)
    >>> folder.cleanup()
    """

    def __init__(self, piece: Piece, coding: Coding, threads: int = 1, stored: StoredRows | None = None) -> None:
        self.piece, self.coding, self.threads = piece, coding, threads
        self.values, self.weights = stored or self._load()

    def __reduce__(self) -> tuple[type[Shard], tuple[object, ...]]:
        return Shard, (self.piece, self.coding, self.threads)

    def reweighted(self, weights: NDArray[np.int64]) -> Shard:
        """The rows whose new weight is above 0, with these weights."""
        kept = np.flatnonzero(weights)
        return Shard(self.piece, self.coding, self.threads, ([codes[kept] for codes in self.values], weights[kept]))

    def _load(self) -> StoredRows:
        coding = self.coding
        weights = None if coding.weights is None else read_weights(self.piece, coding.weights, coding.unit)
        kept = None if weights is None or weights.all() else weights > 0
        found = []
        for v, column in enumerate(self.piece.columns(coding.names)):
            try:
                found.append(coding.code(v, column))
            except DataError as mistake:
                raise DataError(f"{self.piece.name}: {mistake}: the file was changed meanwhile, start again") from None
            if coding.dropped is not None:
                kept = coding.keep(v, column) if kept is None else kept & coding.keep(v, column)
        if coding.experiments is not None:
            found.append(coding.experiments.code(next(iter(self.piece.columns([coding.experiments.column])))))
        if kept is None or kept.all():
            return found, weights
        return [codes[kept] for codes in found], None if weights is None else weights[kept]

    def stored(self) -> list[NDArray[np.number]]:
        """What is written to disk: the weights, if there are any, and the columns."""
        return [*([] if self.weights is None else [self.weights]), *self.values]

    @property
    def memory_bytes(self) -> int:
        """The memory that it takes, about, with the core's own form of the rows and what the core keeps."""
        return 3 * sum(column.nbytes for column in self.stored()) + self._cache_mebibytes * MEBIBYTE

    @property
    def _cache_mebibytes(self) -> int:
        return min(MOST_CACHE, 1 + sum(column.nbytes for column in self.values) // MEBIBYTE)

    @property
    def rows(self) -> int:
        """How many rows the piece has, without those that are left out."""
        return len(self.values[0])

    @cached_property
    def data(self) -> Dataset:
        """The rows as a data set."""
        return self.coding.make_dataset(range(len(self.values)), self.values, self.weights)

    @property
    def hashed_columns(self) -> list[tuple[str, Column]]:
        """The columns as the whole data hash them: with the experiments, also where this piece has none."""
        data, given = self.data, self.coding.experiments
        listed: list[tuple[str, Column]] = list(zip(data.names, data.columns, strict=True))
        if given is not None:
            listed.append((EXPERIMENT, given.given.as_column().with_codes(self.values[-1].astype(np.uint32))))
        return listed

    @cached_property
    def engine(self) -> EngineRows | WideRows:
        """The core on these rows."""
        return hold_rows(self.data, self.threads, self._cache_mebibytes)
