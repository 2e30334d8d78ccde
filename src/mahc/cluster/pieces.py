"""The pieces that data are cut into: each can be loaded by itself, one column at a time."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, TypeVar

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
from mahc.data.sources.frames import is_table
from mahc.data.sources.text_file import TEXT_ENDINGS
from mahc.errors import DataError
from mahc.files import Address, Copied, find_address, partitions_of

if TYPE_CHECKING:
    import polars as pl

    from mahc.cluster.table_pieces import TablePiece

T = TypeVar("T")
Source: TypeAlias = "str | os.PathLike[str] | Address"
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


class ReadablePiece(Piece, Protocol):
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

    together: ClassVar[int] = 1  # columns that are decoded at a time, to save memory

    @property
    def name(self) -> str:
        """The path, or the label."""
        return self.label or self.path

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns of the file, and those of its folders."""
        import polars as pl

        found = dict(self.read(lambda: self.scan().collect_schema()))
        return {**found, **{name: pl.String() for name, _ in self.partitions}}

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names; a few are decoded at a time."""
        import polars as pl

        given = dict(self.partitions)
        for first in range(0, len(names), self.together):
            group = names[first : first + self.together]
            read = [name for name in group if name not in given]
            frame = self.read(partial(self._frame, read)) if read else None
            for name in group:
                if frame is None or name in given:
                    values = pl.Series([given[name]], dtype=pl.String)
                    yield PieceColumn(values, np.zeros(self._count(), np.uint8), spelt=True)
                else:
                    yield number_values(frame[name])

    def _frame(self, names: Sequence[str]) -> pl.DataFrame:
        return self._slice(self.scan().select(names)).collect()

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns, and those of its folders; None without rows."""
        frame = self.read(lambda: self._slice(self.scan()).collect())
        if not frame.height:
            return None
        return with_partitions(load(frame, keep_applicable(frame, plain_settings(settings))), self.partitions)

    def _count(self) -> int:
        import polars as pl

        if self.rows is not None:
            return self.rows
        return int(self.read(lambda: self.scan().select(pl.len()).collect().item()))

    def read(self, read: Callable[[], T]) -> T:
        """What `read` returns; a file that is damaged is refused."""
        return read_or_raise(Path(self.path), read)

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
    source: Source | Iterable[Source], settings: ReadSettings | None = None
) -> tuple[FilePiece | TextPiece | TablePiece, ...]:
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
    tuple of FilePiece, TextPiece or TablePiece
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
    only = _only(source)
    if is_table(only):
        from mahc.cluster.table_pieces import cut_table  # only here: most data are files

        return cut_table(only)
    if isinstance(source, Copied):
        with source.naming():
            found = _cut_files([source.path], chosen)
        return tuple(_label(piece, source.name_of(piece.name)) for piece in found)
    sources = _listed(source)
    stored = [address for part in sources if (address := find_address(part)) is not None]
    local = [part for part in sources if find_address(part) is None]
    pieces = _cut_files(local, chosen) if local or not stored else ()
    return (*pieces, *(piece for address in stored for piece in _cut_objects(address)))


def _cut_files(source: Source | Iterable[Source], settings: ReadSettings) -> tuple[FilePiece | TextPiece, ...]:
    files = find_files(source)
    check_column_files(Path(path) for path, _ in files if is_column_file(path))
    return tuple(piece for path, partitions in files for piece in _cut(path, partitions, settings))


def _only(source: object) -> object:
    """The one thing in a list of one."""
    return source[0] if isinstance(source, list | tuple) and len(source) == 1 else source


def _listed(source: Source | Iterable[Source]) -> list[Source]:
    return [source] if isinstance(source, str | os.PathLike | Address) else list(source)


def _cut_objects(address: Address) -> Sequence[FilePiece]:
    from mahc.cluster.stored_pieces import cut_object  # only here: most data are local files
    from mahc.data.sources.stores import find_objects

    return [piece for stored, partitions in find_objects(address) for piece in cut_object(stored, partitions)]


def _label(piece: FilePiece | TextPiece, label: str) -> FilePiece | TextPiece:
    """The piece of a copy, with the name that errors use."""
    if isinstance(piece, FilePiece):
        return replace(piece, label=label)
    return replace(piece, file=replace(piece.file, label=label))


def find_files(source: Source | Iterable[Source]) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The files of a source, sorted, each with the columns that its folders give."""
    files = sorted({file for part in _listed(source) for file in _files(part)})
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


def _files(given: Source) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    if isinstance(given, Address):
        raise DataError(f"{given} is not a local file: download it first and name the file")
    source = os.fspath(given)
    path = Path(source)
    if path.is_dir():
        _refuse_tables(path)
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and not _hidden(file.relative_to(path))]
        if not inside:
            raise DataError(f"{source}: the folder has no files: correct the path")
        return [(_check_ending(file), partitions_of(file.relative_to(path))) for file in inside]
    if path.exists():
        return [(_check_ending(path), ())]
    found = sorted(glob.glob(source, recursive=True)) if glob.has_magic(source) else []
    if not found:
        raise DataError(f"{source}: no file has such a name: correct the path")
    for folder in sorted({Path(name).parent for name in found}):
        _refuse_tables(folder, inside=False)
    return [one for name in found for one in _files(name)]


def _refuse_tables(folder: Path, *, inside: bool = True) -> None:
    """Refuse the files of a Delta or Iceberg table: some may no longer be part of the table."""
    for kind, sign in (("a Delta", "_delta_log"), ("an Iceberg", "metadata/*.metadata.json")):
        found = next(iter(sorted(folder.rglob(sign) if inside else folder.glob(sign))), None)
        if found is not None:
            table = found.parent if sign == "_delta_log" else found.parent.parent
            raise DataError(
                f"{table} is {kind} table, whose folder also holds files that are no longer part of it: name the "
                "folder of the table itself"
            )


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


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
