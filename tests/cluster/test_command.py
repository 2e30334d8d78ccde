"""`mahc learn` and `mahc audit` on folders and globs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from pieces_of_data import as_frame, cut

import mahc
from mahc.cli.main import run
from mahc.networks import load_network, sample


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


def test_a_folder_and_a_glob(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=2))
    folder = cut(frame, [100, 220], tmp_path / "parts")
    expected = [list(arc) for arc in mahc.learn(frame).arcs]
    for data in (folder, folder / "*.parquet"):
        assert call("learn", data, "--json") == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)["arcs"] == expected
        assert "300 rows in pieces, " in shown.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gone/*.parquet"], "no file has such a name"),
        (["mixed"], "column 'a' is String in"),
        (["lacking"], "has no column 'b', which"),
        (["broken"], "the file is damaged or cut off"),
        (["odd"], "the ending '.doc' is not one of"),
        (["folder", "--on", "nowhere"], "give dask://host:8786 or spark://host:7077"),
    ],
)
def test_mistakes_end_with_2_and_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    frame = as_frame(sample(load_network("asia"), 50, seed=2)).select(a="asia", b="tub")
    cut(frame, [20], tmp_path / "folder")
    cut(frame, [20], tmp_path / "mixed")
    cut(frame, [20], tmp_path / "lacking")
    cut(frame, [20], tmp_path / "broken")
    frame.with_columns(a=1).write_parquet("mixed/001.parquet")
    frame.drop("b").write_parquet("lacking/001.parquet")
    whole = Path("broken/001.parquet").read_bytes()
    Path("broken/001.parquet").write_bytes(whole[: len(whole) // 2])
    Path("odd").mkdir()
    Path("odd/notes.doc").write_text("a")
    assert call("learn", *words) == 2
    assert sentence in capsys.readouterr().err


def test_a_file_that_does_not_fit_is_read_in_pieces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = as_frame(sample(load_network("asia"), 20_000, seed=2))
    frame.write_parquet(tmp_path / "table.parquet")
    frame.write_csv(tmp_path / "table.csv")
    expected = [list(arc) for arc in mahc.learn(frame).arcs]
    for file in ("table.parquet", "table.csv"):
        assert call("learn", tmp_path / file, "--json", "--memory", "1MiB") == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)["arcs"] == expected
        assert f"{file}: " in shown.err
        assert "1 MiB allowed: read in pieces, one table does not fit into the limit" in shown.err
        assert call("learn", tmp_path / file, "--json", "--memory", "1GB") == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)["arcs"] == expected
        assert "pieces" not in shown.err
    assert call("learn", tmp_path / "table.csv", "--memory", "1MiB", "--missing", "impute") == 0
    assert "pieces" not in capsys.readouterr().err
    monkeypatch.setattr("mahc.cluster.choosing.available_bytes", lambda: 1 << 20)
    assert call("learn", tmp_path / "table.csv", "--json") == 0
    assert "read in pieces, one table does not fit into what is available" in capsys.readouterr().err


def test_an_audit_of_a_folder_is_that_of_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=2)).with_columns(
        size=pl.Series(np.random.default_rng(1).normal(size=300).round(3))
    )
    folder = cut(frame, [100, 220], tmp_path / "parts")
    frame.write_parquet(tmp_path / "whole.parquet")
    for options, code in ((["--discretise", "quantile:3"], 0), ([], 0)):
        found = []
        for data in (folder, tmp_path / "whole.parquet"):
            assert call("audit", data, *options, "--json") == code
            found.append(json.loads(capsys.readouterr().out.replace(str(data), "DATA")))
        assert found[0] == found[1]
        assert found[0]["ok"] == (code == 0)
        assert found[0]["next_command"] == " ".join(["mahc learn DATA", *options])
    assert call("audit", folder, "--discretise", "quantile:3") == 0
    assert "can be used: 300 rows, 9 variables" in capsys.readouterr().out


def test_a_plan_says_how_data_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=2))
    folder = cut(frame, [100, 220], tmp_path / "parts")
    assert call("audit", folder, "--plan", "--memory", "64MiB") == 0
    said = capsys.readouterr().out
    assert "300 rows x 8 columns" in said
    assert "read in pieces" in said
    assert "Passes over 3 pieces: 2 where at most" in said
    assert "Memory: at most 64 MiB" in said
    frame.write_parquet(tmp_path / "whole.parquet")
    assert call("audit", tmp_path / "whole.parquet", "--plan", "--json") == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["in_pieces"], plan["passes"], plan["size"]["rows"]) == (False, {"least": 1, "mahc": 1}, 300)
    assert call("audit", folder, "--plan", "--memory", "much") == 2
    assert "--memory is 'much'" in capsys.readouterr().err
    assert call("audit", tmp_path / "gone.csv", "--plan") == 2
    assert "does not exist" in capsys.readouterr().err
