"""The whole time of a run and where it went, besides the time of the search."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from msgspec import structs

import mahc
from mahc.cli.main import run
from mahc.results.learned import Learned
from mahc.results.summary import facts

FRAME = pl.DataFrame({"a": ["x", "u"] * 30, "b": ["y", "v"] * 30})


def test_the_parts_of_a_run_add_up_to_the_whole() -> None:
    found = mahc.learn(FRAME)
    assert list(found.run.timings) == ["reading", "search", "description"]
    assert all(seconds >= 0 for seconds in found.run.timings.values())
    assert found.run.timings["search"] == found.seconds
    assert found.run.total_seconds == sum(found.run.timings.values())
    assert found.run.total_seconds > found.seconds


def test_the_summary_says_both() -> None:
    found = mahc.learn(FRAME)
    timings = {"reading": 95.1, "search": 7.5, "description": 0.4}
    slow = structs.replace(found.run, seconds=7.5, timings=timings)
    page = dict(facts(Learned(found.data, slow, found.outcome)))
    assert page["Time"] == "103 s: reading 95.1 s, search 7.5 s, description 0.4 s"
    assert page["Ended"].endswith(", 7.5 s)")


def test_clocks_are_no_part_of_equality(tmp_path: Path) -> None:
    found = mahc.learn(FRAME)
    slow = Learned(found.data, found.run.timed(reading=100.0), found.outcome)
    assert slow == found
    slow.save(tmp_path / "result.json")
    again = Learned.load(tmp_path / "result.json")
    assert again == found
    assert again.run.timings == slow.run.timings
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["total_seconds"] == pytest.approx(slow.run.total_seconds)


def test_a_result_without_clocks_can_be_read(tmp_path: Path) -> None:
    """One that an earlier version saved."""
    mahc.learn(FRAME).save(tmp_path / "result.json")
    file = tmp_path / "result.json"
    saved = json.loads(file.read_text())
    del saved["timings"], saved["total_seconds"]
    file.write_text(json.dumps(saved))
    found = Learned.load(file)
    assert found.run.total_seconds == found.seconds
    assert "Time" not in dict(facts(found))


def test_passes_over_pieces_are_timed(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "rows.parquet")
    found = mahc.learn([tmp_path / "rows.parquet"])
    assert "; of these " in dict(facts(found))["Time"]
    assert " s in passes (values " in dict(facts(found))["Time"]


def test_the_command_counts_the_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.write_csv(tmp_path / "rows.csv")
    with pytest.raises(SystemExit):
        run(["learn", str(tmp_path / "rows.csv"), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["timings"]["reading"] >= said["load_seconds"] > 0
    assert said["total_seconds"] == pytest.approx(sum(said["timings"].values()))
    assert said["timings"]["search"] == said["seconds"]
    with pytest.raises(SystemExit):
        run(["bootstrap", str(tmp_path / "rows.csv"), "--resamples", "2"])
    assert ", resamples " in capsys.readouterr().out
