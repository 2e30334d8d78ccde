"""`mahc explain`: why an arc is in a saved result or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mahc
from mahc.cli.main import run
from mahc.networks import sample_path

Captured = pytest.CaptureFixture[str]


def explain(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run(["explain", *map(str, words)])
    assert isinstance(ending.value.code, int)
    return ending.value.code


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("explain") / "result.json"
    mahc.learn(sample_path("asia")).save(file)
    return file


def test_an_arc_in_the_graph_is_explained_by_its_strength(result: Path, capfd: Captured) -> None:
    assert explain(result, "either", "xray") == 0
    (line,) = capfd.readouterr().out.splitlines()
    assert line.startswith("either -> xray is in the graph: removing it would lower the score by 221.8 bits")


def test_the_folder_is_as_good_as_the_file(result: Path, capfd: Captured) -> None:
    assert explain(result.parent, "either", "xray") == 0
    from_folder = capfd.readouterr().out
    assert explain(result, "either", "xray") == 0
    assert capfd.readouterr().out == from_folder


def test_an_arc_that_runs_the_other_way_is_explained_both_ways(result: Path, capfd: Captured) -> None:
    assert explain(result, "xray", "either") == 0
    first, second = capfd.readouterr().out.splitlines()
    assert first.startswith("xray -> either is not in the graph: ")
    assert second.startswith("either -> xray is in the graph: ")


def test_json_is_one_object(result: Path, capfd: Captured) -> None:
    assert explain(result, "asia", "xray", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert list(found) == [
        "format_version",
        "from",
        "to",
        "present",
        "kind",
        "sentence",
        "numbers",
        "cut_points",
        "merged_states",
    ]
    assert (found["from"], found["to"], found["present"], found["kind"]) == ("asia", "xray", False, "pruned")
    assert found["numbers"]["score"] <= found["numbers"]["base_score"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "RESULT is missing: see 'mahc explain --help'"),
        (["{result}", "asia"], "TO is missing"),
        (["{result}", "smok", "lung"], "unknown variable 'smok': did you mean 'smoke'?"),
        (["{result}", "smoke", "lng"], "unknown variable 'lng': did you mean 'lung'?"),
        (["nowhere", "smoke", "lung"], "nowhere: there is no such file"),
        (["{folder}/empty", "smoke", "lung"], "there is no such file: give the result.json"),
        ([str(sample_path("asia")), "smoke", "lung"], "asia.csv, line 1: is not JSON"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    words: list[str], says: str, result: Path, tmp_path: Path, capfd: Captured
) -> None:
    (tmp_path / "empty").mkdir()
    assert explain(*(word.format(result=result, folder=tmp_path) for word in words)) == 2
    captured = capfd.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("mahc: ")
    assert says in line
    assert captured.out == ""
