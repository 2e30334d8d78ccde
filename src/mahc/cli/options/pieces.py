"""DATA of commands that count: one table, files in pieces, or the rows of a query (`--sql`, `--database`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mahc.cli.options.groups import DATA, argument, option
from mahc.cli.options.reading_options import DATA_HELP, Terminal, find_input
from mahc.cluster import is_sharded
from mahc.cluster.query_pieces import FetchedQuery, fetch_query
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.prepare.audit import DISCRETE_ONLY
from mahc.data.sources.queries import NAME, Query
from mahc.engine import CountSource
from mahc.errors import SettingError
from mahc.files import Address, find_address
from mahc.learning.control import Control
from mahc.opening import open_data

RowsArgument = Annotated[
    Path | None,
    argument(
        "DATA", f"{DATA_HELP} Also a folder or a pattern such as 'data/*.parquet', whose files are read in pieces."
    ),
]
PiecesArgument = Annotated[
    Path,
    argument(
        "DATA", f"{DATA_HELP} Also a folder or a pattern such as 'data/*.parquet', whose files are read in pieces."
    ),
]
OnOption = Annotated[
    str | None,
    option("--on", "ADDRESS", "Cluster that reads and counts files: dask://host:8786 or spark://host:7077.", DATA),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SqlOptions:
    """A query that gives the rows."""

    sql: Annotated[
        str | None, option("--sql", "SELECT", "Instead of DATA: the rows of this query of DuckDB (extra duckdb).", DATA)
    ] = None
    database: Annotated[
        Path | None,
        option("--database", "FILE", "DuckDB database that --sql reads; it is opened for reading only.", DATA),
    ] = None

    def source(self, data: Path | None) -> Path | Address | Query:
        """What is to be read: DATA or the query, one of them."""
        if self.sql is None:
            if self.database is not None:
                raise SettingError("--database is for --sql: give the SELECT with --sql, or leave --database out")
            if data is None:
                raise SettingError("DATA is missing: name a file or a folder, or give a query with --sql")
            return find_address(data) or data
        if data is not None:
            raise SettingError(
                f"DATA '{find_address(data) or data}' and --sql are both given: leave one out (--sql can name the "
                "files itself)"
            )
        return Query(self.sql, None if self.database is None else str(self.database))


def data_words(data: Path | Address | Query) -> list[str]:
    """The words of a command that names the same data.

    >>> data_words(Query("SELECT 1", "a.duckdb"))
    ['--sql', 'SELECT 1', '--database', 'a.duckdb']
    """
    if not isinstance(data, Query):
        return [str(find_address(data) or data)]
    return ["--sql", data.sql, *([] if data.database is None else ["--database", data.database])]


def data_title(data: Path | Address | Query) -> str:
    """What a page calls the data."""
    return NAME if isinstance(data, Query) else str(find_address(data) or data)


def find_pieces_or_file(data: Path | Address | Query, on: str | None = None) -> Path | Address | Query:
    """What DATA names: a query, files for a cluster, a folder or pattern; or a file, a sample, standard input."""
    return data if isinstance(data, Query) or on is not None or is_sharded(data) else find_input(data)


def load_rows(
    data: Path | Address | Query,
    settings: ReadSettings,
    on: str | None,
    threads: int | None,
    memory_mebibytes: object,
    time_limit: float | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
    *,
    numbered: bool = False,
    counts_only: bool = False,
) -> Dataset | CountSource:
    """The table; or, of data in pieces, their counts, with a line that says how they are made."""
    control = Control(time_limit)
    return open_data(
        find_pieces_or_file(data, on),
        settings,
        on=on,
        threads=threads,
        memory_mebibytes=memory_mebibytes if isinstance(memory_mebibytes, int) else None,
        control=control,
        kinds=kinds,
        watcher=Terminal(control),
        numbered=numbered,
        counts_only=counts_only,
    )


def fetch_rows(query: Query, settings: ReadSettings, limit: int | None) -> FetchedQuery:
    """The rows of a query, with a line on the terminal that shows how many there are so far."""
    with Terminal().query() as report:
        return fetch_query(query, settings, limit, progress=report)


def time_left(time_limit: float | None, used: float) -> float | None:
    """What remains of a time limit for learning, after data were read."""
    return None if time_limit is None else max(1e-6, time_limit - used)
