"""Predictions of rows that need not fit into memory: each piece is predicted where it is, and written at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mahc.cluster.choosing import is_cluster_frame
from mahc.cluster.engines import make_runner
from mahc.cluster.meter import PassProgress
from mahc.cluster.pieces import ReadablePiece, find_pieces
from mahc.cluster.runner import LocalRunner, Runner
from mahc.data import ReadSettings
from mahc.data.prepare.types import label
from mahc.data.source_table import Column, NumberColumn, RefusedColumn, SourceTable
from mahc.errors import DataError, FormatError, MahcError, UnknownNameError
from mahc.files import exists
from mahc.files.temporary import temporary_folder, temporary_path

if TYPE_CHECKING:
    import polars as pl

    from mahc.inference.model import Model


@dataclass(frozen=True)
class Wanted:
    """What is predicted, and which columns are written.

    Parameters
    ----------
    model : Model
        The model.
    target : str
        The variable to predict.
    settings : ReadSettings
        How the rows are read.
    probabilities : bool
        Whether a column for each state is written too.
    keep : tuple of str
        The columns of the rows that are written too.
    threads : int
        The threads that predict one piece.
    """

    model: Model
    target: str
    settings: ReadSettings
    probabilities: bool = False
    keep: tuple[str, ...] = ()
    threads: int = 1

    def predict(self, table: SourceTable) -> pl.DataFrame:
        """The predictions of some rows, each by itself."""
        kept = {name: column_texts(name, _column(table, name)) for name in self.keep}
        shares = self.model.predict_proba(table, self.target, threads=self.threads, reading=self.settings)
        states = [label(state) for state in self.model.states(self.target)]
        chosen = np.array(states)[shares.argmax(axis=1)]
        each = {f"{self.target}={state}": shares[:, place] for place, state in enumerate(states)}
        return make_frame(self.target, chosen, each if self.probabilities else {}, kept)


@dataclass(frozen=True)
class WritePredictions:
    """A pass that writes the predictions of each piece as a Parquet file, and counts them."""

    wanted: Wanted
    folder: str
    name: str = field(default="predictions", init=False)
    coded: bool = field(default=False, init=False)

    def of(self, part: ReadablePiece) -> int:
        """Those of the only piece."""
        return self.of_piece(part, 0)

    def of_piece(self, part: ReadablePiece, place: int) -> int:
        """Those of one piece; a task that runs again writes the same file."""
        table = part.table(self.wanted.settings)
        if table is None:
            return 0
        target = Path(self.folder) / f"part-{place:06}.parquet"
        temporary = temporary_path(target)
        try:
            found = self.wanted.predict(table)
            found.write_parquet(temporary)
            os.replace(temporary, target)
        except OSError as problem:
            raise FormatError(f"cannot be written: {problem.strerror or problem}", target) from None
        except MahcError as mistake:
            raise DataError(f"{part.name}: {mistake}") from None
        return table.rows

    def add(self, first: int, second: int) -> int:
        """Both together."""
        return first + second


def predict_into(
    wanted: Wanted,
    rows: Any,
    folder: Path,
    *,
    on: object = None,
    progress: Callable[[PassProgress], None] | None = None,
) -> int:
    """Write the predictions of files or of a frame of a cluster into a new folder; how many there are.

    The folder appears when all is written. On a cluster all workers must see the place where it is.
    """
    if exists(folder):
        raise FormatError("it is there already: choose another name, or remove it", folder)
    place = Path(os.path.abspath(folder))
    try:
        temporary = temporary_folder(place)
    except OSError as problem:
        raise FormatError(f"cannot be written: {problem.strerror or problem}", folder) from None
    try:
        number = _run(wanted, rows, temporary, on, progress)
        if not number:
            raise DataError("there are no rows to predict: at least one is needed")
        os.replace(temporary, place)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return number


def _run(wanted: Wanted, rows: Any, folder: Path, on: object, progress: Callable[[PassProgress], None] | None) -> int:
    runner: Runner
    if on is None and not is_cluster_frame(rows):
        runner = LocalRunner(find_pieces(rows, wanted.settings), progress=progress)
    else:
        runner, _ = make_runner(on, rows, progress, wanted.settings, ordered=True)
    try:
        return runner.run(WritePredictions(wanted, str(folder))) or 0
    finally:
        runner.close()


def make_frame(
    target: str, found: Any, shares: Mapping[str, Any], kept: Mapping[str, Sequence[str | None]]
) -> pl.DataFrame:
    """The kept columns, the prediction and the shares of the states, as a polars table."""
    import polars as pl

    texts = {name: pl.Series(values, dtype=pl.String) for name, values in kept.items()}
    return pl.DataFrame({**texts, target: pl.Series(found.tolist()), **shares})


def column_texts(name: str, column: Column) -> list[str | None]:
    """The values of a column as text."""
    if isinstance(column, NumberColumn):
        return [None if number != number else label(number) for number in column.numbers.tolist()]
    if isinstance(column, RefusedColumn):
        raise DataError(f"column '{name}' cannot be kept: it {column.problem.message}")
    texts = [None if value is None else label(value) for value in column.values]
    return [texts[code] for code in column.codes.tolist()]


def _column(table: SourceTable, name: str) -> Column:
    if name not in table.names:
        raise UnknownNameError("column", name, table.names)
    return table.columns[table.names.index(name)]
