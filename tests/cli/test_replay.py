"""`mahc replay`: a saved result is learned again and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from mahc.cli.main import run

Captured = pytest.CaptureFixture[str]


def mahc(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def test_the_same_data_give_the_same_graph(tmp_path: Path, capfd: Captured) -> None:
    assert mahc("learn", "asia", "--out", tmp_path / "out", "--algorithm", "tabu", "--score", "aic") == 0
    capfd.readouterr()
    for result in (tmp_path / "out", tmp_path / "out" / "result.json"):
        assert mahc("replay", result, "asia") == 0
        captured = capfd.readouterr()
        assert captured.out.startswith("The same graph: ")
        assert " arcs, aic -" in captured.out
        assert captured.err == ""


def test_the_options_of_reading_are_those_of_the_result(tmp_path: Path, capfd: Captured) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,b,c\n" + "x,u,1\ny,v,2\n?,u,2\n" * 30)
    assert mahc("learn", data, "--missing-token", "?", "--missing", "state", "--out", tmp_path / "out") == 0
    assert mahc("replay", tmp_path / "out", data) == 0
    assert mahc("replay", tmp_path / "out", data, "--missing-token", "?", "--missing", "state") == 0
    capfd.readouterr()
    assert mahc("replay", tmp_path / "out", data, "--missing-token", "?", "--missing", "drop") == 2
    says = "--missing drop is given, but the data of the result were read with --missing state: leave it out"
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "RESULT is missing: see 'mahc replay --help'"),
        (["{out}"], "DATA is missing"),
        (["{out}", "nowhere.csv"], "nowhere.csv"),
        (["{out}", "asai"], "did you mean 'asia'"),
        (["nowhere", "asia"], "nowhere: there is no such file"),
        (["{out}/graph.csv", "asia"], "is not JSON"),
        (
            ["{out}", "asia", "--drop", "smoke"],
            "--drop smoke is given, but the data of the result were read without it: leave it out",
        ),
        (["{out}", "asia", "--threads", "0"], "threads is 0"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    words: list[str], says: str, tmp_path: Path, capfd: Captured
) -> None:
    assert mahc("learn", "asia", "--out", tmp_path / "out") == 0
    capfd.readouterr()
    assert mahc("replay", *(word.format(out=tmp_path / "out") for word in words)) == 2
    captured = capfd.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("mahc: ")
    assert says in line
    assert captured.out == ""
