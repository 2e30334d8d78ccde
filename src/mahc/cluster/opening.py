"""From a path, a Dask or a Spark data frame to a count source; the choice between the ways of counting."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mahc.cluster.choosing import DEFAULT_MEMORY, is_cluster_frame, most_distinct_rows
from mahc.cluster.coding import (
    Coding,
    ExperimentCoding,
    counted_columns,
    make_coding,
    refuse_settings,
    refuse_too_heavy,
)
from mahc.cluster.columns import column_names
from mahc.cluster.engines import make_runner
from mahc.cluster.meter import PassProgress
from mahc.cluster.pass_log import LoggedRunner, log_passes
from mahc.cluster.passes import CompleteCounts, DistinctRows, ValueCounts
from mahc.cluster.pieces import Piece, find_pieces
from mahc.cluster.query_pieces import FetchedQuery, fetch_query
from mahc.cluster.runner import LocalRunner, Runner
from mahc.cluster.sharded_rows import CompactRows, ShardedRows, make_dataset
from mahc.cluster.text_pieces import TextPiece
from mahc.data.columns import Kind
from mahc.data.prepare.audit import DISCRETE_ONLY, Audit
from mahc.data.prepare.counted import (
    CountedColumn,
    CountedResult,
    CountedTable,
    find_missing_values,
    prepare_counted,
)
from mahc.data.prepare.interventions import interventions_of_values
from mahc.data.prepare.notes import Note
from mahc.data.prepare.weights import FINE
from mahc.data.settings import ReadSettings
from mahc.data.sources.queries import NAME, is_query
from mahc.engine.control import RunControl
from mahc.engine.rows import available_processors
from mahc.errors import DataError, MahcError, Mention, SettingError
from mahc.files import Address, Copied, find_address

_LOG = logging.getLogger("mahc.cluster")


def open_shards(
    data: Any,
    reading: ReadSettings | None = None,
    *,
    on: object = None,
    threads: int | None = None,
    memory_bytes: int = DEFAULT_MEMORY,
    progress: Callable[[PassProgress], None] | None = None,
    control: RunControl | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
    numbered: bool = False,
    counts_only: bool = False,
) -> CompactRows | ShardedRows:
    """Read the states of data in pieces, and prepare to count them.

    Parameters
    ----------
    data : str, path, list of paths, data frame of Dask or Spark, query or FetchedQuery
        A folder, a glob, or files (`find_pieces`); or the rows of a query of DuckDB (`fetch_query`).
    reading : ReadSettings, optional
        Which columns, what counts as missing, the column of weights.
    on : distributed.Client, Spark session or str, optional
        Who reads and counts the pieces: a cluster or its address; this process if left out.
    threads : int, optional
        Threads of this process; all processors if left out.
    memory_bytes : int
        Memory for coded and for distinct rows in this process.
    progress : callable, optional
        Called with a `PassProgress` when pieces are done.
    control : RunControl, optional
        Its time limit and its token end the reading, with a MahcError: there is no graph yet.
    kinds : set of Kind
        The kinds of columns that are taken: columns of numbers are refused unless they are among them.
    numbered : bool
        Whether the pieces stay open, for resamples that need the numbers of the rows; then `close` is to be called.
    counts_only : bool
        Whether the caller needs few tables of states and no rows: then distinct rows are not collected.

    Returns
    -------
    CompactRows or ShardedRows
        A count source for `mahc.learn`: the distinct rows, if they fit into the memory; otherwise one that asks the
        pieces. Both give the same result as the same rows in one file.

    Raises
    ------
    DataError
        If a file cannot be read, or the columns or their types differ between files.

    Examples
    --------
    >>> import tempfile, pathlib, mahc
    >>> folder = tempfile.TemporaryDirectory()
    >>> for part in ("a", "b"):
    ...     _ = (pathlib.Path(folder.name) / f"{part}.csv").write_text("rain,wet\\n" + "no,no\\nyes,yes\\n" * 20)
    >>> mahc.learn(open_shards(folder.name)).arcs
    (('rain', 'wet'),)
    >>> folder.cleanup()
    """
    settings = reading or ReadSettings()
    runner: Runner
    if is_query(data):
        refuse_cluster(on)
        data = fetch_query(data, settings, memory_bytes >> 20, threads=threads, control=control)
    if on is None and not is_cluster_frame(data):
        remove = data.remove if isinstance(data, FetchedQuery | Copied) else None
        try:
            refuse_stopped(control)

            def make(pieces: Sequence[Piece]) -> Runner:
                return LocalRunner(pieces, threads or available_processors(), memory_bytes // 2, None, progress, remove)

            runner, names, notes, every = open_pieces(data, settings, make)
        except BaseException:
            if remove is not None:
                remove()
            raise
    else:
        runner, every = make_runner(on, data, progress, settings, ordered=numbered)
        names, notes = settings.kept(every), ()
    source = name_source(data)
    return open_runner(
        runner,
        names,
        settings,
        memory_bytes=memory_bytes,
        control=control,
        source=source,
        notes=notes,
        kinds=kinds,
        every=every,
        numbered=numbered,
        counts_only=counts_only,
    )


def open_runner(
    runner: Runner,
    names: Sequence[str],
    reading: ReadSettings | None = None,
    *,
    memory_bytes: int = DEFAULT_MEMORY,
    control: RunControl | None = None,
    source: str = "the data",
    notes: tuple[Note, ...] = (),
    kinds: frozenset[Kind] = DISCRETE_ONLY,
    every: Sequence[str] = (),
    numbered: bool = False,
    counts_only: bool = False,
) -> CompactRows | ShardedRows:
    """The same for pieces of any kind, which a runner holds.

    Parameters
    ----------
    runner : Runner
        Who runs passes over the pieces; closed when that fails.
    names : sequence of str
        The columns to use.
    reading, memory_bytes, control, kinds, numbered, counts_only
        As for `open_shards`.
    source : str
        What errors call the data.
    notes : tuple of Note
        What was decided while the pieces were opened.
    every : sequence of str
        The names of all columns, also of those that are not used.

    Returns
    -------
    CompactRows or ShardedRows
        A count source for `mahc.learn`.

    Examples
    --------
    >>> import polars as pl
    >>> from mahc.cluster.frame_pieces import FramePiece
    >>> pieces = [FramePiece(pl.DataFrame({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}), "one")]
    >>> open_runner(LocalRunner(pieces), ["rain", "wet"]).size
    40
    """
    runner = log_passes(runner)
    try:
        settings = reading or ReadSettings()
        states = read_states(runner, names, settings, source, notes, control, kinds, every)
        return _count(runner, states, settings, memory_bytes, control, numbered, counts_only)
    except BaseException:
        runner.close()
        raise


def name_source(data: object) -> str:
    """What errors and reports call the data."""
    if isinstance(data, FetchedQuery):
        return NAME
    if isinstance(data, list | tuple) and len(data) == 1:
        return name_source(data[0])
    if isinstance(data, str | os.PathLike | Address):
        return str(find_address(data) or data)
    return "the files" if isinstance(data, list) else "the data"


@dataclass(frozen=True)
class States:
    """What the values of all pieces say: the report, and where there is no problem the coding and its counts."""

    audit: Audit
    found: CountedResult
    columns: Mapping[str, CountedColumn]
    settings: ReadSettings
    kinds: frozenset[Kind] = DISCRETE_ONLY
    experiments: ExperimentCoding | None = None

    @property
    def rows(self) -> int:
        """How many rows are kept."""
        return self.found.rows

    @cached_property
    def coding(self) -> Coding:
        """The states and codes; raises DataError if there is a problem."""
        self.audit.refuse(self.kinds)
        return make_coding(self.columns, self.found, self.settings, self.experiments)


def read_states(
    runner: Runner,
    names: Sequence[str],
    settings: ReadSettings,
    source: str = "the files",
    notes: tuple[Note, ...] = (),
    control: RunControl | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
    every: Sequence[str] = (),
) -> States:
    """Count the values of all columns: one pass, and one more where values are missing."""
    refuse_settings(settings)
    weights = settings.weights if isinstance(settings.weights, str) else None
    aside = settings.interventions if isinstance(settings.interventions, str) else None
    variables = tuple(name for name in names if name not in settings.aside)
    counted, unit = runner.run(question := ValueCounts((*variables, *([aside] if aside else [])), weights), control), 1
    refuse_stopped(control)
    if counted is not None and counted.fractional:
        unit = FINE
        counted = runner.run(replace(question, unit=unit), control)
        refuse_stopped(control)
    if counted is None or not counted.kept:
        raise DataError(f"{source}: no rows: at least one is needed")
    columns = counted_columns(counted.columns)
    experiments = None
    if aside is not None:
        listed = columns.pop(aside)
        given, said = interventions_of_values(listed.values.to_list(), variables, every, settings)
        experiments, notes = ExperimentCoding(aside, listed.values, given), (*notes, *said)
    table = CountedTable(
        source, columns, counted.rows, counted.kept, counted.size, weights is not None, notes, unit, counted.squares
    )
    missing = None if settings.missing == "state" else find_missing_values(table, settings)
    complete = None
    if missing is not None:
        values = {name: column.values for name, column in columns.items()}
        unlisted = frozenset(
            name for name, column in columns.items() if column.more and table.is_number(name, settings)
        )
        plain = replace(settings, weights=None)
        complete = runner.run(CompleteCounts(values, missing, weights, unlisted, plain, unit), control)
        refuse_stopped(control)
    found = prepare_counted(table, settings, complete)
    return States(found.audit, found, columns, settings, kinds, experiments)


def _count(
    runner: LoggedRunner,
    states: States,
    settings: ReadSettings,
    memory: int,
    control: RunControl | None,
    numbered: bool = False,
    counts_only: bool = False,
) -> CompactRows | ShardedRows:
    coding, rows, marginals = states.coding, states.rows, states.found.marginals
    size, variables = states.found.size, coding.names
    refuse_too_heavy(size)
    runner.open(coding)
    limit = most_distinct_rows(memory, len(variables))
    notes = states.audit.notes
    if counts_only and coding.experiments is None and all(column.kind is Kind.DISCRETE for column in coding.columns):
        made = ShardedRows(runner, coding, marginals, rows, size, limit, settings, notes, memory // 4)
        made.counts_only = True
        return made
    everything = tuple(range(coding.coded_columns))
    distinct = runner.run(DistinctRows((everything,), limit), control)
    refuse_stopped(control)
    if distinct is not None and distinct[0] is not None:
        data = replace(make_dataset(coding, distinct[0], everything), reading=settings, notes=states.audit.notes)
        _LOG.info("%d rows have %d distinct ones: they are counted in memory", rows, data.rows)
        if numbered:
            from mahc.cluster.resampling import NumberedPieces  # few runs need it

            pieces = NumberedPieces(runner, coding, memory // 4)
            return CompactRows(data, rows, runner.passes, runner.record, pieces)
        runner.close()
        return CompactRows(data, rows, runner.passes, runner.record)
    if coding.experiments is not None:
        raise SettingError(
            Mention("interventions"),
            " needs the distinct rows in memory, and they do not fit: use a sample of the rows, or raise ",
            Mention("memory_mebibytes"),
        )
    _LOG.info("%d rows have more than %d distinct ones: every batch of counts is a pass over the pieces", rows, limit)
    listed = states.found.listed_numbers(coding.unlisted)
    return ShardedRows(runner, coding, marginals, rows, size, limit, settings, notes, memory // 4, listed)


def open_pieces(
    data: Any, settings: ReadSettings, runner: Callable[[Sequence[Piece]], Runner]
) -> tuple[Runner, list[str], tuple[Note, ...], Sequence[str]]:
    """The runner on the pieces of files or of a query, the columns to use, what was decided, and all columns."""
    if isinstance(data, FetchedQuery):
        return runner(data.pieces()), settings.kept(data.names), (data.note,), data.names
    pieces = find_pieces(data, settings)
    first = pieces[0]
    notes = (Note(None, "delimiter", first.file.dialect.describe()),) if isinstance(first, TextPiece) else ()
    names, every = column_names(pieces, settings)
    return runner(pieces), names, notes, every


def refuse_cluster(on: object) -> None:
    """A query is run by this process."""
    if on is not None:
        raise SettingError(
            Mention("on"), " is for files and data frames of a cluster, and DuckDB runs here: leave it out"
        )


def refuse_stopped(control: RunControl | None) -> None:
    """Before the states of the variables are known there is no graph to return."""
    if control is None or not control.should_stop(0, math.nan):
        return
    if control.seconds_left() <= 0:
        raise MahcError("the time limit was reached while the data were read, before learning began: raise it")
    raise MahcError("the run was cancelled while the data were read, before learning began")
