from __future__ import annotations

from pathlib import Path

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import networks

import mahc
from mahc.data.prepare.discretise.interval_labels import interval_labels
from mahc.data.prepare.interval_states import cut_points_of
from mahc.data.prepare.matching import StateFinder
from mahc.errors import MahcError
from mahc.inference import Model
from mahc.networks import Network, load_network, row_bits, sample
from mahc.networks.simulation_files import write_table


def frame_of(network: Network, rows: int, seed: int, missing: float = 0.0) -> dict[str, list[str | None]]:
    data = sample(network, rows, seed, unseen_states=True)
    absent = np.random.default_rng(seed).random((rows, len(network.names))) < missing
    return {
        name: [None if absent[row, v] else network.states[v][code] for row, code in enumerate(data.codes[v])]
        for v, name in enumerate(network.names)
    }


@given(networks(least=2, single_states=False), st.integers(0, 1000), st.sampled_from([0.0, 0.3]))
@settings(max_examples=25)
def test_rows_are_predicted_as_one_query_each(network: Network, seed: int, missing: float) -> None:
    frame = frame_of(network, 8, seed, missing)
    model, target = Model(network), network.names[seed % len(network.names)]
    found = model.predict_proba(frame, target)
    for row in range(8):
        seen = {name: column[row] for name, column in frame.items() if name != target and column[row] is not None}
        np.testing.assert_allclose(found[row], list(model.query(target, given=seen).values()), atol=1e-12)
    states = model.states(target)
    assert model.predict(frame, target).tolist() == [states[k] for k in found.argmax(axis=1)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_no_bit(threads: int) -> None:
    model = Model.load("alarm")
    data = model.sample(20_000, seed=1)
    expected = model.predict_proba(data, "HR")
    np.testing.assert_array_equal(model.predict_proba(data, "HR", threads=threads), expected)


def test_absent_columns_are_not_observed_and_others_are_ignored(tmp_path) -> None:
    model = Model.load("asia")
    expected = list(model.query("lung", given={"smoke": "yes", "xray": "no"}).values())
    frame = polars.DataFrame({"xray": ["no"], "smoke": ["yes"], "price": [3.75], "lung": ["yes"]})
    np.testing.assert_allclose(model.predict_proba(frame, "lung")[0], expected)
    frame.write_csv(tmp_path / "rows.csv")
    np.testing.assert_allclose(model.predict_proba(tmp_path / "rows.csv", "lung")[0], expected)
    np.testing.assert_allclose(
        model.predict_proba({"lung": ["no", "yes"]}, "lung"), [list(model.query("lung").values())] * 2
    )


def test_the_score_is_the_mean_of_the_bits_of_the_rows(tmp_path) -> None:
    network = load_network("asia")
    data = sample(network, 300, 4)
    assert Model(network).score(data) == pytest.approx(row_bits(network, data).mean())
    write_table(data, tmp_path / "rows.csv")
    assert Model(network).score(tmp_path / "rows.csv") == pytest.approx(Model(network).score(data))


def test_a_row_of_probability_0_is_named() -> None:
    with pytest.raises(MahcError, match=r"row 2 has probability 0 in the model, so 'lung' cannot be predicted"):
        Model.load("asia").predict({"either": ["yes", "no"], "tub": ["no", "yes"]}, "lung")


@pytest.mark.parametrize(
    ("frame", "target", "message"),
    [
        ({"smoke": ["yes"]}, "lungs", "unknown variable 'lungs': did you mean 'lung'?"),
        ({"smoke": ["perhaps"]}, "lung", "variable 'smoke' has the value 'perhaps', which the model does not have"),
        ({"colour": ["red"]}, "lung", "the data have none of the network's variables"),
    ],
)
def test_a_mistake_is_one_sentence(frame: dict[str, list[str]], target: str, message: str) -> None:
    with pytest.raises(MahcError) as refused:
        Model.load("asia").predict(frame, target)
    assert message in str(refused.value)


def test_numbers_are_cut_where_the_states_of_the_model_are_intervals() -> None:
    rng = np.random.default_rng(4)
    age = rng.normal(50, 12, 400).round(1)
    frame = {"age": age, "ill": np.where(age + rng.normal(0, 8, 400) > 55, "yes", "no")}
    learned = mahc.learn(frame, "hc", discretise={"age": [40, 60]})
    model = learned.fit(frame)
    coded = mahc.read(frame, discretise={"age": [40, 60]})
    assert model.predict(frame, "ill").tolist() == model.predict(coded, "ill").tolist()
    assert model.score(frame) == model.score(coded)
    few = {"age": [39, 40, 41, 60, 61.5]}
    intervals = ["<= 40", "<= 40", "(40, 60]", "(40, 60]", "> 60"]
    assert model.predict_proba(few, "ill").tolist() == model.predict_proba({"age": intervals}, "ill").tolist()
    for number, interval in zip(few["age"], intervals, strict=True):
        assert model.query("ill", {"age": number}) == model.query("ill", {"age": interval})
    with pytest.raises(MahcError, match="unknown state of 'age' 'old'"):
        model.query("ill", {"age": "old"})


@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=1, max_size=6, unique=True), st.data())
def test_intervals_tell_their_cut_points(cuts: list[float], data: st.DataObject) -> None:
    cuts.sort()
    labels = interval_labels(np.array(cuts))
    told = cut_points_of(labels)
    assert told is not None
    assert interval_labels(np.array(told)) == labels
    number = data.draw(st.floats(-2e6, 2e6))
    assert StateFinder(labels).find(number) == sum(number > cut for cut in told)
    assert cut_points_of([*labels, "missing"]) == told
    assert cut_points_of([*labels, "young"]) is None


def test_truth_values_and_numbers_match_however_they_are_written(tmp_path: Path) -> None:
    model = Model.load("alarm")
    data = model.sample(40, 1)
    columns = {
        name: [labels[code] for code in codes]
        for name, labels, codes in zip(data.names, data.labels, data.codes, strict=True)
    }
    assert "FALSE" in columns["HISTORY"]  # which reading writes as false
    file = tmp_path / "rows.csv"
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    file.write_text("\n".join(lines) + "\n")
    expected = model.predict(data, "HR")
    for rows in (columns, file):
        assert (model.predict(rows, "HR") == expected).all()
    assert model.score(mahc.read(file, keep_unused_states=True)) == pytest.approx(model.score(data))
    finder = StateFinder(["1.0", "2.50", "7", "nan"])
    assert [finder.find(text) for text in ("1", "2.5", "007", "missing")] == [0, 1, -1, -1]
    assert StateFinder(["1.0", "1.00"]).find("1") == -1
