"""Nodes and marginal maps against slow and obvious forms: least squares, logistic regression, integrals, samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_models import dataset, mixed_model, mixed_rows

from mahc.errors import DataError
from mahc.graphs import DAG
from mahc.inference.mixed import nodes
from mahc.inference.mixed.model import MixedModel
from mahc.inference.mixed.nodes import RIDGE, LogisticNode, RegressionNode, TableNode, fit_softmax
from mahc.inference.mixed.variables import fit_number
from mahc.networks import fit


def numbers(seed: int, kind: int, rows: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    z = random.standard_normal(rows)
    return [z, np.exp(2 * z), z**3, np.round(z), np.where(random.random(rows) < 0.4, 0.0, np.exp(z)), z.round(1)][kind]


columns = st.tuples(st.integers(0, 99), st.integers(0, 5), st.integers(10, 400))


@given(columns)
def test_the_map_to_scores_increases_and_is_undone(drawn: tuple[int, int, int]) -> None:
    values = numbers(*drawn)
    variable = fit_number("x", values, np.ones(len(values)))
    wide = np.concatenate([values, np.linspace(values.min() - 50, values.max() + 50, 300)])
    scores = variable.to_inner(np.sort(wide))
    assert (np.diff(scores) >= 0).all()
    assert np.allclose(variable.to_outer(variable.to_inner(wide)), wide, rtol=1e-9, atol=1e-9 * np.abs(wide).max())


@given(columns)
def test_the_slope_is_the_derivative(drawn: tuple[int, int, int]) -> None:
    values = numbers(*drawn)
    variable = fit_number("x", values, np.ones(len(values)))
    z = np.random.default_rng(drawn[0]).uniform(-6, 6, 100)
    z = z[np.abs(z[:, None] - np.array(variable.scores)).min(axis=1) > 1e-3]
    step = 1e-5
    dx = variable.to_outer(z + step) - variable.to_outer(z - step)
    assert np.allclose(variable.log_slope(z), np.log(2 * step / dx), atol=1e-3)


@given(columns, st.floats(0.1, 30), st.floats(-5, 5))
def test_a_change_of_sign_mirrors_the_map_and_units_do_not_matter(
    drawn: tuple[int, int, int], scale: float, shift: float
) -> None:
    values = numbers(*drawn)
    ones = np.ones(len(values))
    variable, mirrored = fit_number("x", values, ones), fit_number("x", -values, ones)
    assert variable.edges == tuple(-edge for edge in reversed(mirrored.edges))
    assert variable.scores == tuple(-score for score in reversed(mirrored.scores))
    assert (variable.lower, variable.upper) == pytest.approx((mirrored.upper, mirrored.lower), rel=1e-12)
    moved = fit_number("x", values * scale + shift, ones)
    assert np.allclose(moved.to_inner(values * scale + shift), variable.to_inner(values), atol=1e-6)


@given(columns)
def test_weights_are_repeated_rows(drawn: tuple[int, int, int]) -> None:
    values = numbers(*drawn)
    weights = np.random.default_rng(drawn[0]).integers(1, 4, len(values))
    assert fit_number("x", values, weights.astype(float)) == fit_number(
        "x", np.repeat(values, weights), np.ones(weights.sum())
    )


@pytest.mark.parametrize("kind", range(6))
def test_the_density_of_one_number_has_the_integral_1(kind: int) -> None:
    values = numbers(3, kind, 200)
    model = MixedModel.fit(DAG(["x"], []), dataset(x=values))
    variable = model.network.variables[0]
    scores = np.linspace(-12, 12, 200_001)
    x = variable.to_outer(scores)
    density = np.exp(model.log_density(dataset(x=(x[1:] + x[:-1]) / 2)))
    assert float((density * np.diff(x)).sum()) == pytest.approx(1, abs=2e-3)


def test_the_density_of_two_variables_has_the_integral_1() -> None:
    data = mixed_rows(2)
    for names, arcs in ((["x", "y"], [("x", "y")]), (["y", "t"], [("y", "t")]), (["s", "y"], [("s", "y")])):
        model = MixedModel.fit(DAG(names, arcs), data)
        edges, values = [], []
        for variable in model.network.variables:
            if variable.states is None:
                steps = np.union1d(np.linspace(-9, 9, 501), variable.scores)  # the slope jumps at scores of edges
                edges.append(np.diff(variable.to_outer(steps)))
                values.append(variable.to_outer((steps[1:] + steps[:-1]) / 2))
            else:
                edges.append(np.ones(len(variable.states)))
                values.append(np.array(variable.states))
        first, second = np.meshgrid(*values, indexing="ij")
        density = np.exp(model.log_density(dataset(**{names[0]: first.ravel(), names[1]: second.ravel()})))
        assert float(density @ np.outer(*edges).ravel()) == pytest.approx(1, abs=5e-3)


def test_a_regression_has_the_coefficients_of_least_squares() -> None:
    model = mixed_model()
    network = model.network
    node, place = network.nodes[2], network.parents[2]
    assert isinstance(node, RegressionNode)
    assert [network.names[p] for p in place] == ["s", "x"]
    data = mixed_rows(1)
    inner = [network.variables[k].to_inner(data.columns[k].values) for k in (0, 2)]
    codes = data.columns[1].codes
    columns = [np.ones(data.rows), codes == 1, codes == 2, *network.variables[0].columns(inner[0], node.degree)]
    design = np.column_stack(columns).astype(float)
    found, *_ = np.linalg.lstsq(design, inner[1], rcond=None)
    given = [codes.astype(np.int64), inner[0]]
    fitted = node.mean(given, [network.variables[p] for p in place], data.rows)
    assert np.allclose(fitted, design @ found, atol=1e-8)
    assert np.allclose(node.coefficients[3:], found[3:], atol=1e-8)


def test_a_table_is_that_of_a_discrete_network() -> None:
    data = mixed_rows(4).select(["s", "t"])
    graph = DAG(["s", "t"], [("s", "t")])
    both = mixed_rows(4)
    model = MixedModel.fit(DAG(both.names, [("s", "t")]), both, prior=2)
    node = model.network.nodes[both.index("t")]
    assert isinstance(node, TableNode)
    assert np.array_equal(node.table()[:-1], fit(graph, data, 2.0).tables[1])


@pytest.mark.long
@pytest.mark.peers
@settings(max_examples=10)
@given(st.integers(0, 50), st.integers(2, 4), st.booleans())
def test_logistic_regression_is_that_of_scikit_learn(seed: int, states: int, separated: bool) -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(seed)
    columns = random.standard_normal((80, 3))
    codes = np.argsort(np.argsort(columns[:, 0])) * states // 80 if separated else random.integers(0, states, 80)
    codes[:states] = np.arange(states)
    found, likelihood = fit_softmax(columns, codes, np.ones(80), states)
    peer = linear_model.LogisticRegression(C=1 / RIDGE, tol=1e-10, max_iter=10_000).fit(columns, codes)
    logs = peer.predict_log_proba(columns)
    if states > 2:  # of two states, scikit-learn has one row of coefficients and so half of the ridge
        assert np.allclose(found[:, 1:], peer.coef_, atol=1e-4)
        assert likelihood == pytest.approx(logs[np.arange(80), codes].sum(), abs=1e-3)
    else:
        peer = linear_model.LogisticRegression(C=2 / RIDGE, tol=1e-10, max_iter=10_000).fit(columns, codes)
        assert np.allclose(found[1, 1:] - found[0, 1:], peer.coef_[0], atol=1e-4)


def test_separated_states_have_finite_coefficients() -> None:
    x = np.linspace(0, 1, 100)
    model = MixedModel.fit(DAG(["x", "s"], [("x", "s")]), dataset(x=x, s=np.where(x < 0.5, "low", "high")))
    node = model.network.nodes[1]
    assert isinstance(node, LogisticNode)
    assert np.isfinite(node.coefficients).all()
    assert model.query("s", given={"x": 0.9})["high"] > 0.99


@given(st.integers(0, 30))
def test_rows_and_columns_may_come_in_any_order(seed: int) -> None:
    data = mixed_rows(seed, 120)
    graph = DAG(data.names, [("x", "y"), ("s", "y"), ("y", "t"), ("s", "t")])
    model = MixedModel.fit(graph, data)
    order = np.random.default_rng(seed).permutation(data.rows)
    names = ["t", "y", "x", "s"]
    other = MixedModel.fit(DAG(names, graph.arcs), data.take(order).select(names))
    for name in names:
        mine, theirs = model.variables.index(name), other.variables.index(name)
        assert model.network.nodes[mine] == other.network.nodes[theirs]
        assert model.network.variables[mine] == other.network.variables[theirs]


def test_copies_and_monotone_copies_have_a_finite_density() -> None:
    x = np.random.default_rng(1).standard_normal(200)
    data = dataset(x=x, copy=x, exp=np.exp(x))
    model = MixedModel.fit(DAG(data.names, [("x", "copy"), ("x", "exp"), ("copy", "exp")]), data)
    assert np.isfinite(model.log_density(data)).all()
    assert model.query("exp", given={"x": 0.5}).mean == pytest.approx(math.exp(0.5), rel=0.02)


def test_columns_that_cannot_be_fitted_are_refused_in_one_sentence() -> None:
    with pytest.raises(DataError, match="'x' has the value 3 in every row: leave the column out"):
        MixedModel.fit(DAG(["x"], []), dataset(x=np.full(9, 3.0)))
    with pytest.raises(DataError, match=r"values are missing.*missing"):
        MixedModel.fit(DAG(["x"], []), dataset(x=np.array([1.0, 2.5, np.nan])))
    assert MixedModel.fit(DAG(["x"], []), dataset(x=np.array([1.0, 2.5, np.nan])), missing="drop").network.origin
    with pytest.raises(DataError, match="lack a variable"):
        MixedModel.fit(DAG(["x", "z"], []), dataset(x=np.array([1.0, 2.5])))


def test_a_mixture_of_many_residuals_is_fitted_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    residual = random.normal(size=9000) * np.where(random.random(9000) < 0.3, 2.0, 0.5)
    weights = random.integers(1, 4, 9000).astype(float)
    grouped = nodes._fit_mixture(residual, weights, 4.0)
    turned = nodes._fit_mixture(-residual[::-1], weights[::-1], 4.0)
    monkeypatch.setattr(nodes, "MOST_GROUPS", len(residual))
    whole = nodes._fit_mixture(residual, weights, 4.0)
    assert len(whole[0]) == 2
    np.testing.assert_allclose(grouped[0], whole[0], rtol=1e-4)
    np.testing.assert_allclose(grouped[1], whole[1], rtol=1e-4)
    assert grouped[2] == pytest.approx(whole[2], abs=0.01)
    np.testing.assert_allclose(turned[1], grouped[1], rtol=1e-9)


def test_a_start_changes_no_logistic_regression() -> None:
    random = np.random.default_rng(4)
    columns = random.normal(size=(300, 2))
    codes = np.argmax(columns @ random.normal(size=(2, 3)) + random.gumbel(size=(300, 3)), axis=1)
    cold, likelihood = fit_softmax(columns, codes, np.ones(300), 3)
    warm, again = fit_softmax(columns, codes, np.ones(300), 3, random.normal(size=(3, 3)))
    np.testing.assert_allclose(warm, cold, atol=1e-5)
    assert again == pytest.approx(likelihood, abs=1e-5)
