"""A model matches values to its own states: one row has one answer, types are kept, unseen states have a score."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.data.prepare.matching import UNKNOWN, StateFinder
from mahc.data.prepare.types import label
from mahc.graphs import DAG
from mahc.inference import Model

VALUES = st.sampled_from(
    [0, 1, 2, 0.0, 1.0, 2.5, True, False, "0", "1", "1.0", "2.5", "true", "TRUE", "True", "x", "X"]
)


def chain(data: object, **settings: object) -> Model:
    return Model.fit(DAG(["v", "y"], [("v", "y")]), mahc.read(data, **settings))


def slow_find(states: list[object], value: object) -> int:
    """The documented rule, one step after another."""

    def kind(one: object) -> str:
        return "truth" if isinstance(one, bool) else "text" if isinstance(one, str) else "number"

    def printed(one: object) -> str:
        if isinstance(one, bool):
            return str(one).lower()
        return str(int(one)) if isinstance(one, float) and one.is_integer() else str(one)

    def number(one: object) -> object:
        text = {"true": "1", "false": "0"}.get(printed(one) if isinstance(one, bool) else _word(one), printed(one))
        try:
            return float(text)
        except ValueError:
            return text

    def _word(one: object) -> str:
        return one.lower() if isinstance(one, str) and one in ("true", "True", "TRUE", "false") else ""

    for same in (
        lambda state: kind(state) == kind(value) and state == value,
        lambda state: printed(state) == printed(value),
    ):
        found = [place for place, state in enumerate(states) if same(state)]
        if found:
            return found[0]
    alike = [place for place, state in enumerate(states) if number(state) == number(value)]
    return alike[0] if len(alike) == 1 else UNKNOWN


def distinct(states: list[object]) -> bool:
    return len({label(state) for state in states}) == len(states)


@given(st.lists(VALUES, min_size=1, max_size=4).filter(distinct), VALUES)
def test_the_rule_is_the_documented_one(states: list[object], value: object) -> None:
    assert StateFinder(states).find(value) == slow_find(states, value)


@given(st.lists(st.sampled_from(["1", "1.0", "x"]), min_size=1, max_size=6), st.sampled_from(["dict", "csv", "frame"]))
def test_one_row_has_one_answer_whatever_stands_beside_it(tmp_path_factory, batch: list[str], source: str) -> None:
    model = chain({"v": ["1", "1.0", "x"] * 20, "y": ["a", "b", "c"] * 20})
    single = {value: model.query("y", {"v": value}) for value in ("1", "1.0", "x")}
    rows: object = {"v": batch}
    if source == "csv":
        rows = tmp_path_factory.mktemp("rows") / "rows.csv"
        rows.write_text("v\n" + "\n".join(batch) + "\n")
    elif source == "frame":
        rows = pandas.DataFrame({"v": batch})
    found = model.predict_proba(rows, "y")
    assert found.tolist() == pytest.approx(np.array([list(single[value].values()) for value in batch]))


def test_a_number_that_looks_real_is_a_state_if_the_model_has_it() -> None:
    model = chain({"v": ["1.0", "2.5", "abc"] * 20, "y": ["a", "b", "c"] * 20})
    assert model.predict([{"v": "2.5"}], "y").tolist() == ["b"]


@pytest.mark.parametrize("codes", [5, 25])
def test_many_codes_are_states_as_few_are(codes: int) -> None:
    rows = {"v": list(range(100, 130)) * 4, "y": ["a", "b"] * 60}
    model = mahc.learn(rows, "hc", categorical=["v"]).fit(rows)
    assert len(model.predict({"v": list(range(100, 100 + codes))}, "y")) == codes


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (["TRUE", "FALSE"], np.str_),
        ([True, False], np.bool_),
        ([3, 7], np.int64),
        ([3.0, 7.0], np.float64),
        (["17.5", "18.5"], np.str_),
        (["007", "7"], np.str_),
    ],
)
@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, dict])
def test_predictions_have_the_type_of_the_training_column(column: list[object], kind: type, library, tmp_path) -> None:
    frame = library({"flag": column * 30, "v": ["a", "b"] * 30})
    model = mahc.learn(frame, "hc").fit(frame)
    model.save(tmp_path / "model.json")
    for each in (model, Model.load(tmp_path / "model.json")):
        found = each.predict(frame, "flag")
        assert found.dtype.type is kind
        assert (found == np.asarray(frame["flag"])).mean() == 1.0
        assert each.states("flag") == tuple(sorted(column, key=str))
        assert max(each.query("v", given={"flag": column[0]}).values()) > 0.9
    assert model.sample(3, 1).states[0][0] in column


def test_a_csv_file_spells_its_values_and_every_spelling_is_found(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("flag,v\n" + "TRUE,1\nFALSE,2\n" * 30)
    model = mahc.learn(file, "hc").fit(file)
    assert model.states("flag") == (False, True)
    expected = model.query("v", {"flag": True})
    assert all(model.query("v", {"flag": word}) == expected for word in ("TRUE", "true", "True", 1, np.True_))
    frame = pandas.read_csv(file)
    assert (model.predict(file, "flag") == frame.flag).all()
    assert (model.predict(frame.astype({"v": str}), "flag") == frame.flag).all()


def test_states_of_several_types_come_back_as_they_are() -> None:
    model = chain({"v": [1, 2, None] * 20, "y": ["a", "b", "c"] * 20}, missing="state")
    assert model.states("v") == (1, 2, "missing")
    assert model.predict({"y": ["a", "c"]}, "v").tolist() == [1, "missing"]


def test_a_model_reads_new_rows_as_its_own_were_read(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("v;y\n" + "1,5;a\n2,5;B\n99;b \n3,75;a\n" * 30)
    how = {
        "missing_tokens": ["99"],
        "decimal": ",",
        "discretise": {"v": [2 + 1 / 3]},
        "merge_states": True,
        "missing": "drop",
    }
    model = mahc.learn(rows, "hc", **how).fit(rows)
    model.save(tmp_path / "model.json")
    loaded = Model.load(tmp_path / "model.json")
    assert loaded.reading == model.reading is not None
    for each in (model, loaded):
        assert each.score(rows) == pytest.approx(each.score(mahc.read(rows, **how)))
        # 99 is missing, and so not observed; 2.33333 lies below the cut point, whatever its label rounds to.
        assert each.predict_proba([{"v": 99}], "y").tolist() == each.predict_proba([{"y": "a"}], "y").tolist()
        assert each.predict_proba([{"v": "2,33333"}], "y").tolist() == each.predict_proba([{"v": 0}], "y").tolist()
        assert each.predict_proba([{"y": " A"}], "v").tolist() == each.predict_proba([{"y": "a"}], "v").tolist()


def brute_force_bits(model: Model, prior: float, row: dict[str, str], train: list[tuple[str, str]]) -> float:
    """The bits of one row of the chain v -> y, with one more state where the row has an unseen one."""
    v_states, y_states = sorted({v for v, _ in train}), sorted({y for _, y in train})
    n = len(train)
    a = prior / len(v_states)
    of_v = sum(v == row["v"] for v, _ in train)
    p = (of_v + a) / (n + prior) if of_v else a / (n + prior + a)
    a = prior / (len(v_states) * len(y_states))
    below = [y for v, y in train if v == row["v"]]
    total = len(below) + a * len(y_states)
    if row["y"] in y_states:
        q = (below.count(row["y"]) + a) / total if below else 1 / len(y_states)
    else:
        q = a / (total + a)
    return -math.log2(p * q)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), min_size=2, max_size=12),
    st.sampled_from("abn"),
    st.sampled_from("xyn"),
    st.sampled_from([0.5, 1.0, 4.0]),
)
def test_a_state_that_was_never_seen_has_a_score(train: list[tuple[str, str]], v: str, y: str, prior: float) -> None:
    data = mahc.read({"v": [v for v, _ in train], "y": [y for _, y in train]})
    model = Model.fit(DAG(["v", "y"], [("v", "y")]), data, prior=prior)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model.score([{"v": v, "y": y}])
    assert found == pytest.approx(brute_force_bits(model, prior, {"v": v, "y": y}, train))


def test_unseen_states_are_warned_about_once_and_without_a_prior_are_impossible(tmp_path: Path) -> None:
    data = {"v": ["a", "b"] * 9, "y": ["x", "y"] * 9}
    model = chain(data)
    with pytest.warns(UserWarning, match="variable 'v' has the value 'c' .*never saw") as told:
        score = model.score({"v": ["a", "c", "d"], "y": ["x", "z", "y"]})
    assert len(told) == 1
    assert 0 < score < math.inf
    model.save(tmp_path / "model.json")
    with pytest.warns(UserWarning, match="never saw"):
        assert Model.load(tmp_path / "model.json").score({"v": ["a", "c", "d"], "y": ["x", "z", "y"]}) == score
    none = Model.fit(DAG(["v", "y"], [("v", "y")]), mahc.read(data), prior=0)
    with pytest.warns(UserWarning, match="never saw"):
        assert none.score({"v": ["c"], "y": ["x"]}) == math.inf


def test_a_grid_search_ranks_candidates_although_a_state_is_only_in_one_fold() -> None:
    search = pytest.importorskip("sklearn.model_selection").GridSearchCV
    rng = np.random.default_rng(1)
    frame = pandas.DataFrame({name: rng.choice(["a", "b"], 60) for name in "uvw"})
    frame.loc[59, "w"] = "once"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = search(mahc.HC(), {"search_in_degree": [1, 2]}, cv=3, error_score="raise").fit(frame)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


def test_a_network_file_keeps_the_types(tmp_path: Path) -> None:
    from mahc.networks.files import read_network, write_network

    network = chain({"v": [1, 2] * 9, "y": [True, False] * 9}).network
    write_network(network, tmp_path / "net.json")
    written = json.loads((tmp_path / "net.json").read_text())["variables"]
    assert [(each["states"], each["values"]) for each in written] == [
        (["1", "2"], [1, 2]),
        (["false", "true"], [False, True]),
    ]
    assert read_network(tmp_path / "net.json").values == network.values
    write_network(network, tmp_path / "net.bif")
    assert read_network(tmp_path / "net.bif").values == (("1", "2"), ("false", "true"))


def test_scores_and_predictions_take_folders(tmp_path: Path) -> None:
    rows = {"v": [1, 2, 2, 1] * 9, "y": ["x", "y", "y", "x"] * 9}
    model = chain(rows)
    folder = tmp_path / "rows"
    for year, part in (("1", slice(0, 10)), ("2", slice(10, 36))):
        (folder / f"v={year}").mkdir(parents=True)
        polars.DataFrame({"y": rows["y"][part]}).write_parquet(folder / f"v={year}" / "part.parquet")
    joined = {"v": [1] * 10 + [2] * 26, "y": rows["y"]}
    assert model.score(folder) == pytest.approx(model.score(joined))
    assert model.predict(folder, "y").tolist() == model.predict(joined, "y").tolist()
