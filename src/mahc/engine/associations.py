"""In which direction a variable changes with one of its parents, from the correlations that a score has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIGITS = 4  # of correlations that are kept: the same on every machine


@dataclass(frozen=True)
class Association:
    """How a child changes with a parent, its other parents held fixed.

    `correlation` is the partial correlation of the two columns (of the smooth score: of their normal scores),
    `explained` the share of the child's remaining variance that all functions of the parent explain.
    """

    correlation: float
    explained: float


@dataclass(frozen=True)
class Columns:
    """The correlations of the columns of all variables; those of variable v are first[v] to first[v + 1] - 1.

    `ranked` says of each variable whether its first column increases with its values.

    >>> matrix = np.array([[1.0, 0.6, 0.5], [0.6, 1.0, 0.0], [0.5, 0.0, 1.0]])
    >>> Columns(matrix, [0, 1, 2, 3], [True] * 3).associate(0, [1, 2], 1)
    Association(correlation=0.6928, explained=0.48)
    """

    correlations: NDArray[np.float64]
    first: Sequence[int]
    ranked: Sequence[bool]

    def associate(self, child: int, parents: Sequence[int], parent: int) -> Association | None:
        """The association of a child with one of its parents; None where one of the two has no order."""
        own, other = self._columns(child)[:1], self._columns(parent)
        if not (self.ranked[child] and self.ranked[parent] and own and other):
            return None
        fixed = [column for u in parents if u != parent for column in self._columns(u)]
        left = self._given([*own, *other], fixed)
        if left[0, 0] <= 0 or left[1, 1] <= 0:
            return None
        correlation = left[0, 1] / np.sqrt(left[0, 0] * left[1, 1])
        explained = left[0, 1:] @ np.linalg.pinv(left[1:, 1:], hermitian=True) @ left[1:, 0] / left[0, 0]
        return Association(round(float(correlation), DIGITS), round(float(explained), DIGITS))

    def _columns(self, v: int) -> list[int]:
        return list(range(self.first[v], self.first[v + 1]))

    def _given(self, columns: list[int], fixed: list[int]) -> NDArray[np.float64]:
        """What is left of the correlations of columns where others are held fixed."""
        between = self.correlations[np.ix_(columns, fixed)]
        within = np.linalg.pinv(self.correlations[np.ix_(fixed, fixed)], hermitian=True)
        found: NDArray[np.float64] = self.correlations[np.ix_(columns, columns)] - between @ within @ between.T
        return found
