"""The nodes of a mixed network: what a variable is, given its parents.

A node works on inner values (`variables.py`): normal scores of numbers and codes of states. Each kind of node can give
the log density of values, draw values, and fit itself to rows. `fit_node` chooses the kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.documents import Document, Number, Whole
from mahc.errors import SettingError
from mahc.inference.mixed.variables import UNSEEN, NumberVariable, StateVariable, Variable, Weights, design
from mahc.networks.fitting import MAX_NUMBERS
from mahc.networks.sampling import cumulative, find_states
from mahc.plurals import count

Values = NDArray[np.float64]
Inner = NDArray[Any]
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
LEAST_DEVIATION = 1e-3  # of a residual, in normal scores: a copy of a column has a finite density
RIDGE = 1.0  # of logistic coefficients: half of its product with the sum of squares is taken from the log-likelihood
SPREAD_RIDGE = 2.0  # of the coefficients of the log variance
MOST_WORSE = 2  # degrees in a row without a better BIC end the search for a degree
MOST_GROUPS = 4096  # of residuals, where a mixture is fitted
LARGEST_LOG = 6.0  # of a deviation, relative to its mean


class TableNode(Document, frozen=True, tag="table"):
    """A state given states: Dirichlet parameters, one row per configuration of the parents, the last one fastest."""

    sizes: tuple[Whole, ...]  # of the parents
    counts: tuple[tuple[Number, ...], ...]
    added: Number  # what the prior adds to each count

    def __post_init__(self) -> None:
        table = np.array(self.counts)
        if table.ndim != 2 or len(table) != prod(self.sizes) or not (table >= 0).all():
            raise ValueError("a table does not have the size that its parents give")

    @property
    def normal(self) -> bool:
        """Whether it is a normal distribution around a linear function."""
        return False

    def fits(self, child: Variable, parents: Sequence[Variable]) -> bool:
        """Whether it is a node for these variables."""
        sizes = tuple(0 if each.states is None else len(each.states) for each in parents)
        return child.states is not None and sizes == self.sizes and len(self.counts[0]) == len(child.states)

    def table(self) -> Values:
        """Probabilities; a row without observations is uniform, and so is one more row, for unseen parents."""
        found = np.array(self.counts)
        sums = found.sum(axis=1, keepdims=True)
        uniform = np.full_like(found, 1 / found.shape[1])
        table = np.divide(found, sums, out=uniform, where=sums > 0)
        return np.vstack([table, np.full(found.shape[1], 1 / found.shape[1])])

    def _rows(self, parents: Sequence[Inner], rows: int) -> NDArray[np.intp]:
        place = np.zeros(rows, np.intp)
        unseen = np.zeros(rows, np.bool_)
        for size, codes in zip(self.sizes, parents, strict=True):
            place = place * size + codes
            unseen |= codes < 0
        return np.where(unseen, len(self.counts), place)

    def log_density(self, child: Inner, parents: Sequence[Inner], variables: Sequence[Variable]) -> Values:
        """The logarithm of the probability; an unseen state is one more without observations."""
        rows = self._rows(parents, len(child))
        sums = np.append(np.array(self.counts).sum(axis=1), self.added * len(self.counts[0]))
        with np.errstate(divide="ignore", invalid="ignore"):
            unseen = np.nan_to_num(self.added / (sums + self.added))
            found: Values = np.log(np.where(child == UNSEEN, unseen[rows], self.table()[rows, np.maximum(child, 0)]))
        return found

    def draw(
        self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int, random: np.random.Generator
    ) -> Inner:
        """One state per row."""
        return find_states(cumulative(self.table()), self._rows(parents, rows), random.random(rows))


class RegressionNode(Document, frozen=True, tag="regression"):
    """The normal score of a number: a linear function of the columns of the parents, and a residual.

    The residual is a mixture of normal distributions with mean 0 (`shares`, `deviations`), times the exponential of a
    linear function of the columns of degree 2 (`spread`), where the spread depends on the parents.
    """

    degree: Whole
    intercept: Number
    coefficients: tuple[Number, ...]
    shares: tuple[Number, ...]
    deviations: tuple[Number, ...]
    spread: tuple[Number, ...] = ()
    spread_intercept: Number = 0.0

    def __post_init__(self) -> None:
        if len(self.shares) != len(self.deviations) or not self.shares or min(*self.shares, *self.deviations) <= 0:
            raise ValueError("a residual has no distribution")

    @property
    def normal(self) -> bool:
        """Whether the residual is normal with the same deviation everywhere, and the function linear in the scores."""
        return self.degree <= 1 and len(self.shares) == 1 and not self.spread

    def fits(self, child: Variable, parents: Sequence[Variable]) -> bool:
        """Whether it is a node for these variables."""
        spread = sum(each.width(SPREAD_DEGREE) for each in parents)
        width = sum(each.width(self.degree) for each in parents)
        return child.states is None and len(self.coefficients) == width and len(self.spread) in (0, spread)

    def mean(self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int) -> Values:
        """The value of the linear function."""
        found: Values = self.intercept + design(variables, parents, self.degree, rows) @ np.array(self.coefficients)
        return found

    def log_spread(self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int) -> Values:
        """The logarithm of the factor of the residual."""
        if not self.spread:
            return np.zeros(rows)
        within = [each.within(own) for each, own in zip(variables, parents, strict=True)]
        found = self.spread_intercept + design(variables, within, SPREAD_DEGREE, rows) @ np.array(self.spread)
        clipped: Values = np.clip(found, -LARGEST_LOG, LARGEST_LOG)
        return clipped

    def log_density(self, child: Inner, parents: Sequence[Inner], variables: Sequence[Variable]) -> Values:
        """The log density of the score."""
        spread = self.log_spread(parents, variables, len(child))
        residual = (child - self.mean(parents, variables, len(child))) * np.exp(-spread)
        return _mixture_log(residual, self.shares, self.deviations) - spread

    def draw(
        self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int, random: np.random.Generator
    ) -> Inner:
        """One score per row."""
        normal, which = random.standard_normal(rows), random.random(rows)
        place = np.minimum(np.searchsorted(np.cumsum(self.shares), which, side="right"), len(self.shares) - 1)
        residual = normal * np.array(self.deviations)[place] * np.exp(self.log_spread(parents, variables, rows))
        found: Inner = self.mean(parents, variables, rows) + residual
        return found


class LogisticNode(Document, frozen=True, tag="logistic"):
    """A state given numbers, or numbers and states: logistic regression, one row of coefficients per state."""

    degree: Whole
    intercepts: tuple[Number, ...]
    coefficients: tuple[tuple[Number, ...], ...]
    unseen: Number  # the probability of a state without observations

    def __post_init__(self) -> None:
        if len(self.intercepts) != len(self.coefficients) or len({len(row) for row in self.coefficients}) != 1:
            raise ValueError("a logistic regression does not have a row of coefficients for each state")

    @property
    def normal(self) -> bool:
        """Whether it is a normal distribution around a linear function."""
        return False

    def fits(self, child: Variable, parents: Sequence[Variable]) -> bool:
        """Whether it is a node for these variables."""
        width = sum(each.width(self.degree) for each in parents)
        states = 0 if child.states is None else len(child.states)
        return states == len(self.intercepts) and len(self.coefficients[0]) == width

    def log_probabilities(self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int) -> Values:
        """The log probability of each state in each row."""
        columns = design(variables, parents, self.degree, rows)
        return _log_softmax(columns @ np.array(self.coefficients).T + np.array(self.intercepts))

    def log_density(self, child: Inner, parents: Sequence[Inner], variables: Sequence[Variable]) -> Values:
        """The logarithm of the probability; that of an unseen state is the same everywhere."""
        found = self.log_probabilities(parents, variables, len(child))[np.arange(len(child)), np.maximum(child, 0)]
        with np.errstate(divide="ignore"):
            logs: Values = np.where(child == UNSEEN, np.log(self.unseen), found)
        return logs

    def draw(
        self, parents: Sequence[Inner], variables: Sequence[Variable], rows: int, random: np.random.Generator
    ) -> Inner:
        """One state per row."""
        sums = np.cumsum(np.exp(self.log_probabilities(parents, variables, rows)), axis=1)
        found: Inner = (sums[:, :-1] <= (random.random(rows) * sums[:, -1])[:, None]).sum(axis=1)
        return found


Node = TableNode | RegressionNode | LogisticNode
SPREAD_DEGREE = 2


def fit_node(
    child: Variable,
    parents: Sequence[Variable],
    values: Inner,
    given: Sequence[Inner],
    weights: Weights,
    degree: int,
    prior: float,
) -> Node:
    """Fit the node of a variable: a regression for a number, a table or a logistic regression for a state."""
    if isinstance(child, NumberVariable):
        return fit_regression(parents, values, given, weights, degree)
    if all(isinstance(parent, StateVariable) for parent in parents):
        return fit_table(child, parents, values, given, weights, prior)  # type: ignore[arg-type]
    return fit_logistic(len(child.states), parents, values, given, weights, degree, prior)


def fit_table(
    child: StateVariable,
    parents: Sequence[StateVariable],
    values: Inner,
    given: Sequence[Inner],
    weights: Weights,
    prior: float,
) -> TableNode:
    """Counts with the Dirichlet prior of BDeu, as `mahc.networks.fit` has them."""
    sizes, states = [len(parent.states) for parent in parents], len(child.states)
    numbers = prod(sizes) * states
    if numbers > MAX_NUMBERS:
        raise SettingError(
            f"the table of '{child.name}' with its {count(len(parents), 'parent')} would have "
            f"{count(numbers, 'number')}: at most {MAX_NUMBERS:,} are fitted"
        )
    cell = np.zeros(len(values), np.int64)
    for size, codes in zip((*sizes, states), (*given, values), strict=True):
        cell = cell * size + codes
    counts = np.bincount(cell, weights=weights, minlength=numbers).reshape(-1, states) + prior / numbers
    return TableNode(sizes=tuple(sizes), counts=tuple(map(tuple, counts.tolist())), added=prior / numbers)


def fit_regression(
    parents: Sequence[Variable], values: Values, given: Sequence[Inner], weights: Weights, degree: int
) -> RegressionNode:
    """Least squares; degree, kind of residual and spread are those with the best BIC, the simpler of equal ones.

    Without parents the scores are standard normal: that is the marginal distribution of the number itself.
    """
    if not parents:
        return RegressionNode(degree=1, intercept=0.0, coefficients=(), shares=(1.0,), deviations=(1.0,))
    size, rows = float(weights.sum()), len(values)
    price = 0.5 * math.log(max(size, 2.0))
    numbers = any(isinstance(parent, NumberVariable) for parent in parents)
    best: tuple[float, int, Values, float, Values, int] | None = None
    for power in range(1, degree + 1 if numbers else 2):
        columns = design(parents, given, power, rows)
        if best is not None and (columns.shape[1] > size / 4 or power - best[1] > MOST_WORSE):
            break
        coefficients, intercept, rank = _least_squares(columns, values, weights)
        residual = values - columns @ coefficients - intercept
        variance = max(float(weights @ residual**2) / size, LEAST_DEVIATION**2)
        value = -0.5 * size * math.log(variance) - price * rank
        if best is None or value > best[0] + 1e-9 * size:
            best = (value, power, coefficients, intercept, residual, rank)
    assert best is not None
    _, power, coefficients, intercept, residual, rank = best
    wider = math.sqrt(size / max(size - rank - 1, 0.25 * size))  # the deviation of residuals is that of new rows
    plain = _fit_mixture(residual, weights, price)
    spread, spread_intercept, better = _fit_spread(
        design(parents, given, SPREAD_DEGREE, rows), residual, weights, price
    )
    if better is not None and better[2] > plain[2]:
        shares, deviations, _ = better
    else:
        (shares, deviations, _), spread, spread_intercept = plain, (), 0.0
    return RegressionNode(
        degree=power,
        intercept=intercept,
        coefficients=tuple(coefficients.tolist()),
        shares=shares,
        deviations=tuple(max(LEAST_DEVIATION, each * wider) for each in deviations),
        spread=spread,
        spread_intercept=spread_intercept,
    )


def _least_squares(columns: Values, values: Values, weights: Weights) -> tuple[Values, float, int]:
    """Coefficients, intercept and rank; of equally good coefficients those with the least sum of squares."""
    size = weights.sum()
    centres, centre = weights @ columns / size, float(weights @ values / size)
    roots = np.sqrt(weights)
    found, _, rank, _ = np.linalg.lstsq((columns - centres) * roots[:, None], (values - centre) * roots, rcond=1e-9)
    return found, float(centre - centres @ found), int(rank)


Residual = tuple[tuple[float, ...], tuple[float, ...], float]


def _fit_mixture(residual: Values, weights: Weights, price: float) -> Residual:
    """The normal distribution or the mixture of two with the better BIC: shares, deviations and BIC."""
    size = float(weights.sum())
    deviation = max(math.sqrt(float(weights @ residual**2) / size), LEAST_DEVIATION)
    one: Residual = ((1.0,), (deviation,), float(weights @ _mixture_log(residual, (1.0,), (deviation,))))
    shares, deviations = np.array([0.8, 0.2]), deviation * np.array([0.6, 1.8])
    squares, masses = _group_squares(residual**2, weights)
    last = -math.inf
    for _ in range(500):  # expectation-maximisation
        logs = _component_logs(squares, shares, deviations)
        total = np.logaddexp(logs[0], logs[1])
        value = float(masses @ total)
        if value - last <= 1e-7 * size:
            break
        last = value
        parts = np.exp(logs - total) * masses
        shares = parts.sum(axis=1) / size
        deviations = np.sqrt((parts @ squares) / np.maximum(parts.sum(axis=1), 1e-9 * size))
        deviations = np.maximum(deviations, LEAST_DEVIATION)
        if shares.min() < 1e-6:
            return one
    found = tuple(shares.tolist()), tuple(deviations.tolist())
    two: Residual = (*found, float(weights @ _mixture_log(residual, *found)) - 2 * price)
    return two if two[2] > one[2] else one


def _group_squares(squares: Values, weights: Weights) -> tuple[Values, Weights]:
    """Means and weights of groups of neighbouring squares; the squares themselves where they are few."""
    if len(squares) <= MOST_GROUPS:
        return squares, weights
    order = np.argsort(squares, kind="stable")
    first = np.linspace(0, len(squares), MOST_GROUPS, endpoint=False).astype(np.intp)
    masses = np.add.reduceat(weights[order], first)
    sums = np.add.reduceat((weights * squares)[order], first)
    return sums / np.maximum(masses, np.finfo(np.float64).tiny), masses


def _fit_spread(
    columns: Values, residual: Values, weights: Weights, price: float
) -> tuple[tuple[float, ...], float, Residual | None]:
    """The log deviation as a linear function of the columns, with a small ridge; BIC counts its coefficients."""
    size = float(weights.sum())
    width = columns.shape[1]
    if width > size / 20:
        return (), 0.0, None
    full = np.column_stack([np.ones(len(columns)), columns - weights @ columns / size])
    squares = residual**2 + LEAST_DEVIATION**2
    ridge = np.array([0.0] + [SPREAD_RIDGE] * width)
    found = np.zeros(width + 1)
    found[0] = math.log(float(weights @ squares) / size)

    def cost(at: Values) -> float:
        logs = full @ at
        return float(0.5 * weights @ (logs + squares * np.exp(-logs)) + 0.5 * ridge @ at**2)

    value = cost(found)
    for _ in range(100):  # Newton: the cost is convex
        relative = squares * np.exp(-(full @ found))
        slope = 0.5 * full.T @ (weights * (1 - relative)) + ridge * found
        bend = 0.5 * (full * (weights * relative)[:, None]).T @ full + np.diag(ridge + 1e-9 * size)
        step = np.linalg.solve(bend, slope)
        length, descent = 1.0, float(slope @ step)
        if descent <= 1e-9 * size:  # twice what is left to gain
            break
        while length > 1e-6 and not (fresh := cost(found - length * step)) <= value - 1e-4 * length * descent:
            length /= 2
        found, value = found - length * step, fresh
    logs = np.clip(0.5 * (full @ found - found[0]), -LARGEST_LOG, LARGEST_LOG)
    shares, deviations, fit = _fit_mixture(residual * np.exp(-logs), weights, price)
    rank = int(np.linalg.matrix_rank(full[:, 1:] * np.sqrt(weights)[:, None], tol=1e-7 * math.sqrt(size)))
    slopes = 0.5 * found[1:]
    return (
        tuple(slopes.tolist()),
        float(-(weights @ columns / size) @ slopes),
        (
            shares,
            deviations,
            fit - float(weights @ logs) - price * rank,
        ),
    )


def fit_logistic(
    states: int,
    parents: Sequence[Variable],
    values: Inner,
    given: Sequence[Inner],
    weights: Weights,
    degree: int,
    prior: float,
) -> LogisticNode:
    """Logistic regression with a ridge by Newton's method; the degree is the one with the best BIC.

    The ridge keeps the coefficients finite where a column separates the states.
    """
    size, rows = float(weights.sum()), len(values)
    best: tuple[float, int, Values] | None = None
    found = np.zeros((states, 1))
    widths = [0] * len(parents)
    for power in range(1, degree + 1):
        columns = design(parents, given, power, rows)
        if best is not None and (columns.shape[1] * (states - 1) > size / 4 or power - best[1] > MOST_WORSE):
            break
        before, widths = widths, [parent.width(power) for parent in parents]
        found, likelihood = fit_softmax(columns, values, weights, states, _widened(found, before, widths))
        value = likelihood - 0.5 * math.log(max(size, 2.0)) * columns.shape[1] * (states - 1)
        if best is None or value > best[0] + 1e-9 * size:
            best = (value, power, found)
    assert best is not None
    _, power, found = best
    added = prior / states
    return LogisticNode(
        degree=power,
        intercepts=tuple(found[:, 0].tolist()),
        coefficients=tuple(map(tuple, found[:, 1:].tolist())),
        unseen=added / (size + prior + added) if prior else 0.0,
    )


def _widened(found: Values, before: Sequence[int], widths: Sequence[int]) -> Values:
    """Coefficients of a lower degree among those of a higher one: new columns of each parent begin with 0."""
    parts = np.split(found, np.cumsum([1, *before])[:-1], axis=1)
    added = [np.zeros((len(found), width - old)) for old, width in zip(before, widths, strict=True)]
    return np.hstack([parts[0], *(half for pair in zip(parts[1:], added, strict=True) for half in pair)])


def fit_softmax(
    columns: Values, codes: Inner, weights: Weights, states: int, start: Values | None = None
) -> tuple[Values, float]:
    """Intercepts and coefficients, a row for each state, and their log-likelihood without the ridge.

    The intercepts have the sum 0, and no state is the base of the others: the numbering of the states does not matter.
    """
    full = np.column_stack([np.ones(len(columns)), columns])
    width = full.shape[1]
    targets = (codes[:, None] == np.arange(states)) * 1.0
    ridge = np.tile(np.array([0.0] + [RIDGE] * (width - 1)), states)
    # What the likelihood leaves open, one number added to all intercepts, is held at 0. A state that never occurs would
    # have an intercept without limit: a trace of the ridge holds it.
    first = np.arange(0, states * width, width)
    ridge[first] = 1e-6 * RIDGE
    found = np.zeros((states, width)) if start is None else start
    places = np.arange(len(codes))

    def look(at: Values) -> tuple[float, Values]:
        """The cost, and the log probability of each state in each row."""
        logs = _log_softmax(full @ at.T)
        return float(-weights @ logs[places, codes] + 0.5 * ridge @ at.ravel() ** 2), logs

    size = float(weights.sum())
    value, logs = look(found)
    for _ in range(200):
        shares = np.exp(logs)
        slope = ((shares - targets) * weights[:, None]).T @ full
        slope = slope.ravel() + ridge * found.ravel()
        blocks = np.zeros((states, width, states, width))
        for a in range(states):
            for b in range(a + 1, states):
                block = (full * (weights * shares[:, a] * shares[:, b])[:, None]).T @ full
                blocks[a, :, b] = blocks[b, :, a] = -block
                blocks[a, :, a] += block  # the shares of a row have the sum 1
                blocks[b, :, b] += block
        bend = np.diag(ridge) + blocks.reshape(len(ridge), len(ridge))
        step = np.linalg.solve(bend, slope).reshape(found.shape)
        length, descent = 1.0, float(slope @ step.ravel())
        if descent <= 1e-11 * size:  # twice what is left to gain
            break
        while True:
            fresh, after = look(found - length * step)
            if fresh <= value - 1e-4 * length * descent or length <= 1e-6:
                break
            length /= 2
        found, value, logs = found - length * step, fresh, after
    likelihood = float(weights @ logs[places, codes])
    return np.column_stack([found[:, 0] - found[:, 0].mean(), found[:, 1:]]), likelihood


def _log_softmax(lines: Values) -> Values:
    shifted = lines - lines.max(axis=1, keepdims=True)
    found: Values = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def _component_logs(squares: Values, shares: Values, deviations: Values) -> Values:
    constant = np.log(np.maximum(shares, 1e-300)) - np.log(deviations) - HALF_LOG_2PI
    found: Values = constant[:, None] - squares / (2 * deviations**2)[:, None]
    return found


def _mixture_log(residual: Values, shares: Sequence[float], deviations: Sequence[float]) -> Values:
    logs = _component_logs(residual**2, np.array(shares), np.array(deviations))
    found: Values = np.logaddexp.reduce(logs, axis=0)
    return found
