"""Augmented inverse-probability weighting: against a slow version by rows, and against known effects."""

from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.confidence.aipw import LEAST, aipw, fit, predict
from mahc.confidence.positivity import check_positivity
from mahc.confidence.row_order import sort_rows, split_copies
from mahc.data import Dataset, Kind, ReadSettings, read_with
from mahc.data.columns import Continuous
from mahc.errors import DataError, MahcError
from mahc.networks.random_streams import stream


def simulate(rows: int, seed: int, effect: float = 0.15, numbers: bool = False) -> tuple[dict[str, list], float]:
    """A confounder of three states and one of two; the true difference is the mean over them."""
    rng = np.random.default_rng(seed)
    c, d = rng.integers(0, 3, rows), rng.integers(0, 2, rows)
    x = rng.random(rows) < 0.2 + 0.2 * c + 0.1 * d
    base = 0.1 + 0.2 * c - 0.05 * d
    y = rng.random(rows) < base + effect * x
    columns = {"c": [f"c{k}" for k in c], "d": [f"d{k}" for k in d], "x": np.where(x, "yes", "no").tolist()}
    if numbers:
        return {**columns, "y": (5 * base + 2 * x + rng.normal(size=rows)).tolist()}, 2.0
    return {**columns, "y": np.where(y, "ill", "well").tolist()}, effect


