"""Columns from numpy arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data.names import check_names, text_names
from mahc.data.prepare.types import LARGEST_WHOLE, unsupported_type_problem
from mahc.data.settings import ReadSettings
from mahc.data.source_table import (
    MAX_STATES,
    Column,
    LabelColumn,
    NumberColumn,
    RefusedColumn,
    SourceTable,
    too_many_states,
)
from mahc.data.sources.lists import code_list
from mahc.errors import DataError
from mahc.plurals import count

Mask = NDArray[np.bool_]


def table_from_array(array: NDArray[Any], settings: ReadSettings) -> SourceTable:
    """A table from a two-dimensional array, one variable per column."""
    if array.dtype.names is not None:
        raise DataError("a structured array is not supported: pass a dict of its fields")
    if array.ndim != 2:
        raise DataError(f"an array of {count(array.ndim, 'dimension')}: pass two, rows by variables")
    if 0 in array.shape:
        raise DataError(f"an array of shape {array.shape} has no data: at least one row and column are needed")
    given = [f"x{j}" for j in range(array.shape[1])] if settings.names is None else settings.names
    names = text_names(given, "the array")
    if len(names) != array.shape[1]:
        raise DataError(
            f"{count(len(names), 'name')} for an array of {count(array.shape[1], 'column')}: give one name per column"
        )
    check_names(names, "the array")
    kept = settings.kept(names)
    places = {name: j for j, name in enumerate(names)}
    columns = tuple(code_array(name, array[:, places[name]], settings) for name in kept)
    return SourceTable("the array", tuple(kept), columns, every=tuple(names))


def code_array(name: str, array: NDArray[Any], settings: ReadSettings) -> Column:
    """One column from a one-dimensional array of any type that can have states."""
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray) or kind in "OT":
        return code_list(name, array.tolist())
    if kind == "b":
        return LabelColumn([False, True], array.astype(np.uint8))
    if kind in "ui":
        return code_integers(name, array, None, settings)
    if kind == "f":
        return code_reals(name, array, settings)
    if kind == "U":
        texts, codes = np.unique(array, return_inverse=True)
        return LabelColumn(texts.tolist(), codes)
    found = "date or time" if kind in "mM" else f"nested or unknown ({array.dtype})"
    return RefusedColumn(found, unsupported_type_problem(name, found), len(array))


def code_reals(name: str, array: NDArray[np.floating], settings: ReadSettings) -> Column:
    """Floating-point numbers; integers if all known values are integral."""
    missing = np.isnan(array)
    known = np.where(missing, 0, array)
    largest = float(np.abs(known).max())
    if not largest < LARGEST_WHOLE or (known != np.floor(known)).any():
        return NumberColumn(array.astype(np.float64))
    if largest < 2.0**62:
        whole = code_integers(name, known.astype(np.int64), missing if missing.any() else None, settings)
        if not isinstance(whole, LabelColumn):
            return whole
        return replace(whole, values=[value if value is None else float(value) for value in whole.values])  # type: ignore[arg-type]
    return code_list(name, array.tolist())


def code_integers(name: str, array: NDArray[np.integer], missing: Mask | None, settings: ReadSettings) -> Column:
    """Integers, with a mask of the missing values."""
    values, codes = number_integers(array)
    if len(values) > MAX_STATES:
        if not settings.may_be_numbers(name):
            return too_many_states(name, "integer", len(values), len(array))
        numbers = array.astype(np.float64)
        return NumberColumn(numbers if missing is None else np.where(missing, np.nan, numbers))
    if missing is None:
        return LabelColumn(values, codes)
    return LabelColumn([*values, None], np.where(missing, len(values), codes))


def number_integers(array: NDArray[np.integer]) -> tuple[list[int], NDArray[np.intp]]:
    """The distinct numbers of an array, sorted, and which of them each element is."""
    low, high = int(array.min()), int(array.max())
    if high - low > max(len(array), 1 << 16):
        values, codes = np.unique(array, return_inverse=True)
        return values.tolist(), codes
    # A small range needs no sorting.
    wide = array if array.dtype == np.uint64 else array.astype(np.int64)
    offsets = (wide - wide.dtype.type(low)).astype(np.intp)
    present = np.flatnonzero(np.bincount(offsets))
    ranks = np.zeros(high - low + 1, dtype=np.intp)
    ranks[present] = np.arange(len(present))
    return [low + int(offset) for offset in present], ranks[offsets]
