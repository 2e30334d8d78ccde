"""The options that say how data are read, for every command that reads them."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mahc.errors import SettingError

if TYPE_CHECKING:
    from mahc.data import Dataset, ReadSettings

_SHOWN = 5
DataArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="CSV, TSV or TXT (also .gz), Parquet or Arrow file; or the name of a shipped sample: asia.",
        show_default=False,
    ),
]
MissingOption = Annotated[
    str, typer.Option(help="Missing values: error, state (a new state 'missing') or drop (such rows go).")
]
MissingTokenOption = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A text that means missing, such as NA; may be repeated.", show_default=False),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column that says how often each row counts.", show_default=False),
]
DiscretiseOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[COLUMN=]RULE",
        help="equal-width:5, quantile:4 or cut points 18,65, for all real-valued columns or a named one.",
        show_default=False,
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        help="Field separator of a text file; found out if not given.",
        show_default=False,
    ),
]
QuoteOption = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER", help="Quote of a text file, or none; found out if not given.", show_default=False
    ),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="A column to leave out; may be repeated.", show_default=False),
]
KeepUnusedOption = Annotated[
    bool, typer.Option("--keep-unused-states", help="Keep declared categories that do not occur.")
]


def read_settings(
    missing: str = "error",
    missing_token: list[str] | None = None,
    weights: str | None = None,
    discretise: list[str] | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    drop: list[str] | None = None,
    keep_unused_states: bool = False,
) -> ReadSettings:
    """The options as the settings of `mahc.data.read`."""
    from mahc.data import ReadSettings

    return ReadSettings(
        missing=missing,
        missing_tokens=tuple(missing_token or ()),
        weights=weights,
        discretise=_rules(discretise or []),
        delimiter=delimiter,
        quote=quote,
        drop=tuple(drop or ()),
        keep_unused_states=keep_unused_states,
    )


def load_dataset(data: Path, settings: ReadSettings) -> Dataset:
    """Read the data; warnings go to stderr, one line each, and refusals are raised."""
    from mahc.data import read_with

    # The warnings are printed here; without a handler Python would print the logged ones once more.
    logging.getLogger("mahc.data").addHandler(logging.NullHandler())
    with quiet_stderr(data):
        dataset = read_with(data, settings)
    for warning in dataset.warnings[:_SHOWN]:
        print(f"mahc: warning: {warning.sentence()}", file=sys.stderr)
    if len(dataset.warnings) > _SHOWN:
        more = len(dataset.warnings) - _SHOWN
        print(f"mahc: warning: {more} more; 'mahc audit' with the same options lists all", file=sys.stderr)
    return dataset


@contextlib.contextmanager
def quiet_stderr(data: Path) -> Iterator[None]:
    """Keep stderr to ourselves while a Parquet or Arrow file is read.

    On some damaged files the reader underneath prints a Rust backtrace before it raises; the user gets our
    sentence alone.
    """
    from mahc.data.sources.column_files import COLUMN_FILE_ENDINGS

    if data.suffix.lower() not in COLUMN_FILE_ENDINGS:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _rules(texts: list[str]) -> str | dict[str, str] | None:
    """`RULE` alone holds for all real-valued columns, `COLUMN=RULE` for one; the two do not mix."""
    named = {}
    for text in texts:
        name, equals, rule = text.rpartition("=")
        if not equals and len(texts) > 1:
            raise SettingError(f"discretise '{text}' is for all columns: give it alone, or name a column in each")
        if not equals:
            return rule
        if name in named:
            raise SettingError(f"discretise names the column '{name}' twice: give one rule")
        named[name] = rule
    return named or None
