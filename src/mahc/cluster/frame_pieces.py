"""A piece that is a data frame in memory: a partition of a Dask or Spark data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


class FramePiece:
    """Some rows as a pandas, polars or Arrow table.

    >>> import polars as pl
    >>> FramePiece(pl.DataFrame({"a": ["x"]}), "partition 0").column("a").to_list()
    ['x']
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

    def column(self, name: str) -> pl.Series:
        """The values of one column."""
        return self._frame[name]
