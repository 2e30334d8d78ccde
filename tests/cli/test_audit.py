"""`mahc audit`: the verdict a person reads, the exit code a script reads."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

import polars as pl
import pytest
from bad_inputs import BAD_FILES, BadFile

from mahc.cli.main import run
from mahc.cli.options.reading_options import ReadingOptions, load_dataset
from mahc.errors import SettingError

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "paper" / "asia-1k.csv"


def audit(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run(["audit", *map(str, words)])
    assert isinstance(ending.value.code, int)
    return ending.value.code


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.csv"
    rows = [f"P{i:03d},{i % 2},{i / 7:.2f},{'' if i % 10 == 0 else 'abc'[i % 3]},x,{i % 4}" for i in range(60)]
    path.write_text("id,sex,height,group,site,n\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda bad: bad.why)
def test_bad_file_exits_with_2_and_one_line(bad: BadFile, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert audit(bad.write(tmp_path)) == 2
    captured = capfd.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("mahc: ")
    for words in (bad.name, *bad.says):
        assert re.sub(r"(missing|discretise)=", r"--\1 ", words).replace('"', "") in line
    assert "Traceback" not in captured.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.csv"], "does not exist"),
        ([], "DATA is missing: name a file or a folder, or give a query with --sql"),
        (["{messy}", "--missing", "ignore"], "--missing is 'ignore': give one of error, state, drop"),
        (["{messy}", "--delimiter", "xy"], "--delimiter is 'xy'"),
        (["{messy}", "--delimiter", ";"], "try --delimiter comma"),
        (["{messy}", "--weights", "count"], "unknown column 'count'"),
        (["{messy}", "--weights", "id", "--missing", "drop"], "row 1 is 'P000', not a number"),
        (["{messy}", "--drop", "hight"], "did you mean 'height'"),
        (
            ["{messy}", "--discretise", "height=quantile:x"],
            "whole number of intervals from 2 to 1000",
        ),
        (["{messy}", "--discretise", "quantile:2", "--discretise", "quantile:3"], "give one rule"),
        (["{messy}", "--discretise", "n=1", "--discretise", "n=2"], "twice"),
        (["{messy}", "--no-such-option"], "unknown option --no-such-option"),
    ],
)
def test_bad_options_exit_with_2_and_one_line(
    words: list[str], says: str, messy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert audit(*[word.replace("{messy}", str(messy)) for word in words]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert says in line


def test_all_problems_are_shown_and_the_code_is_2(messy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert audit(messy) == 2
    captured = capfd.readouterr()
    shown = " ".join(captured.out.split())
    for words in (
        "looks like an identifier",
        "continuous ok: real numbers",
        "nominal 4 ok: 4 whole numbers, at most 20 are",
        "constant",
        "refused: missing values",
        "60 rows",
    ):
        assert words in shown
    assert "cannot be used as it is: 1 problem, 2 warnings" in shown
    assert f"Next: mahc learn {messy} --missing" in shown
    assert "--discretise" not in shown
    assert captured.err.startswith(f"mahc: {messy}: values are missing in 1 of 6 columns: 'group' (6): pass --missing")


def test_with_the_right_options_the_code_is_0(messy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [messy, "--missing=state", "--discretise", "height=quantile:2", "--drop", "id", "--weights", "n"]
    assert audit(*words) == 0
    captured = capfd.readouterr()
    shown = " ".join(captured.out.split())
    assert captured.err == ""
    assert "can be used: 45 rows of total weight 90, 4 variables" in shown
    assert "15 rows of 60 with weight 0 left out" in shown
    assert "quantile:2" in shown
    assert "learning will take roughly less than a second" in shown


def test_json_says_the_same(messy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert audit(messy, "--json") == 2
    document = json.loads(capfd.readouterr().out)
    assert document["ok"] is False
    assert [problem["kind"] for problem in document["problems"]] == ["missing"]
    assert [column["kind"] for column in document["columns"]] == [
        "text", "integer", "real", "text", "text", "integer",
    ]  # fmt: skip
    assert [column["level"] for column in document["columns"]] == [
        "nominal", "nominal", "continuous", "nominal", "nominal", "nominal",
    ]  # fmt: skip
    assert document["columns"][2]["why"] == "real numbers"
    assert audit(messy, "--json", "--missing=drop", "--drop=height") == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["ok"], document["rows"], document["size"]) == (True, 60, 54)
    assert document["estimate"]["seconds"] > 0
    assert re.fullmatch("[0-9a-f]{64}", document["fingerprint"])


def test_a_backtrace_of_the_reader_underneath_is_not_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)

    def panic(*_: object) -> None:
        os.write(2, b"thread panicked\nstack backtrace\n")
        raise pl.exceptions.PanicException("out of range")

    monkeypatch.setattr("mahc.data.sources.column_files._parquet_column", panic)
    assert audit(path) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert "damaged or cut off (out of range)" in line


@pytest.mark.parametrize("width", [80, 120])
def test_two_hundred_columns_stay_readable(
    width: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    path = tmp_path / "wide.csv"
    names = [f"a_rather_long_measurement_{j}" for j in range(200)]
    lines = [",".join(names)]
    lines += [",".join("x" if j == 9 else str((i + j + i // 3) % 3) for j in range(200)) for i in range(90)]
    path.write_text("\n".join(lines))
    assert audit(path) == 0
    shown = capfd.readouterr().out
    assert max(len(line) for line in shown.splitlines() if not line.startswith("Next: ")) <= width
    assert len(shown.splitlines()) < 20
    assert "199 columns without remarks: 199 nominal (--all lists them)" in shown
    assert audit(path, "--all") == 0
    assert len(capfd.readouterr().out.splitlines()) > 200


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evil.csv"
    path.write_bytes(b"a\x1b[31m,b[red]\n1.5,NA\x1b]0;x\x07\n,y\n")
    assert audit(path) == 2
    captured = capfd.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "\x07" not in captured.out + captured.err
    assert "b[red]" in captured.out


def test_help_names_every_option(capfd: pytest.CaptureFixture[str]) -> None:
    assert audit("--help") == 0
    shown = capfd.readouterr().out
    for option in (
        "--missing",
        "--missing-token",
        "--weights",
        "--discretise",
        "--delimiter",
        "--drop",
        "--json",
    ):
        assert option in shown


def test_other_commands_load_through_the_same_options(messy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings = ReadingOptions(missing="drop", discretise=["height=2,5"], drop=["id"]).settings()  # type: ignore[call-arg]
    data = load_dataset(messy, settings)
    assert data.rows == 54
    assert data.labels[1] == ("<= 2", "(2, 5]", "> 5")
    assert capfd.readouterr().err.splitlines() == [
        "mahc: note: column 'height': real numbers cut at 2, 5",
        "mahc: warning: column 'site': constant: one state only, so it is independent of the others",
    ]
    many = messy.with_name("many.csv")
    many.write_text(",".join(f"c{j}" for j in range(9)) + "\n" + ("x," * 9)[:-1] + "\n" + ("x," * 9)[:-1] + "\n")
    load_dataset(many, ReadingOptions().settings())
    assert len(capfd.readouterr().err.splitlines()) == 6
    with pytest.raises(SettingError, match="gives two rules for all columns: give one rule"):
        ReadingOptions(discretise=["quantile:2", "quantile:3"]).settings()  # type: ignore[call-arg]


@pytest.mark.shared
def test_the_sample_of_the_paper_is_fine(capfd: pytest.CaptureFixture[str]) -> None:
    if not SHARED.exists():
        pytest.skip("../shared/paper/asia-1k.csv is not there")
    assert audit(SHARED) == 0
    assert "can be used: 1,000 rows, 8 variables" in capfd.readouterr().out


def test_a_shipped_sample_is_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(["audit", "asia"])
    assert end.value.code == 0
    assert "can be used: 1,000 rows, 8 variables" in capsys.readouterr().out


@pytest.fixture
def with_gaps(tmp_path: Path) -> Path:
    """Values of `wet` are missing where it rains; those of `day` in one row of fifty, whatever else it holds."""
    path = tmp_path / "gaps.csv"
    rows = []
    for i in range(200):
        rain = i % 2
        wet = "" if rain and i % 3 == 0 else "yn"[rain]
        rows.append(f"{rain},{wet},{'' if i % 50 == 7 else 'abc'[i // 6 % 3]}")
    path.write_text("rain,wet,day\n" + "\n".join(rows) + "\n")
    return path


def test_audit_says_what_missing_values_depend_on_and_recommends(
    with_gaps: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert audit(with_gaps) == 2  # missing values are refused unless a method is chosen
    out = " ".join(capfd.readouterr().out.split())
    assert "missing values: 37 values are missing (6.2%), in 2 columns; 164 of 200 rows are complete" in out
    assert "missing values: missing values of wet depend on rain" in out
    assert "missing values of day depend" not in out
    assert "to learn a graph use --missing structural-em: missing values depend on other columns" in out
    assert f"Next: mahc learn {with_gaps} --missing structural-em" in out


def test_audit_document_has_missingness(with_gaps: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert audit(with_gaps, "--json") == 2
    document = json.loads(capfd.readouterr().out)
    found = document["missingness"]
    assert (found["values"], found["columns"], found["complete_rows"], found["rows"]) == (37, 2, 164, 200)
    assert found["share"] == pytest.approx(37 / 600)
    (dependent,) = found["dependent"]
    assert (dependent["name"], dependent["on"][0]) == ("wet", "rain")
    assert dependent["log10_p"] < -5
    assert found["recommended"] == "structural-em"
    assert document["next_command"].endswith("--missing structural-em")


def test_audit_recommends_to_drop_few_rows_and_says_nothing_without_gaps(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.csv"
    rows = [f"{i % 2},{'' if i == 5 else 'ab'[i // 2 % 2]}" for i in range(100)]
    path.write_text("x,y\n" + "\n".join(rows) + "\n")
    assert audit(path, "--json") == 2
    document = json.loads(capfd.readouterr().out)
    assert document["missingness"]["recommended"] == "drop"
    assert document["next_command"].endswith("--missing drop")
    assert audit(path, "--json", "--missing", "state") == 0  # a chosen method stays
    assert "--missing state" in json.loads(capfd.readouterr().out)["next_command"]
    path.write_text("x,y\n" + "\n".join(f"{i % 2},{i // 2 % 2}" for i in range(100)) + "\n")
    assert audit(path, "--json") == 0
    assert json.loads(capfd.readouterr().out)["missingness"] is None


def test_the_next_command_runs_as_printed_with_dates_and_a_constant_column(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{1000 + i},DE,{i % 28 + 1:02d}.{i % 12 + 1:02d}.20{i % 13 + 10},{'yn'[i % 2]}" for i in range(200)]
    data = tmp_path / "visits.csv"
    data.write_text("\n".join(["id,country,day,ill", *rows]), encoding="utf-8")
    assert audit(data) == 2
    following = next(line for line in capfd.readouterr().out.splitlines() if line.startswith("Next: mahc "))
    assert "--drop id --drop day" in following
    with pytest.raises(SystemExit) as end:
        run(shlex.split(following.removeprefix("Next: mahc ")))
    assert not end.value.code
    assert "200 rows, 2 variables" in capfd.readouterr().out
