"""Answers of mixed models against slow and obvious forms: the conditional normal formula, integrals, weighted draws."""

from __future__ import annotations

import itertools
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_models import dataset, linear_network, mixed_graph, mixed_model, mixed_rows

import mahc
from mahc.errors import GraphError, MahcError, SettingError
from mahc.graphs import DAG
from mahc.inference import ImpossibleEvidenceError, MixedModel, NumberAnswer
from mahc.inference.mixed.network import MixedNetwork


@given(st.integers(0, 200), st.integers(2, 6), st.booleans())
def test_linear_networks_answer_by_the_conditional_normal_formula(seed: int, numbers: int, doing: bool) -> None:
    network, mean, covariance = linear_network(seed, numbers)
    model = MixedModel(network)
    random = np.random.default_rng(seed)
    chosen = random.permutation(numbers)
    target, others = int(chosen[0]), [int(v) for v in chosen[1 : 1 + random.integers(0, numbers)]]
    values = {v: float(random.normal()) for v in others}
    changed = others[:1] if doing else []
    seen = [v for v in others if v not in changed]
    if changed:  # cut the arcs into what is set, in the obvious way
        mean, covariance = _cut(network, changed[0], values[changed[0]])
    at = np.array([values[v] for v in seen])
    gain = covariance[target, seen] @ np.linalg.inv(covariance[np.ix_(seen, seen)]) if seen else np.zeros(0)
    expected = mean[target] + gain @ (at - mean[seen])
    variance = covariance[target, target] - gain @ covariance[seen, target]
    names = network.names
    answer = model.query(
        names[target], {names[v]: values[v] for v in seen}, {names[v]: values[v] for v in changed}, quantiles=(0.1, 0.5)
    )
    if not (target in changed or variance < 1e-12):
        assert answer.method == "exact"
        assert answer.mean == pytest.approx(expected, abs=1e-6)
        assert answer.standard_deviation == pytest.approx(np.sqrt(variance), rel=1e-4)
        normal = NormalDist(expected, np.sqrt(variance))
        assert answer.quantiles[0.1] == pytest.approx(normal.inv_cdf(0.1), abs=1e-3 * normal.stdev)


def _cut(network: MixedNetwork, node: int, value: float) -> tuple[np.ndarray, np.ndarray]:
    """The mean and covariance of the network in which a variable is a constant."""
    numbers = len(network.names)
    weights, deviations, offsets = np.zeros((numbers, numbers)), np.zeros(numbers), np.zeros(numbers)
    for v in range(numbers):
        weights[v, list(network.parents[v])] = network.nodes[v].coefficients
        deviations[v], offsets[v] = network.nodes[v].deviations[0], network.nodes[v].intercept
    weights[node], deviations[node], offsets[node] = 0.0, 0.0, value
    inverse = np.linalg.inv(np.eye(numbers) - weights)
    return inverse @ offsets, inverse @ np.diag(deviations**2) @ inverse.T


def test_a_number_given_everything_else_is_the_integral_of_the_density() -> None:
    model = mixed_model()
    variable = model.network.variables[2]
    for s, t in itertools.product("abc", ("no", "yes")):
        answer = model.query("y", given={"x": 0.3, "s": s, "t": t})
        points = variable.to_outer(np.linspace(-8, 8, 40_001))
        middle = (points[1:] + points[:-1]) / 2
        rows = dataset(x=np.full(len(middle), 0.3), s=np.full(len(middle), s), y=middle, t=np.full(len(middle), t))
        weights = np.exp(model.log_density(rows)) * np.diff(points)
        mean = (weights @ middle) / weights.sum()
        assert answer.method == "quadrature"
        assert answer.mean == pytest.approx(mean, rel=1e-3)
        assert answer.standard_deviation == pytest.approx(
            np.sqrt(weights @ (middle - mean) ** 2 / weights.sum()), rel=5e-3
        )
        assert answer.median == pytest.approx(np.interp(0.5, np.cumsum(weights) / weights.sum(), points[1:]), rel=1e-2)


def test_states_given_numbers_are_summed_over_the_other_states() -> None:
    model = mixed_model()
    observed = {"x": -0.4, "y": 1.7}
    rows = [(s, t) for s in "abc" for t in ("no", "yes")]
    densities = np.exp(
        model.log_density(
            dataset(
                x=np.full(6, -0.4),
                s=np.array([s for s, _ in rows]),
                y=np.full(6, 1.7),
                t=np.array([t for _, t in rows]),
            )
        )
    )
    table = (densities / densities.sum()).reshape(3, 2)
    answer = model.query("s", given=observed)
    assert answer.method == "exact"
    assert list(answer.probabilities.values()) == pytest.approx(table.sum(axis=1).tolist(), abs=1e-9)
    joint = model.query(["s", "t"], given=observed)
    assert list(joint.probabilities.values()) == pytest.approx(table.ravel().tolist(), abs=1e-9)
    each = model.query(["s", "t"], given=observed, joint=False)
    assert list(each["t"].probabilities.values()) == pytest.approx(table.sum(axis=0).tolist(), abs=1e-9)
    soft = model.query("s", given={**observed, "t": {"yes": 0.5, "no": 0.25}})
    weighed = table @ np.array([0.25, 0.5])
    assert list(soft.probabilities.values()) == pytest.approx((weighed / weighed.sum()).tolist(), abs=1e-9)


