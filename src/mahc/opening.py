"""The one door for data: whatever a person calls data becomes rows to learn from.

`learn`, `bootstrap`, `consensus`, `fit`, `report`, `replay`, the estimators, the command line and the server open their
data here, so that each of them takes what the others take, with the same settings.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from mahc.cluster.choosing import DEFAULT_MEMORY, MEBIBYTE, choose_way, is_cluster_frame, is_sharded
from mahc.cluster.query_pieces import FetchedQuery, fetch_query
from mahc.data import Dataset, Kind, ReadSettings, read_with
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.audit import DISCRETE_ONLY, Audit
from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import refuse_missing_numbers
from mahc.data.reading import audit as audit_table
from mahc.data.reading import check_names, keep_applicable, load, plain_settings
from mahc.data.reading_record import ReadingRecord
from mahc.data.settings import MISSING_EM, MISSING_METHODS
from mahc.data.source_table import SourceTable, with_partitions
from mahc.data.sources.queries import NAME, is_query
from mahc.engine import CountSource, RunControl
from mahc.engine.counts import RowHolder, is_count_source
from mahc.errors import DataError, Mention, SettingError
from mahc.files import Address, Copied, Partitions, find_address, is_file
from mahc.plurals import noun
from mahc.settings import declarations

if TYPE_CHECKING:
    from mahc.cluster import CompactRows, ShardedRows
    from mahc.cluster.meter import PassProgress

_LOG = logging.getLogger("mahc.cluster")
Report: TypeAlias = "Callable[[PassProgress], None] | None"


class Watcher:
    """What is told while data are opened: here to the log. The command line has lines on the terminal instead."""

    def tell(self, sentence: str) -> None:
        """One sentence about how the data are read."""
        _LOG.info(sentence)

    def reading(self, data: object) -> AbstractContextManager[None]:
        """Surrounds the reading of one table."""
        return nullcontext()

    def passes(self) -> AbstractContextManager[Report]:
        """Surrounds the passes over data in pieces; gives what is called with their progress."""
        return nullcontext()

    def query(self) -> AbstractContextManager[Callable[[str], None] | None]:
        """Surrounds the fetching of the rows of a query; gives what is called with the rows so far."""
        return nullcontext()

    def opened(self, found: Dataset | CompactRows | ShardedRows) -> None:
        """The data are open."""


def open_data(
    data: Any,
    reading: ReadSettings | None = None,
    *,
    on: object = None,
    threads: int | None = None,
    memory_mebibytes: int | None = None,
    control: RunControl | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
    watcher: Watcher | None = None,
    numbered: bool = False,
    counts_only: bool = False,
) -> Dataset | CountSource:
    """Open data for learning: one table where that fits into the memory, counts over pieces otherwise.

    Parameters
    ----------
    data : object
        A path, a frame, an array, a dict of lists, a folder, a pattern, a query, a frame of Dask or Spark, a Dataset
        or a count source.
    reading : ReadSettings, optional
        How to read them. For a `Dataset` only `missing` may be given: its state `missing` then stands for missing
        values.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts.
    threads : int, optional
        Threads of this process; all processors if left out.
    memory_mebibytes : int, optional
        The memory limit.
    control : RunControl, optional
        Its time limit and its token end the reading.
    kinds : set of Kind
        The kinds of columns that the caller takes.
    watcher : Watcher, optional
        What is told meanwhile, and to whom.
    numbered : bool
        Whether data in pieces stay open, for resamples that need the numbers of the rows.
    counts_only : bool
        Whether the caller needs few tables of states: distinct rows of pieces are then not collected.

    Returns
    -------
    Dataset or CountSource
        The rows, missing values as the settings say, or the counts. Close a `ShardedRows` that was opened here.

    Raises
    ------
    MahcError
        Where the data cannot be used as they are, in one sentence with the fix.

    Examples
    --------
    >>> open_data({"rain": ["n", "y", ""]}, ReadSettings(missing="impute")).missing_counts
    (1,)
    """
    settings, watcher = reading or ReadSettings(), watcher or Watcher()
    _refuse_em(settings)
    how: dict[str, Any] = {"on": on, "threads": threads, "memory_mebibytes": memory_mebibytes, "control": control}
    how |= {"kinds": kinds, "watcher": watcher, "numbered": numbered, "counts_only": counts_only}
    if on is not None or find_address(data) is None:
        return _open(data, settings, **how)
    from mahc.cluster.stored_pieces import bring  # only here: most data are local

    with watcher.reading(data):
        copy = bring(data, settings, memory_mebibytes)
    try:
        found = _open(copy, settings, **how)
    except BaseException:
        _remove(copy)
        raise
    if isinstance(found, Dataset):  # rows in pieces are removed when these are closed
        _remove(copy)
    return found


def _remove(copy: object) -> None:
    if isinstance(copy, Copied):
        copy.remove()


def _open(
    data: Any,
    settings: ReadSettings,
    *,
    on: object,
    threads: int | None,
    memory_mebibytes: int | None,
    control: RunControl | None,
    kinds: frozenset[Kind],
    watcher: Watcher,
    numbered: bool,
    counts_only: bool,
) -> Dataset | CountSource:
    coded = settings.coding_missing()
    if is_query(data):
        from mahc.cluster.opening import refuse_cluster

        refuse_cluster(on)
        with watcher.query() as report:
            data = fetch_query(data, settings, memory_mebibytes, threads=threads, control=control, progress=report)
    if isinstance(data, FetchedQuery) and not data.in_pieces:
        from mahc.cluster.opening import refuse_stopped

        try:
            refuse_stopped(control)
            return _keep_missing(_read(data.table(), coded, kinds, watcher), settings)
        finally:
            data.remove()
    memory = DEFAULT_MEMORY if memory_mebibytes is None else memory_mebibytes * MEBIBYTE
    in_pieces = on is not None or isinstance(data, FetchedQuery) or is_sharded(data) or is_cluster_frame(data)
    if isinstance(data, FetchedQuery):
        memory = data.way.limit
        watcher.tell(data.way.sentence(NAME))
    elif not in_pieces and isinstance(data, str | PathLike) and is_file(data):
        way = choose_way(data, settings, memory_mebibytes)
        in_pieces, memory = way.in_pieces, way.limit
        if in_pieces:
            watcher.tell(way.sentence(str(data)))
    if in_pieces:
        from mahc.cluster.opening import open_shards  # only here: most data are one table

        with watcher.passes() as progress:
            found = open_shards(
                data,
                coded,
                on=on,
                threads=threads,
                memory_bytes=memory,
                progress=progress,
                control=control,
                kinds=kinds,
                numbered=numbered,
                counts_only=counts_only and not settings.keeps_missing,
            )
        watcher.opened(found)
        return _keep_missing_of_pieces(found, settings)
    if isinstance(data, Dataset):
        _refuse_settings(settings, "Dataset", ("missing",) if settings.missing in ("drop", *MISSING_METHODS) else ())
        return _keep_missing(data, settings)
    if is_count_source(data):
        _refuse_settings(settings, "count source", ())
        return data
    return _keep_missing(_read(data, coded, kinds, watcher), settings)


def open_rows(
    data: Any, reading: ReadSettings | None = None, *, kinds: frozenset[Kind] = DISCRETE_ONLY, **how: Any
) -> Dataset:
    """Open data for those who need rows: those of folders and queries are the distinct rows with their weights.

    Parameters
    ----------
    data, reading, kinds
        As for `open_data`.
    **how
        The other arguments of `open_data`.

    Returns
    -------
    Dataset
        The rows.

    Raises
    ------
    MahcError
        As for `open_data`; also where the distinct rows do not fit into the memory.

    Examples
    --------
    >>> open_rows({"rain": ["n", "y", "n"]}).rows
    3
    """
    return rows_of(open_data(data, reading, kinds=kinds, **how), data)


@contextmanager
def open_counts(
    data: Any, reading: ReadSettings | None = None, *, kinds: frozenset[Kind] = DISCRETE_ONLY, **how: Any
) -> Iterator[Dataset | CountSource]:
    """Open data for those who need counts: rows where the distinct ones fit into memory, otherwise a source of passes.

    Parameters
    ----------
    data, reading, kinds
        As for `open_data`.
    **how
        The other arguments of `open_data`.

    Yields
    ------
    Dataset or CountSource
        The rows or the counts; what was opened here is closed in the end.

    Examples
    --------
    >>> with open_counts({"rain": ["n", "y", "n"]}) as table:
    ...     table.size
    3
    """
    found = open_data(data, reading, kinds=kinds, **how)
    try:
        yield rows_or_counts(found)
    finally:
        close_opened(found, data)


def refuse_light_pieces(found: Dataset | CountSource) -> None:
    """Refuse to draw resamples of pieces whose weights have fractions.

    A distinct row stands for several whose weights are not known any more.
    """
    if not isinstance(found, Dataset):
        refuse_fractions(found, "the bootstrap of data in pieces")


def cut_again(found: Dataset | CountSource, record: ReadingRecord | None) -> Dataset | CountSource:
    """Data that were opened, with their numbers cut where those of a result were."""
    if isinstance(found, Dataset):
        return open_again(found, record)
    return found.replacing(open_again(found.distinct, record)) if isinstance(found, RowHolder) else found


def rows_or_counts(found: Dataset | CountSource) -> Dataset | CountSource:
    """The rows of data that `open_data` opened, where they are in memory; otherwise the counts."""
    return found.distinct if isinstance(found, RowHolder) else found


def rows_of(found: Dataset | CountSource, data: Any) -> Dataset:
    """The rows of data that `open_data` opened; a DataError where there are only counts."""
    if isinstance(found, Dataset):
        return found
    if isinstance(found, RowHolder):
        return found.distinct
    from mahc.cluster import ShardedRows
    from mahc.cluster.opening import name_source

    if not isinstance(found, ShardedRows):
        raise DataError("a count source has no rows: give the data themselves")
    close_opened(found, data)
    raise DataError(
        f"{name_source(data)}: the distinct rows do not fit into memory, and this step needs them: choose fewer ",
        Mention("columns"),
        ", or save a sample of the rows as one file",
    )


def open_tables(data: Any, settings: ReadSettings) -> Iterator[SourceTable]:
    """The tables of data whose values are not interpreted: one, or one for each file of a folder or pattern, by name.

    Of the settings, those count that say how a file or array is taken apart.
    """
    plain = plain_settings(settings)
    if isinstance(data, SourceTable):
        yield data
        return
    if not is_sharded(data):
        yield load(data, keep_applicable(data, plain))
        return
    from mahc.cluster.pieces import find_files

    address = find_address(data)
    for path, partitions in find_files(data) if address is None else _addresses(address):
        yield with_partitions(load(path, keep_applicable(path, plain)), partitions)


def _addresses(address: Address) -> list[tuple[Address, Partitions]]:
    from mahc.data.sources.stores import find_objects

    return [(stored.address, given) for stored, given in find_objects(address)]


def close_opened(found: Dataset | CountSource, data: Any) -> None:
    """Close what `open_data` opened, unless `data` was open already: coded rows may be on disk."""
    close = getattr(found, "close", None)
    if found is not data and close is not None:
        close()


@contextmanager
def closing_opened(found: Any) -> Iterator[None]:
    """Close in the end what `open_data` opened."""
    try:
        yield
    finally:
        close_opened(found, None)


def audit(source: Any, settings: ReadSettings | None = None, *, on: object = None, **reading: Any) -> Audit:
    """Check data and report on every column, without stopping at the first problem.

    Parameters
    ----------
    source : path, folder, pattern, frame, array or dict of lists
        The data. Folders, patterns and frames of Dask or Spark are read in pieces.
    settings : ReadSettings, optional
        How to read them, as one object.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    **reading
        Settings of `mahc.read`: `audit("x.csv", missing="state")`.

    Returns
    -------
    Audit
        A report on every column, with the problems and their fixes.

    Raises
    ------
    MahcError
        If the source cannot be read at all.

    Examples
    --------
    >>> print(audit({"size": [1, 2, 2] * 6, "when": ["then", None] * 9}, missing="state"))
    the dict: 18 rows, 2 columns: can be used
    """
    if on is None and not is_sharded(source) and not is_cluster_frame(source):
        return audit_table(source, settings, **reading)
    from mahc.cluster.auditing import audit_pieces
    from mahc.cluster.stored_pieces import brought

    check_names("audit", reading)
    asked = replace(settings or ReadSettings(), **reading)
    with brought(source, asked) as data:
        return audit_pieces(data, asked, on=on)


def open_again(
    data: Any,
    record: ReadingRecord | None,
    given: dict[str, Any] | None = None,
    names: Sequence[str] | None = None,
    instead: Collection[str] = (),
    **how: Any,
) -> Dataset:
    """Open rows as the data of a result were opened; `given` settings must agree with its record, if it has one.

    Parameters
    ----------
    data : object
        As for `open_data`; a Dataset is taken as it is, its numbers cut where those of the result were.
    record : ReadingRecord or None
        How the data of the result were read.
    given : dict, optional
        Settings of reading that the user gave.
    names : sequence of str, optional
        The variables that are needed.
    instead : collection of str
        Treatments of missing values that may take the place of the recorded one.
    **how
        The other arguments of `open_data`.

    Returns
    -------
    Dataset
        The rows.

    Examples
    --------
    >>> open_again({"rain": ["n", "y", "n"]}, None).rows
    3
    """
    return rows_of(count_again(data, record, given, names, instead, **how), data)


def count_again(
    data: Any,
    record: ReadingRecord | None,
    given: dict[str, Any] | None = None,
    names: Sequence[str] | None = None,
    instead: Collection[str] = (),
    **how: Any,
) -> Dataset | CountSource:
    """As `open_again`, for those who need counts alone: a source of passes where the distinct rows do not fit.

    What it opens is to be closed with `close_opened`.
    """
    if isinstance(data, RowHolder):
        data = data.distinct
    if is_count_source(data):
        return data
    if record is None:
        settings = ReadSettings(**(given or {}))
    else:
        settings = keep_applicable(data, record.restore(given or {}, names, instead))
    if isinstance(data, Dataset) and not given:
        if record is None:
            return data
        return data.cut({name: cuts for name, cuts in record.cut_points.items() if cuts}).merge(record.merged)
    if settings.missing == MISSING_EM:
        how.pop("counts_only", None)
        return open_rows(data, replace(settings, missing="state"), **how).state_as_missing()
    return rows_or_counts(open_data(data, settings, **how))


def method_of(data: Any, reading: ReadSettings) -> str | None:
    """The method for missing values that is asked for, or with which data were opened already; None without one."""
    if reading.keeps_missing:
        return reading.missing
    opened = data.reading if isinstance(data, Dataset) else None
    return opened.missing if opened is not None and opened.keeps_missing else None


def kept_method(table: Dataset | CountSource, reading: ReadSettings) -> str | None:
    """The method for missing values that stayed missing; None where there are none."""
    if not isinstance(table, Dataset) or table.complete:
        return None
    found = method_of(table, reading)
    if found is None:
        table.require_complete()
    return found


def _read(data: Any, settings: ReadSettings, kinds: frozenset[Kind], watcher: Watcher) -> Dataset:
    with watcher.reading(data):
        table = read_with(data, settings, kinds)
    watcher.opened(table)
    return table


def _refuse_settings(settings: ReadSettings, kind: str, kept: Collection[str]) -> None:
    """Reading settings are rejected for data already read."""
    for name, declared in declarations(settings).items():
        if declared.differs(settings) and name not in kept:
            raise SettingError(
                Mention(name), f" is a reading setting, and a {kind} is already read: give it to mahc.read"
            )


def _refuse_em(settings: ReadSettings) -> None:
    if settings.missing == MISSING_EM:
        raise SettingError(
            Mention("missing", MISSING_EM),
            " fits tables to a given graph: to learn a graph use ",
            Mention("missing", "structural-em"),
        )


def _keep_missing(table: Dataset, settings: ReadSettings) -> Dataset:
    """The data as the treatment of missing values needs them."""
    if settings.missing == "state":
        refuse_missing_numbers(table)
    if settings.missing not in ("drop", *MISSING_METHODS):
        return table
    if table.reading is not None:
        table = replace(table, reading=replace(table.reading, missing=settings.missing))
    incomplete = replace(table.state_as_missing(), notes=tuple(_tell_missing(note, settings) for note in table.notes))
    return incomplete.drop_incomplete() if settings.missing == "drop" and not incomplete.complete else incomplete


def _tell_missing(note: Note, settings: ReadSettings) -> Note:
    """The note on missing values, which were read as a state and are none."""
    if note.kind != "missing-state":
        return note
    number = int(note.numbers[0])
    end = "their rows are left out" if settings.missing == "drop" else f"the method {settings.missing} treats them"
    return replace(note, kind="missing-values", message=f"{number:,} {noun(number, 'missing value')}: {end}")


def _keep_missing_of_pieces(found: CompactRows | ShardedRows, settings: ReadSettings) -> Dataset | CountSource:
    if settings.missing == "state" and isinstance(found, RowHolder):
        refuse_missing_numbers(found.distinct)
    if not settings.keeps_missing:
        return found
    if isinstance(found, RowHolder):
        return _keep_missing(found.distinct, settings)
    found.close()
    raise SettingError(
        Mention("missing", settings.missing),
        " needs all rows in one process, and the distinct rows do not fit into memory: use ",
        Mention("missing", "state"),
        " or a sample of the rows",
    )
