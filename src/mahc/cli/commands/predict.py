"""`mahc predict`: the most probable state of one variable in each row of a table."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from mahc.cli.options.fitting_data import settings_for_rows
from mahc.cli.options.groups import DATA, LIMITS, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions, find_input, quiet_stderr
from mahc.cli.printing import say, tell
from mahc.data import ReadSettings
from mahc.data.prepare.types import label
from mahc.data.source_table import Column, NumberColumn, RefusedColumn
from mahc.errors import DataError, SettingError, UnknownNameError
from mahc.files import Address, write_atomically
from mahc.opening import open_tables
from mahc.plurals import count

if TYPE_CHECKING:
    import polars
    from numpy.typing import NDArray

    from mahc.inference.factors import Values

ROWS_HELP = "File with the rows; empty values and absent columns are not observed."


def command(
    model: ModelArgument,
    rows: Annotated[Path, argument("ROWS", ROWS_HELP, DATA)],
    target: Annotated[str, argument("TARGET", "The variable to predict.", DATA)],
    /,
    *,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    probabilities: Annotated[bool, flag("--probabilities", "Also a column per state.", OUTPUT)] = False,
    out: Annotated[Path | None, option("--out", "FILE", "Write .csv or .parquet, not to stdout.", OUTPUT)] = None,
    keep: Annotated[
        list[str] | None,
        option("--keep", "COLUMN", "Column of ROWS to write with the prediction; may be repeated.", OUTPUT),
    ] = None,
    threads: Annotated[int, option("--threads", "N", "Threads.", LIMITS, "1")] = 1,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Predict TARGET in each row from the row's other values, as CSV with one line per row."""
    if target in (keep or []):
        raise SettingError(f"--keep names '{target}', which is predicted: rename the column in the file to keep it")
    if out is not None and out.suffix.lower() not in (".csv", ".parquet"):
        raise SettingError(f"--out is '{out}': give a file that ends in .csv or .parquet")
    asked = load_model(model, data, prior, reading)
    path = find_input(rows)
    settings = settings_for_rows(asked, reading)
    with quiet_stderr(path):
        kept = _load_columns(path, settings, keep or [])
        if asked.holds_numbers(target):
            if probabilities:
                raise SettingError(f"'{target}' holds numbers, which have no probabilities: leave out --probabilities")
            table = _table(target, asked.predict(path, target, reading=settings), {}, kept)
        else:
            shares = asked.predict_proba(path, target, threads=threads, reading=settings)
            states = [label(state) for state in asked.states(target)]
            chosen = np.array(states)[shares.argmax(axis=1)]
            each = {f"{target}={state}": shares[:, place] for place, state in enumerate(states)}
            table = _table(target, chosen, each if probabilities else {}, kept)
    if out is None:
        say(*table.write_csv().splitlines())
    else:
        content = io.BytesIO()
        if out.suffix.lower() == ".csv":
            table.write_csv(content)
        else:
            table.write_parquet(content)
        write_atomically(out, content.getvalue())
        tell(f"{count(table.height, 'prediction')} of '{target}' written to {out}")


def _load_columns(path: Path | Address, settings: ReadSettings, names: list[str]) -> dict[str, list[str | None]]:
    """Columns of the file as they are, to put next to the predictions."""
    if not names:
        return {}
    found: dict[str, list[str | None]] = {name: [] for name in names}
    for table in open_tables(path, settings):
        for name, texts in found.items():
            if name not in table.names:
                raise UnknownNameError("column", name, table.names)
            texts += _texts(name, table.columns[table.names.index(name)])
    return found


def _texts(name: str, column: Column) -> list[str | None]:
    if isinstance(column, NumberColumn):
        return [None if number != number else label(number) for number in column.numbers.tolist()]
    if isinstance(column, RefusedColumn):
        raise DataError(f"column '{name}' cannot be kept: it {column.problem.message}")
    texts = [None if value is None else label(value) for value in column.values]
    return [texts[code] for code in column.codes.tolist()]


def _table(
    target: str, found: NDArray[Any], shares: Mapping[str, Values], kept: Mapping[str, list[str | None]]
) -> polars.DataFrame:
    import polars

    texts = {name: polars.Series(values, dtype=polars.String) for name, values in kept.items()}
    return polars.DataFrame({**texts, target: polars.Series(found.tolist()), **shares})
