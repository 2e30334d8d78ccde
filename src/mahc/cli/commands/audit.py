"""`mahc audit`: what is in the data, whether they can be used, and what learning from them will cost."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.groups import OUTPUT, flag
from mahc.cli.options.reading_options import DataArgument, ReadingOptions, quiet_stderr, words_for
from mahc.cli.printing import say_json, say_page
from mahc.cli.shell_words import join_words
from mahc.data import Audit, audit, suggest_settings
from mahc.errors import DataError
from mahc.sources import find_data


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
    following = None if better is None else join_words(["mahc", "learn", str(data), *words_for(better)])
    if as_json:
        from mahc.cli.audit_view import audit_document

        say_json(audit_document(found, following), indent=2)
    else:
        from mahc.cli.audit_view import audit_view

        say_page(audit_view(found, every), *([] if following is None else [f"Next: {following}"]), wrap=True)
    _conclude(found)


def _conclude(found: Audit) -> None:
    if len(found.problems) > 1:
        raise DataError(f"{found.source}: {len(found.problems)} problems, listed above with their fixes")
    found.require()
