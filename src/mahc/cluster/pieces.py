"""The pieces that data are cut into: each can be loaded by itself, one column at a time."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mahc.cluster.piece_column import PieceColumn, number_values
from mahc.cluster.text_pieces import TextPiece, cut_text, open_text_file
from mahc.data.reading import keep_applicable, load, plain_settings
from mahc.data.settings import ReadSettings
from mahc.data.source_table import SourceTable, with_partitions
from mahc.data.sources.column_files import (
    ARROW_ENDINGS,
    COLUMN_FILE_ENDINGS,
    PARQUET_ENDINGS,
    check_column_file,
    check_column_files,
    read_or_raise,
)
from mahc.data.sources.text_file import TEXT_ENDINGS
from mahc.errors import DataError, PerInterface
from mahc.files import refuse_remote

if TYPE_CHECKING:
    import polars as pl

ROWS_PER_PIECE = 1 << 19
ENDINGS = (*PARQUET_ENDINGS, *ARROW_ENDINGS, *TEXT_ENDINGS)


class Piece(Protocol):
    """Some of the rows; small enough to be held in memory, and cheap to send to another process."""

    @property
    def name(self) -> str:
        """What errors call it."""
        ...

    @property
    def size(self) -> int:
        """How many bytes it takes where it is stored, about; 0 where that is not known."""
        ...

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns and their types."""
        ...

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names, one after another."""
        ...


class TablePiece(Piece, Protocol):
    """A piece whose rows can be read as a table of their own."""

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns, as a file of these rows would be read, the values not interpreted; None without rows."""
        ...


