"""Writing a data set as a CSV or Parquet file, in chunks of rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from mahc.data.dataset import Dataset
from mahc.errors import DataError, UnknownNameError

CHUNK = 65_536


def to_frame(data: Dataset) -> pl.DataFrame:
    """The data as a polars frame with Enum columns, which keep the order of the states.

    >>> from mahc.networks import load_network, sample
    >>> to_frame(sample(load_network("asia"), 2, 1)).columns[:3]
    ['asia', 'tub', 'smoke']
    """
    if data.weights is not None:
        raise DataError("weighted data cannot be written: repeat each row as often as its weight")
    columns = {}
    for name, states, codes in zip(data.names, data.labels, data.codes, strict=True):
        # Polars 1 casts codes to an Enum and polars 2 refuses to: gathering the labels works in both.
        columns[name] = pl.Series(name, states, dtype=pl.Enum(states)).gather(codes)
    return pl.DataFrame(columns)


def _write_csv(data: Dataset, path: Path) -> None:
    to_frame(data).write_csv(path, batch_size=CHUNK)


def _write_parquet(data: Dataset, path: Path) -> None:
    to_frame(data).write_parquet(path, row_group_size=CHUNK)


WRITERS: dict[str, Callable[[Dataset, Path], None]] = {"csv": _write_csv, "parquet": _write_parquet}


def check_table_kind(kind: str) -> str:
    """Return the kind of file; raise UnknownNameError if there is no writer for it."""
    if kind not in WRITERS:
        raise UnknownNameError("data format", kind, WRITERS)
    return kind


def write_table(data: Dataset, path: str | Path, kind: str = "csv") -> None:
    """Write the data as `csv` or `parquet`; the caller makes the write atomic."""
    WRITERS[check_table_kind(kind)](data, Path(path))
