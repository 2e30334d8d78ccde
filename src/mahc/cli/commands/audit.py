"""`mahc audit`: what is in the data, whether they can be used, and what learning from them will cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mahc.cli.options.groups import OUTPUT, flag, option
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, RowsArgument, SqlOptions, data_words, fetch_rows
from mahc.cli.options.reading_options import ReadingOptions, find_input, quiet_stderr, reading_line, words_for
from mahc.cli.plan_view import Elsewhere, say_cluster_plan, say_plan
from mahc.cli.printing import join_words, say_json, say_page
from mahc.cli.progress import passes_line
from mahc.cli.spelling import CommandLineSpelling
from mahc.cluster import is_sharded
from mahc.cluster.auditing import audit_pieces
from mahc.cluster.choosing import choose_way
from mahc.cluster.opening import refuse_cluster
from mahc.cluster.stored_pieces import brought
from mahc.data import Audit, Kind, ReadSettings, audit, suggest_settings
from mahc.data.sources.queries import Query, QueryTable
from mahc.errors import DataError, Mention, Message, SettingError
from mahc.files import Address, is_file
from mahc.plurals import count
from mahc.safe_text import escape_controls

if TYPE_CHECKING:
    from mahc.cluster.query_pieces import FetchedQuery
    from mahc.learning.incomplete.missingness import Missingness


PLAN_HELP = "Only say how DATA would be read to learn from it: in which way, with how many passes and how much memory."
WORKERS_HELP = (
    "With --plan: try a few pieces, and foretell what mahc takes with this many workers of one thread; by default as "
    "many as the cluster --on has."
)


def command(
    data: RowsArgument = None,
    /,
    *,
    reading: ReadingOptions = ReadingOptions(),
    query: SqlOptions = SqlOptions(),
    plan: Annotated[bool, flag("--plan", PLAN_HELP, OUTPUT)] = False,
    workers: Annotated[int | None, option("--workers", "N", WORKERS_HELP, OUTPUT)] = None,
    rows: Annotated[
        float | None, option("--rows", "N", "With --workers or --on: for this many rows like those of DATA.", OUTPUT)
    ] = None,
    worker_hour: Annotated[
        float | None, option("--worker-hour", "PRICE", "With --workers or --on: the price of a worker's hour.", OUTPUT)
    ] = None,
    memory: MemoryOption = None,
    on: OnOption = None,
    every: Annotated[bool, flag("--all", "Show every column, also those without remarks.", OUTPUT)] = False,
    as_json: Annotated[bool, flag("--json", "Print the result as JSON.", OUTPUT)] = False,
) -> None:
    """Say what is in DATA, column by column, and whether it can be used: exit code 0 if so, 2 if not.

    A folder, a pattern, and a file or a query that is too large for the memory are read in pieces.
    """
    settings, given = reading.settings(), query.source(data)
    show = _Report(settings, data_words(given), every, as_json, on)
    elsewhere = Elsewhere(on, workers, rows, worker_hour)
    if not plan:
        elsewhere.refuse_without_plan()
    if isinstance(given, Query):
        refuse_cluster(on)
        if plan:
            raise SettingError(
                "--plan reads nothing, and how many rows --sql gives is known only after it has run: leave --plan out"
            )
        fetched = fetch_rows(given, settings, parse_memory(memory))
        try:
            show.report(fetched if fetched.in_pieces else fetched.table(), in_pieces=fetched.in_pieces)
        finally:
            fetched.remove()
        return
    limit = parse_memory(memory)
    if plan and elsewhere.asked:
        with brought(given if on is not None or is_sharded(given) else find_input(given), settings, limit) as source:
            say_cluster_plan(elsewhere.plan(source, settings, limit), worker_hour, str(given), as_json)
        return
    if on is not None:
        show.report(given, in_pieces=True)
        return
    with brought(given if is_sharded(given) else find_input(given), settings, limit) as source:
        way = choose_way(source, settings, limit, measure=plan) if exists_as_data(source) else None
        if plan and way is not None:
            say_plan(way, str(given), as_json)
            return
        show.report(source, in_pieces=way is not None and way.in_pieces)


@dataclass(frozen=True)
class _Report:
    """An audit with these settings, printed; `words` name the data in a command."""

    settings: ReadSettings
    words: list[str]
    every: bool
    as_json: bool
    on: str | None = None

    def report(self, source: Path | Address | FetchedQuery | QueryTable, *, in_pieces: bool) -> None:
        """Print the audit; raise a DataError where there are problems."""
        settings, look = self.settings, partial(_audit_in_pieces, on=self.on) if in_pieces else audit
        with reading_line(), quiet_stderr(source):
            found = look(source, settings)
            better = suggest_settings(source, settings, found, look)
        missing = None
        # What is missing is described as the suggested command reads it, with its codes for missing values.
        suggested = better is not None and replace(better, missing=settings.missing) != settings
        if not in_pieces and any(column.missing for column in found.columns):
            missing = _find_missingness(source, better or settings)
        if better is not None and missing is not None and settings.missing == "error":
            better = replace(better, missing=missing.recommended)  # so that the command is the one recommended
        following = None if better is None else join_words(["mahc", "learn", *self.words, *words_for(better)])
        if self.as_json:
            from mahc.cli.audit_view import audit_document

            say_json(audit_document(found, following) | {"missingness": missingness_document(missing)}, indent=2)
        else:
            from mahc.cli.audit_view import audit_view

            about = [] if missing is None else missingness_view(missing, suggested)
            then = [] if following is None else [f"Next: {following}"]
            say_page(audit_view(found, self.every), *about, *then, wrap=True)
        _conclude(found)


def _audit_in_pieces(data: Any, settings: ReadSettings, on: str | None = None) -> Audit:
    with passes_line() as report:
        return audit_pieces(data, settings, report, on=on)


def _find_missingness(source: Any, settings: ReadSettings) -> Missingness | None:
    """What is missing; None where other problems keep the data from being read."""
    from mahc.learning.incomplete.missingness import describe_missingness

    with reading_line(), quiet_stderr(source):
        dataset = audit(source, replace(settings, missing="state")).dataset
    try:
        return None if dataset is None else describe_missingness(dataset.state_as_missing())
    except DataError:
        return None  # a column without any value, which the audit reports


def _conclude(found: Audit) -> None:
    if len(found.problems) > 1:
        raise DataError(f"{found.source}: {count(len(found.problems), 'problem')}, listed above with their fixes")
    found.refuse(frozenset(Kind))


def exists_as_data(source: Path) -> bool:
    """Whether there is something whose size can be looked up."""
    return is_sharded(source) or is_file(source)


def missingness_view(found: Missingness, suggested: bool) -> list[str]:
    """How much is missing, on what it depends, and the method to use, one line each."""
    advice = Message("to learn a graph use ", Mention("missing", found.recommended), f": {found.reason}")
    lines = [*found.sentences(), advice.render(CommandLineSpelling())]
    head = "missing values, read as in the command below" if suggested else "missing values"
    return [f"{head}: {escape_controls(line)}" for line in lines]


def missingness_document(found: Missingness | None) -> dict[str, Any] | None:
    """What an audit says of missing values, as JSON; None where nothing is missing."""
    return None if found is None else asdict(found)
