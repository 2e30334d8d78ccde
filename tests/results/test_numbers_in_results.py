"""What a result says of its columns of numbers: treatment, cut points, and how a variable changes with a parent."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cli.main import run
from mahc.engine.associations import Columns
from mahc.results.files import summary_to_dict

Captured = pytest.CaptureFixture[str]


def patients(rows: int = 300, seed: int = 1) -> dict[str, list[float]]:
    """Blood pressure rises with age and falls with dose; the reaction is a curve."""
    draw = np.random.default_rng(seed).normal
    age, dose = draw(size=rows), draw(size=rows)
    pressure = age - dose + 0.3 * draw(size=rows)
    reaction = pressure**2 + 0.3 * draw(size=rows)
    return {"age": age.tolist(), "dose": dose.tolist(), "pressure": pressure.tolist(), "reaction": reaction.tolist()}


@given(st.integers(0, 10_000))
def test_an_association_is_that_of_regressions(seed: int) -> None:
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 4, 4)
    rows = draw.normal(size=(60, sizes.sum())) @ draw.normal(size=(sizes.sum(),) * 2)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    first = [0, *np.cumsum(sizes).tolist()]
    columns = Columns(rows.T @ rows / 60, first, [True] * 4)
    for child, parent in itertools.permutations(range(4), 2):
        others = [v for v in range(4) if v not in (child, parent)]
        fixed = np.hstack([rows[:, first[v] : first[v + 1]] for v in others])
        functions = rows[:, first[parent] : first[parent + 1]]
        left, right = (_residuals(each, fixed) for each in (rows[:, [first[child]]], functions))
        found = columns.associate(child, [*others, parent], parent)
        assert found is not None
        slow = (left[:, 0] @ right[:, 0]) / np.linalg.norm(left[:, 0]) / np.linalg.norm(right[:, 0])
        assert found.correlation == pytest.approx(slow, abs=1e-4)
        remains = _residuals(left, right)
        assert found.explained == pytest.approx(1 - (remains**2).sum() / (left**2).sum(), abs=1e-4)


def _residuals(wanted: np.ndarray, given_columns: np.ndarray) -> np.ndarray:
    coefficients, *_ = np.linalg.lstsq(given_columns, wanted, rcond=None)
    found: np.ndarray = wanted - given_columns @ coefficients
    return found


def test_what_has_no_order_or_no_columns_has_no_association() -> None:
    matrix = np.eye(2)
    assert Columns(matrix, [0, 1, 2], [True, False]).associate(0, [1], 1) is None
    assert Columns(matrix, [0, 1, 1], [True, True]).associate(0, [1], 1) is None
    assert Columns(matrix, [0, 1, 1], [True, True]).associate(1, [0], 0) is None
    assert Columns(np.ones((2, 2)), [0, 1, 2], [True, True]).associate(0, [1], 1) is not None


@pytest.mark.parametrize("objective", ["smooth", "mixed", "bge"])
def test_explain_says_how_the_head_changes_with_the_tail(objective: str) -> None:
    known = {"required_arcs": [("age", "pressure"), ("dose", "pressure"), ("pressure", "reaction")]}
    data = patients()
    learned = mahc.learn(data, "hc", objective=objective, knowledge=known)
    again = mahc.Learned.from_dict(learned.to_dict())
    for result in (learned, again):
        rising, falling = (result.explain(cause, "pressure") for cause in ("age", "dose"))
        assert "; pressure rises with age (" in rising.sentence
        assert "; pressure falls with dose (" in falling.sentence
        assert "given its other parents" in rising.sentence
        assert rising.numbers["correlation"] > 0.8
        assert falling.numbers["correlation"] < -0.8
    if objective != "bge":
        curve = learned.explain("pressure", "reaction")
        assert "reaction neither rises nor falls throughout with pressure (rank correlation" in curve.sentence
        assert curve.numbers["explained"] > 0.5
        assert curve.numbers["degree"] == learned.run.score.degree  # type: ignore[attr-defined]
    turned = mahc.learn({**data, "age": [-x for x in data["age"]]}, "hc", objective=objective, knowledge=known)
    assert turned.arcs == learned.arcs
    assert "pressure falls with age" in turned.explain("age", "pressure").sentence


def test_ordinal_states_have_an_order_and_nominal_ones_have_none() -> None:
    data = patients()
    pressure = np.array(data["pressure"])
    grades = np.array(["low", "medium", "high"])[np.digitize(pressure, [-0.7, 0.7])].tolist()
    table = {"pressure": data["pressure"], "grade": grades}
    known = {"required_arcs": [("pressure", "grade")]}
    ordinal = mahc.learn(table, ordinal={"grade": ["low", "medium", "high"]}, objective="smooth", knowledge=known)
    assert "grade rises with pressure" in ordinal.explain("pressure", "grade").sentence
    nominal = mahc.learn(table, objective="smooth", knowledge=known)
    assert "rises" not in nominal.explain("pressure", "grade").sentence


def test_the_json_of_learn_has_treatment_and_cut_points(tmp_path: Path, capfd: Captured) -> None:
    data = patients()
    smooth = summary_to_dict(mahc.learn(data, numbers="smooth"))
    assert smooth["numbers"] == {"treatment": "smooth", "reason": "given", "margin": None, "next": None} | {
        "degree": smooth["score"]["degree"]
    }
    assert smooth["cut_points"] == {}
    both = summary_to_dict(mahc.learn(data))["numbers"]
    assert (both["treatment"], both["reason"], both["next"]) == ("smooth", "auto", "cuts")
    assert both["margin"] > 10
    learned = mahc.learn(data, numbers="cuts")
    cuts = summary_to_dict(learned)
    assert cuts["numbers"] == {"treatment": "cuts", "reason": "given", "margin": None, "next": None, "degree": None}
    assert {name: tuple(own) for name, own in cuts["cut_points"].items()} == learned.cut_points
    assert sorted(learned.cut_points) == sorted(data)
    fixed = summary_to_dict(mahc.learn(data, discretise={"*": (0.0,)}))
    assert fixed["numbers"] is None
    assert fixed["cut_points"] == {name: [0.0] for name in data}

    learned.save(tmp_path / "result.json")
    with pytest.raises(SystemExit):
        run(["explain", str(tmp_path), "age", "pressure"])
    points = ", ".join(f"{cut:.6g}" for cut in learned.cut_points["age"])
    assert f"Cut: age at {points}; pressure at " in " ".join(capfd.readouterr().out.split())
    with pytest.raises(SystemExit):
        run(["explain", str(tmp_path), "age", "pressure", "--json"])
    printed = json.loads(capfd.readouterr().out)
    assert printed["cut_points"] == {name: list(learned.cut_points[name]) for name in ("age", "pressure")}
