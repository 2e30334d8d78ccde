"""Rows that DuckDB selects: a relation of the caller, or one SELECT in a connection that can only read."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.data.names import check_count, check_names
from mahc.data.prepare.notes import Note
from mahc.data.settings import ReadSettings
from mahc.data.source_table import SourceTable
from mahc.data.sources.frames import code_polars
from mahc.errors import DataError, MahcError
from mahc.files.temporary import temporary_path
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl

NAME = "the query"
ROWS_PER_FRAME = 1 << 19
MOST_CELL_BYTES = 1 << 24
SECONDS_BETWEEN_LOOKS = 0.05
LEAST_MEMORY = 1 << 29  # that DuckDB may use, also where the limit of the run is lower
# Nothing is fetched from the network, and names in the SQL are never variables of this program.
CLOSED = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


@dataclass(frozen=True)
class Query:
    """One SELECT in the SQL of DuckDB, which reads files or a database.

    The database is opened for reading only. DuckDB installs and loads no extensions, so that files on the network
    cannot be named: for these, pass a relation of a connection of your own.

    Parameters
    ----------
    sql : str
        The SELECT.
    database : str, optional
        A file of DuckDB, whose tables the SELECT may name.

    Examples
    --------
    >>> import mahc
    >>> from mahc.data.sources.queries import Query
    >>> mahc.read(Query("SELECT i % 2 AS a, i % 3 AS b FROM range(6) t(i)")).names  # doctest: +SKIP
    ('a', 'b')
    """

    sql: str
    database: str | None = None


@dataclass(frozen=True)
class QueryNote(Note):
    """The query that gave the rows; a result records it."""

    sql: str = ""
    database: str | None = None


@dataclass(frozen=True)
class QueryTable:
    """The rows of a query, read already: the names of all its columns, the number of rows, and a column by its name."""

    names: tuple[str, ...]
    rows: int
    column: Callable[[str], pl.Series]
    note: QueryNote

    def as_table(self, settings: ReadSettings) -> SourceTable:
        """The chosen columns, not yet interpreted."""
        if not self.rows:
            raise DataError(f"{NAME}: {count(len(self.names), 'column')} but no rows: at least one is needed")
        kept = settings.kept(self.names)
        columns = tuple(code_polars(name, self.column(name), settings) for name in kept)
        return SourceTable(NAME, tuple(kept), columns, (self.note,), self.names)


def is_query(source: object) -> bool:
    """Whether the source is a `Query` or a relation of DuckDB, which is not imported here.

    >>> is_query(Query("SELECT 1")), is_query("SELECT 1")
    (True, False)
    """
    return isinstance(source, Query) or type(source).__name__ == "DuckDBPyRelation"


class OpenQuery:
    """A query whose columns are known and whose rows can be read once; `open_query` makes it."""

    def __init__(self, relation: Any, note: QueryNote, connection: Any = None) -> None:
        self._relation, self._connection, self.note = relation, connection, note
        self.names = tuple(str(name) for name in relation.columns)
        check_names(self.names, NAME)

    def frames(self, settings: ReadSettings, stopped: Callable[[], bool] | None = None) -> Generator[pl.DataFrame]:
        """The chosen columns, in frames of at most 524,288 rows; at least one frame.

        Parameters
        ----------
        settings : ReadSettings
            Which columns DuckDB is asked for.
        stopped : callable, optional
            Whether to stop; then the rows end early. While DuckDB works, another thread calls it.
        """
        kept = settings.kept(self.names)
        check_count(kept, NAME)
        with self._interrupting(stopped), _explaining(stopped):
            chosen = self._relation.project(", ".join(_quote(name) for name in kept))
            read = getattr(chosen, "to_arrow_reader", None) or chosen.fetch_arrow_reader
            with closing(read(ROWS_PER_FRAME)) as reader:
                _check_types(reader.schema)
                found = False
                while stopped is None or not stopped():
                    try:
                        batch = reader.read_next_batch()
                    except StopIteration:
                        break
                    if batch.num_rows:
                        found = True
                        yield _as_frame(batch)
                if not found:
                    yield _as_frame(reader.schema.empty_table())

    @contextmanager
    def _interrupting(self, stopped: Callable[[], bool] | None) -> Iterator[None]:
        """Interrupt our own connection when the run is to stop; a relation of the caller is left between frames."""
        if self._connection is None or stopped is None:
            yield
            return
        over = threading.Event()

        def watch() -> None:
            while not over.wait(SECONDS_BETWEEN_LOOKS):
                if stopped():
                    self._connection.interrupt()

        thread = threading.Thread(target=watch, name="mahc-query", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


@contextmanager
def open_query(
    source: Any, memory_bytes: int | None = None, threads: int | None = None, folder: Path | None = None
) -> Iterator[OpenQuery]:
    """Check a query and find its columns; the rows are not read yet.

    Parameters
    ----------
    source : Query or duckdb.DuckDBPyRelation
        What to read.
    memory_bytes, threads : int, optional
        What DuckDB may use, where the connection is ours.
    folder : path, optional
        Where DuckDB may write what does not fit into its memory; the system's temporary folder if left out.
    """
    need_duckdb()
    if not isinstance(source, Query):
        with _explaining():
            sql = str(source.sql_query())
            found = OpenQuery(source, _make_note(sql, None))
        yield found
        return
    import duckdb

    spill = temporary_path((folder or Path(tempfile.gettempdir())) / "mahc-query")
    config: dict[str, Any] = {**CLOSED, "temp_directory": str(spill)}
    if memory_bytes is not None:
        config["memory_limit"] = f"{max(LEAST_MEMORY, memory_bytes) >> 20}MiB"
    if threads is not None:
        config["threads"] = threads
    with _explaining():
        connection = duckdb.connect(source.database or ":memory:", read_only=source.database is not None, config=config)
    try:
        with _explaining():
            connection.execute("SET lock_configuration = true")
            statements = connection.extract_statements(source.sql)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise DataError(f"{NAME} is not one SELECT: give a single statement that only reads rows")
            found = OpenQuery(connection.sql(source.sql), _make_note(source.sql, source.database), connection)
        yield found
    finally:
        connection.close()
        shutil.rmtree(spill, ignore_errors=True)


def read_query(source: Any, settings: ReadSettings) -> SourceTable:
    """All rows of a query as one table."""
    import polars as pl

    with open_query(source) as query:
        frame = pl.concat(list(query.frames(settings)))
        return QueryTable(query.names, frame.height, frame.get_column, query.note).as_table(settings)


def need_duckdb() -> None:
    """Refuse in one sentence where DuckDB, or pyarrow that it hands rows over with, is not installed."""
    for package in ("duckdb", "pyarrow"):
        if importlib.util.find_spec(package) is None:
            raise MahcError(f"{package} is not installed, which SQL needs: pip install 'mahc[duckdb]'")


@contextmanager
def _explaining(stopped: Callable[[], bool] | None = None) -> Iterator[None]:
    """What DuckDB raises becomes one sentence; nothing is raised where the run is to stop anyway."""
    import duckdb

    try:
        yield
    except (duckdb.Error, RuntimeError, OSError) as mistake:
        if stopped is not None and stopped():
            return
        text = str(mistake)
        if type(mistake) is RuntimeError and "interrupted" in text:  # how DuckDB reports Ctrl-C
            raise KeyboardInterrupt from None
        said = " ".join(text.split("\n\n")[0].split()).rstrip(".")
        fix = "correct the SQL"
        # While rows are fetched, every error of DuckDB is an OSError whose text names its kind.
        if isinstance(mistake, duckdb.OutOfMemoryException) or said.startswith("Out of Memory Error"):
            fix = "raise the memory limit, or select less"
        elif isinstance(mistake, duckdb.IOException) or said.startswith("IO Error"):
            fix = "check that file"
        elif "extension" in said:
            fix = "load it in a connection of your own in Python, and pass the relation"
        raise DataError(f"{NAME} fails in DuckDB: {said}: {fix}") from None


def _make_note(sql: str, database: str | None) -> QueryNote:
    where = "" if database is None else f" in {database}"
    return QueryNote(None, "query", f"the rows are those of the query{where}: {sql}", sql=sql, database=database)


def _check_types(schema: Any) -> None:
    """Refuse intervals and unions, which polars cannot read."""
    import pyarrow

    for each in schema:
        for holds, what in ((pyarrow.types.is_interval, "intervals of time"), (pyarrow.types.is_union, "unions")):
            if holds(each.type):
                raise DataError(f"column '{each.name}' of {NAME} holds {what}: leave it out, or cast it to text")


def _refuse_huge_cells(batch: Any) -> None:
    """A text or a block of bytes beyond some size is no state of a variable, and polars panics at 1 GB."""
    import pyarrow.compute
    import pyarrow.types as types

    kinds = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if any(is_kind(column.type) for is_kind in kinds):
            longest = pyarrow.compute.max(pyarrow.compute.binary_length(column)).as_py() or 0
            if longest > MOST_CELL_BYTES:
                raise DataError(
                    f"column '{name}' of {NAME} has a cell of {count(longest, 'byte')}, and at most "
                    f"{MOST_CELL_BYTES:,} are read: leave it out, or select a part of it"
                )


def _as_frame(batch: Any) -> pl.DataFrame:
    """A batch of Arrow; an ENUM is declared categories, and whole numbers of 128 bits, which sums have, get 64."""
    import polars as pl
    import pyarrow

    _refuse_huge_cells(batch)
    frame = pl.DataFrame(batch)
    changed = []
    for name, kind in frame.schema.items():
        column = batch.column(name)
        if pyarrow.types.is_dictionary(column.type):
            categories = column.dictionary.to_pylist() if batch.num_rows else []
            changed.append(frame[name].cast(pl.Enum(categories)))
        elif isinstance(kind, pl.Decimal) and kind.scale == 0:
            changed.append(frame[name].cast(pl.Int64, strict=False))
            if changed[-1].null_count() > frame[name].null_count():
                raise DataError(f"column '{name}' of {NAME} has whole numbers of more than 64 bits: cast it to text")
    return frame.with_columns(changed)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
