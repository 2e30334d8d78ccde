"""One column of a piece: its distinct values, and which of them each row has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.sources.arrays import number_integers
from mahc.data.sources.frames import code_texts

if TYPE_CHECKING:
    import polars as pl

FIRST_LOOK = 1 << 10  # most columns show all their values in the first rows


@dataclass(frozen=True)
class PieceColumn:
    """Row i has `values[codes[i]]`; the values are distinct, and all of them occur or belong to declared categories.

    >>> import polars as pl
    >>> column = number_values(pl.Series("a", [2, 9, 2, None]))
    >>> column.values.to_list(), column.codes.tolist()
    ([2, 9, None], [0, 1, 0, 2])
    """

    values: pl.Series
    codes: NDArray[np.integer]
    spelt: bool = False  # fields of a text file or names of folders: text may spell a number or a Boolean

    def first_rows(self) -> NDArray[np.intp]:
        """The first row of each value; the number of rows for a value that does not occur."""
        rows = len(self.codes)
        found = np.full(len(self.values), rows)
        for look in (FIRST_LOOK, rows):
            codes, first = np.unique(self.codes[:look], return_index=True)
            found[codes] = first
            if (found < rows).all() or look >= rows:
                break
        return found


def number_values(series: pl.Series) -> PieceColumn:
    """The distinct values of a column of any type; values of types that cannot have states are all taken as null."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Categorical:
        series, dtype = series.cast(pl.String), pl.String()
    if isinstance(dtype, pl.Enum):
        categories = pl.Series(dtype.categories, dtype=dtype)
        return _with_null(categories, series.to_physical())
    if dtype == pl.String:
        texts, text_codes = code_texts(series)
        return PieceColumn(pl.Series(texts, dtype=pl.String), text_codes)
    if dtype == pl.Boolean:
        return _with_null(pl.Series([False, True]), series.cast(pl.UInt8))
    if dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64) and (
        len(series) and not series.null_count()
    ):
        values, codes = number_integers(series.to_numpy())
        return PieceColumn(pl.Series(values, dtype=dtype), codes)
    if dtype.is_numeric():
        series = series.fill_nan(None) if dtype.is_float() else series  # both mean missing; NaN has no equal
        values_found = series.unique().sort(nulls_last=True)
        return PieceColumn(values_found, look_up(series, values_found, np.arange(len(values_found))))
    return PieceColumn(pl.Series([None], dtype=dtype), np.zeros(len(series), np.uint8))


def look_up(wanted: pl.Series, values: pl.Series, numbers: NDArray[np.generic]) -> NDArray[np.integer]:
    """For each wanted value the number that belongs to it; 0 for a value that is not known."""
    import polars as pl

    known = pl.DataFrame([values.alias("value"), pl.Series("number", numbers)])
    if wanted.dtype != values.dtype:
        wanted = wanted.cast(values.dtype)
    joined = wanted.to_frame("value").join(known, on="value", how="left", nulls_equal=True, maintain_order="left")
    return joined["number"].fill_null(0).to_numpy()


def _with_null(values: pl.Series, codes: pl.Series) -> PieceColumn:
    import polars as pl

    if not codes.null_count():
        return PieceColumn(values, codes.to_numpy())
    filled = codes.cast(pl.UInt32).fill_null(len(values))
    return PieceColumn(values.extend_constant(None, 1), filled.to_numpy())
