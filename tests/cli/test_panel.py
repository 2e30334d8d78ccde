"""`mahc panel` and `mahc sample --do`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from mahc.cli.main import run
from mahc.panels import PanelNetwork


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
    columns = {"id": [row // 4 for row in range(240)], "day": [row % 4 for row in range(240)], "pain": pain}
    pl.DataFrame(columns).write_csv(tmp_path / "visits.csv")
    return tmp_path / "visits.csv"


def test_a_panel_is_learned_shown_and_kept(visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("panel", visits, "--subject", "id", "--time", "day")
    assert call(*words, "--resamples", 3, "--out", tmp_path / "out") == 0
    shown = capsys.readouterr().out
    assert "60 subjects, 4 times, 180 windows; 1 variable, 0 static" in shown
    assert "From earlier slices: pain(t-1) -> pain" in shown
    assert "pain(t-1) -> pain(t)  100%" in shown
    assert PanelNetwork.load(tmp_path / "out").lagged_arcs == (("pain", 1, "pain"),)
    assert "pain(t-1)" in (tmp_path / "out" / "slices.svg").read_text()
    assert "pain(t-1)" in (tmp_path / "out" / "slices.html").read_text(encoding="utf-8")
    assert call(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["lagged_arcs"] == [["pain", 1, "pain"]]
    assert call(*words, "--out", tmp_path / "out") == 2
    assert "holds a panel: name another folder, or add --overwrite" in capsys.readouterr().err
    assert call(*words, "--time", "pain") == 2


def test_constraints_name_slices(visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("panel", visits, "--subject", "id", "--time", "day", "--json")
    assert call(*words, "--forbid", "pain(t-1),pain(t)") == 0
    assert json.loads(capsys.readouterr().out)["lagged_arcs"] == []
    (tmp_path / "known.toml").write_text('forbidden_arcs = [["pain(t-1)", "pain(t)"]]')
    assert call(*words, "--knowledge", tmp_path / "known.toml") == 0
    assert json.loads(capsys.readouterr().out)["lagged_arcs"] == []
    assert call(*words, "--require", "pain,pain(t)") == 2
    assert "pain(t-1)" in capsys.readouterr().err


def test_tiers_order_the_variables_of_a_slice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw = [row * 7919 % 97 % 2 for row in range(400)]
    columns = {"id": [row // 4 for row in range(400)], "day": [row % 4 for row in range(400)], "a": draw, "b": draw}
    pl.DataFrame(columns).write_csv(tmp_path / "same.csv")
    words = ("panel", tmp_path / "same.csv", "--subject", "id", "--time", "day", "--json", "--tiers")
    for first, second in ("ab", "ba"):
        assert call(*words, f"{first}(t) < {second}(t)") == 0
        assert json.loads(capsys.readouterr().out)["arcs"] == [[first, second]]
    assert call(*words, "a(t-1) < a(t)") == 2
    assert "the tiers name 'a(t-1)'" in capsys.readouterr().err
    assert call(*words, "a(t) < b(t)", "--no-within") == 2


def test_a_sample_has_the_rows_of_experiments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("sample", "asia", "--rows", 30, "--out")
    assert call(*words, tmp_path / "out", "--do", "smoke=yes,tub:10", "--do", "lung:5") == 0
    assert "10 rows in which smoke and tub were set" in capsys.readouterr().out
    frame = pl.read_csv(tmp_path / "out" / "data.csv")
    assert frame["experiment"].value_counts(sort=True).rows() == [("", 30), ("smoke|tub", 10), ("lung", 5)]
    assert set(frame.filter(pl.col("experiment") == "smoke|tub")["smoke"]) == {"yes"}
    for wrong in ("smoke", "smoke:0", "x:5", "smoke=perhaps:5"):
        assert call(*words, tmp_path / "other", "--do", wrong) == 2
    assert call(*words, tmp_path / "other", "--do", "smoke:5", "--noise", "missing") == 2
