"""`mahc audit`: what is in the data, whether they can be used, and what learning from them will cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mahc.cli.options import (
    DataArgument,
    DelimiterOption,
    DiscretiseOption,
    DropOption,
    KeepUnusedOption,
    MissingOption,
    MissingTokenOption,
    QuoteOption,
    WeightsOption,
    quiet_stderr,
    read_settings,
)

if TYPE_CHECKING:
    from mahc.data import Audit


def command(
    data: DataArgument,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
    every: Annotated[bool, typer.Option("--all", help="Show every column, also those without remarks.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Say what is in DATA, column by column, and whether it can be used: exit code 0 if so, 2 if not."""
    from mahc.cli.sources import find_data
    from mahc.data import audit

    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    path = find_data(data)
    with quiet_stderr(path):
        found = audit(path, settings)
    if json:
        from mahc.cli.audit_view import audit_json

        typer.echo(audit_json(found))
    else:
        from rich.console import Console

        from mahc.cli.audit_view import audit_view

        Console().print(audit_view(found, every))
    _conclude(found)


def _conclude(found: Audit) -> None:
    from mahc.errors import DataError

    if len(found.problems) > 1:
        raise DataError(f"{found.source}: {len(found.problems)} problems, listed above with their fixes")
    found.require()
