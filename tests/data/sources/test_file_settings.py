"""How a file is taken apart: header or none, sheets, and what is guessed of a text file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.data.sources.guessing import guess_reading
from mahc.errors import MahcError


def test_a_file_without_header_keeps_its_first_row(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,x\nb,y\na,y\n")
    found = mahc.read(tmp_path / "rows.csv", header=False)
    assert (found.names, found.rows) == (("column1", "column2"), 3)
    assert found.labels == (("a", "b"), ("x", "y"))
    assert mahc.read(tmp_path / "rows.csv").rows == 2


def test_pieces_without_header_are_the_same_rows(tmp_path: Path) -> None:
    for part in range(2):
        (tmp_path / f"part{part}.csv").write_bytes(b"\xef\xbb\xbf" * part + b"a,x\nb,y\na,y\nb,x\n" * 20)
    whole = mahc.learn(tmp_path, "hc", header=False)
    assert whole.data.rows == 160
    assert whole.variables == ("column1", "column2")


def test_header_and_sheet_are_refused_where_they_say_nothing(tmp_path: Path) -> None:
    with pytest.raises(MahcError, match="sheet is for spreadsheets"):
        mahc.read({"a": ["x", "y"]}, sheet="1")
    with pytest.raises(MahcError, match="header is for text files and spreadsheets"):
        mahc.read({"a": ["x", "y"]}, header=False)


def test_a_sheet_is_chosen_by_name_or_number(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(str(tmp_path / "book.xlsx")) as book:
        for name, states in (("First", "xy"), ("Second", "uv")):
            sheet = book.add_worksheet(name)
            for place, row in enumerate([["a", "b"], [states[0], "1"], [states[1], "2"]]):
                sheet.write_row(place, 0, row)
    read = lambda **how: mahc.read(tmp_path / "book.xlsx", **how)  # noqa: E731
    assert read().labels[0] == ("x", "y")
    assert read(sheet="Second").labels[0] == read(sheet="2").labels[0] == ("u", "v")
    assert read(sheet="Second", header=False).labels[0] == ("a", "u", "v")
    with pytest.raises(MahcError, match="unknown sheet 'Third'"):
        read(sheet="Third")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"a,b\n1.5,x\n", {}),
        ("größe;b\n1,5;x\n".encode("cp1252"), {"encoding": "cp1252", "decimal": ","}),
        ("a;b\n1,5;x\n".encode("utf-16"), {"encoding": "utf-16", "decimal": ","}),
        (b"a;b\n1.234,5;x\n1,5;y\n", {"decimal": ","}),
        (b"a;b\n1.5;x,y\n", {}),
        (b"a;b,c\n1;2,3\n", {"delimiter": "semicolon", "decimal": ","}),
        (b"", {}),
    ],
)
def test_what_is_guessed_reads_the_file(tmp_path: Path, content: bytes, found: dict[str, str]) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    assert guess_reading(tmp_path / "x.csv") == found


@given(st.binary(max_size=300))
def test_any_bytes_are_guessed_without_an_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / "x.csv"
    file.write_bytes(content)
    guessed = guess_reading(file)
    assert set(guessed) <= {"encoding", "delimiter", "decimal"}
    mahc.data.ReadSettings(**guessed)  # type: ignore[arg-type]
