"""Every treatment of missing values, from a file and from a folder, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.cli.main import run
from mahc.data.settings import MISSING_METHODS

METHODS = ("state", "drop", *MISSING_METHODS)
ROWS = 160


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same rows, some values missing, as a file and as a folder of two."""
    place = tmp_path_factory.mktemp("rows")
    rng = np.random.default_rng(5)
    rain = rng.random(ROWS) < 0.4
    wet = rain ^ (rng.random(ROWS) < 0.1)
    slip = wet ^ (rng.random(ROWS) < 0.15)
    rows = np.stack([rain, wet, slip], axis=1).astype(int).tolist()
    lines = [",".join("" if rng.random() < 0.08 else "ny"[v] for v in row) for row in rows]
    head = "rain,wet,slip"
    (place / "rows.csv").write_text("\n".join([head, *lines]) + "\n")
    (place / "rows").mkdir()
    for part, chosen in (("a", lines[:60]), ("b", lines[60:])):
        (place / "rows" / f"{part}.csv").write_text("\n".join([head, *chosen]) + "\n")
    return {"file": place / "rows.csv", "folder": place / "rows"}


def call(*words: object) -> None:
    with pytest.raises(SystemExit) as ended:
        run([str(word) for word in words])
    assert ended.value.code == 0, words


@pytest.mark.long
@pytest.mark.parametrize("source", ["file", "folder"])
@pytest.mark.parametrize("method", METHODS)
def test_python_and_command_line_agree(
    method: str, source: str, sources: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, whole = sources[source], sources["file"]
    how: dict[str, Any] = {"missing": method}
    learned = mahc.learn(data, "hc", **how)
    assert learned.arcs == mahc.learn(whole, "hc", **how).arcs
    assert learned.data.fingerprint == mahc.learn(whole, "hc", **how).data.fingerprint
    call("learn", data, "--algorithm", "hc", "--missing", method, "--out", tmp_path / "out")
    assert mahc.Learned.load(tmp_path / "out/result.json") == learned

    sample = mahc.bootstrap(data, "hc", resamples=3, **how)
    call("bootstrap", data, "--algorithm", "hc", "--missing", method, "--resamples", 3, "--out", tmp_path / "boot")
    saved = mahc.Learned.load(tmp_path / "boot/result.json")
    assert saved.confidence is not None
    assert dict(saved.confidence.frequencies()) == dict(sample.frequencies())
    sample.save(tmp_path / "sample.json")  # point 4: a saved bootstrap is resumed
    assert mahc.bootstrap(data, "hc", resamples=4, resume=tmp_path / "sample.json", **how).size == 4

    agreed = mahc.consensus(data, ["hc", "tabu"], **how)
    capsys.readouterr()
    call("consensus", data, "--algorithms", "hc,tabu", "--missing", method, "--json")
    found = json.loads(capsys.readouterr().out)
    assert [tuple(edge) for edge in found["edges"]] == [tuple(edge) for edge in agreed.consensus.graph.edges]

    model = learned.fit(data)
    assert model.network == learned.fit(whole).network
    learned.report(tmp_path / "report.html", data)  # point 4: report works where fit does
    call("report", tmp_path / "out", "--data", data, "--out", tmp_path / "report2.html")
    call("fit", tmp_path / "out", data, "--out", tmp_path / "net.bif")
    assert model.predict(data, "slip").tolist() == model.predict(whole, "slip").tolist()
    call("predict", tmp_path / "out", data, "slip", "--data", data, "--out", tmp_path / "predicted.csv")
    assert (tmp_path / "predicted.csv").read_text().splitlines()[1:] == model.predict(data, "slip").tolist()
    if method in ("state", "drop"):
        assert model.score(data) == pytest.approx(model.score(whole))
        capsys.readouterr()
        call("score", data, tmp_path / "out", "--json")
        assert json.loads(capsys.readouterr().out)["total"] == pytest.approx(learned.score)


@pytest.mark.parametrize("algorithm", ["best", "boss", "mahc", "hc", "tabu"])
def test_what_is_recommended_works_together(
    algorithm: str, sources: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = sources["file"]
    call("learn", data, "--algorithm", algorithm, "--missing", "structural-em", "--out", tmp_path / "out")
    learned = mahc.Learned.load(tmp_path / "out/result.json")
    assert learned.run.score.name == "bic"
    assert mahc.learn(data, algorithm, missing="structural-em") == learned
    call("bootstrap", data, "--algorithm", algorithm, "--missing", "structural-em", "--resamples", 2)
    capsys.readouterr()
    with pytest.raises(SystemExit):
        run(["audit", str(data)])
    advice = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Next: "))
    call(*advice.removeprefix("Next: mahc ").split(), "--algorithm", algorithm)


def test_the_estimator_takes_the_recommended_pair(sources: dict[str, Path]) -> None:
    assert mahc.BOSS(missing="structural-em").fit(sources["file"]).learned_.run.score.name == "bic"
