"""Data of `mahc learn`: one table, or files in pieces, counted here or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import DATA, argument, option
from mahc.cli.options.reading_options import DATA_HELP, Terminal, find_input
from mahc.cluster import is_sharded
from mahc.cluster.query_pieces import FetchedQuery, fetch_query
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.prepare.audit import DISCRETE_ONLY
from mahc.data.sources.queries import Query
from mahc.engine import CountSource
from mahc.learning.control import Control
from mahc.opening import open_data

RowsArgument = Annotated[
    Path | None,
    argument(
        "DATA", f"{DATA_HELP} Also a folder or a pattern such as 'data/*.parquet', whose files are read in pieces."
    ),
]
OnOption = Annotated[
    str | None,
    option("--on", "ADDRESS", "Cluster that reads and counts files: dask://host:8786 or spark://host:7077.", DATA),
]


def load_rows(
    data: Path | Query,
    settings: ReadSettings,
    on: str | None,
    threads: int | None,
    memory_mebibytes: object,
    time_limit: float | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
) -> Dataset | CountSource:
    """The table; or, of data in pieces, their counts, with a line that says how they are made."""
    control = Control(time_limit)
    return open_data(
        data if isinstance(data, Query) or on is not None or is_sharded(data) else find_input(data),
        settings,
        on=on,
        threads=threads,
        memory_mebibytes=memory_mebibytes if isinstance(memory_mebibytes, int) else None,
        control=control,
        kinds=kinds,
        watcher=Terminal(control),
    )


def fetch_rows(query: Query, settings: ReadSettings, limit: int | None) -> FetchedQuery:
    """The rows of a query, with a line on the terminal that shows how many there are so far."""
    with Terminal().query() as report:
        return fetch_query(query, settings, limit, progress=report)


def time_left(time_limit: float | None, used: float) -> float | None:
    """What remains of a time limit for learning, after data were read."""
    return None if time_limit is None else max(1e-6, time_limit - used)
