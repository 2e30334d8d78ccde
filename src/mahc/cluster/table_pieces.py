"""Pieces of Delta and Iceberg tables and of datasets of pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mahc.cluster.piece_column import PieceColumn, number_values
from mahc.data.reading import keep_applicable, load, plain_settings
from mahc.data.settings import ReadSettings
from mahc.data.source_table import SourceTable
from mahc.data.sources.tables import TablePart, open_table
from mahc.errors import DataError

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class TablePiece:
    """A part of a table as a piece."""

    part: TablePart
    types: dict[str, pl.DataType]

    @property
    def name(self) -> str:
        """The name of the table, whose parts all have the same columns."""
        return self.part.table

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return self.part.size

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.part.rows

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns and their types."""
        return self.types

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names."""
        for series in self.part.columns(names):
            yield number_values(series)

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns; None without rows."""
        import polars as pl

        if not self.rows:
            return None
        frame = pl.DataFrame(list(self.part.columns(tuple(self.types))))
        return load(frame, keep_applicable(frame, plain_settings(settings)))


def cut_table(source: Any) -> tuple[TablePiece, ...]:
    """The pieces of a table, those without rows left out."""
    table = open_table(source)
    pieces = tuple(TablePiece(part, table.types) for part in table.parts if part.rows)
    if not pieces:
        raise DataError(f"{table.name}: no rows: at least one is needed")
    return pieces
