"""Expectation-maximisation against an independent implementation, direct maximisation, and counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import configurations, probability

import mahc
from mahc.cli.main import run
from mahc.data import Dataset, read
from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.inference.em import Completer, fit_em
from mahc.networks import fit, load_network, simulate
from mahc.networks.network import Network
from mahc.networks.noise import parse_noise


def sample(name: str, rows: int, noise: str, seed: int) -> tuple[DAG, Dataset]:
    simulation = simulate(load_network(name), rows, seed, parse_noise(noise))
    return DAG(simulation.data.names, simulation.network.arcs), simulation.data.state_as_missing()


def codes_of(data: Dataset, names: tuple[str, ...]) -> np.ndarray:
    places = [data.names.index(name) for name in names]
    return np.stack(
        [np.where(data.columns[v].missing, -1, data.discrete[v].codes.astype(np.int64)) for v in places], axis=1
    )


def counts_by_listing(network: Network, rows: np.ndarray, weights: np.ndarray) -> tuple[list[np.ndarray], float]:
    """Expected counts of the families and the log-likelihood in bits, from every completion of every row."""
    counts, bits = [np.zeros(table.shape) for table in network.tables], 0.0
    for row, weight in zip(rows, weights, strict=True):
        fitting = [x for x in configurations(network) if all(a < 0 or a == b for a, b in zip(row, x, strict=True))]
        each = np.array([probability(network, x) for x in fitting])
        bits += weight * np.log2(each.sum())
        for x, part in zip(fitting, each / each.sum(), strict=True):
            for node, parents in enumerate(network.parents):
                place = 0
                for parent in parents:
                    place = place * len(network.states[parent]) + x[parent]
                counts[node][place, x[node]] += weight * part
    return counts, bits


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), rate=st.sampled_from([0.1, 0.4, 0.9]), name=st.sampled_from(["asia", "cancer"]))
def test_expected_counts_equal_those_of_listing_every_completion(seed: int, rate: float, name: str) -> None:
    dag, data = sample(name, 12, f"mcar:{rate}", seed)
    network = fit_em(dag, data, 1.0, max_steps=2).network
    expected, bits = counts_by_listing(network, codes_of(data, network.names), np.ones(data.rows))
    completer = Completer(dag, data)
    found = completer.expect(completer.numbers(network))
    assert found is not None
    assert found[1] == pytest.approx(bits, abs=1e-6)
    for mine, theirs in zip(completer.arranged(found[0]), expected, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("ess", [0.0, 1.0])
def test_the_log_likelihood_never_decreases(ess: float) -> None:
    dag, data = sample("asia", 300, "mar:0.3", 2)
    fitted = fit_em(dag, data, ess)
    assert fitted.converged
    assert len(fitted.log_likelihoods) > 3
    if ess == 0:
        steps = np.diff(fitted.log_likelihoods)
        assert steps.min() > -1e-5
    assert all(np.allclose(table.sum(axis=1), 1) for table in fitted.network.tables)


def test_direct_maximisation_finds_the_same_tables() -> None:
    generator = np.random.default_rng(4)
    a = generator.integers(0, 2, 200)
    b = np.where(generator.random(200) < 0.8, a, 1 - a)
    lost = generator.random(200) < 0.3
    data = Dataset.coded(("a", "b"), (("n", "y", "missing"), ("n", "y")), (np.where(lost, 2, a), b)).state_as_missing()
    dag = DAG(["a", "b"], [("a", "b")])

    def likelihood(p: float, q: float, r: float) -> float:
        """Of P(a = y) = p, P(b = y | a = n) = q, P(b = y | a = y) = r."""
        joint = np.array([[(1 - p) * (1 - q), (1 - p) * q], [p * (1 - r), p * r]])
        return float(np.log2(joint[a[~lost], b[~lost]]).sum() + np.log2(joint.sum(axis=0)[b[lost]]).sum())

    best = np.array([0.5, 0.5, 0.5])
    step = 0.25
    while step > 1e-7:  # coordinate search
        moved = False
        for k in range(3):
            for sign in (-1, 1):
                tried = best.copy()
                tried[k] = np.clip(tried[k] + sign * step, 1e-9, 1 - 1e-9)
                if likelihood(*tried) > likelihood(*best):
                    best, moved = tried, True
        step = step if moved else step / 2
    fitted = fit_em(dag, data, tolerance=1e-12)
    tables = fitted.network.tables
    assert [tables[0][0, 1], tables[1][0, 1], tables[1][1, 1]] == pytest.approx(best, abs=1e-4)
    assert fitted.log_likelihoods[-1] == pytest.approx(likelihood(*best), abs=1e-5)


def test_complete_data_give_the_counts() -> None:
    data = simulate(load_network("asia"), 200, 1).data
    dag = DAG(data.names, load_network("asia").arcs)
    for ess in (0.0, 2.0):
        fitted, counted = fit_em(dag, data.state_as_missing(), ess).network, fit(dag, data, ess)
        assert all(np.allclose(mine, other) for mine, other in zip(fitted.tables, counted.tables, strict=True))


def test_orders_and_threads_do_not_matter() -> None:
    dag, data = sample("asia", 200, "mar:0.4", 3)
    rows = np.random.default_rng(0).permutation(200)
    turned = data.select(data.names[::-1]).take(rows)
    first = fit_em(dag, data, threads=1)
    second = fit_em(dag, turned, threads=2)
    assert first.log_likelihoods == second.log_likelihoods
    assert first.network == second.network


def test_models_and_results_fit_by_em() -> None:
    columns = {"rain": ["n", "y"] * 60 + [""] * 4, "wet": ["n", "y"] * 60 + ["y"] * 4}
    learned = mahc.learn(columns, "hc", missing="pairwise")
    model = learned.fit(columns, missing="em")
    assert model.query("rain", given={"wet": "y"})["y"] > 0.95
    assert isinstance(model.network, Network)
    assert model.states("rain") == ("n", "y")


def test_drawn_rows_follow_the_posterior() -> None:
    dag, data = sample("cancer", 40, "mcar:0.5", 1)
    fitted = fit_em(dag, data, 1.0)
    completer = Completer(dag, data)
    tables = completer.numbers(fitted.network)
    found = completer.draw(tables, 7, 400)
    assert found is not None
    drawn, weights = found
    assert weights.sum() == 40 * 400
    expected = completer.arranged(completer.expect(tables)[0])  # type: ignore[index]
    names = sorted(dag.names)
    for v, name in enumerate(dag.names):
        if not dag.parent_sets[v]:
            share = np.bincount(drawn[:, names.index(name)], weights, expected[v].shape[1]) / 400
            assert share == pytest.approx(expected[v][0], abs=1.0)


def six_rows(scale: int) -> Dataset:
    columns = {"a": ["x", "x", "y", "y", "", "x"], "b": ["u", "u", "v", "", "v", "v"]}
    data = read(columns, missing="state").state_as_missing()
    return data.take(np.arange(6), scale * np.array([3, 1, 2, 4, 1, 2]))


@pytest.mark.parametrize("power", [20, 30, 31, 32, 33, 40, 49])
def test_large_weights_are_exact(power: int) -> None:
    """13 times 2^49 is below 2^53: expected counts are those of the small weights, times the scale, to the bit."""
    dag = DAG(["a", "b"], [("a", "b")])
    small, large = six_rows(1), six_rows(1 << power)
    tables = Completer(dag, small).fit_available()
    (counts, bits), (many, more) = Completer(dag, small).expect(tables), Completer(dag, large).expect(tables)  # type: ignore[misc]
    assert (many == counts * 2.0**power).all()
    assert more == bits * 2.0**power
    fitted = fit_em(dag, large, tolerance=1e-9)
    assert fitted.converged
    assert np.diff(fitted.log_likelihoods).min() >= -1e-9 * large.size
    for mine, other in zip(fitted.network.tables, fit_em(dag, small, tolerance=1e-9).network.tables, strict=True):
        assert mine == pytest.approx(other, abs=1e-3)


def test_the_largest_weights_are_fitted_by_the_command_line(tmp_path: Path) -> None:
    largest = 2**53 - 1
    (tmp_path / "x.csv").write_text(f"a,b,w\nx,u,{largest - 3}\ny,,2\n,v,1\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text("from,to\na,b\n", encoding="utf-8")
    words = f"fit {tmp_path}/g.csv {tmp_path}/x.csv --weights w --missing em --out {tmp_path}/m.json".split()
    with pytest.raises(SystemExit) as end:
        run(words)
    assert not end.value.code
    model = mahc.Model.load(tmp_path / "m.json")
    assert model.query("a")["x"] == pytest.approx(1.0)
    assert model.query("b", given={"a": "x"})["u"] == pytest.approx(1.0)


def test_draws_of_heavy_rows_are_merged() -> None:
    """A row of weight 50,000 and five draws is not 250,000 rows; their counts are those of single draws."""
    dag, data = DAG(["a", "b"], [("a", "b")]), six_rows(50_000)
    completer = Completer(dag, data)
    found = completer.draw(completer.fit_available(), 1, 5)
    assert found is not None
    codes, weights = found
    assert len(codes) <= 6 * 4
    assert weights.sum() == 5 * data.size


@pytest.mark.long
def test_a_class_that_nobody_saw_has_many_children() -> None:
    """The product of the tables of 1,200 observed children is below the smallest double."""
    names = ["class", *(f"c{i}" for i in range(1200))]
    columns = {"class": ["x"] * 4 + ["y"] * 4 + [""] * 2}
    columns |= {name: ["u", "v"] * 2 + ["v", "u"] * 2 + ["u", "v"] for name in names[1:]}
    data = read(columns, missing="state").state_as_missing()
    fitted = fit_em(DAG(names, [("class", name) for name in names[1:]]), data, 1.0)
    assert fitted.converged
    assert np.isfinite(fitted.log_likelihoods).all()
    assert fitted.network.tables[0] == pytest.approx(np.array([[0.5, 0.5]]), abs=1e-6)


def test_bad_input_is_refused() -> None:
    data = read({"a": ["x", "", "y"]}, missing="state").state_as_missing()
    with pytest.raises(MahcError, match="the data lack a variable of the graph"):
        fit_em(DAG(["b"]), data)
    with pytest.raises(MahcError, match="equivalent sample size"):
        fit_em(DAG(["a"]), data, -1.0)
