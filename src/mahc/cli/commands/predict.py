"""`mahc predict`: the most probable state of one variable in each row of a table."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Annotated

import numpy as np

from mahc.cli.options.fitting_data import settings_for_rows
from mahc.cli.options.groups import DATA, LIMITS, OUTPUT, argument, flag, option
from mahc.cli.options.pieces import OnOption
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions, find_input, quiet_stderr
from mahc.cli.printing import say, tell
from mahc.cli.progress import passes_line
from mahc.cluster import is_sharded
from mahc.data import ReadSettings
from mahc.data.prepare.types import label
from mahc.errors import SettingError, UnknownNameError
from mahc.files import Address, write_atomically
from mahc.inference.model import Model
from mahc.inference.piece_predictions import Wanted, column_texts, make_frame, predict_into
from mahc.opening import open_tables
from mahc.plurals import count

ROWS_HELP = "File or folder with the rows; empty values and absent columns are not observed."
OUT_HELP = "Write .csv or .parquet, not to stdout; a name without ending is a new folder of Parquet files."


def command(
    model: ModelArgument,
    rows: Annotated[Path, argument("ROWS", ROWS_HELP, DATA)],
    target: Annotated[str, argument("TARGET", "The variable to predict.", DATA)],
    /,
    *,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    probabilities: Annotated[bool, flag("--probabilities", "Also a column per state.", OUTPUT)] = False,
    out: Annotated[Path | None, option("--out", "FILE", OUT_HELP, OUTPUT)] = None,
    keep: Annotated[
        list[str] | None,
        option("--keep", "COLUMN", "Column of ROWS to write with the prediction; may be repeated.", OUTPUT),
    ] = None,
    threads: Annotated[int, option("--threads", "N", "Threads.", LIMITS, "1")] = 1,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Predict TARGET in each row from the row's other values, as CSV with one line per row.

    With --out, the rows of a folder, a pattern or a cluster are predicted and written piece by piece.
    """
    if target in (keep or []):
        raise SettingError(f"--keep names '{target}', which is predicted: rename the column in the file to keep it")
    if out is not None and out.suffix.lower() not in ("", ".csv", ".parquet"):
        raise SettingError(f"--out is '{out}': give a file that ends in .csv or .parquet, or a folder without ending")
    if on is not None and (out is None or out.suffix):
        raise SettingError("--on lets a cluster write the predictions: give a folder with --out")
    asked = load_model(model, data, prior, reading)
    settings = settings_for_rows(asked, reading)
    if out is not None and (not out.suffix or is_sharded(rows)) and isinstance(asked, Model):
        wanted = Wanted(asked, target, settings, probabilities, tuple(keep or ()), threads)
        number = _predict_pieces(wanted, rows if on is not None or is_sharded(rows) else find_input(rows), out, on)
        tell(f"{count(number, 'prediction')} of '{target}' written to {out}")
        return
    if out is not None and not out.suffix:
        raise SettingError("a model with numbers predicts all rows at once: give --out a file that ends in .csv")
    path = find_input(rows)
    with quiet_stderr(path):
        kept = _load_columns(path, settings, keep or [])
        if asked.holds_numbers(target):
            if probabilities:
                raise SettingError(f"'{target}' holds numbers, which have no probabilities: leave out --probabilities")
            table = make_frame(target, asked.predict(path, target, reading=settings), {}, kept)
        else:
            shares = asked.predict_proba(path, target, threads=threads, reading=settings)
            states = [label(state) for state in asked.states(target)]
            chosen = np.array(states)[shares.argmax(axis=1)]
            each = {f"{target}={state}": shares[:, place] for place, state in enumerate(states)}
            table = make_frame(target, chosen, each if probabilities else {}, kept)
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


def _predict_pieces(wanted: Wanted, rows: Path | Address, out: Path, on: str | None) -> int:
    """Write a folder, or a file whose parts are joined one after another; how many predictions there are."""
    wanted.model.states(wanted.target)  # refuses an unknown name
    with passes_line() as report:
        if not out.suffix:
            return predict_into(wanted, rows, out, on=on, progress=report)
        with tempfile.TemporaryDirectory(prefix="mahc-predict-", dir=out.parent) as place:
            folder = Path(place) / "parts"
            number = predict_into(wanted, rows, folder, progress=report)
            joined = Path(place) / f"joined{out.suffix.lower()}"
            _join(folder, joined)
            joined.replace(out)
            return number


def _join(folder: Path, file: Path) -> None:
    import polars

    parts = polars.scan_parquet(sorted(folder.iterdir()))
    if file.suffix == ".csv":
        parts.sink_csv(file)
    else:
        parts.sink_parquet(file)


def _load_columns(path: Path | Address, settings: ReadSettings, names: list[str]) -> dict[str, list[str | None]]:
    """Columns of the file as they are, to put next to the predictions."""
    if not names:
        return {}
    found: dict[str, list[str | None]] = {name: [] for name in names}
    for table in open_tables(path, settings):
        for name, texts in found.items():
            if name not in table.names:
                raise UnknownNameError("column", name, table.names)
            texts += column_texts(name, table.columns[table.names.index(name)])
    return found
