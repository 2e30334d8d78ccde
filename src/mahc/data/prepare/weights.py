"""Weights: how often each row counts, in whole rows or, where one has a fraction, in thousandths of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import LARGEST_SIZE
from mahc.data.prepare.notes import Note, Problem, shorten
from mahc.data.prepare.types import label, parse_number
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, NumberColumn, RefusedColumn
from mahc.plurals import count

FINE = 1000  # units of a row, where weights have fractions
_FIX = "give every row a number, 0 or more"


@dataclass(frozen=True)
class RowWeights:
    """Weights as whole numbers, of which `unit` are a row: sums are exact, in whatever order they are added."""

    values: NDArray[np.int64]
    unit: int = 1

    def in_units(self, unit: int) -> NDArray[np.int64]:
        """The weights in units that are as fine or finer."""
        return self.values * (unit // self.unit)


def sum_squares(weights: NDArray[np.int64]) -> int:
    """The exact sum of the squares, which may need more than 64 bits.

    >>> sum_squares(np.array([3, 2**40]))
    1208925819614629174706185
    """
    values, counts = np.unique(weights, return_counts=True)
    return sum(one * one * times for one, times in zip(values.tolist(), counts.tolist(), strict=True))


def fractions_note(total: int, squares: int, unit: int) -> Note:
    """The note on weights with fractions: what they sum to, and how many equal weights would tell as much (Kish 1965).

    >>> fractions_note(3000, 5_000_000, 1000).message
    'weights in thousandths of a row: they sum to 3 rows and are worth 1.8 (effective sample size)'
    """
    size, effective = total / unit, total * total / squares
    message = (
        f"weights in thousandths of a row: they sum to {size:,.6g} rows and are worth {effective:,.4g} (effective "
        "sample size)"
    )
    return Note(None, "fractional-weights", message, (size, effective))


def weights_from_column(name: str, column: Column, settings: ReadSettings) -> RowWeights | Problem:
    """The weights in a column, or a problem that names the first invalid one."""
    if isinstance(column, RefusedColumn):
        return Problem(name, "weights", f"is not a column of weights, its values are {column.kind}", _FIX)
    if isinstance(column, NumberColumn):
        return _checked(name, column.numbers, column.numbers)
    numbers = [None if settings.is_missing(value, name) else parse_number(value) for value in column.values]
    table = np.array([np.nan if number is None else float(number) for number in numbers])
    return _checked(name, table[column.codes], column)


def weights_from_sequence(weights: Sequence[float] | NDArray[np.generic], rows: int) -> RowWeights | Problem:
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
) -> RowWeights | Problem:
    with np.errstate(invalid="ignore"):
        bad = ~((numbers >= 0) & (numbers <= LARGEST_SIZE))
    if bad.any():
        row = int(bad.argmax())
        value = shown.values[shown.codes[row]] if isinstance(shown, LabelColumn) else shown[row]
        missing = value is None or value == "" or value != value
        text = "missing" if missing else f"{shorten(label(value))}, not a number from 0 to 2^53 - 1"
        subject = "is not a column of weights," if name else "the weights:"
        return Problem(name, "weights", f"{subject} row {row + 1:,} is {text}", _FIX)
    unit = 1 if (numbers == np.floor(numbers)).all() else FINE
    units = np.rint(numbers * unit)
    lost = (units == 0) & (numbers > 0)
    if lost.any():
        row = int(lost.argmax())
        message = f"row {row + 1:,} is {numbers[row]:g}, which rounds to 0 thousandths of a row"
        subject = "has a weight too small to count:" if name else "the weights:"
        return Problem(name, "weights", f"{subject} {message}", "multiply all weights, so that they are about 1")
    total, most = float(units.sum()), "2^53 - 1" if unit == 1 else f"2^53 / {unit:,}"
    if not 0 < total <= LARGEST_SIZE:
        subject = "is" if name else "the weights are"
        amount = "zero in every row" if total == 0 else f"{total / unit:.6g} in total, above the maximum of {most}"
        return Problem(name, "weights", f"{subject} {amount}", _FIX)
    return RowWeights(units.astype(np.int64), unit)
