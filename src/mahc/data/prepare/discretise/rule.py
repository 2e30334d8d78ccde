"""The protocol of a discretisation rule, and the registry of rules."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.registry import Registry

Reals = NDArray[np.float64]


class Rule(Protocol):
    """A way to choose cut points from finite numbers and their weights."""

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """Strictly increasing cut points; a number belongs to the first that it does not exceed."""
        ...


class BinRule(Rule, Protocol):
    """A rule whose one setting is the number of intervals."""

    def __init__(self, bins: int) -> None: ...


RULES: Registry[type[BinRule]] = Registry("discretisation", package="mahc.data.prepare.discretise")