QUESTIONS = [
    ("y", {"x": 0.5, "s": "b"}, {}),
    ("y", {"x": 0.5, "s": "b", "t": "yes"}, {}),
    ("s", {"x": 0.5, "y": 3.0}, {}),
    ("t", {}, {"y": 2.5}),
    ("s", {"t": "yes"}, {"y": 2.5}),
    ("x", {"s": "a"}, {"y": 2.5}),
]


@pytest.mark.parametrize(("target", "seen", "done"), QUESTIONS)
def test_weighting_agrees_with_the_exact_answer(target: str, seen: dict[str, object], done: dict[str, object]) -> None:
    model = mixed_model()
    exact = model.query(target, seen, done)
    drawn = model.query(target, seen, done, method="weighting", draws=40_000, seed=3)
    assert exact.method in ("exact", "quadrature")
    assert drawn.method == "weighting"
    assert any("estimated from 40,000 weighted samples" in note for note in drawn.notes)
    if isinstance(exact, NumberAnswer):
        assert drawn.mean == pytest.approx(exact.mean, abs=5 * drawn.standard_error)
        assert drawn.median == pytest.approx(exact.median, abs=0.1 * exact.standard_deviation)
    else:
        for state in exact:
            assert drawn[state] == pytest.approx(exact[state], abs=5 * drawn.standard_errors[state] + 1e-6)


def test_samples_have_the_distribution_of_the_answers() -> None:
    model = mixed_model()
    rows = model.sample(6000, seed=1)
    y, s = rows.columns[2].values, rows.columns[1]
    answer = model.query("y", draws=20_000)
    assert answer.mean == pytest.approx(float(y.mean()), rel=0.03)
    assert answer.quantiles[0.95] == pytest.approx(float(np.quantile(y, 0.95)), rel=0.05)
    share = model.query("s")["b"]
    assert float((s.codes == 1).mean()) == pytest.approx(share, abs=0.02)
    fresh = model.sample(6000, seed=2)  # on these any other density costs more bits (Gibbs' inequality)
    other = MixedModel.fit(mixed_graph(), rows)
    assert model.score(fresh) < other.score(fresh) < model.score(fresh) + 0.1
    without = MixedModel.fit(DAG(rows.names, []), rows)
    assert model.score(fresh) + 0.5 < without.score(fresh)


