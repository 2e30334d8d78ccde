"""An effect by augmented inverse-probability weighting: a check on standardisation (Robins, Rotnitzky and Zhao 1994).

For each row, with m the model of the target among rows with the state a, and p that of the probability of a,

    score(a) = m(z) + [cause = a] (target - m(z)) / p(z)

and the effect is the mean of score(to) - score(from), which is right if one of the two models is. Both are logistic
regressions without interactions (linear where the target is a number), fitted to the other parts of the rows
(Chernozhukov et al. 2018). Standardisation by tables has all interactions and no smoothness, so that the two disagree
where the set has configurations with few rows.

Equal rows are one: parts are drawn as numbers of copies, from rows in the order of their content. Nothing depends on
the order of rows or columns, or on labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.row_order import sort_rows, split_copies
from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.matching import place_state
from mahc.errors import DataError, InvalidSettingError, SettingError, UnknownNameError
from mahc.graphs.names import as_group
from mahc.networks.random_streams import stream
from mahc.plurals import count

FOLDS = 5
LEAST = 0.01  # smaller probabilities of a state of the cause are raised to this
PENALTY = 1.0  # of the squared coefficients, but not of the intercept
INTERCEPT = 1e-6  # keeps the intercept finite where all values are equal
STEPS = 100
Values = NDArray[np.float64]


@dataclass(frozen=True)
class AipwEstimate:
    """An effect by augmented inverse-probability weighting.

    Parameters
    ----------
    difference : float
        The mean of the target if the cause is set to the second state of the contrast, less that for the first; of a
        target with states, the difference of the probabilities.
    standard_error : float
        Its standard error, with the graph and the set taken as given.
    means : tuple of float
        The two means.
    clipped : float
        The share of rows in which a probability of the cause was raised to 0.01.

    Examples
    --------
    >>> AipwEstimate(0.1, 0.02, (0.3, 0.4), 0.0).interval()
    (0.0608007..., 0.139199...)
    """

    difference: float
    standard_error: float
    means: tuple[float, float]
    clipped: float

    def interval(self) -> tuple[float, float]:
        """The 95 % interval: 1.96 standard errors on both sides.

        Returns
        -------
        tuple of float
            Low and high.

        Examples
        --------
        >>> AipwEstimate(0.0, 1.0, (0.0, 0.0), 0.0).interval()
        (-1.95996..., 1.95996...)
        """
        width = 1.959963984540054 * self.standard_error
        return self.difference - width, self.difference + width


def aipw(
    data: Dataset,
    cause: str,
    target: str,
    given: str | Iterable[str] = (),
    *,
    contrast: tuple[str, str] | None = None,
    state: str | None = None,
    folds: int = FOLDS,
    seed: int = 1,
) -> AipwEstimate:
    """Estimate an effect by augmented inverse-probability weighting, given an adjustment set.

    Parameters
    ----------
    data : Dataset
        Complete rows, as `mahc.read` returns them.
    cause : str
        A variable with states.
    target : str
        A variable with states or numbers.
    given : str or list of str
        The adjustment set.
    contrast : tuple of str, optional
        Two states of the cause, the baseline first; by default the first and the last.
    state : str, optional
        The state of the target; by default the last.
    folds : int
        Number of parts; each is predicted from the others.
    seed : int
        Seed of the parts.

    Returns
    -------
    AipwEstimate
        The difference and its standard error.

    Raises
    ------
    MahcError
        If a variable or state is unknown, values are missing, or a state of the cause has too few rows.

    Examples
    --------
    >>> from mahc.networks import load_network, sample
    >>> data = sample(load_network("asia"), 5000, seed=1)
    >>> found = aipw(data, "bronc", "dysp", "smoke", contrast=("no", "yes"), state="yes")
    >>> found.interval()[0] < 0.667 < found.interval()[1]
    True
    """
    names = [cause, target, *as_group(given)]
    _check(data, names, folds)
    refuse_fractions(data, "cross-fitting")
    chosen = data.select(names)
    order, starts = sort_rows(chosen)
    weights = np.ones(data.rows, np.int64) if data.weights is None else data.weights
    copies = np.add.reduceat(weights[order], starts)
    distinct = chosen.take(order[starts], copies)
    arms = _place_contrast(distinct, cause, contrast)
    outcome, logistic = _outcome(distinct, target, state)
    codes = distinct.columns[distinct.index(cause)].as_array()
    for place in arms:
        rows, shown = int(copies[codes == place].sum()), _labels(distinct, cause)[place]
        if rows < 2 * folds:
            raise DataError(
                f"{cause} = {shown} occurs in {count(rows, 'row')}, and {count(folds, 'fold')} of the data need "
                f"{2 * folds}: give fewer folds"
            )
    features = _features(distinct, sorted(names[2:]))
    scores, low = [np.zeros((folds, len(copies))) for _ in arms], np.zeros(len(copies))
    parts = list(split_copies(copies, folds, stream(seed, "aipw", "\0".join(sorted(names)))))
    for k, part in enumerate(parts):
        rest = (copies - part).astype(np.float64)
        for found, place in zip(scores, arms, strict=True):
            inside = codes == place
            chance = predict(fit(features, inside.astype(np.float64), rest, logistic=True), features, logistic=True)
            low += np.where(chance < LEAST, part, 0)
            model = fit(features, outcome, rest * inside, logistic=logistic)
            mean = predict(model, features, logistic=logistic)
            found[k] = mean + inside * (outcome - mean) / np.maximum(chance, LEAST)
    counted = np.array(parts, np.float64)
    return _summarise(scores, counted, float(low.sum()))


def _summarise(scores: Sequence[Values], counted: Values, low: float) -> AipwEstimate:
    size = float(counted.sum())
    means = [math.fsum((each * counted).ravel().tolist()) / size for each in scores]
    gaps = scores[1] - scores[0]
    difference = means[1] - means[0]
    variance = math.fsum(((gaps - difference) ** 2 * counted).ravel().tolist()) / (size - 1)
    return AipwEstimate(difference, math.sqrt(variance / size), (means[0], means[1]), low / (2 * size))


def fit(features: Values, outcome: Values, weights: Values, *, logistic: bool) -> Values:
    """Coefficients of a ridge regression with an intercept, the last one, by Newton's method.

    >>> rows = np.array([[0.0], [1.0]])
    >>> fit(rows, np.array([1.0, 3.0]), np.array([1e6, 1e6]), logistic=False).round(4).tolist()
    [2.0, 1.0]
    """
    design: Values = np.column_stack([features, np.ones(len(features))])
    penalty: Values = np.array([PENALTY] * features.shape[1] + [INTERCEPT])
    found = np.zeros(design.shape[1])
    if not logistic:
        curve = (design.T * weights) @ design + np.diag(penalty)
        return _solve(curve, design.T @ (weights * outcome))
    loss = _loss(design, outcome, weights, penalty, found)
    for _ in range(STEPS):
        chance = _logistic(design @ found)
        slope = design.T @ (weights * (outcome - chance)) - penalty * found
        curve = (design.T * (weights * chance * (1 - chance))) @ design + np.diag(penalty)
        step = _solve(curve, slope)
        length = 1.0
        while (after := _loss(design, outcome, weights, penalty, found + length * step)) > loss and length > 1e-8:
            length /= 2
        found, gained, loss = found + length * step, loss - after, after
        if gained <= 1e-12 * (1 + abs(loss)):
            break
    return found


def _solve(matrix: Values, right: Values) -> Values:
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def predict(model: Values, features: Values, *, logistic: bool) -> Values:
    """The means that a regression predicts.

    >>> predict(np.array([2.0, 1.0]), np.array([[0.0], [1.0]]), logistic=False).tolist()
    [1.0, 3.0]
    """
    line: Values = features @ model[:-1] + model[-1]
    return _logistic(line) if logistic else line


def _logistic(line: Values) -> Values:
    found: Values = 1 / (1 + np.exp(-np.clip(line, -500, 500)))
    return found


def _loss(design: Values, outcome: Values, weights: Values, penalty: Values, model: Values) -> float:
    line = design @ model
    return float(weights @ (np.logaddexp(0, line) - outcome * line) + (penalty * model**2).sum() / 2)


def _features(data: Dataset, names: Sequence[str]) -> Values:
    parts = [data.columns[data.index(name)].as_features(data.weights) for name in names]
    return np.concatenate(parts, axis=1) if parts else np.zeros((data.rows, 0))


def _outcome(data: Dataset, target: str, state: str | None) -> tuple[Values, bool]:
    """The target as numbers, and whether they are 0 and 1."""
    column = data.columns[data.index(target)]
    if column.state_count is None:
        if state is not None:
            raise InvalidSettingError("state", state, f"'{target}' holds numbers: leave it out")
        return column.as_numbers(), False
    place = column.state_count - 1 if state is None else place_state(target, _labels(data, target), state)
    return (column.as_array() == place).astype(np.float64), True


def _place_contrast(data: Dataset, cause: str, contrast: tuple[str, str] | None) -> tuple[int, int]:
    if data.columns[data.index(cause)].state_count is None:
        raise DataError(f"'{cause}' holds numbers: the cause needs states, so cut it")
    if contrast is None:
        return 0, len(_labels(data, cause)) - 1
    if isinstance(contrast, str) or len(contrast) != 2:
        raise InvalidSettingError("contrast", contrast, "give two states of the cause, the baseline first")
    first, second = (place_state(cause, _labels(data, cause), each) for each in contrast)
    if first == second:
        raise InvalidSettingError("contrast", contrast, "give two different states of the cause")
    return first, second


def _labels(data: Dataset, name: str) -> tuple[str, ...]:
    return data.discrete_by_name[name].labels


def _check(data: Dataset, names: Sequence[str], folds: int) -> None:
    for name in names:
        if name not in data.names:
            raise UnknownNameError("variable", str(name), data.names)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingError(f"'{twice}' is named twice among cause, target and set: name each variable once")
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise InvalidSettingError("folds", folds, "give a whole number from 2")
    data.select(names).require_complete()
