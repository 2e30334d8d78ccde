"""The one place where the command line turns what nobody expected into one sentence and an exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import mahc
from mahc.cli import main

LONG = "n" * 300


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main.run(words)
    return int(end.value.code or 0), capsys.readouterr().err


def raise_from_app(problem: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise problem

    monkeypatch.setattr(main, "make_app", fail)


class Panic(BaseException):
    """As polars' PanicException, which is not an Exception."""


@pytest.mark.parametrize("problem", [KeyError("x\x1b[31m"), RecursionError("deep"), AssertionError(), Panic("at\nrow")])
def test_an_unexpected_error_is_one_sentence_and_70(
    problem: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raise_from_app(problem, monkeypatch)
    code, said = run(["learn", "asia"], capsys)
    assert code == 70
    assert said.startswith(f"mahc: this is a bug in mahc {mahc.__version__}, report it with the command and its files")
    assert said.count("\n") == 1
    assert type(problem).__name__ in said
    assert "--debug" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("words", [["--debug", "learn", "asia"], ["learn", "asia", "--debug"]])
def test_debug_shows_where_it_happened(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raise_from_app(KeyError("x\x1b[31m"), monkeypatch)
    code, said = run(words, capsys)
    assert code == 70
    assert "Traceback (most recent call last):" in said
    assert "in fail" in said
    assert "\x1b" not in said


def test_debug_is_an_option_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(["learn", "nowhere.csv", "--debug"], capsys)
    assert (code, said.count("\n")) == (2, 1)
    assert "nowhere.csv does not exist" in said


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (OSError(36, "File name too long", "nnn"), "File name too long (nnn)"),
        (MemoryError(), "the memory of this machine does not suffice"),
    ],
)
def test_what_the_system_refuses_is_not_a_bug(
    problem: BaseException, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raise_from_app(problem, monkeypatch)
    code, said = run(["learn", "asia"], capsys)
    assert code == 2
    assert says in said


def test_an_interrupt_within_an_import_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = ImportError("numpy could not be imported")
    problem.__cause__ = KeyboardInterrupt()
    raise_from_app(problem, monkeypatch)
    assert run(["learn", "asia"], capsys) == (130, "mahc: interrupted, nothing was written\n")


@pytest.mark.parametrize(
    ("problem", "code", "kind"),
    [
        (KeyError("x"), 70, "KeyError"),
        (Panic("at\nrow"), 70, "Panic"),
        (KeyboardInterrupt(), 130, "KeyboardInterrupt"),
        (MemoryError(), 2, "MemoryError"),
    ],
)
def test_with_json_every_end_is_one_object(
    problem: BaseException,
    code: int,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    raise_from_app(problem, monkeypatch)
    with pytest.raises(SystemExit) as end:
        main.run(["learn", "asia", "--json"])
    assert end.value.code == code
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.out.count("\n") == 1
    assert found["format_version"] == 1
    assert (found["error"]["kind"], found["error"]["exit_code"]) == (kind, code)
    assert said.err == f"mahc: {found['error']['message']}\n"


INTERRUPTED_IMPORT = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == interrupted:
            raise KeyboardInterrupt

interrupted = sys.argv[1]
sys.argv = ["mahc", "learn", "asia"]
sys.meta_path.insert(0, Interrupt())
runpy.run_module("mahc", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["mahc.cli.main", "cyclopts", "mahc.errors", "mahc.learn", "numpy", "rich"])
def test_an_interrupt_during_an_import_shows_no_traceback(module: str) -> None:
    found = subprocess.run([sys.executable, "-c", INTERRUPTED_IMPORT, module], capture_output=True, text=True)
    assert found.returncode == 130, found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["learn", f"{LONG}.csv"],
        ["learn", LONG],
        ["learn", "asia", "--out", LONG],
        ["learn", "asia", "--out", f"{LONG}/x"],
        ["learn", "asia", "--knowledge", f"{LONG}.toml"],
        ["learn", "asia", "--start", f"{LONG}.csv"],
        ["explain", LONG, "a", "b"],
        ["replay", LONG, "asia"],
        ["audit", f"{LONG}.parquet"],
        ["compare", LONG, "asia"],
        ["compare", f"{LONG}.json", "asia"],
        ["fit", LONG, "asia", "--out", "x.bif"],
        ["fit", "asia", "asia", "--out", f"{LONG}.bif"],
        ["sample", LONG, "--rows", "5", "--out", "x"],
        ["sample", "asia", "--rows", "5", "--out", LONG],
        ["networks", "--networks", LONG],
        ["score", "asia", LONG],
        ["experiment", "run", f"{LONG}.toml", "--store", "x"],
        ["experiment", "run", "paper", "--store", LONG],
        ["experiment", "report", LONG, "--out", "x"],
        ["learn", "asia", "--algorithm", "9" * 10_000],
        ["learn", "asia", "--require", f"{'9' * 10_000},b"],
        ["learn", "asia", "--time-limit", "9" * 10_000],
        ["learn", "asia", "--threads", "9" * 10_000],
        ["sample", "asia", "--rows", "9" * 10_000, "--out", "x"],
        ["sample", "asia", "--rows", "9" * 100, "--out", "x"],
        ["sample", "asia", "--rows", "5", "--seed", "9" * 10_000, "--out", "x"],
        ["experiment", "run", "paper", "--store", "x", "--seeds", "9 " * 10_000],
        ["9" * 10_000],
    ],
)
def test_long_names_and_values_are_refused_in_a_readable_sentence(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = run(words, capsys)
    assert code == 2
    refusal = [line for line in said.splitlines() if not line.startswith("mahc: warning:")]
    assert len(refusal) == 1
    assert len(refusal[0]) < 1100
    assert [*tmp_path.iterdir()] == []


def test_a_result_with_numbers_that_cannot_be_saved_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learned = mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30})
    learned.save(tmp_path / "result.json")
    found = json.loads((tmp_path / "result.json").read_text())
    found["local_scores"] = [1.7e308] * 2
    (tmp_path / "result.json").write_text(json.dumps(found))
    code, said = run(["explain", str(tmp_path / "result.json"), "a", "b"], capsys)
    assert code == 2
    assert "is damaged (expected `float` <= 1e+300 - at `$.local_scores[0]`)" in said
