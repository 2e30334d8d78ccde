"""Which way data are read: as one table in memory, or in pieces; decided from sizes, before anything is read."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mahc.cluster.pieces import ROWS_PER_PIECE, FilePiece, ending_of, find_files, find_pieces, is_column_file
from mahc.cluster.text_pieces import BYTES_PER_PIECE, open_text_file
from mahc.data.settings import ReadSettings
from mahc.data.sources.column_files import ARROW_ENDINGS, check_column_file, check_column_files, read_or_raise
from mahc.data.sources.encoding import is_utf8
from mahc.data.sources.frames import is_table, is_table_object
from mahc.data.sources.text_file import TEXT_ENDINGS, is_gzip
from mahc.files import Address, find_address
from mahc.machine import USUAL_SHARE, available_bytes
from mahc.plurals import count

MEBIBYTE = 1 << 20
SPOOL = "mahc-spool"  # folder of rows that wait on disk
DEFAULT_MEMORY = 2048 * MEBIBYTE
# Of one table in memory, measured with the alarm network: a code, its copies while it is made, the core's form of it.
VALUE_BYTES = 4
ROW_BYTES = 64  # one column as it is in the file
DISTINCT_VALUE_BYTES, DISTINCT_ROW_BYTES = 3, 24
SAMPLE_BYTES = 1 << 18
MOST_GROWTH = 256  # a file takes at most this many times its size as a table: columns of few values compress well
LEAST_DISTINCT = 1000
MAHC_PASSES = 7  # values, the attempt to collect distinct rows, pairs, three levels of pruning, projections


_NAMES = (str, os.PathLike, Address)


def is_sharded(data: object) -> bool:
    """Whether the data are a folder, a glob or a list of files, which are read in pieces.

    Parameters
    ----------
    data : object
        Anything that `mahc.learn` takes.

    Returns
    -------
    bool
        True for a folder, a text with * or ? that is not the name of a file, a prefix in a store, a table of deltalake,
        pyiceberg or pyarrow, and a list of paths.

    Examples
    --------
    >>> is_sharded("sales/*.parquet"), is_sharded("sales.parquet")
    (True, False)
    """
    if is_table_object(data):
        return True
    address = find_address(data)
    if address is not None:
        return address.is_many
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        return path.is_dir() or (glob.has_magic(str(path)) and not path.exists())
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(x, _NAMES) for x in data)


def is_cluster_frame(data: object) -> bool:
    """Whether the data are a Dask or Spark data frame; neither package is imported here.

    >>> is_cluster_frame({"a": ["x"]})
    False
    """
    return package_of(data) in ("dask", "pyspark") and hasattr(data, "columns")


def package_of(thing: object) -> str:
    """The name of the package that the type of an object is from."""
    return type(thing).__module__.partition(".")[0]


@dataclass(frozen=True)
class Size:
    """How large files are: rows (estimated where text is not read to its end), columns, bytes, pieces."""

    rows: int
    columns: int
    bytes: int
    pieces: int
    exact: bool

    @property
    def table_bytes(self) -> int:
        """The memory that they take as one table, while it is read and learned from."""
        return self.rows * (VALUE_BYTES * self.columns + ROW_BYTES)


@dataclass(frozen=True)
class Way:
    """The way that files will be read, and what it takes.

    Parameters
    ----------
    size : Size or None
        How large they are; None where that cannot be known before they are read.
    limit : int
        The memory that may be used, in bytes.
    in_pieces : bool
        Whether they are read in pieces.
    reason : str
        Why, as half a sentence.
    """

    size: Size | None
    limit: int
    in_pieces: bool
    reason: str

    def sentence(self, name: str) -> str:
        """The decision in one line."""
        if self.size is None:
            return f"{name}: {self.reason}"
        about = "" if self.size.exact else "about "
        shape = f"{about}{count(self.size.rows, 'row')} x {count(self.size.columns, 'column')}"
        memory = format_mebibytes(self.size.table_bytes)
        needed = f"{memory if memory.startswith('less') else f'about {memory}'} as one table"
        how = "read in pieces" if self.in_pieces else "read as one table"
        return f"{name}: {shape}, {needed}, {format_mebibytes(self.limit)} allowed: {how}, {self.reason}"

    @property
    def most_distinct(self) -> int:
        """How many distinct rows are brought into memory, at most."""
        return most_distinct_rows(self.limit, 1 if self.size is None else self.size.columns)

    @property
    def passes(self) -> int:
        """How many times the files are read at least: once, or for values and distinct rows."""
        return 2 if self.in_pieces else 1


def format_mebibytes(size: float) -> str:
    """Bytes in MiB.

    >>> format_mebibytes(5 << 30), format_mebibytes(1000)
    ('5,120 MiB', 'less than 1 MiB')
    """
    return "less than 1 MiB" if size < MEBIBYTE else f"{size / MEBIBYTE:,.0f} MiB"


def most_distinct_rows(memory: int, variables: int) -> int:
    """How many distinct rows fit into their share of the memory.

    A distinct row takes one byte or two per variable, eight for its weight, and as much again while it is counted.

    >>> most_distinct_rows(1 << 31, 37)
    3976821
    """
    return max(LEAST_DISTINCT, memory // 4 // (DISTINCT_VALUE_BYTES * variables + DISTINCT_ROW_BYTES))


def choose_way(data: Any, settings: ReadSettings, memory_mebibytes: int | None = None, *, measure: bool = False) -> Way:
    """Decide how files are read, from their names, sizes and headers.

    Parameters
    ----------
    data : str, path, or list of paths
        A file, a folder, a glob, or several of these.
    settings : ReadSettings
        How they are read.
    memory_mebibytes : int, optional
        The memory limit; by default three quarters of what is available.
    measure : bool
        Whether also a file that is certainly small enough is opened, to say how large it is.

    Returns
    -------
    Way
        One table for a file that fits; pieces otherwise. Files that cannot be cut (compressed text, text in another
        encoding than UTF-8, spreadsheets) and methods that need all rows are one table whatever their size.

    Examples
    --------
    >>> from mahc.networks import sample_path
    >>> choose_way(sample_path("asia"), ReadSettings()).in_pieces
    False
    >>> choose_way([sample_path("asia")], ReadSettings(), 64).reason
    'several files are always read in pieces'
    """
    several = not isinstance(data, str | os.PathLike) or not Path(data).is_file()
    limit, whose = _limit(memory_mebibytes)
    if not several and not measure and certainly_fits(Path(data).stat().st_size, memory_mebibytes):
        return Way(None, limit, False, f"one table fits into {whose}")
    size = _measure(data, settings)
    if several:
        return Way(size, _pieces_limit(limit, memory_mebibytes), True, "several files are always read in pieces")
    if size is None:
        return Way(None, limit, False, "a file of this kind is read as one table")
    return choose_by_size(size, settings, memory_mebibytes)


def certainly_fits(size: int, memory_mebibytes: int | None = None) -> bool:
    """Whether a file of so many bytes fits into the memory as one table, whatever is in it.

    >>> certainly_fits(1000, 1), certainly_fits(10**6, 1)
    (True, False)
    """
    return size * MOST_GROWTH <= _limit(memory_mebibytes)[0]


def choose_by_size(size: Size, settings: ReadSettings, memory_mebibytes: int | None = None) -> Way:
    """Decide the same for rows whose number is known.

    >>> choose_by_size(Size(10**9, 10, 0, 1, True), ReadSettings(), 1024).in_pieces
    True
    """
    limit, whose = _limit(memory_mebibytes)
    if settings.keeps_missing:
        return Way(size, limit, False, "this treatment of missing values needs all rows")
    if size.table_bytes <= limit:
        return Way(size, limit, False, f"one table fits into {whose}")
    return Way(size, _pieces_limit(limit, memory_mebibytes), True, f"one table does not fit into {whose}")


def _limit(memory_mebibytes: int | None) -> tuple[int, str]:
    """The bytes that one table may take, and whose limit that is."""
    if memory_mebibytes is not None:
        return memory_mebibytes * MEBIBYTE, "the limit"
    available = available_bytes()
    return int(USUAL_SHARE * available) if available is not None else 4 * DEFAULT_MEMORY, "what is available"


def _pieces_limit(limit: int, memory_mebibytes: int | None) -> int:
    return limit if memory_mebibytes is not None else min(DEFAULT_MEMORY, limit)


def _measure(data: Any, settings: ReadSettings) -> Size | None:
    listed = data if isinstance(data, list | tuple) else [data]
    if any(find_address(part) is not None or is_table(part) for part in listed):
        return _measure_pieces(find_pieces(data, settings), settings)
    files = [path for path, _ in find_files(data)] if not _is_other(data) else []
    check_column_files(Path(path) for path in files if Path(path).suffix.lower() in ARROW_ENDINGS)
    found = [_measure_file(Path(path), settings) for path in files]
    if not found or any(size is None for size in found):
        return None
    sizes = [size for size in found if size is not None]
    return Size(
        sum(size.rows for size in sizes),
        max(size.columns for size in sizes),
        sum(size.bytes for size in sizes),
        sum(size.pieces for size in sizes),
        all(size.exact for size in sizes),
    )


def _measure_pieces(pieces: Sequence[Any], settings: ReadSettings) -> Size:
    columns = len(settings.kept(list(pieces[0].column_types())))
    return Size(
        sum(piece.rows or 0 for piece in pieces), columns, sum(piece.size for piece in pieces), len(pieces), exact=True
    )


def _is_other(data: Any) -> bool:
    """A single file that is neither a column file nor text, or does not exist: the reader says what is wrong."""
    if not isinstance(data, str | os.PathLike):
        return False
    path = Path(data)
    return path.is_file() and not is_column_file(path) and ending_of(path) not in TEXT_ENDINGS


def _measure_file(path: Path, settings: ReadSettings) -> Size | None:
    size = path.stat().st_size
    if is_column_file(path):
        return _measure_columns(path, size, settings)
    if is_gzip(path) or not is_utf8(settings.encoding) or not size:
        return None
    names = open_text_file(str(path), settings).names
    with path.open("rb") as stream:
        head = stream.read(SAMPLE_BYTES)
    lines = max(1, head.count(b"\n"))
    rows = max(0, lines - 1) if len(head) == size else int(size / (len(head) / lines))
    columns = len(settings.kept(names))
    return Size(rows, columns, size, -(-size // BYTES_PER_PIECE), exact=len(head) == size)


def _measure_columns(path: Path, size: int, settings: ReadSettings) -> Size | None:
    import polars as pl

    if path.suffix.lower() in ARROW_ENDINGS:
        check_column_file(path)
    frame = FilePiece(str(path)).scan()
    rows = int(read_or_raise(path, lambda: frame.select(pl.len()).collect().item()))
    names = list(read_or_raise(path, lambda: frame.collect_schema()))
    known = [name for name in names if settings.columns is None or name in settings.columns]
    columns = len([name for name in known if name not in settings.drop])
    return Size(rows, columns, size, max(1, -(-rows // ROWS_PER_PIECE)), exact=True)
