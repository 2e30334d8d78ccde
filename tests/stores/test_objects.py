"""One object, and prefixes of objects, in an S3 store give what the same local files give."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cluster import ShardedRows
from mahc.cluster.choosing import is_sharded
from mahc.opening import open_data

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


def rows(seed: int = 1, size: int = 400) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    a = draw.integers(0, 2, size)
    b = np.where(draw.random(size) < 0.1, 1 - a, a)
    c = np.where(draw.random(size) < 0.2, 1 - b, b)
    return pl.DataFrame({name: [f"{name}{value}" for value in own] for name, own in zip("abc", (a, b, c), strict=True)})


def as_arrow(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_ipc(file)
    return file.getvalue()


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "parquet", "arrow"])
def test_a_file_of_any_kind_reads_as_a_local_one(ending: str, bucket) -> None:
    frame = rows()
    text = frame.write_csv(separator="\t" if ending == "tsv" else ",").encode()
    content = {"csv": text, "tsv": text, "csv.gz": gzip.compress(text), "parquet": frame, "arrow": as_arrow(frame)}
    address = bucket.put(f"folder/rows.{ending}", content[ending])
    assert mahc.read(address) == mahc.read(frame)
    assert mahc.read(Path(address)) == mahc.read(frame)
    assert mahc.learn(address) == mahc.learn(frame)
    assert mahc.audit(address).source == address


def test_web_addresses(bucket) -> None:
    frame = rows()
    bucket.put("rows.parquet", frame)
    assert mahc.learn(bucket.signed("rows.parquet")) == mahc.learn(frame)
    assert not is_sharded("https://example.org/data?file=1")


@pytest.mark.parametrize("given", ["s3://data/all/", "s3://data/all", "s3://data/all/*.parquet"])
def test_a_prefix_of_parquet_objects_is_read_in_pieces(given: str, bucket) -> None:
    parts = [rows(seed) for seed in (1, 2, 3)]
    for place, part in enumerate(parts):
        bucket.put(f"all/{place}.parquet", part)
    bucket.put("all/_SUCCESS", b"")
    bucket.put("other/9.parquet", rows(9))
    found = mahc.learn(given)
    assert found == mahc.learn(pl.concat(parts))
    assert found.data.passes is not None
    assert found.data.passes.pieces == 3
    assert mahc.audit(given).rows == 1200


def test_a_prefix_of_text_objects_is_copied(bucket) -> None:
    parts = [rows(seed) for seed in (1, 2)]
    for place, part in enumerate(parts):
        bucket.put(f"texts/{place}.csv", part.write_csv().encode())
    assert mahc.learn("s3://data/texts/") == mahc.learn(pl.concat(parts))


def test_folders_of_partitions_are_columns(bucket) -> None:
    parts = [rows(seed) for seed in (1, 2)]
    for year, part in zip((2025, 2026), parts, strict=True):
        bucket.put(f"sales/year={year}/part.parquet", part)
    together = pl.concat([part.with_columns(year=pl.lit(year)) for year, part in zip((2025, 2026), parts, strict=True)])
    assert mahc.learn("s3://data/sales/") == mahc.learn(together)


def test_a_name_that_is_a_prefix(bucket) -> None:
    """Spark calls its folders sales.parquet."""
    bucket.put("sales.parquet/part-0.parquet", rows(1))
    bucket.put("sales.parquet/part-1.parquet", rows(2))
    assert mahc.learn("s3://data/sales.parquet") == mahc.learn(pl.concat([rows(1), rows(2)]))


def test_several_addresses(bucket) -> None:
    given = [bucket.put("x/0.parquet", rows(1)), bucket.put("x/1.parquet", rows(2))]
    assert mahc.learn(given) == mahc.learn(pl.concat([rows(1), rows(2)]))


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_an_object_that_does_not_fit_is_counted_in_passes(ending: str, bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where not even the distinct rows fit."""
    draw = np.random.default_rng(1)
    frame = pl.DataFrame({f"x{j}": draw.integers(0, 3, 30_000) for j in range(10)})
    address = bucket.put(f"large.{ending}", frame if ending == "parquet" else frame.write_csv().encode())
    monkeypatch.setattr("mahc.cluster.pieces.ROWS_PER_PIECE", 9_000)
    monkeypatch.setattr("mahc.cluster.stored_pieces.ROWS_PER_PIECE", 9_000)
    found = open_data(address, memory_mebibytes=2)
    assert isinstance(found, ShardedRows)
    assert mahc.learn(found) == mahc.learn(frame)
    found.close()
    assert mahc.learn(address, memory_mebibytes=2) == mahc.learn(frame, memory_mebibytes=2)


def test_objects_on_dask(bucket) -> None:
    distributed = pytest.importorskip("distributed")
    for place in range(3):
        bucket.put(f"all/{place}.parquet", rows(place))
    with distributed.Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        found = mahc.learn("s3://data/all/", on=client)
    assert found == mahc.learn(pl.concat([rows(place) for place in range(3)]))
