"""A piece whose values are coded, and the core on its rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.cluster.coding import Coding, read_weights
from mahc.cluster.pieces import Piece
from mahc.data import Dataset
from mahc.engine import EngineRows

CACHE_MEBIBYTES = 64
Codes = NDArray[np.unsignedinteger]


class Shard:
    """Coded rows; a copy in another process is made from the piece, not from the rows.

    >>> import tempfile, pathlib
    >>> from mahc.cluster.coding import count_values, make_coding
    >>> from mahc.cluster.pieces import FilePiece
    >>> from mahc.data.settings import ReadSettings
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "a.csv"
    >>> _ = file.write_text("rain,wet\\nno,no\\nyes,yes\\n")
    >>> piece = FilePiece(str(file))
    >>> coding, _ = make_coding(count_values(piece, ["rain", "wet"], None), ReadSettings())
    >>> Shard(piece, coding).data
    Dataset(2 rows, 2 variables: rain, wet)
    >>> folder.cleanup()
    """

    def __init__(self, piece: Piece, coding: Coding, threads: int = 1, columns: Sequence[Codes] | None = None) -> None:
        self.piece, self.coding, self.threads = piece, coding, threads
        weights = None if coding.weights is None else read_weights(piece, coding.weights)
        kept = None if weights is None or weights.all() else weights > 0
        self.weights = weights if kept is None or weights is None else weights[kept]
        self.columns = list(columns) if columns is not None else self._load(kept)

    def __reduce__(self) -> tuple[type[Shard], tuple[object, ...]]:
        return Shard, (self.piece, self.coding, self.threads)

    def _load(self, kept: NDArray[np.bool_] | None) -> list[Codes]:
        found = []
        for v, name in enumerate(self.coding.names):
            column = self.piece.column(name)
            found.append(self.coding.code(v, column if kept is None else column.filter(kept)))
        return found

    @property
    def rows(self) -> int:
        """How many rows the piece has, without those of weight 0."""
        return len(self.columns[0])

    @cached_property
    def data(self) -> Dataset:
        """The rows as a data set."""
        return Dataset(self.coding.names, self.coding.states, tuple(self.columns), self.weights)

    @cached_property
    def engine(self) -> EngineRows:
        """The core on these rows."""
        return EngineRows(self.data, threads=self.threads, cache_mebibytes=CACHE_MEBIBYTES)
