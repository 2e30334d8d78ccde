"""Folders whose files do not belong together, and files that differ a little and do."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import mahc
from mahc.errors import DataError

LEFT = {"a": [1, 2] * 30, "b": ["x", "y"] * 30}


def write(folder: Path, *frames: pl.DataFrame) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, frame in enumerate(frames):
        frame.write_parquet(folder / f"part-{number}.parquet")
    return folder


def test_bare_files_of_a_delta_table_are_refused(tmp_path: Path) -> None:
    table = write(tmp_path / "lake" / "people", pl.DataFrame(LEFT), pl.DataFrame(LEFT))
    (table / "_delta_log").mkdir()
    (table / "_delta_log" / "00000000000000000000.json").write_text("{}")
    for source in (tmp_path / "lake", f"{table}/*.parquet"):
        with pytest.raises(DataError, match=r"people is a Delta table, .*: name the folder of the table itself$"):
            mahc.learn(source)
        with pytest.raises(DataError, match="is a Delta table"):
            mahc.learn(LEFT).fit(LEFT).score(source)
    with pytest.raises(DataError, match=r"people.* (cannot be read as a table|needs deltalake)"):  # an empty log
        mahc.learn(table)


def test_bare_files_of_an_iceberg_table_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "lake" / "people"
    write(table / "data", pl.DataFrame(LEFT))
    (table / "metadata").mkdir()
    (table / "metadata" / "v1.metadata.json").write_text("{}")
    with pytest.raises(DataError, match=r"people is an Iceberg table, .*: name the folder of the table itself$"):
        mahc.bootstrap(tmp_path / "lake", "hc", resamples=2)
    with pytest.raises(DataError, match=r"people.* (cannot be read as a table|needs pyiceberg)"):
        mahc.learn(table)


def test_a_column_that_only_a_later_file_has_is_refused_by_name(tmp_path: Path) -> None:
    more = pl.DataFrame(LEFT | {"late": ["u", "v"] * 30})
    folder = write(tmp_path / "rows", pl.DataFrame(LEFT), more)
    with pytest.raises(
        DataError, match=r"part-1.parquet has the column 'late', which .*part-0.parquet does not have: add it"
    ):
        mahc.learn(folder)
    assert mahc.learn(folder, drop=["late"]).variables == ("a", "b")
    assert mahc.learn(folder, columns=["a", "b"]).variables == ("a", "b")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pl.Int32, pl.Int64),
        (pl.UInt8, pl.Int16),
        (pl.Float32, pl.Float64),
        (pl.Int64, pl.Float64),
        (pl.UInt32, pl.UInt64),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_numbers_of_different_widths_are_one_column(first: type, second: type, swapped: bool, tmp_path: Path) -> None:
    kinds = (second, first) if swapped else (first, second)
    frames = [pl.DataFrame(LEFT, schema_overrides={"a": kind}) for kind in kinds]
    folder = write(tmp_path / "rows", *frames)
    together = pl.DataFrame(LEFT).vstack(pl.DataFrame(LEFT))
    assert mahc.learn(folder).data.fingerprint == mahc.learn(together).data.fingerprint


@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_without_any_value_of_a_column_fits_all_types(swapped: bool, tmp_path: Path) -> None:
    full, empty = pl.DataFrame(LEFT), pl.DataFrame(LEFT | {"a": [None] * 60})
    assert empty["a"].dtype == pl.Null
    folder = write(tmp_path / "rows", *((empty, full) if swapped else (full, empty)))
    together = {"a": [*LEFT["a"], *[None] * 60], "b": LEFT["b"] * 2}
    found = mahc.learn(folder, missing="state")
    assert found.data.fingerprint == mahc.learn(together, missing="state").data.fingerprint


def test_text_and_numbers_are_still_two_types(tmp_path: Path) -> None:
    folder = write(tmp_path / "rows", pl.DataFrame(LEFT), pl.DataFrame(LEFT | {"a": ["1", "2"] * 30}))
    with pytest.raises(DataError, match=r"column 'a' is Int64 in .*part-0.parquet and String in .*part-1.parquet"):
        mahc.learn(folder)
