"""Columns from pandas, polars and Arrow tables, and which objects are tables; their packages are not imported here."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mahc.data._texts import number_texts
from mahc.data.names import check_names, text_names
from mahc.data.prepare.types import unsupported_type_problem
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, RefusedColumn, SourceTable
from mahc.data.sources.arrays import code_integers, code_reals
from mahc.data.sources.lists import code_list
from mahc.errors import DataError
from mahc.files import find_address
from mahc.plurals import count

if TYPE_CHECKING:
    import polars as pl

Mask = NDArray[np.bool_]
DELTA, ICEBERG = "delta", "iceberg"
_TABLES = {("deltalake", "DeltaTable"), ("pyiceberg", "Table"), ("pyiceberg", "StaticTable")}


def is_frame(source: object) -> bool:
    """Whether the source is a table of a supported library."""
    import narwhals.stable.v1 as nw

    known = nw.dependencies
    if is_series(source):
        return False
    return (
        known.is_pandas_dataframe(source)
        or known.is_polars_dataframe(source)
        or known.is_polars_lazyframe(source)
        or known.is_pyarrow_table(source)
        or hasattr(source, "__arrow_c_stream__")
    )


def is_series(source: object) -> bool:
    """Whether the source is one column of a supported library."""
    import narwhals.stable.v1 as nw

    known = nw.dependencies
    return known.is_pandas_series(source) or known.is_polars_series(source)


def is_table(source: object) -> bool:
    """Whether the source is a Delta or Iceberg table, by its folder, or an object of deltalake, pyiceberg or pyarrow.

    Addresses are looked up in their store.

    >>> is_table("sales.parquet")
    False
    """
    return is_table_object(source) or table_kind(source) is not None


def is_table_object(source: object) -> bool:
    """Whether the source is a table or dataset that the caller opened with deltalake, pyiceberg or pyarrow."""
    kind = type(source)
    if kind.__module__.startswith("pyarrow._dataset"):
        return kind.__name__.endswith("Dataset")
    return (package_of(source), kind.__name__) in _TABLES


def table_kind(source: object) -> str | None:
    """The kind of table that a folder or prefix is: "delta", "iceberg" or None."""
    address = find_address(source)
    if address is not None:
        from mahc.data.sources.stores import table_sign

        return table_sign(address)
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        return None
    folder = Path(source)
    if (folder / "_delta_log").is_dir():
        return DELTA
    return ICEBERG if any(folder.glob("metadata/*.metadata.json")) else None


def package_of(source: object) -> str:
    """The name of the package that the type of an object is from."""
    return type(source).__module__.partition(".")[0]


def table_from_frame(source: Any, settings: ReadSettings) -> SourceTable:
    """A table from a frame; a pandas index is not a column."""
    import narwhals.stable.v1 as nw

    if nw.dependencies.is_pandas_dataframe(source):
        names = text_names(list(source.columns), "the frame")
        columns = {name: source.iloc[:, place] for place, name in enumerate(names)}
        rows = len(source)
    else:
        frame = _polars_frame(source)
        names, rows = frame.columns, frame.height
        columns = {name: frame[name] for name in names}
    check_names(names, "the frame")
    if not rows:
        raise DataError(f"the frame: {count(len(names), 'column')} but no rows: at least one is needed")
    kept = settings.kept(names)
    coded = tuple(code_series(name, columns[name], settings) for name in kept)
    return SourceTable("the frame", tuple(kept), coded, every=tuple(names))


def code_series(name: str, series: Any, settings: ReadSettings) -> Column:
    """One column from a pandas or polars series."""
    import narwhals.stable.v1 as nw

    if nw.dependencies.is_pandas_series(series):
        return _code_pandas(name, series, settings)
    return code_polars(name, series, settings)


def _polars_frame(source: Any) -> pl.DataFrame:
    import narwhals.stable.v1 as nw
    import polars as pl

    if nw.dependencies.is_polars_lazyframe(source):
        collected: pl.DataFrame = source.collect()
        return collected
    if nw.dependencies.is_pyarrow_table(source):
        names = source.column_names
        check_names(names, "the table")
    return source if isinstance(source, pl.DataFrame) else pl.DataFrame(source)


def code_polars(name: str, series: pl.Series, settings: ReadSettings) -> Column:
    """One column from a polars series, by its type."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Null:
        return LabelColumn([None], np.zeros(len(series), dtype=np.uint8))
    if isinstance(dtype, pl.Enum):
        return replace(_with_missing(dtype.categories.to_list(), series.to_physical(), declared=True), ordered=True)
    if dtype == pl.Categorical:
        series, dtype = series.cast(pl.String), pl.String()
    if dtype == pl.String:
        return LabelColumn(*code_texts(series))
    if dtype == pl.Boolean:
        return _with_missing([False, True], series.cast(pl.UInt8))
    if dtype.is_float() or dtype.is_decimal():
        return code_reals(name, series.cast(pl.Float64).fill_null(float("nan")).to_numpy(), settings)
    if dtype.is_integer():
        missing = series.is_null().to_numpy() if series.null_count() else None
        return _code_wide_integers(name, series.fill_null(0).to_numpy(), missing, settings)
    found = "date or time" if dtype.is_temporal() else f"nested or unknown ({dtype})"
    return RefusedColumn(found, unsupported_type_problem(name, found), len(series))


