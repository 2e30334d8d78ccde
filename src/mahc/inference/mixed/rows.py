"""Rows of any source as the inner values of a mixed network: normal scores of numbers and codes of states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.columns import Discrete
from mahc.data.prepare.types import parse_number, with_point
from mahc.data.prepare.weights import RowWeights
from mahc.data.source_table import Column, LabelColumn, NumberColumn, RefusedColumn
from mahc.errors import DataError, SettingError
from mahc.inference.mixed.variables import NumberVariable, StateVariable, Variable
from mahc.inference.prediction import RowColumns
from mahc.inference.row_posteriors import MISSING
from mahc.opening import open_tables
from mahc.plurals import count

Inner = NDArray[Any]


@dataclass(frozen=True)
class Coding:
    """The variables with states, as those who match values to states need them."""

    variables: tuple[StateVariable, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.name for each in self.variables)

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], ...]:
        """Their states."""
        return tuple(each.states for each in self.variables)

    @cached_property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Their states as they are printed."""
        return tuple(each.labels for each in self.variables)


class MixedRows:
    """The variables of a mixed network in some rows: NaN and `MISSING` where a value is not known."""

    def __init__(self, variables: Sequence[Variable], source: Any, settings: ReadSettings, target: str | None) -> None:
        self._settings = settings
        self._variables = variables
        self._numbers = {each.name: each for each in variables if isinstance(each, NumberVariable)}
        self._states = RowColumns(
            Coding(tuple(each for each in variables if isinstance(each, StateVariable))), settings, target
        )
        self._target = target
        self._found: dict[str, list[tuple[int, NDArray[np.float64]]]] = {}
        if isinstance(source, Dataset):
            self._add(source.names, [column.as_source() for column in source.columns], source.rows)
            if source.weights is not None:
                self._states.add_weights(RowWeights(source.weights, source.unit))
        else:
            for table in open_tables(source, settings):
                self._add(table.names, table.columns, table.rows)
        if not self._states.names & {each.name for each in variables}:
            shown = ", ".join(each.name for each in variables[:6])
            raise DataError(f"the data have none of the network's variables: {shown}")

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._states.rows

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """The weights of the rows, if they have any."""
        return self._states.weights

    @property
    def states(self) -> RowColumns:
        """The variables with states."""
        return self._states

    def inner(self) -> dict[int, Inner]:
        """The inner values of each variable that has a column."""
        found: dict[int, Inner] = {}
        coded = 0
        for place, variable in enumerate(self._variables):
            if isinstance(variable, NumberVariable):
                if variable.name in self._found:
                    whole = np.full(self.rows, np.nan)
                    for first, numbers in self._found[variable.name]:
                        whole[first : first + len(numbers)] = numbers
                    found[place] = variable.to_inner(whole)
                continue
            if coded in self._states.nodes:
                found[place] = self._states.codes(coded).astype(np.int64)
            coded += 1
        return found

    def complete(self) -> tuple[list[Inner], NDArray[np.int64] | None]:
        """All variables in the rows, and the weights; rows with missing values are refused, unless they are dropped."""
        found = self.inner()
        for place, variable in enumerate(self._variables):
            if place not in found:
                raise DataError(f"the data lack a variable of the network: there is no column '{variable.name}'")
        lacking = {place: is_missing(values) for place, values in found.items()}
        whole = ~np.logical_or.reduce(list(lacking.values()))
        if whole.all():
            return [found[place] for place in range(len(found))], self.weights
        if self._settings.missing != "drop":
            place = next(place for place in range(len(found)) if lacking[place].any())
            raise DataError(
                f"variable '{self._variables[place].name}' is missing in {count(int(lacking[place].sum()), 'row')}, "
                "and such rows have no score: fill the values in, or leave the rows out"
            )
        if not whole.any():
            raise DataError("every row has a missing value, and such rows have no score: fill the values in")
        weights = self.weights
        kept = [found[place][whole] for place in range(len(found))]
        return kept, None if weights is None else weights[whole]

    def _add(self, names: Sequence[str], columns: Sequence[Column], rows: int) -> None:
        for name, column in zip(names, columns, strict=True):
            if name in self._numbers and name != self._target:
                self._found.setdefault(name, []).append((self._states.rows, read_numbers(column, name, self._settings)))
        self._states.add(names, columns, rows)


def is_missing(values: Inner) -> NDArray[np.bool_]:
    """Which inner values are not known."""
    found: NDArray[np.bool_] = np.isnan(values) if values.dtype.kind == "f" else values == MISSING
    return found


@singledispatch
def read_numbers(column: Any, name: str, settings: ReadSettings) -> NDArray[np.float64]:
    """The numbers of a column; NaN where one is missing."""
    raise TypeError(type(column).__name__)


@read_numbers.register
def _(column: NumberColumn, name: str, settings: ReadSettings) -> NDArray[np.float64]:
    found = np.where(settings.missing_numbers(column.numbers, name), np.nan, column.numbers)
    if np.isinf(found).any():
        raise DataError(f"variable '{name}' has an infinite number: replace it by a finite one, or leave it empty")
    return found


@read_numbers.register
def _(column: RefusedColumn, name: str, settings: ReadSettings) -> NDArray[np.float64]:
    raise DataError(column.problem.as_message())


@read_numbers.register
def _(column: LabelColumn, name: str, settings: ReadSettings) -> NDArray[np.float64]:
    found: NDArray[np.float64] = _table(name, column.values, settings)[column.codes]
    return found


@read_numbers.register
def _(column: Discrete, name: str, settings: ReadSettings) -> NDArray[np.float64]:
    return _table(name, (*column.states, None), settings)[column.codes]


def _table(name: str, values: Iterable[object], settings: ReadSettings) -> NDArray[np.float64]:
    return np.array([_number(name, value, settings) for value in values], np.float64)


def _number(name: str, value: object, settings: ReadSettings) -> float:
    if value is None or settings.is_missing(value, name) or value != value:
        return float("nan")
    number = take_number(value, settings)
    if number is None:
        raise DataError(
            f"variable '{name}' has the value '{value}', which is no finite number, and the model has numbers for it: "
            "correct it, or leave it empty to treat it as missing"
        )
    return number


def take_number(value: object, settings: ReadSettings) -> float | None:
    """The finite number that a value is, also as text; None where it is none."""
    if isinstance(value, np.generic):
        value = value.item()
    number = parse_number(with_point(value) if settings.decimal == "," else value)
    return None if number is None or not np.isfinite(float(number)) else float(number)


def find_number(variable: NumberVariable, value: object, settings: ReadSettings, setting: str) -> float:
    """The normal score of an observed number."""
    number = None if settings.is_missing(value, variable.name) else take_number(value, settings)
    if number is None:
        raise SettingError(f"'{variable.name}' holds numbers, and {setting} has {value!r} for it: give a finite number")
    return float(variable.to_inner(np.array([number]))[0])
