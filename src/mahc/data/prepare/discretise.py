"""Real numbers to a few states: cut points of equal width, at quantiles, or given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.errors import InvalidSettingError
from mahc.registry import Registry

Reals = NDArray[np.float64]


class Rule(Protocol):
    """A way to choose cut points from finite numbers and how often each counts."""

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """Strictly increasing cut points; a number belongs to the first one that it does not exceed."""
        ...


class BinRule(Rule, Protocol):
    """A rule whose one setting is the number of intervals."""

    def __init__(self, bins: int) -> None: ...


RULES: Registry[type[BinRule]] = Registry("discretisation")


@RULES.register("equal-width")
@dataclass(frozen=True)
class EqualWidth:
    """Intervals of one width between the smallest and the largest number.

    >>> EqualWidth(2).cut_points(np.array([0.0, 1.0, 4.0]), np.array([1, 1, 1]))
    array([2.])
    """

    bins: int

    def __str__(self) -> str:
        return f"equal-width:{self.bins}"

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """Cut points at equal distances."""
        shares = np.arange(1, self.bins) / self.bins
        low, high = float(numbers.min()), float(numbers.max())
        cuts = np.unique(low * (1 - shares) + high * shares)
        return cuts[(cuts >= low) & (cuts < high)]


@RULES.register("quantile")
@dataclass(frozen=True)
class Quantile:
    """Intervals that hold about equally many rows; each cut is a number that occurs, so ties stay together.

    >>> Quantile(2).cut_points(np.array([1.0, 2.0, 9.0]), np.array([3, 1, 1]))
    array([1.])
    """

    bins: int

    def __str__(self) -> str:
        return f"quantile:{self.bins}"

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """The smallest numbers that 1/bins, 2/bins, ... of the total weight do not exceed."""
        order = np.argsort(numbers, kind="stable")
        reached = np.cumsum(weights[order]) * self.bins
        total = int(weights.sum())
        places = np.searchsorted(reached, total * np.arange(1, self.bins, dtype=np.int64))
        chosen: Reals = numbers[order[places]]
        return np.unique(chosen[chosen < numbers.max()])


@dataclass(frozen=True)
class GivenCuts:
    """Cut points that the user names.

    >>> GivenCuts((18.0, 65.0)).cut_points(np.array([70.0]), np.array([1]))
    array([18., 65.])
    """

    cuts: tuple[float, ...]

    def __str__(self) -> str:
        return "cut points given"

    def cut_points(self, numbers: Reals, weights: NDArray[np.int64]) -> Reals:
        """The given cut points, whatever the numbers are."""
        return np.array(self.cuts)


def parse_rule(rule: str | Sequence[float]) -> Rule:
    """A rule from `equal-width:5`, `quantile:4`, `18,65` or a sequence of cut points.

    >>> parse_rule("quantile:4"), parse_rule([18, 65])
    (Quantile(bins=4), GivenCuts(cuts=(18.0, 65.0)))
    """
    if not isinstance(rule, str):
        return _given(rule)
    name, colon, bins = rule.partition(":")
    if not colon:
        try:
            return _given([float(part) for part in rule.split(",")])
        except ValueError:
            raise InvalidSettingError("discretise", rule, _forms()) from None
    factory = RULES[name]
    if not bins.isascii() or not bins.isdigit() or not 2 <= int(bins[:9]) <= 1000:
        raise InvalidSettingError("discretise", rule, "give a whole number of intervals from 2 to 1000")
    return factory(int(bins))


def interval_labels(cuts: Reals) -> list[str]:
    """The names of the intervals, with as few digits as tell the cut points apart.

    >>> interval_labels(np.array([18.0, 65.0]))
    ['<= 18', '(18, 65]', '> 65']
    """
    if not len(cuts):
        return ["any"]
    spellings = ([_spell(cut, digits) for cut in cuts.tolist()] for digits in (6, 9, 12, 17))
    shown = next(texts for texts in spellings if len(set(texts)) == len(cuts))
    inner = [f"({low}, {high}]" for low, high in pairwise(shown)]
    return [f"<= {shown[0]}", *inner, f"> {shown[-1]}"]


def _spell(cut: float, digits: int) -> str:
    """The number with so many digits, more where it has them before the point.

    >>> _spell(0.1 + 0.2, 6), _spell(1250000.0, 6)
    ('0.3', '1250000')
    """
    before_point = len(str(int(abs(cut)))) if abs(cut) < 1e15 else 0
    return f"{cut:.{max(digits, before_point)}g}"


def _given(cuts: Sequence[float]) -> GivenCuts:
    try:
        points = tuple(float(cut) for cut in cuts)
    except (TypeError, ValueError):
        raise InvalidSettingError("discretise", cuts, _forms()) from None
    rising = all(low < high for low, high in pairwise(points))
    if not points or not rising or not np.isfinite(points).all():
        raise InvalidSettingError("discretise", list(points), "give finite cut points in rising order")
    return GivenCuts(points)


def _forms() -> str:
    names = ", ".join(f"{name}:5" for name in RULES.names())
    return f"give {names} or cut points such as 18,65"
