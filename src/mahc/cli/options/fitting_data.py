"""Data to fit tables to: read as those of the result were, where the graph is a result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mahc.cli.options.reading_options import ReadingOptions, find_input, load_dataset
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.settings import MISSING_EM, MISSING_METHODS
from mahc.errors import SettingError
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
) -> tuple[Dataset, bool]:
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
    """
    record, file = find_reading(word), find_input(data)
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
    return load_dataset(file, settings.coding_missing(), time_limit, frozenset(Kind)), settings.keeps_missing


def settings_for_rows(model: Model | MixedModel, reading: ReadingOptions) -> ReadSettings:
    """How the rows are read that a model is asked about: as the data of the model were, where it has a record."""
    return (
        reading.settings() if model.reading is None else model.reading.restore(reading.given(), instead=(MISSING_EM,))
    )
