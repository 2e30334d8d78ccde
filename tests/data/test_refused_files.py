"""Every file that cannot be used is refused with one sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from bad_inputs import BAD_FILES, BadFile

from mahc.data import ReadSettings, audit, read, read_with
from mahc.errors import DataError, FormatError, MahcError, SettingError, UnknownNameError
from mahc.networks import sample_path


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda bad: bad.why)
def test_bad_file_is_refused_with_one_sentence(bad: BadFile, tmp_path: Path) -> None:
    path = bad.write(tmp_path)
    with pytest.raises(MahcError) as refusal:
        read_with(path, ReadSettings())
    sentence = str(refusal.value)
    for words in (bad.name, *bad.says):
        assert words in sentence
    assert "\n" not in sentence


def test_missing_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "asia.csv").write_text("a\n1\n")
    with pytest.raises(DataError, match=r"assia\.csv does not exist \(did you mean 'asia\.csv'\?\)"):
        read(tmp_path / "assia.csv")
    with pytest.raises(DataError, match="does not exist"):
        read(str(tmp_path / "nowhere" / "x.parquet"))


def test_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data.csv"
    folder.mkdir()
    with pytest.raises(DataError, match="is a folder: name a file"):
        read(folder)


def test_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything, so no real permission would do
    with pytest.raises(DataError, match=r"secret\.csv may not be read"):
        read(path)


def test_wrong_delimiter_says_which_fits(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(FormatError, match=r"the only column would be 'a,b': try delimiter=.comma."):
        read(path, delimiter=";")


def test_quote_left_open_in_a_long_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mahc.data.sources.text_records._LONGEST_RECORD", 1000)
    monkeypatch.setattr("mahc.data.sources.text_records._BLOCK", 300)
    monkeypatch.setattr("mahc.data.sources.text_table._HEAD", 100)
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,2\n"x,2\n' + "1,2\n" * 5000)
    with pytest.raises(FormatError, match="line 3: a record of more than"):
        read(path)


def test_all_problems_are_listed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("h,w,gap,n\n1.5,2.5,,0\n1.7,2.5,x,-1\n")
    found = audit(path, ReadSettings(weights="n"))
    assert [(problem.column, problem.kind) for problem in found.problems] == [
        ("n", "weights"),
        (None, "missing"),
    ]
    assert [(problem.column, problem.kind) for problem in found.numbers] == [("h", "real-valued"), ("w", "real-valued")]
    assert found.dataset is None
    with pytest.raises(DataError, match=r"and 3 more problems: mahc\.audit lists all"):
        found.require()


@pytest.mark.parametrize(
    ("settings", "kind", "says"),
    [
        ({"missing": "ignore"}, SettingError, 'missing is \'ignore\': give one of "error", "state", "drop"'),
        ({"delimiter": "ab"}, SettingError, "delimiter is 'ab'"),
        ({"quote": "x"}, SettingError, "quote is 'x': give a double quote"),
        ({"columns": "a"}, SettingError, "columns is 'a': give a list of names"),
        ({"columns": ["a", "a"]}, SettingError, "twice"),
        ({"columns": ["c"]}, UnknownNameError, "unknown column 'c'"),
        ({"drop": ["a", "b"]}, SettingError, "none of the 2 columns would remain"),
        ({"drop": ["bb"]}, UnknownNameError, "did you mean 'b'"),
        ({"weights": "n"}, UnknownNameError, "unknown column 'n'"),
        ({"discretise": {"n": "quantile:2"}}, UnknownNameError, "unknown column 'n'"),
        ({"discretise": "quantile:x"}, SettingError, "whole number of intervals from 2 to 1000"),
        ({"discretise": "quantil:3"}, UnknownNameError, "did you mean 'quantile'"),
        ({"discretise": "many"}, SettingError, "cut points such as"),
        ({"discretise": [2.0, 1.0]}, SettingError, "rising"),
        ({"discretise": []}, SettingError, "rising"),
        ({"names": ["a", "b"]}, SettingError, "for arrays"),
    ],
)
def test_bad_settings_are_refused(
    settings: dict[str, object], kind: type[MahcError], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\nx,1\ny,2\n")
    with pytest.raises(kind, match=says):
        read(path, **settings)  # type: ignore[arg-type]


def test_text_options_are_refused_for_other_sources() -> None:
    with pytest.raises(SettingError, match="for text files"):
        read({"a": [1]}, delimiter=",")


@pytest.mark.parametrize("delimiter", ["comma", "tab", None])
@pytest.mark.parametrize("text", ["\na,b\n1,2\n", "\n\n", "\r\na,b\n1,2\n"])
def test_an_empty_first_line_is_refused(text: str, delimiter: str | None, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    with pytest.raises(MahcError, match=r"t\.csv"):
        read(path, delimiter=delimiter)


@pytest.mark.parametrize("name", ["n" * 300 + ".csv", "n" * 300, "a\0b.csv"])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(MahcError, match=r"cannot be opened"):
        read(name)


def test_a_million_columns_are_refused_from_the_header_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wide.csv"
    count = 1_000_000
    path.write_text(",".join(f"v{j}" for j in range(count)) + "\n" + ",".join("01" * (count // 2)) + "\n")

    def refuse(*_: object) -> None:
        raise AssertionError("a column was read")

    monkeypatch.setattr("mahc.data.sources.text_table.TextColumns", refuse)
    with pytest.raises(DataError, match="at most 100,000 columns can be read, and there are 1,000,000"):
        read(path)


def test_few_of_a_million_columns_are_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    count = 1_000_000
    header = ",".join(f"v{j}" for j in range(count))
    path.write_text("\n".join([header, ",".join("01" * (count // 2)), ",".join("10" * (count // 2)), ""]))
    assert read(path, columns=["v3", "v5"]).names == ("v3", "v5")


def test_the_name_of_a_shipped_sample_is_read() -> None:
    assert read("asia") == read(sample_path("asia"))
