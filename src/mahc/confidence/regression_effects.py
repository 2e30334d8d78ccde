"""Draws of the mean, or the probabilities, of a target under interventions on a cause, where columns hold numbers.

Given an adjustment set, the target is regressed on the cause and the set, without interactions. Least squares serve for
a target with numbers: its coefficients have a normal-inverse-gamma distribution. Logistic regression serves for one
with states: its coefficients are normal around their most probable value. A number enters by itself or by its normal
score, each up to the third degree; BIC chooses among these six. The answer is the mean over all rows in which the cause
is set to a value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.effect_sets import AdjustmentSet
from mahc.confidence.table_effects import set_stream
from mahc.data import Dataset
from mahc.data.columns import Column
from mahc.inference.mixed.nodes import RIDGE, fit_softmax
from mahc.inference.mixed.variables import StateVariable, Variable, design, inner_values, make_variable

Values = NDArray[np.float64]
DEGREES = (1, 2, 3)


def draw_regressions(
    data: Dataset,
    cause: str,
    target: str,
    given: AdjustmentSet,
    values: Sequence[float | str],
    size: int,
    seed: int,
) -> Values:
    """Means or probabilities [draw, value, state of the target], with one state for a target that holds numbers.

    Without an effect (no adjustment set) all values have the same draws, to the bit.
    """
    used = _sorted(data.select([cause, target, *(given or ())]))
    weights = np.ones(used.rows) if used.weights is None else used.weights.astype(np.float64)
    outcome = used.columns[used.index(target)]
    parents = [] if given is None else [_Parent(name, used.columns[used.index(name)], weights) for name in given]
    first = None if given is None else _Parent(cause, used.columns[used.index(cause)], weights)
    random = set_stream(seed, cause, target, given)
    draw: Callable[..., Values] = _draw_means if outcome.state_count is None else _draw_probabilities
    different = values[:1] if given is None else values
    drawn = draw(first, parents, outcome, weights, different, size, random)
    return np.repeat(drawn, len(values), axis=1) if given is None else drawn


class _Parent:
    """A column that the target is regressed on."""

    def __init__(self, name: str, column: Column, weights: Values) -> None:
        self.variable: Variable = make_variable(name, column, weights)
        self.inner = inner_values(self.variable, column)
        self.numbers = column.as_array().astype(np.float64) if column.state_count is None else None
        if self.numbers is not None:
            self.centre = float(weights @ self.numbers / weights.sum())
            self.scale = math.sqrt(float(weights @ (self.numbers - self.centre) ** 2 / weights.sum())) or 1.0

    def columns(self, degree: int, raw: bool) -> Values:
        """Powers of the standardised number, or what a mixed network has for it; indicators of states."""
        if self.numbers is None or not raw:
            return design([self.variable], [self.inner], degree, len(self.inner))
        return self._powers(self.numbers, degree)

    def at(self, value: float | str, degree: int, raw: bool) -> Values:
        """The columns where it is set to a value."""
        if isinstance(self.variable, StateVariable):
            inner: NDArray[Any] = np.array([self.variable.labels.index(str(value))])
        elif raw:
            return np.ravel(self._powers(np.array([float(value)]), degree))
        else:
            inner = self.variable.to_inner(np.array([float(value)]))
        return np.ravel(design([self.variable], [inner], degree, 1))

    def _powers(self, numbers: Values, degree: int) -> Values:
        standardised = (numbers - self.centre) / self.scale
        return np.column_stack([standardised**power for power in range(1, degree + 1)])


@dataclass(frozen=True)
class _Basis:
    """One way in which numbers enter: the columns of all rows, an intercept first, then those of the cause."""

    first: _Parent | None
    parents: Sequence[_Parent]
    rows: int
    degree: int
    raw: bool

    def columns(self) -> Values:
        """The columns of all rows."""
        all_parents = [*([self.first] if self.first is not None else []), *self.parents]
        return np.column_stack([np.ones(self.rows), *(each.columns(self.degree, self.raw) for each in all_parents)])

    def set_to(self, columns: Values, value: float | str) -> Values:
        """The columns where the cause has a value; without a cause as they are."""
        if self.first is None:
            return columns
        changed = columns.copy()
        fixed = self.first.at(value, self.degree, self.raw)
        changed[:, 1 : 1 + len(fixed)] = fixed
        return changed


def _bases(first: _Parent | None, parents: Sequence[_Parent], rows: int) -> list[_Basis]:
    """The simplest first; one where no number enters."""
    every = [*([first] if first is not None else []), *parents]
    if all(each.numbers is None for each in every):
        return [_Basis(first, parents, rows, 1, True)]
    return [_Basis(first, parents, rows, degree, raw) for degree in DEGREES for raw in (True, False)]


def _draw_means(
    first: _Parent | None,
    parents: Sequence[_Parent],
    outcome: Column,
    weights: Values,
    values: Sequence[float | str],
    size: int,
    random: np.random.Generator,
) -> Values:
    numbers, total = outcome.as_array().astype(np.float64), float(weights.sum())
    roots, best = np.sqrt(weights), None
    for basis in _bases(first, parents, len(numbers)):
        columns = basis.columns()
        found, _, rank, _ = np.linalg.lstsq(columns * roots[:, None], numbers * roots, rcond=1e-9)
        left = float(weights @ (numbers - columns @ found) ** 2)
        price = 0.5 * math.log(max(total, 2.0)) * rank
        bic = -0.5 * total * math.log(max(left, np.finfo(np.float64).tiny)) - price
        if best is None or bic > best[0] + 1e-9 * total:
            best = (bic, basis, columns, found, left, int(rank))
    assert best is not None
    _, basis, columns, found, left, width = best
    wanted = np.stack([weights @ basis.set_to(columns, value) / total for value in values])
    spread = wanted @ np.linalg.pinv((columns * weights[:, None]).T @ columns, hermitian=True) @ wanted.T
    freedom = max(total - width, 1.0)
    deviations = np.sqrt(left / random.chisquare(freedom, size))
    drawn = wanted @ found + deviations[:, None] * _normal(random, spread, size)
    return drawn[:, :, None]


def _draw_probabilities(
    first: _Parent | None,
    parents: Sequence[_Parent],
    outcome: Column,
    weights: Values,
    values: Sequence[float | str],
    size: int,
    random: np.random.Generator,
) -> Values:
    codes, states, total = outcome.as_array().astype(np.int64), outcome.state_count or 0, float(weights.sum())
    best = None
    for basis in _bases(first, parents, len(codes)):
        columns = basis.columns()
        found, likelihood = fit_softmax(columns[:, 1:], codes, weights, states)
        value = likelihood - 0.5 * math.log(max(total, 2.0)) * columns.shape[1] * (states - 1)
        if best is None or value > best[0] + 1e-9 * total:
            best = (value, basis, columns, found)
    assert best is not None
    _, basis, columns, found = best
    width = columns.shape[1]
    shares = _softmax(columns @ found.T)
    curvature = np.zeros((states, width, states, width))
    for s in range(states):
        for t in range(states):
            slope = weights * shares[:, s] * ((s == t) - shares[:, t])
            curvature[s, :, t, :] = (columns * slope[:, None]).T @ columns
    square = curvature.reshape(states * width, -1)
    # Nearly flat for the intercepts, as fit_softmax has it.
    square[np.diag_indices_from(square)] += np.tile(np.array([1e-6 * RIDGE] + [RIDGE] * (width - 1)), states)
    means, slopes = [], []
    for value in values:
        there = basis.set_to(columns, value)
        mine = _softmax(there @ found.T)
        means.append(weights @ mine / total)
        for s in range(states):
            change = [((weights * mine[:, s] * ((s == t) - mine[:, t])) @ there / total) for t in range(states)]
            slopes.append(np.concatenate(change))
    slope_table = np.stack(slopes)
    spread = slope_table @ np.linalg.pinv(square, hermitian=True) @ slope_table.T
    drawn = np.concatenate(means) + _normal(random, spread, size)
    return np.clip(drawn, 0.0, 1.0).reshape(size, len(values), states)


def _softmax(logits: Values) -> Values:
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Values = found / found.sum(axis=1, keepdims=True)
    return shares


def _normal(random: np.random.Generator, covariance: Values, size: int) -> Values:
    """Normal draws around 0 with a covariance that may be singular."""
    variances, directions = np.linalg.eigh(covariance)
    roots = np.sqrt(np.maximum(variances, 0.0))
    drawn: Values = random.standard_normal((size, len(roots))) * roots @ directions.T
    return drawn


def _sorted(data: Dataset) -> Dataset:
    """The rows in the order of their values, so that sums do not depend on the order that they come in."""
    keys = [column.sort_keys() for column in reversed(data.columns)]
    if data.weights is not None:
        keys.insert(0, data.weights)
    return data.take(np.lexsort(keys))
