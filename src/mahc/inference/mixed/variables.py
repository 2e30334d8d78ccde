"""The variables of a mixed network: numbers, which are mapped to normal scores, and states, which are coded.

Inside a network a number is its normal score z = T(x), a state its code. T is continuous and increasing, so a density
of z becomes one of x: log f(x) = log g(T(x)) + log T'(x). `columns` gives the columns on which other variables are
regressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Column, Continuous, Discrete, code_type
from mahc.data.prepare.types import label
from mahc.documents import Document, Number
from mahc.errors import DataError

Values = NDArray[np.float64]
Weights = NDArray[np.float64]
UNSEEN = -2  # the code of a value that is none of the states
MOST_INTERVALS = 64
LEAST_ROWS = 20  # of an interval between two edges, as far as equal values allow
TAIL = 0.2  # the shape of the tails: outliers have a density, and the first four moments are finite
FEW_ROWS = 4  # of the outermost intervals
_NORMAL = NormalDist()


class NumberVariable(Document, frozen=True, tag="number"):
    """A number and its map T to normal scores.

    T goes through the points (`edges`, `scores`) and is linear between them. Beyond the last edge e with score s it is
    sqrt(s^2 + 10 log(1 + (x - e) / (5 `upper`))), so that a standard normal score gives the tail of a generalised
    Pareto distribution with shape 0.2 and that scale; below the first edge likewise. Edges lie halfway between
    neighbouring values of the data, so that equal values share an interval and a rounded value has a finite density.
    """

    name: str
    edges: tuple[Number, ...]
    scores: tuple[Number, ...]
    lower: Number
    upper: Number

    states: ClassVar[None] = None

    def __post_init__(self) -> None:
        edges, scores = np.array(self.edges), np.array(self.scores)
        if (
            len(edges) != len(scores)
            or len(edges) < 2
            or not ((np.diff(edges) > 0).all() and (np.diff(scores) > 0).all())
        ):
            raise ValueError(f"the edges of '{self.name}' do not increase")
        if not (self.scores[0] < 0 < self.scores[-1] and self.lower > 0 and self.upper > 0):
            raise ValueError(f"the tails of '{self.name}' have no scale")

    @cached_property
    def _edges(self) -> Values:
        return np.array(self.edges)

    @cached_property
    def _scores(self) -> Values:
        return np.array(self.scores)

    @cached_property
    def _ranks(self) -> Values:
        """From -1 to 1, at each edge."""
        return np.array([2 * _NORMAL.cdf(score) - 1 for score in self.scores])

    def quartiles(self) -> tuple[float, ...]:
        """The quartiles of the data, with four digits."""
        scores = np.array([_NORMAL.inv_cdf(share) for share in (0.25, 0.5, 0.75)])
        return tuple(dict.fromkeys(float(f"{number:.4g}") for number in self.to_outer(scores).tolist()))

    def holds(self, number: float) -> bool:
        """Does a number lie in the range of the data?"""
        return self.edges[0] <= number <= self.edges[-1]

    def to_inner(self, numbers: Values) -> Values:
        """The normal scores of numbers; NaN stays NaN."""
        first, last = self.edges[0], self.edges[-1]
        inside = np.interp(numbers, self._edges, self._scores)
        above = np.sqrt(self.scores[-1] ** 2 + 2 / TAIL * np.log1p(TAIL * np.maximum(numbers - last, 0) / self.upper))
        below = -np.sqrt(self.scores[0] ** 2 + 2 / TAIL * np.log1p(TAIL * np.maximum(first - numbers, 0) / self.lower))
        found: Values = np.where(numbers > last, above, np.where(numbers < first, below, inside))
        return found

    def to_outer(self, scores: Values) -> Values:
        """The numbers of normal scores."""
        low, high = self.scores[0], self.scores[-1]
        inside = np.interp(scores, self._scores, self._edges)
        above = self.edges[-1] + self.upper * np.expm1(TAIL / 2 * (np.maximum(scores, high) ** 2 - high**2)) / TAIL
        below = self.edges[0] - self.lower * np.expm1(TAIL / 2 * (np.minimum(scores, low) ** 2 - low**2)) / TAIL
        found: Values = np.where(scores > high, above, np.where(scores < low, below, inside))
        return found

    def log_slope(self, scores: Values) -> Values:
        """The logarithm of T'(x) where T(x) is the score."""
        slopes = np.diff(self._scores) / np.diff(self._edges)
        place = np.clip(np.searchsorted(self._scores, scores, side="right") - 1, 0, len(slopes) - 1)
        above, outside = scores > self.scores[-1], (scores > self.scores[-1]) | (scores < self.scores[0])
        scale = np.where(above, self.upper, self.lower) * np.where(outside, np.abs(scores), 1.0)
        ends = np.where(above, self.scores[-1], self.scores[0])
        found: Values = np.where(outside, -np.log(scale) - TAIL / 2 * (scores**2 - ends**2), np.log(slopes[place]))
        return found

    def columns(self, scores: Values, degree: int) -> list[Values]:
        """The normal score, and Legendre polynomials 2 to `degree` of the rank."""
        if degree < 2:
            return [scores]
        ranks = np.interp(scores, self._scores, self._ranks)
        legendre = np.polynomial.legendre.legval
        curves = [legendre(ranks, [0] * k + [1]).astype(np.float64) for k in range(2, degree + 1)]
        return [scores, *curves]

    def width(self, degree: int) -> int:
        """How many columns there are."""
        return degree

    def within(self, scores: Values) -> Values:
        """The scores, or those of the nearest edge."""
        return np.clip(scores, self.scores[0], self.scores[-1])

    def column(self, inner: NDArray[Any]) -> Column:
        """Scores as a column of data."""
        return Continuous(self.to_outer(inner))


