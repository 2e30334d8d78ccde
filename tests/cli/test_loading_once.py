"""A question to a result reads its file once, and reads it again after it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

import mahc
from mahc.cli.main import run
from mahc.lab import shipped_plans
from mahc.networks import sample_path
from mahc.results.learned import Learned
from mahc.sources import find_result


def call(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        run(words)
    return int(end.value.code or 0)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    seen: list[object] = []
    real = Learned.load

    def load(path: Path) -> Learned:
        seen.append(path)
        return real(path)

    monkeypatch.setattr(Learned, "load", staticmethod(load))
    return seen


@pytest.mark.parametrize("words", [["query", "{}", "lung"], ["effect", "{}", "smoke", "lung"]], ids=str)
def test_a_result_is_read_once(
    words: list[str], loads: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["learn", "asia", "--out", str(tmp_path / "run")]) == 0
    loads.clear()
    assert call([word.format(tmp_path / "run") for word in words] + ["--data", "asia"]) == 0
    assert len(loads) == 1


def test_a_result_that_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for algorithm in ("hc", "mahc", "tabu"):
        mahc.learn(sample_path("asia"), algorithm).save(path)
        assert find_result(path).algorithm == algorithm
        assert find_result(tmp_path).algorithm == algorithm


def test_a_saved_model_answers_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mahc.Model.load("asia").save(tmp_path / "model.json")
    assert call(["query", str(tmp_path / "model.json"), "lung", "--given", "smoke=yes"]) == 0
    assert "0.1" in capsys.readouterr().out


def test_the_help_lists_the_plans_that_ship(capsys: pytest.CaptureFixture[str]) -> None:
    call(["experiment", "run", "--help"])
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert f"a shipped plan: {', '.join(shipped_plans())}." in shown
