"""Models of numbers in files, on the command line, in estimators and in validation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from mixed_models import mixed_model, mixed_rows

import mahc
from mahc.cli.main import run as run_command
from mahc.confidence.validation import Candidate, validate
from mahc.errors import FormatError
from mahc.inference import MixedModel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    data = mixed_rows(1)
    texts = [
        [str(v) for v in c.values] if c.state_count is None else [c.states[k] for k in c.codes] for c in data.columns
    ]
    lines = [",".join(data.names), *(",".join(row) for row in zip(*texts, strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run_command(list(words))
    shown = capsys.readouterr()
    assert (ended.value.code or 0) == code, shown.err
    return shown.err if code else shown.out


def test_a_saved_model_answers_alike(tmp_path: Path) -> None:
    model = mixed_model()
    model.save(tmp_path / "model.json")
    loaded = mahc.Model.load(tmp_path / "model.json")
    assert isinstance(loaded, MixedModel)
    assert loaded.network == model.network
    assert loaded.query("x", {"t": "yes"}) == model.query("x", {"t": "yes"})
    rows = mixed_rows(5)
    assert np.array_equal(loaded.log_density(rows), model.log_density(rows))
    assert loaded.sample(20, seed=3) == model.sample(20, seed=3)


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d["network"]["variables"].pop(),
        lambda d: d["network"]["variables"][0]["edges"].reverse(),
        lambda d: d["network"]["variables"][0].update(lower=-1.0),
        lambda d: d["network"]["parents"].__setitem__(0, [2]),
        lambda d: d["network"]["parents"].__setitem__(0, [9]),
        lambda d: d["network"]["nodes"][2].update(coefficients=[1.0]),
        lambda d: d["network"]["nodes"][2].update(deviations=[0.0]),
        lambda d: d["network"]["nodes"][1].update(counts=[[1.0]]),
        lambda d: d["network"]["nodes"][3]["coefficients"].pop(),
        lambda d: d.update(network=3),
        lambda d: d.update(format_version=7),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "model.json"
    mixed_model().save(path)
    document = json.loads(path.read_text())
    damage(document)
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError):
        mahc.Model.load(path)
    path.write_text(path.read_text()[:300])
    with pytest.raises(FormatError):
        mahc.Model.load(path)


@pytest.mark.long
def test_the_commands_fit_and_ask(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "learn", "rows.csv", "--algorithm", "boss", "--score", "smooth", "--out", "run")
    assert "MixedModel(2 numbers" in run(capsys, "fit", "run", "rows.csv", "--out", "model.json", "--ess", "1")
    direct = run(capsys, "query", "run", "y", "--data", "rows.csv", "--given", "x=0.5", "--given", "s=b")
    assert direct == run(capsys, "query", "model.json", "y", "--given", "x=0.5", "--given", "s=b")
    assert direct.splitlines()[0] == "P(y | x=0.5, s=b)"
    assert "median" in direct
    assert "0." in run(capsys, "query", "model.json", "t", "--do", "y=3")
    answer = json.loads(run(capsys, "query", "model.json", "x", "--given", "t=yes", "--json"))["answers"][0]
    assert [each["share"] for each in answer["quantiles"]] == [0.05, 0.25, 0.5, 0.75, 0.95]
    assert "give a finite number" in run(capsys, "query", "model.json", "y", "--given", "x=tall", code=2)
    assert run(capsys, "predict", "model.json", "rows.csv", "y").splitlines()[0] == "y"
    assert len(run(capsys, "predict", "model.json", "rows.csv", "t", "--probabilities").splitlines()) == 301
    assert "leave out --probabilities" in run(
        capsys, "predict", "model.json", "rows.csv", "y", "--probabilities", code=2
    )
    assert "JSON" in run(capsys, "fit", "run", "rows.csv", "--out", "model.bif", code=2)
    assert "bits/row" in run(
        capsys, "validate", "rows.csv", "--algorithms", "boss,hc", "--scores", "smooth", "--folds", "2"
    )


def test_estimators_score_by_the_held_out_log_density() -> None:
    data, fresh = mixed_rows(1), mixed_rows(2)
    estimator = mahc.BOSS(objective="smooth").fit(data)
    model = estimator.learned_.fit(data)
    assert estimator.score(fresh) == pytest.approx(float(model.log_density(fresh).mean()) / math.log(2))


def test_validation_compares_scores_of_numbers() -> None:
    found = validate(
        mixed_rows(1, 200), [Candidate("boss", "smooth"), Candidate("hc", "smooth", {"degree": 1})], folds=2
    )
    assert all(each.failure is None and math.isfinite(each.bits) for each in found.held)


def test_a_classifier_takes_numbers_as_they_are() -> None:
    random = np.random.default_rng(1)
    X = random.standard_normal((300, 3))
    y = (X[:, 0] + 0.3 * random.standard_normal(300) > 0).astype(int)
    classifier = mahc.BayesianNetworkClassifier(objective="smooth", discretise=None).fit(X[:200], y[:200])
    assert classifier.score(X[200:], y[200:]) > 0.8
