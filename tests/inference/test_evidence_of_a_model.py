"""Evidence is matched as rows are: codes for missing values, merged states, the decimal mark; gaps are scored."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import mahc
from mahc.data import ReadSettings
from mahc.errors import MahcError

ROWS = 240


def people() -> pd.DataFrame:
    generator = np.random.default_rng(2)
    educ = generator.integers(1, 6, ROWS).astype(object)
    smoker = np.where(generator.random(ROWS) < 0.2 + 0.1 * educ.astype(int), "Yes", "no").astype(object)
    smoker[::7] = [f"{value.upper()} " for value in smoker[::7]]
    educ[::11] = 99
    return pd.DataFrame({"educ": educ.astype(int), "smoker": smoker, "ill": np.roll(smoker, 0) == "Yes"})


def test_a_code_for_a_missing_value_is_no_observation() -> None:
    data = people()
    settings = {"missing": "structural-em", "missing_tokens": {"educ": [99]}, "discretise": {"educ": [2, 3]}}
    model = mahc.learn(data, "hc", merge_states=True, **settings).fit(data)
    with pytest.raises(MahcError, match="educ=99 means a missing value in the data of this model: leave it out"):
        model.query("ill", given={"educ": 99})
    assert model.query("ill", given={"educ": 5}) == model.query("ill", given={"educ": "> 3"})
    one = model.query("smoker", given={"ill": True})
    assert model.query("ill", given={"smoker": "YES"}) == model.query("ill", given={"smoker": "Yes"})
    assert sum(one.values()) == pytest.approx(1)


def test_evidence_has_the_decimal_mark_of_the_data(tmp_path) -> None:  # type: ignore[no-untyped-def]
    lines = ["bmi;ill"] + [f"{20 + row % 20},5;{('no', 'yes')[row % 20 > 10]}" for row in range(200)]
    (tmp_path / "eu.csv").write_text("\n".join(lines))
    data = mahc.read(tmp_path / "eu.csv", delimiter=";", decimal=",", discretise={"bmi": [30]})
    model = mahc.learn(data, "hc").fit(data)
    assert model.query("ill", given={"bmi": "31,5"}) == model.query("ill", given={"bmi": 31.5})


def test_what_is_observed_in_rows_with_gaps_is_scored() -> None:
    generator = np.random.default_rng(1)
    frame = pd.DataFrame({name: generator.choice(["x", "y"], 60).astype(object) for name in "abc"})
    frame["b"] = np.where(generator.random(60) < 0.8, frame["a"], "y")
    gaps = frame.mask(generator.random(frame.shape) < 0.2)
    gaps.iloc[0] = "x"
    model = mahc.learn(gaps, "hc", missing="structural-em").fit(gaps)
    names, states = model.variables, {name: model.states(name) for name in model.variables}
    total = 0.0
    for row in gaps.itertuples(index=False):
        seen = {name: value for name, value in zip(gaps.columns, row, strict=True) if isinstance(value, str)}
        shares = [
            math.prod(
                model.network.tables[node][_configuration(model, node, case), states[name].index(case[name])]
                for node, name in enumerate(names)
            )
            for values in itertools.product(*states.values())
            for case in [dict(zip(names, values, strict=True))]
            if all(case[name] == value for name, value in seen.items())
        ]
        total -= math.log2(sum(shares))
    assert model.score(gaps) == pytest.approx(total / 60, rel=1e-9)
    with pytest.raises(MahcError, match="such rows have no score"):
        model.score(gaps, reading=ReadSettings())


def _configuration(model: mahc.Model, node: int, case: dict[str, object]) -> int:
    place = 0
    for parent in model.network.parents[node]:
        name = model.variables[parent]
        place = place * len(model.states(name)) + model.states(name).index(case[name])  # type: ignore[arg-type]
    return place


@pytest.mark.peers
def test_a_grid_search_ranks_candidates_where_values_are_missing() -> None:
    search = pytest.importorskip("sklearn.model_selection")
    generator = np.random.default_rng(3)
    frame = pd.DataFrame({name: generator.choice(["x", "y"], 90).astype(object) for name in "abc"})
    frame["b"] = frame["a"]
    frame.iloc[::9, 0] = None
    found = search.GridSearchCV(mahc.HC(missing="structural-em"), {"search_in_degree": [1, 2]}, cv=3).fit(frame)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
