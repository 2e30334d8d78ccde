"""`mahc audit`: what is in the data, whether they can be used, and what learning from them will cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.missingness_view import missingness_document, missingness_view
from mahc.cli.options.groups import OUTPUT, flag
from mahc.cli.options.reading_options import DataArgument, ReadingOptions, quiet_stderr, words_for
from mahc.cli.printing import say_json, say_page
from mahc.cli.shell_words import join_words
from mahc.data import Audit, ReadSettings, audit, suggest_settings
from mahc.errors import DataError
from mahc.plurals import count
from mahc.sources import find_data

if TYPE_CHECKING:
    from mahc.learning.incomplete.missingness import Missingness


def command(
    data: DataArgument,
    /,
    *,
    reading: ReadingOptions = ReadingOptions(),
    every: Annotated[bool, flag("--all", "Show every column, also those without remarks.", OUTPUT)] = False,
    as_json: Annotated[bool, flag("--json", "Print the result as JSON.", OUTPUT)] = False,
) -> None:
    """Say what is in DATA, column by column, and whether it can be used: exit code 0 if so, 2 if not."""
    settings = reading.settings()
    path = find_data(data)
    with quiet_stderr(path):
        found = audit(path, settings)
        better = suggest_settings(path, settings, found)
    missing = _find_missingness(path, better or settings) if any(column.missing for column in found.columns) else None
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
    found.require()
