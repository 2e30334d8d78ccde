"""`mahc learn`: what a person sees, what a script reads, and one sentence for every mistake."""

from __future__ import annotations

import json
import math
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cli.main import run
from mahc.results.files import FILES
from mahc.scores import SCORES


def learn(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run(["learn", *map(str, words)])
    assert isinstance(ending.value.code, int)
    return ending.value.code


Captured = pytest.CaptureFixture[str]


def learn_json(capfd: Captured, *words: object) -> dict[str, object]:
    assert learn(*words, "--json") == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    (line,) = captured.out.splitlines()

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    found: dict[str, object] = json.loads(line, parse_constant=refuse)
    return found


def test_the_sample_is_learned_and_shown(capfd: Captured) -> None:
    assert learn("asia") == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out.startswith("MAHC learned from asia\nData     1,000 rows, 8 variables\n")
    for words in ("arcs pruned at levels 1 to 3", " bits", "averaged over its neighbours", "strength"):
        assert words in captured.out
    assert "no neighbour is better" in captured.out
    assert "Next: add --out DIR" in captured.out


@pytest.mark.shared
def test_asia_1k_gives_the_numbers_of_the_paper(shared: Path, capfd: Captured) -> None:
    found = learn_json(capfd, shared / "paper" / "asia-1k.csv")
    pruning = found["pruning"]
    assert isinstance(pruning, dict)
    assert pruning["pruned_per_level"] == [28, 12, 5]
    assert pruning["valid_sets_per_level"] == [8, 56, 48, 9]
    assert len(pruning["allowed_arcs"]) == 11
    assert pruning["allowed_arcs"] == sorted(pruning["allowed_arcs"])
    assert isinstance(found["arcs"], list)
    assert len(found["arcs"]) == 7
    assert found["score"] == {"name": "bic", "base": 2.0, "value": pytest.approx(-3252.1024, abs=5e-5)}
    assert found["averaged_score"] == pytest.approx(-3357.7294, abs=5e-5)
    assert found["stop_reason"] == "converged"


KEYS = {
    "algorithm": str,
    "settings": dict,
    "variables": list,
    "kind": str,
    "arcs": list,
    "edges": type(None),
    "extension": type(None),
    "format_version": int,
    "strengths": list,
    "reversible": list,
    "score": dict,
    "averaged_score": float,
    "gap": type(None),
    "pruning": dict,
    "constraint_costs": list,
    "stop_reason": str,
    "steps": int,
    "missed_arcs": list,
    "costly_arcs": list,
    "rows": int,
    "size": int,
    "numbers": type(None),
    "cut_points": dict,
    "merged_states": dict,
    "fingerprint": str,
    "passes": type(None),
    "version": str,
    "seconds": float,
    "timings": dict,
    "total_seconds": float,
    "measurement_error": type(None),
    "experiments": type(None),
    "by_experiment": list,
    "changes": dict,
    "load_seconds": float,
    "peak_memory_mb": float,
}


def test_json_is_one_object_with_stable_keys(capfd: Captured) -> None:
    found = learn_json(capfd, "asia")
    assert {key: type(value) for key, value in found.items()} == KEYS
    assert found["arcs"] == sorted(found["arcs"])  # type: ignore[call-overload]
    assert list(found["score"]) == ["name", "base", "value"]  # type: ignore[call-overload]
    assert found["algorithm"] == "mahc"


def test_json_has_null_where_there_is_nothing_to_say(capfd: Captured) -> None:
    found = learn_json(capfd, "asia", "--algorithm", "tabu", "--score", "bdeu", "--ess", 10, "--base", "e")
    assert found["averaged_score"] is None
    assert found["pruning"] is None
    assert found["score"] == {"name": "bdeu", "base": math.e, "value": pytest.approx(-2280, abs=60)} | {
        "equivalent_sample_size": 10.0
    }


@pytest.mark.parametrize("limit", [["--step-limit", 2], ["--time-limit", 1e-9]])
def test_json_stays_alone_on_stdout_when_the_run_is_cut_short(limit: list[object], capfd: Captured) -> None:
    assert learn("asia", "--json", *limit) == 0
    captured = capfd.readouterr()
    found = json.loads(captured.out)
    assert found["stop_reason"] == str(limit[0])[2:].replace("-", "_")
    (note,) = captured.err.splitlines()
    assert note.startswith("mahc: note: the ")
    assert "graph so far" in note


def test_a_time_limit_too_short_for_one_step_still_gives_a_graph(capfd: Captured) -> None:
    for words in ([], ["--no-pruning"], ["--algorithm", "hc"], ["--algorithm", "tabu"]):
        assert learn("asia", "--time-limit", 1e-9, *words) == 0
        captured = capfd.readouterr()
        assert "the time limit was reached" in captured.out
        assert "No arcs: the time limit was reached before the first step." in captured.out


def test_what_is_written_can_be_read_back(tmp_path: Path, capfd: Captured) -> None:
    out = tmp_path / "deep" / "result"
    found = learn_json(capfd, "asia", "--out", out)
    assert sorted(os.listdir(out)) == sorted(FILES)
    assert os.listdir(out.parent) == ["result"]
    saved = mahc.Learned.load(out / "result.json")
    from mahc.graphs.files import read_dag

    for name in ("graph.csv", "graph.dot"):
        assert read_dag(out / name, names=saved.variables).arcs == saved.arcs
    assert [list(arc) for arc in saved.arcs] == found["arcs"]
    assert (out / "graph.svg").read_text().startswith("<svg")


def test_an_older_result_is_replaced_and_other_files_stay(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    assert learn("asia", "--out", tmp_path) == 0
    assert learn("asia", "--out", tmp_path, "--algorithm", "hc", "--overwrite") == 0
    assert mahc.Learned.load(tmp_path / "result.json").algorithm == "hc"
    assert sorted(os.listdir(tmp_path)) == sorted([*FILES, "mine.txt"])


def test_the_next_commands_work_as_they_are_printed(tmp_path: Path, capfd: Captured) -> None:
    data = tmp_path / "my data.csv"
    data.write_text("a b,[red]c,d\n" + "x,x,u\ny,y,u\n?,y,v\n" * 40)
    out = tmp_path / "my result"
    assert learn(data, "--missing", "state", "--missing-token", "?", "--algorithm", "hc", "--out", out) == 0
    printed = capfd.readouterr().out
    program = f"{sys.executable} -c 'from mahc.cli.main import run; run()'"
    lines = [line.removeprefix("Next:").strip() for line in printed.splitlines() if "mahc " in line]
    commands = [line.split("   ")[0] for line in lines if line.startswith("mahc ")]
    assert len(commands) == 2
    for command in commands:
        words = command.replace("mahc", program, 1)
        done = subprocess.run(words, shell=True, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert done.stdout


def write_csv(path: Path, columns: dict[str, list[str]]) -> Path:
    import csv

    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def test_names_with_markup_are_shown_literally(tmp_path: Path, capfd: Captured) -> None:
    column = ["x", "y"] * 50
    data = write_csv(
        tmp_path / "[bold]x.csv", {"[red]a[/red]": column, "[/]": column, ":smile:": ["u", "v", "v", "u"] * 25}
    )
    assert learn(data, "--algorithm", "hc", "--forbid", "[red]a[/red],:smile:", "--out", tmp_path / "[i]o") == 0
    printed = capfd.readouterr().out
    assert f"HC learned from {data}\n" in printed
    assert "[red]a[/red]" in printed
    assert "forbidden arc [red]a[/red] -> :smile:: did not lower the score" in printed
    assert "[/]" in printed
    assert f"Written to {tmp_path / '[i]o'}" in printed


@pytest.mark.parametrize("variables", [1, 2, 3])
@pytest.mark.parametrize("algorithm", ["mahc", "hc", "tabu"])
def test_few_variables_are_enough(variables: int, algorithm: str, tmp_path: Path, capfd: Captured) -> None:
    rng = np.random.default_rng(1)
    data = write_csv(
        tmp_path / "few.csv", {f"v{i}": [str(x) for x in rng.integers(0, 2, 50)] for i in range(variables)}
    )
    assert learn(data, "--algorithm", algorithm, "--out", tmp_path / "out") == 0
    printed = capfd.readouterr().out
    assert f"50 rows, {variables} variable" + ("s" if variables > 1 else "") in printed
    assert "No arcs: no single arc improves the " in printed
    assert re.search(r"^Graph +0 arcs$", printed, re.MULTILINE)


def test_many_arcs_are_cut_to_the_strongest(tmp_path: Path, capfd: Captured) -> None:
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2, 500)]
    for _ in range(89):
        columns.append(np.where(rng.random(500) < 0.2, rng.integers(0, 2, 500), columns[-1]))
    data = write_csv(tmp_path / "many.csv", {f"v{i}": [str(x) for x in column] for i, column in enumerate(columns)})
    assert learn(data, "--algorithm", "hc") == 0
    printed = capfd.readouterr().out
    assert "The 60 strongest of " in printed
    assert len(printed.splitlines()) < 80


def test_weights_and_knowledge_are_told(tmp_path: Path, capfd: Captured) -> None:
    data = tmp_path / "w.csv"
    data.write_text("a,b,n\nx,u,40\ny,v,40\nx,v,3\n")
    assert learn(data, "--weights", "n", "--forbid", "a,b", "--require-edge", "a,b", "--algorithm", "hc") == 0
    printed = capfd.readouterr().out
    assert "3 rows of total weight 83, 2 variables" in printed
    assert (
        "required edge a - b, which must be b -> a because of forbidden arc a -> b: did not lower the score" in printed
    )


def test_a_start_graph_and_a_knowledge_file_are_read(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "start.csv").write_text("from,to\nasia,xray\n")
    (tmp_path / "known.toml").write_text('required_arcs = [["smoke", "lung"]]\n')
    words = ["--start", tmp_path / "start.csv", "--knowledge", tmp_path / "known.toml", "--step-limit", 0]
    assert learn("asia", "--json", "--algorithm", "hc", *words) == 0
    assert json.loads(capfd.readouterr().out)["arcs"] == [["asia", "xray"], ["smoke", "lung"]]


MISTAKES: list[tuple[list[object], str]] = [
    ([], "DATA is missing: name a file or a folder, or give a query with --sql"),
    (["asai"], "there is no file 'asai', and unknown sample 'asai': did you mean 'asia'"),
    (["nowhere.csv"], "nowhere.csv"),
    (["asia", "--algorithm", "mach"], "unknown algorithm 'mach': did you mean 'mahc'?"),
    (["asia", "--algorithm", ""], "unknown algorithm ''"),
    (["asia", "--score", "bci"], "unknown score 'bci': did you mean 'bic'?"),
    (["asia", "--ties", "file"], "--ties is 'file': did you mean 'file-order'?"),
    (["asia", "--missing", "ignore"], "--missing is 'ignore': give one of error, state, drop"),
    (["asia", "--search-in-degree", 0], "--search-in-degree is 0: give a whole number from 1 to 1,000,000"),
    (["asia", "--search-in-degree", -3], "--search-in-degree is -3: give a whole number from 1 to 1,000,000"),
    (["asia", "--prune-in-degree", 0], "--prune-in-degree is 0: give a whole number from 1 to 100"),
    (["asia", "--search-in-degree", "2.5"], "--search-in-degree is '2.5': give a whole number"),
    (["asia", "--algorithm", "hc", "--prune-in-degree", 2], "algorithm 'hc' has no setting --prune-in-degree"),
    (["asia", "--algorithm", "tabu", "--no-averaging"], "algorithm 'tabu' has no setting --averaging"),
    (["asia", "--threads", 0], "--threads is 0: give a whole number from 1 to 1,024, or leave it out"),
    (["asia", "--threads", -1], "--threads is -1: give a whole number from 1"),
    (["asia", "--threads", 2**31], "--threads is 2147483648: give a whole number from 1 to 1,024"),
    (["asia", "--step-limit", 10**20], "--step-limit is 100000000000000000000: give a whole number from 0 to 1,0"),
    (["asia", "--prune-in-degree", 10**11], "--prune-in-degree is 100000000000: give a whole number from 1 to 100"),
    (["asia", "--time-limit", 0], "--time-limit is 0.0: give a number above 0 (seconds), or leave it out"),
    (["asia", "--time-limit", -5], "--time-limit is -5.0: give a number above 0 (seconds), or leave it out"),
    (["asia", "--time-limit", "nan"], "--time-limit is nan: give a number above 0 (seconds), or leave it out"),
    (["asia", "--step-limit", -1], "--step-limit is -1: give a whole number from 0"),
    (["asia", "--memory", 0], "--memory is 0: give a whole number of MiB from 1"),
    (["asia", "--base", 1], "base is 1.0: give a number above 1"),
    (["asia", "--base", "0.5"], "base is 0.5: give a number above 1"),
    (["asia", "--base", "two"], "--base is 'two': give a number above 1 (2 for bits, e for nats)"),
    (["asia", "--base", "inf"], "base is inf: give a number above 1"),
    (["asia", "--ess", 5], "score 'bic' has no setting --ess: leave it out, or use bdeu (it has --base)"),
    (["asia", "--score", "bdeu", "--ess", 0], "--ess is 0.0: give a number above 0"),
    (["asia", "--require", "smok,lung"], "did you mean 'smoke'"),
    (["asia", "--forbid", "smoke,lng"], "did you mean 'lung'"),
    (["asia", "--require", "smoke"], "'smoke' is not a pair of names"),
    (["asia", "--forbid", "smoke,"], "'smoke,' is not a pair of names"),
    (["asia", "--forbid", "a,b,c"], "'a,b,c' is not a pair of names"),
    (["asia", "--require-edge", "smoke,smoke"], "joins 'smoke' with itself"),
    (["asia", "--require", "smoke,lung", "--forbid", "smoke,lung"], "required arc smoke -> lung and forbidden arc"),
    (["asia", "--require", "smoke,lung", "--require", "lung,smoke"], "contradict each other: remove one"),
    (["asia", "--require", "a,b", "--forbid-edge", "a,b"], "unknown variable"),
    (["asia", "--knowledge", "nowhere.toml"], "nowhere.toml"),
    (["asia", "--start", "nowhere.csv"], "nowhere.csv"),
    (["asia", "--start", "nowhere"], "nowhere"),
    (["asia", "--drop", "smok"], "did you mean 'smoke'"),
    (["asia", "--nonsense"], "--nonsense"),
    (["asia", "extra"], "extra"),
]


@pytest.mark.parametrize(("words", "says"), MISTAKES, ids=lambda value: str(value)[:60])
def test_a_mistake_is_one_sentence_and_exit_code_2(words: list[object], says: str, capfd: Captured) -> None:
    assert learn(*words) == 2
    captured = capfd.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("mahc: ")
    assert says in line
    assert captured.out == ""


def test_every_bad_setting_is_refused_before_the_data_are_read(tmp_path: Path, capfd: Captured) -> None:
    checked = [words for words, _ in MISTAKES if words[:1] == ["asia"] and len(words) > 1]
    early = [
        words for words in checked if not {"--require", "--forbid", "--drop", "--start", "extra"} & {*map(str, words)}
    ]
    for words in early:
        assert learn(tmp_path / "nowhere.csv", *words[1:]) == 2
        assert "does not exist" not in capfd.readouterr().err, words


def test_too_little_memory_for_averaging_without_pruning_is_said(tmp_path: Path, capfd: Captured) -> None:
    rng = np.random.default_rng(1)
    data = write_csv(tmp_path / "wide.csv", {f"v{i}": [str(x) for x in rng.integers(0, 2, 20)] for i in range(60)})
    assert learn(data, "--no-pruning", "--memory", 1) == 2
    line = capfd.readouterr().err
    assert "mahc with 60 variables needs about 2 MiB, more than the 1 MiB allowed: switch pruning on" in line
    assert learn(data, "--memory", 1) == 0


def test_out_that_cannot_be_written_is_refused_at_once(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "file").write_text("mine")
    assert learn("asia", "--out", tmp_path / "file") == 2
    assert "is a file: give a folder" in capfd.readouterr().err
    assert learn("asia", "--out", tmp_path / "file" / "deep") == 2
    assert "is a file: give a folder" in capfd.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_out_without_the_right_to_write_is_refused_at_once(tmp_path: Path, capfd: Captured) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert learn("asia", "--out", tmp_path / "new") == 2
    assert "no permission to write" in capfd.readouterr().err


def test_what_was_learned_is_shown_even_if_it_cannot_be_written(
    tmp_path: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mahc.files.atomic._write_into", full)
    assert learn("asia", "--out", tmp_path / "new") == 2
    captured = capfd.readouterr()
    assert "bronc   ->  dysp" in captured.out
    assert "Written to" not in captured.out
    assert captured.err == f"mahc: {tmp_path / 'new'}: cannot be written: No space left on device\n"
    assert os.listdir(tmp_path) == []


def test_help_names_every_algorithm_and_score(capfd: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert learn("--help") == 0
    text = capfd.readouterr().out
    for name in (*ALGORITHMS, *SCORES):
        assert name in text
    assert "[default: 3]" in text


COMMAND = f"{sys.executable} -c 'from mahc.cli.main import run; run()'"


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("{mahc} learn asia --json | head -c 12", 0, '{"format_ver', ""),
        ("{mahc} learn asia | head -1", 0, "MAHC learned from asia\n", ""),
        ("set -o pipefail; {mahc} learn asia --json | true", 0, "", ""),
        ("{mahc} learn asia >&-", 0, "", ""),
        ("{mahc} learn asia 2>&- | head -1", 0, "MAHC learned from asia\n", ""),
        ("{mahc} learn asia --step-limit 1 2>&- | head -1", 0, "MAHC learned from asia\n", ""),
        ("{mahc} learn asia > /dev/full", 2, "", "mahc: the output cannot be written: No space left on device\n"),
        ("{mahc} learn asia </dev/null | head -1", 0, "MAHC learned from asia\n", ""),
        ("TERM=dumb {mahc} learn asia | head -1", 0, "MAHC learned from asia\n", ""),
    ],
)
def test_stdout_may_be_anything(line: str, code: int, out: str, err: str) -> None:
    done = subprocess.run(
        ["bash", "-c", line.format(mahc=COMMAND)], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


@pytest.mark.parametrize(
    "environment", ["LC_ALL=C", "LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "PYTHONIOENCODING=ascii"]
)
def test_an_encoding_without_the_letters_is_no_obstacle(environment: str, tmp_path: Path) -> None:
    column = ["x", "y"] * 50
    data = write_csv(tmp_path / "letters.csv", {"é": column, "肺癌": column, "c": ["u", "v", "v", "u"] * 25})
    settings = dict(pair.split("=") for pair in environment.split())
    words = [sys.executable, "-c", "from mahc.cli.main import run; run()", "learn", str(data), "--algorithm", "hc"]
    done = subprocess.run(
        [*words, "--out", str(tmp_path / "out")], capture_output=True, check=False, env={**os.environ, **settings}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "é".encode() in done.stdout or b"\\xe9" in done.stdout
    assert mahc.Learned.load(tmp_path / "out" / "result.json").variables == ("é", "肺癌", "c")


def test_the_package_itself_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "mahc", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"mahc {mahc.__version__}\n"
