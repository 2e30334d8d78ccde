"""Delta and Iceberg tables and datasets of pyarrow: the rows of one snapshot, never those of bare files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.cluster import opening
from mahc.errors import DataError

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


def rows(seed: int = 1, size: int = 300) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    a = draw.integers(0, 2, size)
    b = np.where(draw.random(size) < 0.1, 1 - a, a)
    names = {"a": [f"a{value}" for value in a], "b": b, "year": draw.integers(2020, 2023, size)}
    return pl.DataFrame(names)


def write_delta(place: str, frame: pl.DataFrame, **how: object) -> None:
    pytest.importorskip("deltalake").write_deltalake(place, frame, **how)


def make_iceberg(folder: Path, *frames: pl.DataFrame):
    """A table of a catalogue in the folder."""
    pytest.importorskip("pyiceberg")
    pytest.importorskip("sqlalchemy")
    from pyiceberg.catalog.sql import SqlCatalog

    catalogue = SqlCatalog("test", uri=f"sqlite:///{folder}/catalogue.db", warehouse=f"file://{folder}")
    catalogue.create_namespace("mahc")
    table = catalogue.create_table("mahc.rows", schema=frames[0].to_arrow().schema)
    for frame in frames:
        table.append(frame.to_arrow())
    return table


def test_a_delta_table_has_the_rows_of_its_last_version(tmp_path: Path) -> None:
    place = str(tmp_path / "table")
    write_delta(place, rows(1), partition_by=["year"])
    write_delta(place, rows(2), mode="overwrite")
    write_delta(place, rows(3), mode="append")
    expected = pl.concat([rows(2), rows(3)])
    assert mahc.learn(place) == mahc.learn(expected)
    assert mahc.read(place).fingerprint() == mahc.read(expected).fingerprint()
    assert mahc.audit(place).rows == 600
    from deltalake import DeltaTable

    assert mahc.learn(DeltaTable(place)) == mahc.learn(expected)
    assert mahc.learn(DeltaTable(place, version=0)) == mahc.learn(rows(1))
    assert mahc.read(DeltaTable(place, version=0)).rows == 300


@pytest.mark.parametrize(
    "configuration", [{"delta.enableDeletionVectors": "true"}, {"delta.columnMapping.mode": "name"}]
)
def test_a_delta_table_that_only_its_own_engine_reads(configuration: dict[str, str], tmp_path: Path) -> None:
    from deltalake import DeltaTable

    place = str(tmp_path / "table")
    write_delta(place, rows(1), configuration=configuration)
    expected = rows(1)
    if "delta.enableDeletionVectors" in configuration:
        DeltaTable(place).delete("year = 2021")
        expected = expected.filter(pl.col("year") != 2021)
    assert mahc.learn(place) == mahc.learn(expected)
    assert mahc.read(place).fingerprint() == mahc.read(expected).fingerprint()


def test_an_iceberg_table(tmp_path: Path) -> None:
    table = make_iceberg(tmp_path, rows(1), rows(2))
    table.delete("year == 2021")
    expected = pl.concat([rows(1), rows(2)]).filter(pl.col("year") != 2021)
    place = tmp_path / "mahc" / "rows"
    assert mahc.learn(place) == mahc.learn(expected)
    assert mahc.learn(table) == mahc.learn(expected)
    assert mahc.read(str(place)).fingerprint() == mahc.read(expected).fingerprint()


def test_a_dataset_of_pyarrow(tmp_path: Path) -> None:
    ds = pytest.importorskip("pyarrow.dataset")
    ds.write_dataset(
        rows(1).to_arrow(), tmp_path / "all", format="parquet", partitioning=["year"], partitioning_flavor="hive"
    )
    found = ds.dataset(tmp_path / "all", partitioning="hive")
    assert mahc.learn(found) == mahc.learn(rows(1).select(found.schema.names))
    assert mahc.learn(found).data.passes is not None
    fewer = found.filter(ds.field("year") == 2021)
    assert mahc.learn(fewer, drop=["year"]) == mahc.learn(rows(1).filter(year=2021).drop("year"), drop=[])
    assert mahc.read(ds.dataset(rows(1).to_arrow())).fingerprint() == mahc.read(rows(1)).fingerprint()


def test_a_folder_of_partitions(tmp_path: Path) -> None:
    rows(1).write_parquet(tmp_path / "all", partition_by=["year"])
    assert mahc.learn(tmp_path / "all").arcs == mahc.learn(rows(1)).arcs
    assert set(mahc.learn(tmp_path / "all").variables) == {"a", "b", "year"}


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_later_versions_are_not_seen(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that changes between passes: the version of the opening is read to the end."""
    if kind == "delta":
        place = tmp_path / "table"
        write_delta(str(place), rows(1))
    else:
        table, place = make_iceberg(tmp_path, rows(1)), tmp_path / "mahc" / "rows"
    read_states = opening.read_states

    def read_and_change(*arguments: object, **more: object) -> object:
        found = read_states(*arguments, **more)
        if kind == "delta":
            write_delta(str(place), rows(5), mode="overwrite")
        else:
            table.overwrite(rows(5).to_arrow())
        return found

    monkeypatch.setattr(opening, "read_states", read_and_change)
    assert mahc.learn(place) == mahc.learn(rows(1))


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_a_file_of_a_table_that_is_gone_or_damaged(kind: str, tmp_path: Path, capsys) -> None:
    if kind == "delta":
        place = tmp_path / "table"
        write_delta(str(place), rows(1))
    else:
        make_iceberg(tmp_path, rows(1))
        place = tmp_path / "mahc" / "rows"
    file = next(place.rglob("*.parquet"))
    content = file.read_bytes()
    for broken, said in ((content[:100], "cannot be read as a table ("), (None, "a file of the table is gone: ")):
        file.unlink()
        if broken is not None:
            file.write_bytes(broken)
        with pytest.raises(SystemExit) as ended:
            run(["learn", str(place), "--out", str(tmp_path / "out")])
        assert ended.value.code == 2
        assert not (tmp_path / "out").exists()
        text = capsys.readouterr().err
        assert text.startswith(f"mahc: {place}")
        assert said in text
        assert text.count("\n") == 1