def test_the_same_seed_gives_the_same_bits_and_another_other_ones() -> None:
    model = mixed_model()
    first, again, other = (model.query("x", {"t": "yes"}, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.mean != other.mean
    assert model.sample(50, seed=4) == model.sample(50, seed=4)
    assert model.sample(50, seed=4) == model.sample(80, seed=4).take(np.arange(50))


def test_the_order_of_columns_changes_no_answer() -> None:
    data = mixed_rows(1)
    names = ["t", "y", "x", "s"]
    other = MixedModel.fit(DAG(names, mixed_graph().arcs), data.select(names))
    model = mixed_model()
    for question in ({"t": "yes"}, {"s": "a", "t": "no"}):
        assert model.query("x", question) == other.query("x", question)
    assert model.log_density(data).tolist() == pytest.approx(other.log_density(data).tolist(), abs=1e-12)


def test_predictions_are_the_answers_of_queries() -> None:
    model = mixed_model()
    rows = {"x": [0.1, 1.2, None], "s": ["a", "", "c"], "t": ["yes", "no", "no"], "y": [None, 3.0, 0.7]}
    means = model.predict(rows, "y", draws=1000)
    for row, mean in enumerate(means):
        seen = {name: values[row] for name, values in rows.items() if name != "y" and values[row] not in (None, "")}
        assert mean == pytest.approx(model.query("y", given=seen, draws=1000).mean, rel=1e-9)
    shares = model.predict_proba(rows, "s", draws=1000)
    for row, found in enumerate(shares):
        seen = {name: values[row] for name, values in rows.items() if name != "s" and values[row] not in (None, "")}
        assert found.tolist() == pytest.approx(
            list(model.query("s", seen, draws=1000).probabilities.values()), rel=1e-9
        )
    assert model.predict(rows, "s", draws=1000).tolist() == [["a", "b", "c"][k] for k in shares.argmax(axis=1)]


def test_interventions_differ_from_observations() -> None:
    model = mixed_model()
    assert model.query("x", do={"y": 9.0}).mean == pytest.approx(model.query("x").mean, abs=1e-9)
    assert model.query("x", given={"y": 9.0, "s": "a"}).mean > model.query("x").mean + 0.5
    hidden = MixedModel(model.network, not_causal="hidden common causes are possible")
    with pytest.raises(GraphError, match="hidden common causes"):
        hidden.query("x", do={"y": 9.0})


REFUSALS = [
    (lambda m: m.query("z"), "z"),
    (
        lambda m: m.query("y", given={"x": "tall"}),
        "'x' holds numbers, and given has 'tall' for it: give a finite number",
    ),
    (lambda m: m.query("y", given={"x": float("inf")}), "finite number"),
    (lambda m: m.query("y", given={"s": "z"}), "state of 's'"),
    (lambda m: m.query("y", given={"y": 1}), "is the target and is given"),
    (lambda m: m.query("y", do={"y": 1}), "is the target and is set by do"),
    (lambda m: m.query("y", given={"x": 1}, do={"x": 1}), "given and set by do"),
    (lambda m: m.query(["y", "x"]), "joint"),
    (lambda m: m.query([]), "no target"),
    (lambda m: m.query("y", credible=0.9), "credible"),
    (lambda m: m.query("y", method="pyagrum"), "tables"),
    (lambda m: m.query("y", quantiles=(0, 0.5)), "quantiles"),
    (lambda m: m.query("y", given=[1]), "given is"),
    (lambda m: m.predict_proba({"x": [1.0]}, "y"), "holds numbers and has no states"),
    (lambda m: m.predict({"x": ["tall"]}, "y"), "'x' has the value 'tall', which is no finite number"),
    (lambda m: m.predict({"s": ["z"]}, "y"), "'s' has the value 'z'"),
    (lambda m: m.predict({"q": [1.0]}, "y"), "none of the network's variables"),
    (lambda m: m.score({"x": [1.0]}), "lack a variable"),
    (lambda m: m.most_probable(), "numbers"),
    (lambda m: m.sample(0, 1), "number of rows"),
    (lambda m: m.save("model.bif"), "ends in .json"),
]


@pytest.mark.parametrize(("asked", "words"), REFUSALS)
def test_what_cannot_be_answered_is_refused_in_one_sentence(asked, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MahcError, match=words.replace("(", r"\(")):
        asked(mixed_model())


def test_impossible_evidence_is_refused() -> None:
    s = np.array(["a", "b"] * 20)
    data = dataset(x=np.arange(40.0), s=s, t=s, u=s)
    model = MixedModel.fit(DAG(data.names, [("s", "t"), ("s", "u")]), data, prior=0)
    with pytest.raises(ImpossibleEvidenceError, match="probability 0"):
        model.query("s", given={"t": "a", "u": "b"})
    with pytest.raises(ImpossibleEvidenceError, match="none of 1,000 draws"):
        model.query("s", given={"t": "a", "u": "b"}, method="weighting", draws=1000)
    with pytest.raises(SettingError, match="row 1 has probability 0"):
        model.predict({"t": ["a"], "u": ["b"]}, "s")


def test_a_state_that_was_never_seen_is_scored_with_a_warning() -> None:
    model = mixed_model()
    rows = dataset(x=np.array([0.1]), s=np.array(["new"]), y=np.array([1.0]), t=np.array(["no"]))
    with pytest.warns(UserWarning, match="'s' has the value 'new'"):
        assert np.isfinite(model.score(rows))


def test_a_learned_graph_is_fitted_and_asked() -> None:
    data = mixed_rows(3, 400)
    learned = mahc.learn(data, "boss", objective="smooth")
    model = learned.fit(data)
    assert isinstance(model, MixedModel)
    independent = MixedModel.fit(DAG(data.names, []), data)
    fresh = mixed_rows(4, 400)
    assert model.score(fresh) < independent.score(fresh) - 0.5


def test_an_answer_beyond_the_data_says_so() -> None:
    x = np.linspace(0, 9, 200)
    model = MixedModel.fit(DAG(["x", "y"], [("x", "y")]), {"x": x, "y": x + np.sin(40 * x)})
    assert model.query("y", given={"x": 9}).notes == ()
    for how in ({"given": {"x": 12}}, {"do": {"x": 12}}):
        (note,) = model.query("y", **how).notes
        assert note.startswith("the data hold no x near 12 (they end at ")
        assert note.endswith("so the answer extrapolates")