def code_texts(series: pl.Series) -> tuple[list[str | None], NDArray[np.unsignedinteger]]:
    """The distinct texts of a column, sorted, and the code of each row; None is the last where values are missing.

    >>> import polars as pl
    >>> texts, codes = code_texts(pl.Series(["yes", None, "no", "yes"]))
    >>> texts, codes.tolist()
    (['no', 'yes', None], [1, 2, 0, 1])
    """
    texts, codes = number_texts(series.__arrow_c_stream__())
    order = sorted(range(len(texts)), key=lambda code: (texts[code] is None, texts[code] or ""))
    rank = np.empty(len(texts), codes.dtype)
    rank[order] = np.arange(len(texts))
    return [texts[code] for code in order], rank[codes]


def _code_wide_integers(name: str, array: NDArray[Any], missing: Mask | None, settings: ReadSettings) -> Column:
    if array.dtype.kind in "ui":
        return code_integers(name, array, missing, settings)
    values = array.astype(object)  # wider than numpy's integers
    if missing is not None:
        values[missing] = None
    return code_list(name, values.tolist())


def _with_missing(values: list[Any], codes: pl.Series, declared: bool = False) -> LabelColumn:
    if not codes.null_count():
        return LabelColumn(values, codes.to_numpy(), declared)
    import polars as pl

    filled = codes.cast(pl.UInt32).fill_null(len(values))
    return LabelColumn([*values, None], filled.to_numpy(), declared)


def _code_pandas(name: str, series: Any, settings: ReadSettings) -> Column:
    import narwhals.stable.v1 as nw

    dtype = nw.from_native(series, series_only=True).dtype
    if dtype.is_temporal():
        return RefusedColumn("date or time", unsupported_type_problem(name, "date or time"), len(series))
    if dtype.is_nested():
        found = f"nested or unknown ({dtype})"
        return RefusedColumn(found, unsupported_type_problem(name, found), len(series))
    if dtype in (nw.Categorical, nw.Enum):
        values = [*series.cat.categories.tolist(), None]
        codes = np.where(series.cat.codes < 0, len(values) - 1, series.cat.codes)
        return LabelColumn(values, codes, declared=True, ordered=bool(series.cat.ordered))
    if dtype.is_float():
        return code_reals(name, series.to_numpy(dtype=np.float64, na_value=np.nan), settings)
    if dtype.is_integer():
        missing = series.isna().to_numpy() if series.hasnans else None
        return _code_wide_integers(name, series.fillna(0).to_numpy(), missing, settings)
    if dtype == nw.Boolean and not series.hasnans:
        return LabelColumn([False, True], series.to_numpy(dtype=np.uint8))
    if dtype == nw.String:
        codes, texts = series.factorize()
        return LabelColumn([*texts.tolist(), None], np.where(codes < 0, len(texts), codes))
    return code_list(name, series.tolist())
