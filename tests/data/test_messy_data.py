"""Data as people have them: many whole numbers, decimal commas, encodings, codes for missing values, spellings."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.data import Continuous, ReadSettings, audit, read, read_with, suggest_settings
from mahc.errors import DataError, FormatError, SettingError
from mahc.ui.audit import describe_audit

AGES = list(range(20, 60)) * 3
Captured = pytest.CaptureFixture[str]


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run([str(word) for word in words])
    assert isinstance(ending.value.code, int)
    return ending.value.code


@pytest.mark.parametrize("ages", [AGES, np.array(AGES), np.array(AGES, dtype=float)])
def test_many_whole_numbers_are_treated_like_real_numbers(ages: object) -> None:
    data = {"age": ages, "visits": [0, 1, 2] * 40}
    assert mahc.learn(data).run.numbers is not None
    with pytest.raises(DataError) as refused:
        read_with(data, ReadSettings())  # for those who take states only
    assert read(data).columns[0] == Continuous(np.array(AGES, float))
    assert str(refused.value) == (
        "the dict: column 'age' holds 40 different whole numbers, more than 20: pass discretise=\"quantile:4\", "
        '"equal-width:5" or cut points such as [18, 65], or categorical=["age"] to keep each as a state'
    )
    table = read(data, discretise="quantile:2")
    assert table.states == (("<= 39", "> 39"), (0, 1, 2))
    said = {note.column: note.message for note in table.notes if note.column}
    assert said == {"age": "whole numbers cut at 39 (quantile:2)", "visits": "left as it is: 3 states"}
    kept = read(data, categorical=["age"])
    assert kept.labels[0] == tuple(map(str, range(20, 60)))
    assert read(data, discretise="quantile:2", categorical=["age"]).states == kept.states
    assert read({"age": [*range(20)] * 2}).state_counts.tolist() == [20]


def test_real_numbers_can_be_kept_as_states_too() -> None:
    for values in ([1.5, 2.0, 10.0] * 5, np.array([1.5, 2.0, 10.0] * 5), [1.5, 2, 10] * 5):
        assert read({"dose": values}, categorical=["dose"]).labels == (("1.5", "2", "10"),)
    assert read({"dose": ["1.50", "2", "10"] * 5}).states == (("1.50", "2", "10"),)  # text stays text
    with pytest.raises(SettingError, match="categorical and discretise both name 'a': give one"):
        ReadSettings(categorical=["a"], discretise={"a": "quantile:2"})


def test_an_identifier_of_whole_numbers_is_to_be_left_out() -> None:
    with pytest.raises(
        DataError, match=r"120 different whole numbers in 120 rows, as an identifier does: leave it out"
    ):
        mahc.learn({"id": list(range(120)), "sex": ["f", "m"] * 60})


def test_columns_with_the_same_problem_are_refused_in_one_sentence() -> None:
    with pytest.raises(DataError, match=r"column 'a' holds real numbers \(for example 1.5\), likewise 'b', 'c': pass"):
        read_with({"a": [1.5, 2.5], "b": [0.5, 2.5], "c": [1.5, 0.5], "d": ["x", "y"]}, ReadSettings())


def test_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("bmi;sex\n" + "21,5;f\n30,25;m\n28;f\n" * 5)
    with pytest.raises(DataError, match=r"numbers with decimal commas \(for example 21,5\)") as refused:
        read(path)
    assert 'decimal=","' in str(refused.value)
    points = tmp_path / "b.csv"
    points.write_text("bmi;sex\n" + "21.5;f\n30.25;m\n28;f\n" * 5)
    assert read(path, decimal=",", discretise="quantile:3") == read(points, discretise="quantile:3")
    assert read(path, categorical=["bmi"]).states[0] == ("21,5", "28", "30,25")
    with pytest.raises(SettingError, match="both a comma"):
        ReadSettings(decimal=",", delimiter="comma")


def test_decimal_commas_in_a_column_of_many_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x;y\n" + "".join(f"{i / 7:.6f};{i % 2}\n" for i in range(70_000)).replace(".", ","))
    table = read(path, decimal=",", discretise="18,65")
    assert table.states[0] == ("<= 18", "(18, 65]", "> 65")


@pytest.mark.parametrize(("encoding", "text"), [("cp1252", "café"), ("utf-16", "café"), ("cp1251", "привет")])
def test_other_encodings_are_named_and_read(encoding: str, text: str, tmp_path: Path) -> None:
    path, plain = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(f"name,n\n{text},1\nb,2\n".encode(encoding))
    plain.write_text(f"name,n\n{text},1\nb,2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f'encoding="{encoding}"'):
        read(path)
    assert read(path, encoding=encoding) == read(plain)
    with pytest.raises(SettingError, match="encoding is 'klingon': give the name of an encoding"):
        read(path, encoding="klingon")
    with pytest.raises(SettingError, match="encoding is for text files"):
        read({"a": ["x", "y"]}, encoding="cp1252")


def test_a_wrong_encoding_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("name,n\ncafé,1\nb,2\n".encode("cp1252"))
    with pytest.raises(FormatError, match=r"this is not ascii .*: correct encoding, or save"):
        read(path, encoding="ascii")


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([0, 1, -9], "-9"),
        ([1, 2, 3, 99], "99"),
        ([20, 30, 999], "999"),
        ([1.5, 2.5, -99], "-99"),
        ([1, 2, -1], None),
        ([97, 98, 99], None),
        ([-9, -8, 1], None),
    ],
)
def test_codes_that_likely_mean_missing_are_flagged(values: list[float], code: str | None) -> None:
    found = audit({"a": values * 9, "b": ["x", "y", "z"] * 3 * len(values)})
    flagged = [note for note in found.notes if note.kind == "missing-code"]
    assert [note.remedies[0].value for note in flagged] == ([{"a": (code,)}] if code else [])
    if code and isinstance(values[0], int):
        assert f'pass missing_tokens={{"a": ["{code}"]}}' in flagged[0].sentence()
        assert code not in read({"a": values * 9}, missing_tokens={"a": [code]}, missing="state").labels[0]


def find_codes(values: object, **settings: object) -> list[str]:
    notes = audit({"a": values}, ReadSettings(**settings)).notes  # type: ignore[arg-type]
    return [note.message for note in notes if note.kind == "missing-code"]


@pytest.mark.parametrize("whole", [False, True])
def test_codes_that_stand_apart_are_flagged_below_as_above(whole: bool) -> None:
    numbers = 300 * np.random.default_rng(5).normal(size=400)
    numbers = np.clip(np.rint(numbers) if whole else numbers, -900, 900)
    numbers[10:50], numbers[60:63] = -999, 9999
    assert find_codes(numbers) == [
        "-999 (40 rows) is far below the other numbers",
        "9999 (3 rows) is far above the other numbers",
    ]
    assert find_codes(numbers, weights=np.full(400, 0.25)) == find_codes(numbers)
    assert find_codes(numbers, discretise="quantile:3") == find_codes(numbers)
    assert find_codes([*(numbers / 300)[100:], -99, -999, -999]) == [  # two codes; one occurs once, far away
        "-999 (2 rows) is far below the other numbers",
        "-99 (1 row) is far below the other numbers",
    ]
    buttons = describe_audit(audit({"a": numbers})).columns[0].remarks[-1].fixes  # of the page
    assert [(each.text, each.value) for each in buttons] == [("Treat “9999” as missing", {"a": ["9999"]})]
    assert find_codes([*numbers[100:], -999]) == []  # one row that is no farther away than others are


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("scale", [1, 20, 300])
def test_random_columns_have_no_codes(scale: float, whole: bool) -> None:
    draw = np.random.default_rng(17)
    rows = (200, 34)
    for table in (
        draw.normal(size=rows),
        draw.lognormal(size=rows),
        draw.exponential(size=rows),
        draw.standard_t(3, rows),
        draw.poisson(3, rows) * draw.integers(0, 2, rows),
    ):
        numbers = scale * table
        data = {f"c{j}": np.rint(column) if whole else column for j, column in enumerate(numbers)}
        assert [note.message for note in audit(data).notes if note.kind == "missing-code"] == []


def test_states_that_differ_in_case_or_blanks_are_flagged_and_merged() -> None:
    data = {"smoker": ["yes", "Yes ", "YES", "no", "no", "No"] * 4, "n": [1, 2] * 12}
    notes = {note.kind: note for note in read(data).warnings}
    assert "pass merge_states=True" in notes["case"].sentence()
    merged = read(data, merge_states=True)
    assert merged.labels[0] == ("YES", "no")
    assert merged.codes[0].tolist()[:6] == [0, 0, 0, 1, 1, 1]
    assert any(note.kind == "merged-states" for note in merged.notes)
    assert read({"a": ["x", " "] * 4}, merge_states=True, missing="drop").rows == 4


def test_the_audit_gives_each_fix_once_and_a_command_that_works(tmp_path: Path, capfd: Captured) -> None:
    path = tmp_path / "messy data.csv"
    rows = [
        f"{i};{20 + i % 50};{18 + i % 13},5;{['yes', 'Yes', 'no', '?'][i % 4]};{-9 if i % 9 == 0 else i % 3};{i % 2},5"
        for i in range(200)
    ]
    path.write_text("\n".join(["id;age;bmi;smoker;code;dose", *rows]) + "\n")
    assert call("audit", path) == 2
    shown = capfd.readouterr().out
    fixes = [line for line in shown.splitlines() if line.startswith("fix: ")]
    assert any(line.startswith("fix: bmi, dose: ") for line in fixes)
    assert len(fixes) == len(set(fixes)) == 5
    (following,) = (line.removeprefix("Next: ") for line in shown.splitlines() if line.startswith("Next: "))
    words = shlex.split(following)
    assert words[:3] == ["mahc", "learn", str(path)]
    for option in ("--decimal", "--merge-states", "--missing-token", "--missing", "--drop"):
        assert option in words
    assert "--discretise" not in words
    assert call(*words[1:], "--algorithm", "hc", "--discretise", "quantile:4") == 0
    err = capfd.readouterr().err
    assert "column 'age': whole numbers cut at" in err
    assert "left as they are: 'code' (3 states)" in err
    assert call("audit", path, "--json") == 2
    document = json.loads(capfd.readouterr().out)
    assert document["next_command"] == following
    assert document["format_version"] == 1
    assert (document["columns"][1]["level"], document["columns"][1]["problem"]) == ("continuous", None)
    assert suggest_settings({"a": ["x"]}, ReadSettings(), audit({"a": ["x"]})) is None


@pytest.mark.parametrize(("notes", "said"), [([], "is empty"), (["Study", "2024"], "has no rows below its first line")])
def test_a_sheet_without_rows_names_another(tmp_path: Path, notes: list[str], said: str) -> None:
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(str(tmp_path / "study.xlsx")) as book:
        book.add_worksheet("Notes").write_row(0, 0, notes)
        sheet = book.add_worksheet("Rows")
        for place, row in enumerate([["a", "b"], ["x", "y"], ["z", "w"]]):
            sheet.write_row(place, 0, row)
    with pytest.raises(DataError, match=f"the sheet 'Notes' {said}.*Rows"):
        mahc.read(tmp_path / "study.xlsx")
    assert mahc.read(tmp_path / "study.xlsx", sheet="Rows").rows == 2


def test_spreadsheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    path = tmp_path / "book.xlsx"
    frame = pl.DataFrame({"sex": ["f", "m"] * 5, "visits": [0, 1, 2, 1, 0] * 2})
    frame.write_excel(path)
    assert read(path) == read(frame)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DataError, match="is a spreadsheet: export the sheet as CSV, or read it with pandas or polars"):
        read(path)


def test_a_missing_token_is_found_as_a_number_too() -> None:
    found = audit({"v": ["1.5", "99.0", "2.5", "99.0"]}, ReadSettings(missing="state", missing_tokens=("99", "98")))
    unused = [note.message for note in found.notes if note.kind == "unused-token"]
    assert unused == ["the missing token '98' does not occur"]
