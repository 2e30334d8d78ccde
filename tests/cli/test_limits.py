"""Every command that learns or fits takes a time and a memory limit, and hands them to all of its work."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import mahc
from mahc.cli.main import COMMANDS, make_app, run
from mahc.learning.control import Control, Stopped
from mahc.learning.incomplete.imputing import Imputer
from mahc.learning.incomplete.weights import weigh_rows
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import parse_noise
from mahc.networks.simulation_files import write_table

LEARNING = ("learn", "bootstrap", "posterior", "panel", "consensus", "validate", "fit", "replay")
# Commands that neither learn a graph nor fit tables by themselves; `query` has --max-bytes and --time-limit.
OTHERS = {
    *(
        "average",
        "explain",
        "report",
        "ui",
        "audit",
        "check",
        "compare",
        "query",
        "effect",
        "predict",
        "sample",
        "adjust",
        "ask",
    ),
    *("networks", "score", "experiment", "mcp"),
}


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_table(sample(load_network("asia"), 300, 1), tmp_path / "data.csv")
    return tmp_path / "data.csv"


def test_every_command_is_listed_here() -> None:
    assert {*LEARNING, *OTHERS} == set(COMMANDS)


@pytest.mark.parametrize("name", LEARNING)
def test_the_options_are_there(name: str) -> None:
    arguments = make_app()[name].assemble_argument_collection()
    assert {"--memory", "--time-limit"} <= {word for argument in arguments for word in argument.names}


class Stops(Control):
    """Stops at the look of that number."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def stop_reason(self) -> str | None:
        self.looks -= 1
        return "time_limit" if self.looks < 0 else None


def test_filling_and_weighing_look_at_the_clock() -> None:
    table = simulate(load_network("asia"), 100, 1, parse_noise("mar:0.4")).data.state_as_missing()
    with pytest.raises(Stopped):
        Imputer(table).fill([("smoke", "lung")], 1, Stops(3))
    with pytest.raises(Stopped):
        weigh_rows(table, Stops(2))


@pytest.mark.parametrize("method", ["impute", "weighted", "pairwise", "structural-em"])
def test_a_run_with_missing_values_ends_at_the_limit(method: str) -> None:
    table = simulate(load_network("asia"), 200, 1, parse_noise("mar:0.4")).data
    assert mahc.learn(table, "hc", missing=method, time_limit=1e-6).stop_reason == "time_limit"


def test_the_graph_of_a_bootstrap_has_the_time_limit_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def learn(*words: Any, **settings: Any) -> Any:
        given.update(settings)
        return mahc.learn(*words, **settings)

    monkeypatch.setattr("mahc.cli.commands.bootstrap.learn", learn)
    assert call("bootstrap", data, "--resamples", 2, "--time-limit", 60, "--json") == 0
    assert 0 < given["time_limit"] <= 60


def test_algorithms_share_the_time_of_a_consensus(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def learn(*words: Any, **settings: Any) -> Any:
        limits.append(settings["time_limit"])
        return mahc.learn(*words, **settings)

    monkeypatch.setattr("mahc.confidence.agreement.learn", learn)
    assert call("consensus", data, "--algorithms", "hc,mahc,tabu", "--time-limit", 90, "--memory", "512MiB") == 0
    assert limits[0] <= 30
    assert all(before <= after for before, after in itertools.pairwise(limits))  # unused time is left over


def test_a_fit_ends_at_the_limits(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = tmp_path / "lost.csv"
    write_table(simulate(load_network("asia"), 300, 1, parse_noise("mar:0.4")).data, lost)
    assert call("learn", data, "--out", tmp_path / "run") == 0
    model = tmp_path / "m.json"
    words = [
        "fit",
        tmp_path / "run" / "graph.csv",
        lost,
        "--missing",
        "em",
        "--missing-token",
        "missing",
        "--out",
        model,
    ]
    assert call(*words) == 0
    assert "not converged" not in capsys.readouterr().out
    assert call(*words, "--time-limit", 1e-9) == 0
    assert "0 steps of EM, not converged" in capsys.readouterr().out
    assert call(*words, "--time-limit", 0) == 2
    assert call(*words, "--memory", "x") == 2


def test_a_memory_limit_refuses_a_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"v{i:02}" for i in range(21)]
    (tmp_path / "x.csv").write_text(",".join(names) + "\n" + "a," * 20 + "a\n" + "b," * 20 + "b\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text("from,to\n" + "".join(f"{u},v20\n" for u in names[:20]), encoding="utf-8")
    out = tmp_path / "m.json"
    assert call("fit", tmp_path / "g.csv", tmp_path / "x.csv", "--memory", "8MiB", "--out", out) == 2
    assert "fitting needs about" in capsys.readouterr().err
    assert not out.exists()


def test_a_replay_gives_up_at_the_limit(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("learn", data, "--out", tmp_path / "run") == 0
    assert call("replay", tmp_path / "run", data, "--memory", "512MiB", "--time-limit", 60) == 0
    assert mahc.replay(tmp_path / "run", data).arcs
    with pytest.raises(mahc.MahcError, match="the time limit was reached before the run was repeated"):
        mahc.replay(tmp_path / "run", mahc.read(data), time_limit=1e-6)


def test_a_query_ends_at_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("query", "alarm", "CVP", "--given", "BP=LOW", "--time-limit", 60, "--json") == 0
    assert json.loads(capsys.readouterr().out)["answers"]
    assert call("query", "alarm", "CVP", "--given", "BP=LOW", "--time-limit", 1e-6) == 2
    assert "was reached before the answer was there" in capsys.readouterr().err
    few = mahc.Model.load("alarm").query("CVP", {"BP": "LOW"}, method="weighting", draws=10**6, time_limit=1e-6)
    assert "stopped after" in few.notes[0]


def test_validate_takes_a_memory_limit(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("validate", data, "--folds", 2, "--memory", "512MiB", "--time-limit", 60) == 0
    assert "bits/row" in capsys.readouterr().out
