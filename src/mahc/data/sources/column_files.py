"""Parquet and Arrow files, read one column at a time to save memory."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mahc.data.names import check_count, check_names
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, SourceTable
from mahc.data.sources.frames import code_polars
from mahc.data.sources.text_file import check_file
from mahc.data.sources.trial_read import try_arrow
from mahc.errors import DataError, FormatError
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl

PARQUET_ENDINGS = (".parquet",)
ARROW_ENDINGS = (".arrow", ".feather", ".ipc")
COLUMN_FILE_ENDINGS = PARQUET_ENDINGS + ARROW_ENDINGS
_MAGIC = {"Parquet": b"PAR1", "Arrow": b"ARROW1"}
T = TypeVar("T")


def read_columns(path: Path, settings: ReadSettings) -> SourceTable:
    """Read the selected columns of a Parquet or Arrow file."""
    import polars as pl

    kind = check_column_file(path)
    reader = _parquet_column if kind == "Parquet" else _arrow_column
    schema = _parquet_schema if kind == "Parquet" else pl.read_ipc_schema
    names = list(read_or_raise(path, lambda: schema(path)))
    check_names(names, str(path))

    def column(name: str) -> Column:
        series = read_or_raise(path, lambda: reader(path, name))
        if not len(series):
            raise DataError(f"{path}: {count(len(names), 'column')} but no rows: at least one is needed")
        return code_polars(name, series, settings)

    kept = settings.kept(names)
    check_count(kept, str(path))
    return SourceTable(str(path), tuple(kept), tuple(column(name) for name in kept), every=tuple(names))


def check_column_file(path: Path) -> str:
    """Whether the file is "Parquet" or "Arrow"; one that is neither, or is damaged at first sight, is refused."""
    kind = _check_head(path)
    if kind == "Arrow":
        try_arrow(path)
    return kind


def check_column_files(paths: Iterable[Path]) -> None:
    """Check many files; all Arrow files together in one helper process, and `check_column_file` does not repeat it."""
    try_arrow(*(path for path in paths if _check_head(path) == "Arrow"))


def _check_head(path: Path) -> str:
    check_file(path)
    kind = "Parquet" if path.suffix.lower() in PARQUET_ENDINGS else "Arrow"
    with path.open("rb") as stream:
        head = stream.read(8)
    if not head.startswith(_MAGIC[kind]):
        fix = "save it again, or rename it to what it is"
        raise FormatError(f"not an {kind} file although its name says so: {fix}".replace("an P", "a P"), path)
    return kind


def _parquet_schema(path: Path) -> pl.Schema:
    import polars as pl

    return pl.scan_parquet(path, glob=False, hive_partitioning=False).collect_schema()


def _parquet_column(path: Path, name: str) -> pl.Series:
    import polars as pl

    return pl.read_parquet(path, columns=[name], glob=False, hive_partitioning=False).to_series()


def _arrow_column(path: Path, name: str) -> pl.Series:
    import polars as pl

    return pl.read_ipc(glob.escape(str(path)), columns=[name]).to_series()


def read_or_raise(path: Path, read: Callable[[], T]) -> T:
    """What `read` returns; what polars raises for a damaged file becomes a FormatError."""
    import polars as pl

    try:
        return read()
    except DataError:
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as mistake:
        said = (str(mistake).splitlines() or [type(mistake).__name__])[0]
        raise FormatError(f"the file is damaged or cut off ({said}): copy or save it again", path) from None
