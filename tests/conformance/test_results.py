"""What every algorithm hands over: saved, loaded, replayed, printed; settings refused; data left alone."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cli.main import run
from mahc.data import read
from mahc.errors import MahcError, SettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import make_algorithm
from mahc.networks import load_network, sample, sample_path

pytestmark = pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
ASIA = sample_path("asia")
KNOWN = Knowledge(required_edges=[("asia", "xray")], tiers=[["smoke"], ["lung"]])


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


@pytest.mark.parametrize("known", [Knowledge(), KNOWN], ids=["", "knowledge"])
def test_a_result_survives_json_and_can_be_replayed(algorithm: str, known: Knowledge, tmp_path: Path) -> None:
    learned = mahc.learn(ASIA, algorithm, knowledge=known)
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    assert (loaded.pattern, loaded.without_dag) == (learned.pattern, learned.without_dag)
    assert loaded.strengths() == learned.strengths()
    for arc in [(a, b) for a in learned.variables for b in learned.variables if a != b]:
        assert str(loaded.explain(*arc)) == str(learned.explain(*arc))
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "result.json").read_bytes()
    assert mahc.replay(loaded, ASIA, threads=1) == learned


def test_the_command_line_writes_prints_and_replays(
    algorithm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert call("learn", ASIA, "--algorithm", algorithm, "--json", "--out", out) == 0
    found = json.loads(capsys.readouterr().out)
    saved = mahc.Learned.load(out / "result.json")
    assert found["algorithm"] == saved.algorithm == algorithm
    assert found["arcs"] == [list(arc) for arc in saved.arcs]
    assert saved == mahc.learn(ASIA, algorithm)
    assert call("learn", ASIA, "--algorithm", algorithm) == 0
    assert capsys.readouterr().out.strip()
    assert call("explain", out, "asia", "tub") == 0
    assert call("replay", out, ASIA) == 0


def test_settings_that_do_not_exist_or_make_no_sense_are_refused(algorithm: str) -> None:
    with pytest.raises(SettingError, match="has no setting no_such_setting"):
        make_algorithm(algorithm, no_such_setting=1)
    for name, value in make_algorithm(algorithm).settings().items():
        if isinstance(value, bool):
            continue
        for wrong in ("nonsense", -1):
            with pytest.raises(MahcError, match=r"."):
                mahc.learn({"a": ["x", "y"], "b": ["x", "y"]}, make_algorithm(algorithm, **{name: wrong}))


def test_settings_are_kept_in_the_result(algorithm: str) -> None:
    made = make_algorithm(algorithm)
    assert dict(mahc.learn(ASIA, made).settings) == made.settings()


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu", "fnml", "qnml"])
def test_every_score_will_do(algorithm: str, score: str) -> None:
    learned = mahc.learn(sample(load_network("asia"), 200, seed=1), algorithm, objective=score)
    assert learned.run.score.name == score
    assert learned.local_scores is None or np.isfinite(learned.local_scores).all()


def test_data_knowledge_and_start_are_left_as_they_were(algorithm: str) -> None:
    data = read(ASIA)
    columns = {name: [data.labels[v][code] for code in data.codes[v]] for v, name in enumerate(data.names)}
    frame = polars.DataFrame(columns)
    start, known = [("asia", "tub")] if "start" not in ALGORITHMS[algorithm].idle else [], KNOWN.to_dict()
    before: list[Any] = [copy.deepcopy(x) for x in (columns, start, known)] + [frame.clone(), data.fingerprint()]
    codes = [column.copy() for column in data.codes]
    results = [mahc.learn(given, algorithm, start=start, knowledge=known) for given in (columns, frame, data)]
    assert results[0] == results[1] == results[2]
    assert [columns, start, known] == before[:3]
    assert frame.equals(before[3])
    assert data.fingerprint() == before[4]
    assert all(np.array_equal(a, b) for a, b in zip(codes, data.codes, strict=True))
