"""`--sql` and `--database`: the rows of a query of DuckDB in place of DATA."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mahc.cli.options.groups import DATA, option
from mahc.data.sources.queries import NAME, Query
from mahc.errors import SettingError


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

    def source(self, data: Path | None) -> Path | Query:
        """What is to be read: DATA or the query, one of them."""
        if self.sql is None:
            if self.database is not None:
                raise SettingError("--database is for --sql: give the SELECT with --sql, or leave --database out")
            if data is None:
                raise SettingError("DATA is missing: name a file or a folder, or give a query with --sql")
            return data
        if data is not None:
            raise SettingError(
                f"DATA '{data}' and --sql are both given: leave one out (--sql can name the files itself)"
            )
        return Query(self.sql, None if self.database is None else str(self.database))


def data_words(data: Path | Query) -> list[str]:
    """The words of a command that names the same data.

    >>> data_words(Query("SELECT 1", "a.duckdb"))
    ['--sql', 'SELECT 1', '--database', 'a.duckdb']
    """
    if not isinstance(data, Query):
        return [str(data)]
    return ["--sql", data.sql, *([] if data.database is None else ["--database", data.database])]


def data_title(data: Path | Query) -> str:
    """What a page calls the data."""
    return NAME if isinstance(data, Query) else str(data)
