"""Data to fit tables to: read as those of the result were, where the graph is a result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mahc.cli.options.pieces import find_pieces_or_file, load_rows
from mahc.cli.options.reading_options import ReadingOptions
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.settings import MISSING_EM, MISSING_METHODS
from mahc.engine.counts import TableSource
from mahc.errors import SettingError
from mahc.opening import rows_of, rows_or_counts
from mahc.sources import find_reading

if TYPE_CHECKING:
    from mahc.inference import Model
    from mahc.inference.mixed.model import MixedModel


def load_fitting_data(
    word: str | Path,
    names: Sequence[str],
    data: str | Path,
    reading: ReadingOptions,
    time_limit: float | None = None,
    on: str | None = None,
    memory_mebibytes: int | None = None,
    *,
    counts_only: bool = False,
) -> tuple[Dataset | TableSource, bool]:
    """The data, and whether expectation-maximisation is to fill in what is missing in them.

    Parameters
    ----------
    word : str or path
        What names the graph; a result says how its data were read.
    names : sequence of str
        The variables of the graph.
    data : str or path
        The file.
    reading : ReadingOptions
        The options given; they must agree with the result's.
    time_limit : float, optional
        Data that are not read by then are refused.
    on : str, optional
        The cluster that reads and counts.
    memory_mebibytes : int, optional
        The memory limit; rows in pieces that do not fit are counted in passes, except for expectation-maximisation.
    counts_only : bool
        Whether rows are of no use, so that distinct rows of pieces are not collected.
    """
    record, file = find_reading(word), find_pieces_or_file(Path(data), on)
    if record is None:
        settings = reading.settings()
        if settings.missing in MISSING_METHODS:
            raise SettingError(
                f"--missing {settings.missing} learns a graph, and here the graph is given: use --missing {MISSING_EM} "
                "to fit the tables to incomplete rows"
            )
    else:
        instead = () if record.missing == "state" else (MISSING_EM,)
        settings = reading.settings_like(record, file, names, instead)
    opened = load_rows(
        file,
        settings.coding_missing(),
        on,
        None,
        memory_mebibytes,
        time_limit,
        frozenset(Kind),
        counts_only=counts_only and not settings.keeps_missing,
    )
    if settings.keeps_missing:
        return rows_of(opened, file), True
    found = rows_or_counts(opened)
    assert isinstance(found, Dataset | TableSource)
    return found, False


def settings_for_rows(model: Model | MixedModel, reading: ReadingOptions) -> ReadSettings:
    """How the rows are read that a model is asked about: as the data of the model were, where it has a record."""
    return (
        reading.settings() if model.reading is None else model.reading.restore(reading.given(), instead=(MISSING_EM,))
    )
