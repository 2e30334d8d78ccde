from __future__ import annotations

import json
from pathlib import Path

import pytest

from mahc.cli.main import run

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
# Table 2 of the paper; where the file at hand differs, shared/networks says why.
TABLE_2 = {
    "asia": (8, 8, 2.00, 2, 18),
    "alarm": (37, 46, 2.49, 4, 509),
    "pathfinder": (109, 195, 3.58, 5, 72_079),  # the paper counts 71,890
    "sports": (9, 15, 3.33, 2, 1_049),
    "formed": (88, 138, 3.14, 6, 910),  # the paper counts 912: a rare state of Age was lost in the export
    "property": (27, 31, 2.30, 3, 3_056),
}


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        run(list(words))
    return int(end.value.code or 0)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_table_2_of_the_paper_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("networks", "--json", "--networks", str(SHARED / "networks")) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["networks"]}
    for name, (nodes, arcs, degree, most, parameters) in TABLE_2.items():
        row = rows[name]
        assert (row["nodes"], row["arcs"], row["max_in_degree"]) == (nodes, arcs, most)
        assert round(row["average_degree"], 2) == degree
        assert row["free_parameters"] == parameters


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_the_numbers_above_are_those_that_the_paper_prints() -> None:
    text = (SHARED / "paper" / "mahc-paper.md").read_text(encoding="utf-8")
    printed = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 6 and cells[0].lower() in TABLE_2:
            printed[cells[0].lower()] = tuple(float(cell.replace(",", "")) for cell in cells[1:])
    assert printed.keys() == TABLE_2.keys()
    differ = [name for name, row in TABLE_2.items() if printed[name] != row]
    assert sorted(differ) == ["formed", "pathfinder"]
    assert all(printed[name][:4] == TABLE_2[name][:4] for name in differ)


def test_the_table_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("networks") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == [
        "network",
        "nodes",
        "arcs",
        "average",
        "degree",
        "max",
        "in-degree",
        "free",
        "parameters",
    ]
    assert any(line.split() == ["asia", "8", "8", "2.00", "2", "18"] for line in lines)


def test_a_broken_file_in_the_folder_is_told_and_the_rest_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    assert call("networks", "--networks", str(tmp_path)) == 0
    shown = capsys.readouterr()
    assert "mahc: bad is left out:" in shown.err
    assert "asia" in shown.out
    assert call("networks", "--json", "--networks", str(tmp_path)) == 0
    rows = json.loads(capsys.readouterr().out)["networks"]
    assert [row["name"] for row in rows if "error" in row] == ["bad"]


def test_a_folder_that_is_not_there_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("networks", "--networks", "nowhere") == 2
    sentence = "the networks folder 'nowhere' (--networks) does not exist or is not a folder: correct it"
    assert capsys.readouterr().err == f"mahc: {sentence}\n"
