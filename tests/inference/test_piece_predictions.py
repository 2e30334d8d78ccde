"""Predictions that are written piece by piece: those of one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut

import mahc
from mahc.cli.main import run
from mahc.errors import DataError, FormatError
from mahc.networks import load_network, sample


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    frame = as_frame(sample(load_network("asia"), 200, seed=3))
    return frame.with_columns(pl.Series("id", np.arange(200)), pl.when(pl.col("smoke") == "no").then("xray"))


def written(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(file) for file in sorted(folder.iterdir())])


@given(cuts=st.lists(st.integers(0, 200), max_size=4), text=st.booleans())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_pieces_are_those_of_one_table(
    cuts: list[int], text: bool, rows: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("place")
    model = mahc.Model.load("asia")
    folder = cut(rows, cuts, place / "parts")
    if text:
        for file in list(folder.iterdir()):
            pl.read_parquet(file).write_csv(file.with_suffix(".csv"))
            file.unlink()
    assert model.predict_files(folder, "lung", place / "out", probabilities=True, keep=["id"]) == 200
    found = written(place / "out")
    assert found["lung"].to_list() == model.predict(rows, "lung").tolist()
    shares = model.predict_proba(rows, "lung")
    assert np.array_equal(found.select("lung=yes", "lung=no").to_numpy(), shares)
    assert found["id"].to_list() == [str(number) for number in range(200)]


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


def test_the_command(rows: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = cut(rows, [50, 120], tmp_path / "parts")
    rows.write_parquet(tmp_path / "one.parquet")
    given: tuple[Any, ...] = ("lung", "--probabilities", "--keep", "id", "--out")
    for data, out in (("one.parquet", "one.csv"), ("parts", "parts.csv"), ("parts", "parts.parquet"), ("parts", "new")):
        assert call("predict", "asia", tmp_path / data, *given, tmp_path / out) == 0
        assert "200 predictions of 'lung' written to" in capsys.readouterr().err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()
    assert pl.read_parquet(tmp_path / "parts.parquet").equals(written(tmp_path / "new"))
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "new",
        "one.csv",
        "one.parquet",
        "parts",
        "parts.csv",
        "parts.parquet",
    ]
    assert call("predict", "asia", folder, *given, tmp_path / "new") == 2
    assert "it is there already: choose another name, or remove it" in capsys.readouterr().err
    assert call("predict", "asia", folder, "lung", "--on", "dask://localhost:1") == 2
    assert "give a folder with --out" in capsys.readouterr().err


def test_nothing_is_left_after_an_error(rows: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(rows.with_columns(pl.lit("never").alias("bronc")), [100], tmp_path / "parts")
    with pytest.raises(DataError, match=r"000\.parquet: variable 'bronc' has the value 'never'"):
        mahc.Model.load("asia").predict_files(folder, "lung", tmp_path / "out")
    with pytest.raises(FormatError, match="cannot be written"):
        mahc.Model.load("asia").predict_files(folder, "lung", tmp_path / "no" / "such" / "out")
    assert [file.name for file in tmp_path.iterdir()] == ["parts"]
