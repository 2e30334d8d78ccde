"""Likelihood weighting and credible intervals: seeded, compared with exact answers."""

from __future__ import annotations

import numpy as np
import pytest

from mahc.data import Dataset
from mahc.graphs import DAG
from mahc.inference import ImpossibleEvidenceError, Model
from mahc.inference.answering import Answering, QuerySettings
from mahc.inference.evidence import ask
from mahc.networks import load_network, sample

QUESTIONS = [
    ("asia", ["lung"], {"dysp": "yes", "xray": "yes"}, {}),
    ("asia", ["either", "bronc"], {"xray": {"yes": 0.9, "no": 0.3}}, {"smoke": "no"}),
    ("child", ["Disease"], {"LowerBodyO2": "<5"}, {}),
    ("alarm", ["LVFAILURE"], {"HR": "HIGH", "BP": "LOW"}, {"INTUBATION": "NORMAL"}),
]


@pytest.mark.parametrize(("name", "targets", "given", "do"), QUESTIONS)
def test_weighting_is_within_its_stated_error(
    name: str, targets: list[str], given: dict[str, object], do: dict[str, object]
) -> None:
    model = Model.load(name)
    exact = model.query(targets, given, do)
    within = []
    for seed in range(20):
        found = model.query(targets, given, do, method="weighting", draws=4000, seed=seed)
        assert found.standard_errors is not None
        assert found.effective_draws is not None
        assert found.effective_draws <= 4000
        within += [abs(found[state] - exact[state]) <= 2 * found.standard_errors[state] for state in exact]
        assert all(abs(found[state] - exact[state]) <= 6 * found.standard_errors[state] for state in exact)
        assert found.given_log2 == pytest.approx(exact.given_log2, abs=0.4)
    assert np.mean(within) >= 0.85  # about 95 % are expected


def test_the_same_seed_gives_the_same_bits_whatever_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model.load("asia")
    first = model.query("lung", {"dysp": "yes"}, method="weighting", draws=5000, seed=3)
    monkeypatch.setattr("mahc.inference.weighting.CHUNK", 700)
    again = model.query("lung", {"dysp": "yes"}, method="weighting", draws=5000, seed=3)
    assert again["yes"] == pytest.approx(first["yes"], rel=1e-12)
    assert model.query("lung", {"dysp": "yes"}, method="weighting", draws=5000, seed=4) != first


def test_evidence_that_no_draw_agrees_with_is_refused() -> None:
    with pytest.raises(ImpossibleEvidenceError, match=r"none of 1,000 draws agrees with either=no, tub=yes"):
        Model.load("asia").query("lung", {"either": "no", "tub": "yes"}, method="weighting", draws=1000)


def test_weighting_answers_what_is_too_large_for_an_exact_answer() -> None:
    munin = Model.load("munin1")
    leaves = [v for v in munin.variables if not any(v in arc[:1] for arc in munin.network.arcs)]
    observed = {name: munin.states(name)[0] for name in leaves[:3]}
    answer = munin.query("R_LNLW_MED_SEV", given=observed, method="weighting", draws=2000)
    assert sum(answer.values()) == pytest.approx(1)


def test_credible_intervals_of_one_variable_are_those_of_its_beta_posterior() -> None:
    codes = np.array([0] * 30 + [1] * 10)
    model = Model.fit(DAG(["a"]), Dataset.coded(("a",), (("n", "y"),), (codes,)), prior=2.0)
    found = model.query("a", credible=0.9, draws=20_000, seed=1)
    assert found.intervals is not None
    drawn = np.random.default_rng(5).beta(11, 31, 200_000)
    low, high = np.quantile(drawn, [0.05, 0.95])
    assert found.intervals["y"].low == pytest.approx(low, abs=0.004)
    assert found.intervals["y"].high == pytest.approx(high, abs=0.004)
    assert found.level == 0.9


def test_credible_intervals_equal_a_loop_over_sampled_networks() -> None:
    network = load_network("asia")
    model = Model.fit(network.dag, sample(network, 200, 1), prior=1.0)
    answering = Answering(model.network, model.alphas)
    question = ask(model.network, ["lung"], {"dysp": "yes"}, None)
    together = answering.sampled_answers(question, QuerySettings(draws=40, seed=2))
    apart = answering.sampled_answers(question, QuerySettings(draws=40, seed=2, max_bytes=2048))
    np.testing.assert_allclose(together, apart, atol=1e-12)
    assert together.shape == (40, 2)


def test_credible_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    network = load_network("cancer")
    truth = Model(network).query("Cancer", {"Smoker": "True"})["True"]
    inside = 0
    for seed in range(40):
        data = sample(network, 2000, seed, unseen_states=True)
        found = Model.fit(network.dag, data).query("Cancer", {"Smoker": "True"}, credible=0.9, draws=400)
        assert found.intervals is not None
        inside += found.intervals["True"].low <= truth <= found.intervals["True"].high
    assert 28 <= inside <= 40


def test_tiny_parameters_of_the_prior_give_finite_tables() -> None:
    data = Dataset.coded(("a", "b"), (("n", "y"), ("n", "y")), (np.zeros(3, int), np.zeros(3, int)))
    model = Model.fit(DAG(["a", "b"], [("a", "b")]), data, prior=1e-4)
    found = model.query("b", {"a": "y"}, credible=0.95, draws=200)
    assert found.intervals is not None
    assert 0 <= found.intervals["n"].low <= found.intervals["n"].high <= 1
