"""Factors: tables over a few variables, with a leading axis for a batch of cases that are computed at once.

Their numbers are probabilities or, where products of these would underflow, logarithms: two kinds of `Arithmetic`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Factor:
    """A table over the variables in `scope`.

    Axis 0 of `values` is the batch, of length 1 where all cases share the table; axis 1 + k is variable `scope[k]`.
    """

    scope: tuple[int, ...]
    values: Values


def _spread(factor: Factor, scope: Sequence[int]) -> Values:
    """The table with the axes of another scope; those that it lacks have length 1."""
    axes = sorted(range(len(factor.scope)), key=lambda axis: scope.index(factor.scope[axis]))
    ordered = factor.values.transpose(0, *(axis + 1 for axis in axes))
    lengths = iter(ordered.shape[1:])
    own = set(factor.scope)
    return ordered.reshape(ordered.shape[0], *(next(lengths) if v in own else 1 for v in scope))


def sum_out(values: Values, scope: Sequence[int], kept: Sequence[int]) -> Values:
    """The sum over every variable of `scope` that is not in `kept`; the others in the order of `kept`.

    >>> sum_out(np.array([[[0.1, 0.2], [0.3, 0.4]]]), (0, 1), (1,)).round(1).tolist()
    [[0.4, 0.6]]
    """
    dropped = tuple(1 + axis for axis, v in enumerate(scope) if v not in kept)
    summed: Values = values.sum(axis=dropped) if dropped else values
    left = [v for v in scope if v in kept]
    return summed.transpose(0, *(1 + left.index(v) for v in kept))


class Arithmetic(ABC):
    """How factors are multiplied, summed and scaled."""

    unit: ClassVar[float]
    product: ClassVar[np.ufunc]

    def multiply(self, scope: Sequence[int], factors: Iterable[Factor]) -> Values:
        """The product of factors as a table over `scope`, which holds the variables of all of them in any order.

        An axis that no factor has is of length 1.

        >>> a, b = Factor((0,), np.array([[0.5, 0.5]])), Factor((1,), np.array([[0.1, 0.9]]))
        >>> Plain().multiply((1, 0), [a, b]).round(2).tolist()
        [[[0.05, 0.05], [0.45, 0.45]]]
        """
        found: Values = np.full((1,) * (len(scope) + 1), self.unit)
        for factor in factors:
            found = self.product(found, _spread(factor, scope))
        return found

    @abstractmethod
    def take(self, factor: Factor) -> Factor:
        """A factor of probabilities in these numbers."""

    @abstractmethod
    def give(self, values: Values) -> Values:
        """These numbers as probabilities."""

    @abstractmethod
    def sum_first(self, values: Values) -> Values:
        """The sum over the first variable."""

    @abstractmethod
    def scale(self, values: Values) -> tuple[Values, Values]:
        """The table divided by its largest number in each case of the batch, and the binary logarithms of these.

        A case that is 0 everywhere stays 0, with the logarithm minus infinity.
        """

    @abstractmethod
    def separate(self, table: Values, message: Values) -> tuple[Values, Values]:
        """A table and its sum over the first variable as probabilities; both may be divided by the same numbers."""


class Plain(Arithmetic):
    """Probabilities as they are. NumPy tells of a product that underflows: `np.errstate(under="raise")`."""

    unit = 1.0
    product = np.multiply

    def take(self, factor: Factor) -> Factor:
        """The factor itself."""
        return factor

    def give(self, values: Values) -> Values:
        """The numbers themselves."""
        return values

    def sum_first(self, values: Values) -> Values:
        """The sum."""
        summed: Values = values.sum(axis=1)
        return summed

    def scale(self, values: Values) -> tuple[Values, Values]:
        """The quotients."""
        largest: Values = values.reshape(values.shape[0], -1).max(axis=1)
        with np.errstate(divide="ignore"):
            logs: Values = np.log2(largest)
        divisor = np.where(largest > 0, largest, 1.0)
        return values / _over_batch(divisor, values), logs

    def separate(self, table: Values, message: Values) -> tuple[Values, Values]:
        """Both as they are."""
        return table, message


class Logarithms(Arithmetic):
    """Binary logarithms: slower, and no product underflows.

    >>> tiny = Factor((0,), np.array([[1e-200, 2e-200]]))
    >>> logs = Logarithms()
    >>> table, scale = logs.scale(logs.multiply((0,), [logs.take(tiny)] * 3))
    >>> logs.give(table).round(3).tolist(), scale.round().tolist()
    ([[0.125, 1.0]], [-1990.0])
    """

    unit = 0.0
    product = np.add

    def take(self, factor: Factor) -> Factor:
        """The logarithms."""
        with np.errstate(divide="ignore"):
            return Factor(factor.scope, np.log2(factor.values))

    def give(self, values: Values) -> Values:
        """The powers of two."""
        powers: Values = np.exp2(values)
        return powers

    def sum_first(self, values: Values) -> Values:
        """The logarithm of the sum, which is taken relative to its largest term."""
        base = _finite(values.max(axis=1, keepdims=True))
        with np.errstate(divide="ignore"):
            summed: Values = np.log2(np.exp2(values - base).sum(axis=1)) + base[:, 0]
        return summed

    def scale(self, values: Values) -> tuple[Values, Values]:
        """The differences."""
        largest: Values = values.reshape(values.shape[0], -1).max(axis=1)
        return values - _over_batch(_finite(largest), values), largest

    def separate(self, table: Values, message: Values) -> tuple[Values, Values]:
        """The distribution of the first variable given the others, and where there is one."""
        return np.exp2(table - _finite(message)[:, np.newaxis]), np.exp2(message - _finite(message))


def _over_batch(numbers: Values, values: Values) -> Values:
    """One number per case, shaped so that it applies to all numbers of the case."""
    return numbers.reshape(-1, *(1,) * (values.ndim - 1))


def _finite(logs: Values) -> Values:
    """Logarithms that can be subtracted from themselves."""
    return np.where(np.isneginf(logs), 0.0, logs)
