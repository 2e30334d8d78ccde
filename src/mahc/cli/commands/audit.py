"""`mahc audit`: what is in the data, whether they can be used, and what learning from them will cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.missingness_view import missingness_document, missingness_view
from mahc.cli.options.groups import LIMITS, OUTPUT, flag, option
from mahc.cli.options.pieces import RowsArgument, passes_line
from mahc.cli.options.reading_options import ReadingOptions, quiet_stderr, words_for
from mahc.cli.plan_view import MEMORY, exists_as_data, parse_memory, say_plan
from mahc.cli.printing import say_json, say_page
from mahc.cli.shell_words import join_words
from mahc.cluster import is_sharded
from mahc.cluster.auditing import audit_pieces
from mahc.cluster.choosing import choose_way
from mahc.data import Audit, ReadSettings, audit, suggest_settings
from mahc.errors import DataError
from mahc.plurals import count
from mahc.sources import find_data

PLAN_HELP = "Only say how DATA would be read to learn from it: in which way, with how many passes and how much memory."

if TYPE_CHECKING:
    from mahc.learning.incomplete.missingness import Missingness


def command(
    data: RowsArgument,
    /,
    *,
    reading: ReadingOptions = ReadingOptions(),
    plan: Annotated[bool, flag("--plan", PLAN_HELP, OUTPUT)] = False,
    memory: Annotated[str | None, option("--memory", "SIZE", MEMORY.help, LIMITS)] = None,
    every: Annotated[bool, flag("--all", "Show every column, also those without remarks.", OUTPUT)] = False,
    as_json: Annotated[bool, flag("--json", "Print the result as JSON.", OUTPUT)] = False,
) -> None:
    """Say what is in DATA, column by column, and whether it can be used: exit code 0 if so, 2 if not.

    A folder, a pattern and a file that is too large for the memory are read in pieces.
    """
    settings = reading.settings()
    source = data if is_sharded(data) else find_data(data)
    way = choose_way(source, settings, parse_memory(memory), measure=plan) if exists_as_data(source) else None
    if plan and way is not None:
        say_plan(way, str(data), as_json)
        return
    look = _audit_in_pieces if way is not None and way.in_pieces else audit
    with quiet_stderr(source):
        found = look(source, settings)
        better = suggest_settings(source, settings, found, look)
    missing = None
    if look is audit and any(column.missing for column in found.columns):
        missing = _find_missingness(source, better or settings)
    if better is not None and missing is not None and settings.missing == "error":
        better = replace(better, missing=missing.recommended)  # so that the command is the one recommended
    following = None if better is None else join_words(["mahc", "learn", str(data), *words_for(better)])
    if as_json:
        from mahc.cli.audit_view import audit_document

        say_json(audit_document(found, following) | {"missingness": missingness_document(missing)}, indent=2)
    else:
        from mahc.cli.audit_view import audit_view

        about = [] if missing is None else missingness_view(missing)
        say_page(audit_view(found, every), *about, *([] if following is None else [f"Next: {following}"]), wrap=True)
    _conclude(found)


def _audit_in_pieces(data: Path, settings: ReadSettings) -> Audit:
    with passes_line() as report:
        return audit_pieces(data, settings, report)


def _find_missingness(path: Path, settings: ReadSettings) -> Missingness | None:
    """What is missing; None where other problems keep the data from being read."""
    from mahc.data.incomplete import IncompleteData
    from mahc.learning.incomplete.missingness import describe_missingness

    with quiet_stderr(path):
        dataset = audit(path, replace(settings, missing="state")).dataset
    try:
        return None if dataset is None else describe_missingness(IncompleteData(dataset))
    except DataError:
        return None  # a column without any value, which the audit reports


def _conclude(found: Audit) -> None:
    if len(found.problems) > 1:
        raise DataError(f"{found.source}: {count(len(found.problems), 'problem')}, listed above with their fixes")
    found.refuse()
