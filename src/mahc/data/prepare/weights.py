"""Weights: integers that say how often each row counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import LARGEST_SIZE
from mahc.data.prepare.notes import Problem, shorten
from mahc.data.prepare.types import label, parse_number
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, NumberColumn, RefusedColumn
from mahc.plurals import count

_FIX = "weights are counts: give every row a whole number, 0 or more"


def weights_from_column(name: str, column: Column, settings: ReadSettings) -> NDArray[np.int64] | Problem:
    """The weights in a column, or a problem that names the first invalid one."""
    if isinstance(column, RefusedColumn):
        return Problem(name, "weights", f"is not a column of weights, its values are {column.kind}", _FIX)
    if isinstance(column, NumberColumn):
        return _checked(name, column.numbers, column.numbers)
    numbers = [None if settings.is_missing(value, name) else parse_number(value) for value in column.values]
    table = np.array([np.nan if number is None else float(number) for number in numbers])
    return _checked(name, table[column.codes], column)


def weights_from_sequence(weights: Sequence[float] | NDArray[np.generic], rows: int) -> NDArray[np.int64] | Problem:
    """The same for weights given separately, one number per row."""
    try:
        numbers = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        return Problem(None, "weights", "the weights are not numbers", _FIX)
    if numbers.shape != (rows,):
        message = f"the weights have the shape {numbers.shape} and the data {count(rows, 'row')}"
        return Problem(None, "weights", message, "give one weight per row")
    return _checked(None, numbers, numbers)


def _checked(
    name: str | None, numbers: NDArray[np.float64], shown: LabelColumn | NDArray[np.float64]
) -> NDArray[np.int64] | Problem:
    with np.errstate(invalid="ignore"):
        bad = ~((numbers >= 0) & (numbers <= LARGEST_SIZE) & (numbers == np.floor(numbers)))
    if bad.any():
        row = int(bad.argmax())
        value = shown.values[shown.codes[row]] if isinstance(shown, LabelColumn) else shown[row]
        missing = value is None or value == "" or value != value
        text = "missing" if missing else f"{shorten(label(value))}, not a whole number from 0 to 2^53 - 1"
        subject = "is not a column of weights," if name else "the weights:"
        return Problem(name, "weights", f"{subject} row {row + 1:,} is {text}", _FIX)
    total = float(numbers.sum())
    if not 0 < total <= LARGEST_SIZE:
        subject = "is" if name else "the weights are"
        amount = "zero in every row" if total == 0 else f"{total:.6g} in total, above the maximum of 2^53 - 1"
        return Problem(name, "weights", f"{subject} {amount}", _FIX)
    return numbers.astype(np.int64)