@dataclass(frozen=True)
class FilePiece:
    """Consecutive rows of a Parquet or Arrow file.

    Parameters
    ----------
    path : str
        The file.
    first : int
        Its first row that belongs to the piece.
    rows : int or None
        How many rows; None for all.
    partitions : tuple of (str, str)
        Columns that the folders of a hive-partitioned table give all rows of the file, with their values.
    size : int
        The bytes of the file that belong to the piece, about.
    label : str
        What errors call it, where the file is a temporary one.

    Examples
    --------
    >>> FilePiece("sales/year=2026/a.parquet", 0, 1000, (("year", "2026"),)).name
    'sales/year=2026/a.parquet'
    """

    path: str
    first: int = 0
    rows: int | None = None
    partitions: tuple[tuple[str, str], ...] = ()
    size: int = 0
    label: str = ""

    @property
    def name(self) -> str:
        """The path, or the label."""
        return self.label or self.path

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns of the file, and those of its folders."""
        import polars as pl

        found = dict(read_or_raise(Path(self.path), lambda: self.scan().collect_schema()))
        return {**found, **{name: pl.String() for name, _ in self.partitions}}

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names; each is decoded alone."""
        import polars as pl

        given = dict(self.partitions)
        for name in names:
            if name in given:
                values = pl.Series([given[name]], dtype=pl.String)
                yield PieceColumn(values, np.zeros(self._count(), np.uint8), spelt=True)
            else:
                yield number_values(read_or_raise(Path(self.path), partial(self._column, name)))

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns, and those of its folders; None without rows."""
        frame = read_or_raise(Path(self.path), lambda: self._slice(self.scan()).collect())
        if not frame.height:
            return None
        return with_partitions(load(frame, keep_applicable(frame, plain_settings(settings))), self.partitions)

    def _column(self, name: str) -> pl.Series:
        return self._slice(self.scan().select(name)).collect().to_series()

    def _count(self) -> int:
        import polars as pl

        if self.rows is not None:
            return self.rows
        return int(read_or_raise(Path(self.path), lambda: self.scan().select(pl.len()).collect().item()))

    def _slice(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        return frame if self.rows is None else frame.slice(self.first, self.rows)

    def scan(self) -> pl.LazyFrame:
        """The whole file, to be read when columns are asked for."""
        import polars as pl

        ending = Path(self.path).suffix.lower()
        if ending in PARQUET_ENDINGS:
            return pl.scan_parquet(self.path, glob=False, hive_partitioning=False)
        return pl.scan_ipc(glob.escape(self.path))  # `glob=False` is newer than the polars that is required


def find_pieces(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], settings: ReadSettings | None = None
) -> tuple[FilePiece | TextPiece, ...]:
    """The pieces of a file, a folder, a glob such as "sales/*.parquet", or several of these.

    Parameters
    ----------
    source : str, path, or list of these
        A folder is searched with all its subfolders. A subfolder called `year=2026` gives all rows of its files the
        column `year` with the value 2026 (a hive-partitioned table). Names that begin with a dot or an underscore
        are left out.
    settings : ReadSettings, optional
        How text files are read: delimiter, quote, encoding.

    Returns
    -------
    tuple of FilePiece or TextPiece
        Sorted by path. Parquet and Arrow files are cut into pieces of at most 524,288 rows, text files into pieces of
        about 32 MiB.

    Raises
    ------
    DataError
        If there is no such file, or one of another kind.

    Examples
    --------
    >>> find_pieces("no-such-folder/*.parquet")
    Traceback (most recent call last):
    mahc.errors.DataError: no-such-folder/*.parquet: no file has such a name: correct the path
    """
    chosen = settings or ReadSettings()
    files = find_files(source)
    check_column_files(Path(path) for path, _ in files if is_column_file(path))
    return tuple(piece for path, partitions in files for piece in _cut(path, partitions, chosen))


def find_files(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The files of a source, sorted, each with the columns that its folders give."""
    sources = [source] if isinstance(source, str | os.PathLike) else list(source)
    files = sorted({file for part in sources for file in _files(os.fspath(part))})
    if not files:
        raise DataError("no files are given: name at least one")
    return files


def ending_of(path: str | Path) -> str:
    """The ending of a file in lower case, without that of a compressed file.

    >>> ending_of("sales.CSV.gz")
    '.csv'
    """
    return Path(Path(path).name.lower().removesuffix(".gz")).suffix


def is_column_file(path: str | Path) -> bool:
    """Whether the file is Parquet or Arrow, by its name."""
    return Path(path).suffix.lower() in COLUMN_FILE_ENDINGS


def _files(source: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    path = Path(source)
    refuse_remote(path)
    if path.is_dir():
        _refuse_tables(path)
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and not _hidden(file.relative_to(path))]
        if not inside:
            raise DataError(f"{source}: the folder has no files: correct the path")
        return [(_check_ending(file), _partitions(file.relative_to(path))) for file in inside]
    if path.exists():
        return [(_check_ending(path), ())]
    found = sorted(glob.glob(source, recursive=True)) if glob.has_magic(source) else []
    if not found:
        raise DataError(f"{source}: no file has such a name: correct the path")
    for folder in sorted({Path(name).parent for name in found}):
        _refuse_tables(folder, inside=False)
    return [one for name in found for one in _files(name)]


def _refuse_tables(folder: Path, *, inside: bool = True) -> None:
    """Refuse the folder of a Delta or Iceberg table: it also holds files that are no longer part of the table."""
    for kind, sign, function in (
        ("a Delta", "_delta_log", "delta"),
        ("an Iceberg", "metadata/*.metadata.json", "iceberg"),
    ):
        found = next(iter(sorted(folder.rglob(sign) if inside else folder.glob(sign))), None)
        if found is None:
            continue
        table = found.parent if function == "delta" else found.parent.parent
        how = PerInterface(
            f"read it with pl.scan_{function}({str(table)!r}) and pass the frame, or use DuckDB's {function}_scan",
            f"save its rows as one file with pl.scan_{function} (polars) or DuckDB's {function}_scan",
        )
        raise DataError(f"{table} is {kind} table, whose folder also holds files that are no longer part of it: ", how)


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _partitions(path: Path) -> tuple[tuple[str, str], ...]:
    pairs = (part.partition("=") for part in path.parent.parts)
    return tuple((name, value) for name, equals, value in pairs if equals and name)


def _check_ending(path: Path) -> str:
    if not (is_column_file(path) or ending_of(path) in TEXT_ENDINGS):
        raise DataError(
            f"{path}: the ending '{path.suffix}' is not one of {', '.join(ENDINGS)}: convert the file, or move it away"
        )
    return str(path)


def _cut(path: str, partitions: tuple[tuple[str, str], ...], settings: ReadSettings) -> Sequence[FilePiece | TextPiece]:
    import polars as pl

    if not is_column_file(path):
        return cut_text(open_text_file(path, settings), partitions)
    check_column_file(Path(path))
    scan = FilePiece(path).scan()
    rows = int(read_or_raise(Path(path), lambda: scan.select(pl.len()).collect().item()))
    size = read_or_raise(Path(path), lambda: os.path.getsize(path))
    pieces = []
    for first in range(0, max(rows, 1), ROWS_PER_PIECE):
        taken = min(ROWS_PER_PIECE, rows - first)
        pieces.append(FilePiece(path, first, taken, partitions, size * taken // max(1, rows)))
    return pieces
