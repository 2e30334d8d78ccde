"""Factors: tables over a few variables, with a leading axis for a batch of cases that are computed at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


def multiply(scope: Sequence[int], factors: Iterable[Factor]) -> Values:
    """The product of factors as a table over `scope`, which holds the variables of all of them in any order.

    An axis that no factor has is of length 1.

    >>> a, b = Factor((0,), np.array([[0.5, 0.5]])), Factor((1,), np.array([[0.1, 0.9]]))
    >>> multiply((1, 0), [a, b]).round(2).tolist()
    [[[0.05, 0.05], [0.45, 0.45]]]
    """
    product: Values = np.ones((1,) * (len(scope) + 1))
    for factor in factors:
        product = product * _spread(factor, scope)
    return product


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


def scale(values: Values) -> tuple[Values, Values]:
    """The table divided by its largest number in each case of the batch, and the binary logarithms of these.

    A case that is 0 everywhere stays 0, with the logarithm minus infinity.
    """
    flat = values.reshape(values.shape[0], -1)
    largest: Values = flat.max(axis=1)
    with np.errstate(divide="ignore"):
        logs: Values = np.log2(largest)
    divisor = np.where(largest > 0, largest, 1.0)
    return values / divisor.reshape(-1, *(1,) * (values.ndim - 1)), logs
