"""`mahc predict`: the most probable state of one variable in each row of a table."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np

from mahc.cli.options.groups import DATA, LIMITS, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions, quiet_stderr
from mahc.cli.printing import say, tell
from mahc.errors import SettingError
from mahc.files import write_atomically
from mahc.plurals import count
from mahc.sources import find_data

if TYPE_CHECKING:
    import polars

    from mahc.inference import Model
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
    threads: Annotated[int, option("--threads", "N", "Threads.", LIMITS, "1")] = 1,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Predict TARGET in each row from the row's other values, as CSV with one line per row."""
    if out is not None and out.suffix.lower() not in (".csv", ".parquet"):
        raise SettingError(f"--out is '{out}': give a file that ends in .csv or .parquet")
    asked = load_model(model, data, prior, reading)
    path = find_data(rows)
    with quiet_stderr(path):
        found = asked.predict_proba(path, target, threads=threads, reading=reading.settings())
    table = _table(asked, target, found, probabilities)
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


def _table(model: Model, target: str, found: Values, probabilities: bool) -> polars.DataFrame:
    import polars

    states = model.states(target)
    columns: dict[str, object] = {
        target: polars.Series(np.array(states)[found.argmax(axis=1)].tolist(), dtype=polars.String)
    }
    if probabilities:
        columns |= {f"{target}={state}": found[:, place] for place, state in enumerate(states)}
    return polars.DataFrame(columns)
