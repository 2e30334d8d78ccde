"""The rows of a DuckDB query: it runs once, and rows that do not fit into one piece wait in files on disk."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.cluster.choosing import MEBIBYTE, SPOOL, Size, Way, choose_by_size
from mahc.cluster.meter import format_bytes
from mahc.cluster.pieces import FilePiece
from mahc.data.settings import ReadSettings
from mahc.data.sources.queries import NAME, QueryNote, QueryTable, open_query
from mahc.engine.control import RunControl
from mahc.errors import DataError
from mahc.files.temporary import temporary_folder
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl


class FetchedQuery:
    """The rows of a query: up to one piece in memory, more in Parquet files that `remove` removes.

    `names` are all columns of the query, also those that were not asked for; `way` says whether the rows are to be
    read as one table or in pieces.
    """

    def __init__(self, names: tuple[str, ...], note: QueryNote, folder: str | os.PathLike[str] | None = None) -> None:
        self.names, self.note = names, note
        self.rows = self.bytes = 0
        self.way = Way(None, 0, False, "nothing is read yet")
        self._base = Path(folder or tempfile.gettempdir())
        self._frame: pl.DataFrame | None = None  # the first rows, while there are no others
        self._files: list[FilePiece] = []
        self._folder: Path | None = None

    def add(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        self.rows += frame.height
        if self._frame is None and not self._files:
            self._frame = frame
            return
        self._write_first()
        self._write(frame)

    def choose_way(self, columns: int, settings: ReadSettings, memory_mebibytes: int | None) -> None:
        """Decide, now that all rows are there."""
        size = Size(self.rows, columns, self.bytes, max(1, len(self._files)), exact=True)
        self.way = choose_by_size(size, settings, memory_mebibytes)

    def table(self) -> QueryTable:
        """The rows as one table, whose columns are loaded one at a time."""
        return QueryTable(self.names, self.rows, self._column, self.note)

    def pieces(self) -> list[FilePiece]:
        """The rows as pieces."""
        self._write_first()
        return self._files

    @property
    def in_pieces(self) -> bool:
        """Whether one table would not fit into the memory."""
        return self.way.in_pieces

    def remove(self) -> None:
        """Remove the files."""
        self._frame, self._files = None, []
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _column(self, name: str) -> pl.Series:
        import polars as pl

        if self._frame is not None:
            return self._frame[name]
        return pl.concat([pl.read_parquet(piece.path, columns=[name], glob=False)[name] for piece in self._files])

    def _write_first(self) -> None:
        if self._frame is not None:
            self._write(self._frame)
            self._frame = None

    def _write(self, frame: pl.DataFrame) -> None:
        try:
            if self._folder is None:
                self._folder = temporary_folder(self._base / SPOOL)
            file = self._folder / f"{len(self._files)}.parquet"
            frame.write_parquet(file, compression="lz4", statistics=False)
            size = file.stat().st_size
        except OSError as problem:
            self.remove()
            raise DataError(
                f"the rows of {NAME} cannot be written to {self._base}: {problem.strerror or problem}: free some space "
                "there, or set TMPDIR to another folder"
            ) from None
        self.bytes += size
        self._files.append(FilePiece(str(file), 0, frame.height, size=size, label=NAME))


def fetch_query(
    source: Any,
    settings: ReadSettings,
    memory_mebibytes: int | None = None,
    *,
    threads: int | None = None,
    control: RunControl | None = None,
    progress: Callable[[str], None] | None = None,
) -> FetchedQuery:
    """Run a query once, and decide whether its rows are read as one table or in pieces.

    A query can give other rows each time that it runs, for instance a random sample; so it runs only once.

    Parameters
    ----------
    source : Query or duckdb.DuckDBPyRelation
        The query.
    settings : ReadSettings
        Which columns DuckDB is asked for.
    memory_mebibytes : int, optional
        The memory limit; by default three quarters of what is available.
    threads : int, optional
        Threads of DuckDB, where the connection is not the caller's.
    control : RunControl, optional
        Its time limit and its token end the query early: the caller looks at it before using the rows.
    progress : callable, optional
        Called with a text after each frame of rows.

    Returns
    -------
    FetchedQuery
        The rows, whose files the caller removes.

    Raises
    ------
    DataError
        If DuckDB refuses the query.

    Examples
    --------
    >>> from mahc.data.sources.queries import Query
    >>> query = Query("SELECT i % 2 AS a FROM range(6) t(i)")
    >>> fetch_query(query, ReadSettings()).rows  # doctest: +SKIP
    6
    """
    began, memory = time.perf_counter(), None if memory_mebibytes is None else memory_mebibytes * MEBIBYTE
    with open_query(source, memory, threads) as query:
        kept = settings.kept(query.names)
        found = FetchedQuery(query.names, query.note)
        try:
            with closing(query.frames(settings, partial(_is_over, control))) as frames:
                for frame in frames:
                    found.add(frame)
                    text = f"{NAME}: {count(found.rows, 'row')}, {time.perf_counter() - began:,.0f} s"
                    text += f", {format_bytes(found.bytes)} on disk" if found.bytes else ""
                    if progress is not None:
                        progress(text)
                    if control is not None:
                        control.note(text)
            if control is not None:
                control.note("")
        except BaseException:
            found.remove()
            raise
    found.choose_way(len(kept), settings, memory_mebibytes)
    return found


def _is_over(control: RunControl | None) -> bool:
    """Whether the run is to stop; any thread may ask."""
    return control is not None and (control.token.cancelled or control.seconds_left() <= 0)