class StateVariable(Document, frozen=True, tag="states"):
    """A variable with states; a code is the place of its state, or `UNSEEN`."""

    name: str
    states: tuple[str | bool | int | float, ...]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The states as they are printed."""
        return tuple(label(state) for state in self.states)

    def log_slope(self, codes: NDArray[np.int64]) -> Values:
        """Nothing: a code stands for the state itself."""
        return np.zeros(len(codes))

    def columns(self, codes: NDArray[np.int64], degree: int) -> list[Values]:
        """One indicator for each state."""
        return [(codes == state).astype(np.float64) for state in range(len(self.states))]

    def width(self, degree: int) -> int:
        """How many columns there are."""
        return len(self.states)

    def within(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codes."""
        return codes

    def column(self, inner: NDArray[Any]) -> Column:
        """Codes as a column of data."""
        return Discrete(self.states, inner.astype(code_type(len(self.states))))


Variable = NumberVariable | StateVariable


def make_variable(name: str, column: Column, weights: Weights) -> Variable:
    """The variable of a column, which must be complete."""
    if column.state_count is None:
        return fit_number(name, column.as_array().astype(np.float64), weights)
    return StateVariable(name=name, states=tuple(column.states))  # type: ignore[union-attr]


def inner_values(variable: Variable, column: Column) -> NDArray[Any]:
    """The column that a variable was made from, as scores or codes."""
    if variable.states is None:
        return variable.to_inner(column.as_array().astype(np.float64))
    return column.as_array().astype(np.int64)


def fit_number(name: str, numbers: Values, weights: Weights) -> NumberVariable:
    """The map to normal scores from the empirical distribution, which is smoothed by intervals.

    Intervals hold about `LEAST_ROWS` rows or 1/`MOST_INTERVALS` of them; at both ends they become smaller. The share
    below the edge above k of N rows is (k + 1) / (N + 2). A change of sign mirrors the map.

    >>> variable = fit_number("x", np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))
    >>> variable.edges, [round(score, 3) for score in variable.scores]
    ((0.5, 2.5, 4.5), [-0.967, 0.0, 0.967])
    """
    values, place = np.unique(numbers, return_inverse=True)
    if len(values) < 2:
        raise DataError(f"variable '{name}' has the value {values[0]:g} in every row: leave the column out")
    counts: Weights = np.bincount(place, weights=weights).astype(np.float64)
    below: Values = np.cumsum(counts)[:-1]  # the weight below each gap between neighbouring values
    size = float(counts.sum())
    gaps = np.flatnonzero(_chosen(below, size))
    middles = values[:-1] / 2 + values[1:] / 2
    ends = (values[0] - (values[1] - values[0]) / 2, values[-1] + (values[-1] - values[-2]) / 2)
    edges = np.array([ends[0], *middles[gaps], ends[1]])
    if not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise DataError(f"variable '{name}' has values that differ by less than a double can hold: scale or round it")
    scores = [_score_at(weight, size) for weight in (0.0, *below[gaps].tolist(), size)]
    return NumberVariable(
        name=name,
        edges=tuple(edges.tolist()),
        scores=tuple(scores),
        lower=_tail_scale(-values[::-1], counts[::-1], edges[1] - edges[0]),
        upper=_tail_scale(values, counts, edges[-1] - edges[-2]),
    )


def _score_at(weight: float, size: float) -> float:
    """The normal score where this weight lies below; the same from both ends."""
    above = size - weight
    return _NORMAL.inv_cdf((weight + 1) / (size + 2)) if weight <= above else -_NORMAL.inv_cdf((above + 1) / (size + 2))


def _chosen(below: Values, size: float) -> NDArray[np.bool_]:
    """Which gaps between values become edges: those nearest to the wanted shares of the rows, alike from both ends."""
    rows = max(float(LEAST_ROWS), size / MOST_INTERVALS)
    intervals = max(2, int(size / rows))
    wanted = {size * k / intervals for k in range(1, intervals)}
    share = size / intervals / 2
    while share >= FEW_ROWS:
        wanted |= {share, size - share}
        share /= 2
    chosen = np.zeros(len(below), np.bool_)
    for each in wanted:
        distance = np.abs(below - each)
        nearest = np.flatnonzero(distance <= distance.min() * (1 + 1e-9))
        chosen[nearest] = True  # of two that are equally near both, so that a change of sign changes nothing
    return chosen


def _tail_scale(values: Values, counts: Weights, width: float) -> float:
    """The mean excess over the upper tenth, which an exponential tail has everywhere; at least part of an interval."""
    above = np.cumsum(counts[::-1])[::-1]
    start = values[above >= 0.1 * above[0]][-1]
    over = values >= start
    excess = float(((values[over] - start) * counts[over]).sum() / counts[over].sum())
    return max(excess, float(width) / 10)


def design(variables: Sequence[Variable], values: Sequence[NDArray[Any]], degree: int, rows: int) -> Values:
    """The columns of all parents side by side."""
    columns = [each for v, own in zip(variables, values, strict=True) for each in v.columns(own, degree)]
    return np.column_stack(columns) if columns else np.zeros((rows, 0))
