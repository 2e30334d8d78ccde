"""The one door for data: every caller takes what the others take, with the same settings."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.data import ReadSettings
from mahc.data.settings import MISSING_METHODS
from mahc.errors import DataError, SettingError
from mahc.opening import open_data, open_rows

Captured = pytest.CaptureFixture[str]


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run([str(word) for word in words])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def gaps(rows: int = 200, seed: int = 1) -> dict[str, list[str]]:
    """a -> b; some values of both are missing."""
    generator = random.Random(seed)
    a = [generator.choice("ny") for _ in range(rows)]
    b = [value if generator.random() < 0.9 else generator.choice("ny") for value in a]
    columns = {"a": a, "b": b, "c": [generator.choice("uvw") for _ in range(rows)]}
    return {name: ["" if generator.random() < 0.05 else value for value in column] for name, column in columns.items()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    pl.DataFrame(gaps()).write_csv(tmp_path / "gaps.csv")
    return tmp_path / "gaps.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    frame = pl.DataFrame(gaps())
    frame[:120].write_csv(tmp_path / "parts" / "1.csv")
    frame[120:].write_csv(tmp_path / "parts" / "2.csv")
    return tmp_path / "parts"


@pytest.mark.parametrize("method", [*MISSING_METHODS, "state", "drop"])
def test_bootstrap_and_consensus_take_every_treatment_of_missing_values(
    method: str, file: Path, tmp_path: Path, capsys: Captured
) -> None:
    words = ["--missing", method, "--resamples", "4"]
    score = ["--score", "bic"]
    assert call("bootstrap", file, "--algorithm", "hc", *score, *words, "--out", tmp_path / "sure", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    again = mahc.bootstrap(file, "hc", objective="bic", missing=method, resamples=4)
    assert json.loads((tmp_path / "sure" / "confidence.json").read_text())["resamples"] == 4
    assert found["variables"] == list(again.variables)
    assert call("consensus", file, "--algorithms", "hc/bic,tabu/bic", "--missing", method, "--json") == 0


@pytest.mark.parametrize("method", [*MISSING_METHODS, "state", "drop"])
def test_a_saved_bootstrap_remembers_how_missing_values_were_treated(method: str, file: Path, tmp_path: Path) -> None:
    first = mahc.bootstrap(file, "hc", objective="bic", missing=method, resamples=3)
    first.save(tmp_path / "sure.json")
    more = mahc.bootstrap(file, "hc", objective="bic", missing=method, resamples=6, resume=tmp_path / "sure.json")
    assert more.resamples == 6
    once = mahc.bootstrap(file, "hc", objective="bic", missing=method, resamples=6)
    assert more.to_frame().equals(once.to_frame())


@pytest.mark.parametrize("method", [*MISSING_METHODS, "state", "drop"])
def test_a_report_reads_the_data_as_those_of_the_result_were_read(method: str, file: Path, tmp_path: Path) -> None:
    learned = mahc.learn(file, "hc", objective="bic", missing=method)
    learned.report(tmp_path / "report.html", file)
    learned.save(tmp_path / "result.json")
    mahc.Learned.load(tmp_path / "result.json").report(tmp_path / "again.html", file)
    assert "<html" in (tmp_path / "again.html").read_text()[:400]
    assert mahc.replay(tmp_path / "result.json", file) == learned


@pytest.mark.parametrize("method", [*MISSING_METHODS, "state", "drop"])
def test_a_folder_is_one_file_in_parts(method: str, file: Path, folder: Path) -> None:
    settings = {"objective": "bic", "missing": method}
    whole, parts = mahc.learn(file, "hc", **settings), mahc.learn(folder, "hc", **settings)
    assert (parts.arcs, parts.score) == (whole.arcs, whole.score)
    assert parts.data.fingerprint == whole.data.fingerprint
    sure = mahc.bootstrap(folder, "hc", resamples=3, **settings)
    assert sure.resamples == 3
    table, other = open_rows(folder, ReadSettings(missing=method)), open_rows(file, ReadSettings(missing=method))
    assert table.fingerprint() == other.fingerprint()
    if method in ("state", "drop"):
        model = whole.fit(folder)
        assert model.query("a")["y"] == pytest.approx(whole.fit(file).query("a")["y"])


def test_settings_beside_data_that_were_read_are_rejected() -> None:
    data = mahc.read(gaps(), missing="state")
    with pytest.raises(SettingError, match="drop is a reading setting, and a Dataset is already read"):
        open_data(data, ReadSettings(drop=["a"]))
    assert open_data(data, ReadSettings(missing="impute")).missing_counts == data.state_as_missing().missing_counts  # type: ignore[union-attr]
    with pytest.raises(SettingError, match="fits tables to a given graph"):
        open_data(gaps(), ReadSettings(missing="em"))


def test_a_bootstrap_of_rows_that_do_not_fit_is_refused_and_leaves_nothing_open(folder: Path) -> None:
    with pytest.raises(DataError, match="the distinct rows do not fit into memory"):
        mahc.bootstrap(many_rows(folder), "hc", resamples=2, missing="state", memory_mebibytes=1)


def many_rows(folder: Path) -> Path:
    """More distinct rows than one mebibyte holds."""
    generator = random.Random(1)
    rows = {name: [generator.choice("abcdefghij") for _ in range(60_000)] for name in ("a", "b", "c", "d", "e", "f")}
    (folder / "many").mkdir()
    pl.DataFrame(rows).write_parquet(folder / "many" / "1.parquet")
    return folder / "many"
