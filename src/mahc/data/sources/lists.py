"""Columns from a dict of lists, or from a list of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data.names import check_names, text_names
from mahc.data.prepare.notes import enumerate_some, shorten
from mahc.data.prepare.types import unsupported_type, unsupported_type_problem
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, RefusedColumn, SourceTable
from mahc.errors import DataError
from mahc.plurals import count

# Missing values of libraries that are not imported here.
_NULL_TYPES = frozenset(["NAType", "NaTType"])


def table_from_dict(source: Mapping[Any, Any], settings: ReadSettings) -> SourceTable:
    """A table from a mapping of names to lists, tuples, one-dimensional arrays or series."""
    names = text_names(list(source), "the dict")
    check_names(names, "the dict")
    values = dict(zip(names, source.values(), strict=True))
    lengths = {name: _length(name, column) for name, column in values.items()}
    if len(set(lengths.values())) > 1:
        shown = enumerate_some([f"{shorten(name)} ({length})" for name, length in lengths.items()])
        raise DataError(f"the dict: the columns differ in length: {shown}: give every column one value per row")
    if not next(iter(lengths.values())):
        raise DataError(f"the dict: {count(len(names), 'column')} but no rows: at least one is needed")
    kept = settings.kept(names)
    columns = tuple(_code_any(name, values[name], settings) for name in kept)
    return SourceTable("the dict", tuple(kept), columns, every=tuple(names))


def table_from_records(rows: Sequence[Any], settings: ReadSettings) -> SourceTable:
    """A table from one mapping for each row; a key that a row lacks is a missing value there.

    >>> table = table_from_records([{"a": "x", "b": 1}, {"a": "y"}], ReadSettings())
    >>> table.names
    ('a', 'b')
    """
    odd = next((place for place, row in enumerate(rows, 1) if not isinstance(row, Mapping)), None)
    if odd is not None:
        kind = type(rows[odd - 1]).__name__
        raise DataError(f"the list of rows: row {odd:,} is of type {kind}: give every row as a dict")
    keys = dict.fromkeys(key for row in rows for key in row)
    if not keys:
        raise DataError("the list of rows: the rows are empty dicts: give every row as a dict of names and values")
    return table_from_dict({key: [row.get(key) for row in rows] for key in keys}, settings)


def code_list(name: str, values: Sequence[object]) -> Column:
    """One column from Python values; 1, 1.0 and True are kept apart until they are interpreted."""
    places: dict[tuple[type, object], int] = {}
    distinct: list[object] = []
    codes: list[int] = []
    for value in values:
        try:
            place = places.get((type(value), value))
        except TypeError:  # not hashable: an unsupported type, or a missing value of another library
            place = None
        if place is None:
            plain = _plain(value)
            found = unsupported_type(plain)
            if found is not None:
                return RefusedColumn(found, unsupported_type_problem(name, found), len(values))
            place = places.setdefault((type(plain), plain), len(distinct))
            if place == len(distinct):
                distinct.append(plain)
        codes.append(place)
    return LabelColumn(distinct, np.array(codes, dtype=np.uint32))


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if type(value).__name__ in _NULL_TYPES or (isinstance(value, float) and value != value):
        return None
    return None if isinstance(value, Decimal) and value.is_nan() else value


def _length(name: str, column: Any) -> int:
    shape = getattr(column, "shape", None)
    if isinstance(column, list | tuple) or (shape is not None and len(shape) == 1):
        return len(column)
    raise DataError(f"the dict: {shorten(name)} is of type {type(column).__name__}: give a list, one value per row")


def _code_any(name: str, column: Any, settings: ReadSettings) -> Column:
    from mahc.data.sources.arrays import code_array
    from mahc.data.sources.frames import code_series, is_series

    if isinstance(column, np.ndarray):
        return code_array(name, column, settings)
    if is_series(column):
        return code_series(name, column, settings)
    array = _array_of(column)
    return code_list(name, list(column)) if array is None else code_array(name, array, settings)


def _array_of(values: Sequence[object]) -> NDArray[Any] | None:
    """The numbers of a list of floats, with None as not-a-number, or of whole numbers; None for any other list."""
    types = set(map(type, values)) - {type(None)}
    if types == {float}:
        return np.array(values, dtype=np.float64)
    if types == {int} and None not in values:
        array = np.array(values)
        return array if array.dtype.kind == "i" else None  # other kinds hold numbers beyond 64 bits
    return None