def minimise(design: np.ndarray, y: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Logistic regression by gradient descent with momentum."""
    model, speed = np.zeros(design.shape[1]), np.zeros(design.shape[1])
    for _ in range(1_500):
        slope = design.T @ (y - 1 / (1 + np.exp(-design @ model))) - penalty * model
        speed = 0.9 * speed + slope / len(y)
        model = model + 0.5 * speed
    return model


def slow(data: Dataset, names: list[str], folds: int, seed: int) -> tuple[float, float]:
    """Row by row: every row is written out, and each model is fitted by descent."""
    order, starts = sort_rows(data.select(names))
    copies = np.diff(starts, append=data.rows)
    parts = list(split_copies(copies, folds, stream(seed, "aipw", "\0".join(sorted(names)))))
    rows, part_of = [], []
    for k, part in enumerate(parts):
        for place, number in zip(order[starts], part, strict=True):
            rows += [place] * int(number)
            part_of += [k] * int(number)
    part_of = np.array(part_of)
    table = {name: np.array(data.labels[data.index(name)])[data.codes[data.index(name)]][rows] for name in names}
    cause, target, *given = names
    indicators = [table[z] == state for z in sorted(given) for state in data.labels[data.index(z)]]
    design = np.column_stack([*indicators, np.ones(len(rows))]).astype(float)
    penalty = np.append(np.ones(len(indicators)), 1e-6)
    y = (table[target] == data.labels[data.index(target)][-1]).astype(float)
    states = data.labels[data.index(cause)]
    scores = np.zeros((2, len(rows)))
    for k in range(folds):
        inside = part_of == k
        for arm, state in enumerate((states[0], states[-1])):
            treated = table[cause] == state
            p = minimise(design[~inside], treated[~inside].astype(float), penalty)
            m = minimise(design[~inside & treated], y[~inside & treated], penalty)
            for row in np.flatnonzero(inside):
                mean = 1 / (1 + np.exp(-design[row] @ m))
                chance = max(1 / (1 + np.exp(-design[row] @ p)), LEAST)
                scores[arm, row] = mean + treated[row] * (y[row] - mean) / chance
    gaps = scores[1] - scores[0]
    return float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps)))


def test_it_equals_the_slow_version() -> None:
    data = mahc.read(simulate(100, 1)[0])
    found = aipw(data, "x", "y", ["d", "c"], folds=2, seed=3)
    assert (found.difference, found.standard_error) == pytest.approx(slow(data, ["x", "y", "d", "c"], 2, 3), abs=1e-6)


def test_without_a_set_it_is_the_difference_of_means() -> None:
    data = mahc.read(simulate(400, 2)[0])
    x, y = (data.codes[data.index(name)] for name in "xy")
    found = aipw(data, "x", "y")
    assert found.difference == pytest.approx(y[x == 1].mean() - y[x == 0].mean(), abs=0.01)


def test_rows_columns_labels_and_weights_do_not_matter() -> None:
    columns, _ = simulate(300, 3)
    data, rng = mahc.read(columns), np.random.default_rng(1)
    found = aipw(data, "x", "y", ["c", "d"])
    order = rng.permutation(300)
    shuffled = {name: [columns[name][i] for i in order] for name in reversed(columns)}
    assert aipw(mahc.read(shuffled), "x", "y", ["d", "c"]) == found
    renamed = {**columns, "c": [{"c0": "z", "c1": "a", "c2": "m"}[each] for each in columns["c"]]}
    again = aipw(mahc.read(renamed), "x", "y", ["c", "d"])
    assert again.difference == pytest.approx(found.difference, abs=1e-9)
    distinct = sorted(set(zip(*columns.values(), strict=True)))
    rows = list(zip(*columns.values(), strict=True))
    weighted = {name: [row[k] for row in distinct] for k, name in enumerate(columns)}
    counted = mahc.read(weighted, weights=[rows.count(row) for row in distinct])
    assert aipw(counted, "x", "y", ["c", "d"]).difference == pytest.approx(found.difference, abs=1e-12)


def test_monotone_transformations_of_numbers_in_the_set_leave_the_features() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=50).round(1)
    assert np.array_equal(Continuous(np.exp(values)).as_features(None), Continuous(values).as_features(None))
    turned = Continuous(-values).as_features(None)
    assert np.allclose(turned * [-1, 1, -1], Continuous(values).as_features(None))


@pytest.mark.parametrize("logistic", [True, False])
def test_the_fit_is_a_minimum(logistic: bool) -> None:
    rng = np.random.default_rng(5)
    features, weights = rng.normal(size=(60, 3)), rng.integers(0, 4, 60).astype(float)
    y = (rng.random(60) < 0.4).astype(float)
    model = fit(features, y, weights, logistic=logistic)
    slope = np.column_stack([features, np.ones(60)]).T @ (weights * (y - predict(model, features, logistic=logistic)))
    assert np.allclose(slope, model * [1, 1, 1, 1e-6], atol=1e-6)


@pytest.mark.peers
@pytest.mark.long
def test_the_logistic_fit_is_that_of_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(6)
    features, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    theirs = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(features, y)
    ours = fit(features, y.astype(float), np.ones(80), logistic=True)
    assert np.allclose(ours, [*theirs.coef_[0], theirs.intercept_[0]], atol=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("numbers", [False, True])
def test_intervals_cover_known_effects(numbers: bool) -> None:
    errors, covered, runs = [], 0, 200
    for seed in range(runs):
        columns, truth = simulate(600, seed, numbers=numbers)
        data = read_with(columns, ReadSettings(), frozenset(Kind))
        found = aipw(data, "x", "y", ["c", "d"], contrast=("no", "yes"), state=None if numbers else "ill")
        low, high = found.interval()
        errors.append(found.difference - truth)
        covered += low <= truth <= high
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(runs)
    assert 0.90 <= covered / runs <= 0.99


def test_numbers_in_the_set_are_adjusted_for() -> None:
    rng = np.random.default_rng(1)
    z, rows = rng.normal(size=5000), 5000
    x = rng.random(rows) < 1 / (1 + np.exp(-z))
    columns = {
        "z": np.exp(z).tolist(),
        "x": np.where(x, "b", "a").tolist(),
        "y": (z + 1.5 * x + rng.normal(size=rows)).tolist(),
    }
    data = read_with(columns, ReadSettings(), frozenset(Kind))
    found, crude = aipw(data, "x", "y", "z"), aipw(data, "x", "y")
    assert abs(found.difference - 1.5) < 4 * found.standard_error
    assert abs(crude.difference - 1.5) > 8 * crude.standard_error


def test_bad_questions_are_refused() -> None:
    data = mahc.read(simulate(60, 7)[0])
    for call in (
        lambda: aipw(data, "x", "z"),
        lambda: aipw(data, "x", "y", "x"),
        lambda: aipw(data, "x", "y", contrast=("no", "no")),
        lambda: aipw(data, "x", "y", contrast=("no", "maybe")),
        lambda: aipw(data, "x", "y", state="dead"),
        lambda: aipw(data, "x", "y", folds=1),
        lambda: aipw(data, "x", "y", folds=40),
    ):
        with pytest.raises(MahcError):
            call()
    with pytest.raises(DataError):
        aipw(mahc.read({"x": ["a", "b"] * 20, "y": ["", "v"] * 20}, missing="state").state_as_missing(), "x", "y")


def test_gaps_are_counted_by_hand() -> None:
    columns, _ = simulate(40, 8)
    data = mahc.read(columns)
    rows = list(zip(columns["c"], columns["d"], columns["x"], strict=True))
    expected = {}
    for c, d in {row[:2] for row in rows}:
        lacking = tuple(x for x in ("no", "yes") if (c, d, x) not in rows)
        if lacking:
            expected["c", c, "d", d] = (lacking, sum(row[:2] == (c, d) for row in rows))
    found = check_positivity(data, "x", ["d", "c"])
    assert {
        tuple(part for pair in gap.configuration for part in pair): (gap.lacking, gap.rows) for gap in found.gaps
    } == expected
    assert (found.number, found.rows) == (len(expected), sum(rows for _, rows in expected.values()))
    assert found.configurations == len({row[:2] for row in rows})
    assert len(check_positivity(data, "x", ["d", "c", "y"], limit=1).gaps) == 1
    with pytest.raises(MahcError):
        check_positivity(data, "x", "z")