def test_bare_files_of_a_table_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "above" / "table"
    place.mkdir(parents=True)
    write_delta(str(place), rows(1))
    for given in (place.parent, f"{place}/*.parquet"):
        with pytest.raises(DataError, match=r"is a Delta table, whose folder also holds files .* name the folder of"):
            mahc.learn(given)


def test_a_table_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    write_delta(str(tmp_path / "table"), rows(1))
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "deltalake" else find_spec(name))
    with pytest.raises(DataError, match=re.escape("needs deltalake: pip install 'mahc[tables]'")):
        mahc.learn(tmp_path / "table")


def test_tables_in_a_store(bucket, tmp_path: Path) -> None:
    pytest.importorskip("deltalake")
    options = {"AWS_ALLOW_HTTP": "true", "aws_conditional_put": "etag"}
    write_delta("s3://data/delta", rows(1), storage_options=options)
    write_delta("s3://data/delta", rows(2), storage_options=options, mode="overwrite")
    for given in ("s3://data/delta", "s3://data/delta/"):
        assert mahc.learn(given) == mahc.learn(rows(2))
    assert mahc.read("s3://data/delta").rows == 300
    assert mahc.audit("s3://data/delta/").rows == 300


def test_an_iceberg_table_in_a_store(bucket, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    from pyiceberg.catalog.sql import SqlCatalog

    where = {"s3.endpoint": bucket.endpoint}
    catalogue = SqlCatalog("test", uri=f"sqlite:///{tmp_path}/catalogue.db", warehouse="s3://data/ice", **where)
    catalogue.create_namespace("mahc")
    table = catalogue.create_table("mahc.rows", schema=rows(1).to_arrow().schema)
    table.append(rows(1).to_arrow())
    table.overwrite(rows(2).to_arrow())
    assert mahc.learn("s3://data/ice/mahc/rows") == mahc.learn(rows(2))


def test_tables_on_dask(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    write_delta(str(tmp_path / "table"), rows(1), partition_by=["year"])
    with distributed.Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        assert mahc.learn(tmp_path / "table", on=client) == mahc.learn(rows(1))
