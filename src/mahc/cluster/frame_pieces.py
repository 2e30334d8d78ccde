"""A piece that is a data frame in memory: a partition of a Dask or Spark data frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mahc.cluster.piece_column import PieceColumn, number_values
from mahc.data.reading import keep_applicable, load, plain_settings
from mahc.data.settings import ReadSettings
from mahc.data.source_table import SourceTable

if TYPE_CHECKING:
    import polars as pl


class FramePiece:
    """Some rows as a pandas, polars or Arrow table.

    >>> import polars as pl
    >>> [column.values.to_list() for column in FramePiece(pl.DataFrame({"a": ["x"]}), "partition 0").columns(["a"])]
    [['x']]
    """

    def __init__(self, frame: Any, name: str) -> None:
        import polars as pl

        if isinstance(frame, pl.DataFrame):
            self._frame = frame
        elif hasattr(frame, "iloc"):
            self._frame = pl.from_pandas(frame)
        else:
            self._frame = pl.DataFrame(frame)
        self.name = name
        self.size = int(self._frame.estimated_size())

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns and their types."""
        return dict(self._frame.schema)

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names."""
        for name in names:
            yield number_values(self._frame[name])

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns; None without rows."""
        if not self._frame.height:
            return None
        return load(self._frame, keep_applicable(self._frame, plain_settings(settings)))
