"""Data of `mahc learn`: one table, or files in pieces, counted here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import DATA, argument, option
from mahc.cli.options.reading_options import DATA_HELP, load_dataset, tell_distinct, tell_notes
from mahc.cli.printing import tell
from mahc.cli.progress import is_terminal, passes_line, rewriting_line
from mahc.cluster import CompactRows, ShardedRows, is_sharded, open_shards
from mahc.cluster.choosing import DEFAULT_MEMORY, MEBIBYTE, choose_way
from mahc.cluster.opening import refuse_cluster, refuse_stopped
from mahc.cluster.query_pieces import FetchedQuery, fetch_query
from mahc.data import Dataset, ReadSettings
from mahc.data.sources.queries import NAME, Query
from mahc.errors import Mention, SettingError
from mahc.files import is_file
from mahc.learning.control import Control
from mahc.plurals import count
from mahc.sources import find_data

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
) -> Dataset | CompactRows | ShardedRows:
    """The table; or, of data in pieces, their counts, with a line that says how they are made."""
    limit = memory_mebibytes if isinstance(memory_mebibytes, int) else None
    if isinstance(data, Query):
        return _load_query(data, settings, on, threads, limit, Control(time_limit))
    memory = DEFAULT_MEMORY if limit is None else limit * MEBIBYTE
    if on is None and not is_sharded(data):
        data = find_data(data)
        way = choose_way(data, settings, limit) if is_file(data) else None
        if way is None or not way.in_pieces:
            return load_dataset(data, settings.coding_missing(), time_limit)
        tell(way.sentence(str(data)))
        memory = way.limit
    if settings.keeps_missing:
        raise SettingError(Mention("missing", settings.missing), " needs all rows in one process: read one file")
    return _open(data, settings, on, threads, memory, Control(time_limit))


def _load_query(
    query: Query, settings: ReadSettings, on: str | None, threads: int | None, limit: int | None, control: Control
) -> Dataset | CompactRows | ShardedRows:
    refuse_cluster(on)
    fetched = fetch_rows(query, settings, limit, threads, control)
    if fetched.in_pieces:
        tell(fetched.way.sentence(NAME))
        return _open(fetched, settings, None, threads, fetched.way.limit, control)
    try:
        refuse_stopped(control)
        return load_dataset(fetched.table(), settings.coding_missing(), max(1e-6, control.seconds_left()))
    finally:
        fetched.remove()


def fetch_rows(
    query: Query, settings: ReadSettings, limit: int | None, threads: int | None = None, control: Control | None = None
) -> FetchedQuery:
    """The rows of a query, with a line on the terminal that shows how many there are so far."""
    with _query_line() as report:
        return fetch_query(query, settings, limit, threads=threads, control=control, progress=report)


def _open(
    data: Path | FetchedQuery,
    settings: ReadSettings,
    on: str | None,
    threads: int | None,
    memory: int,
    control: Control,
) -> CompactRows | ShardedRows:
    with passes_line() as report:
        found = open_shards(
            data, settings, on=on, threads=threads, memory_bytes=memory, progress=report, control=control
        )
    if isinstance(found, CompactRows):
        tell_distinct(found)
    else:
        tell(f"{count(found.rows, 'row')} in pieces, too many of them distinct for the memory: counted in passes")
    tell_notes(found.notes)
    return found


def _query_line() -> AbstractContextManager[Callable[[str], None] | None]:
    return rewriting_line(lambda text, width: text[: max(0, width - 1)]) if is_terminal() else nullcontext()


def time_left(time_limit: float | None, used: float) -> float | None:
    """What remains of a time limit for learning, after data were read."""
    return None if time_limit is None else max(1e-6, time_limit - used)
