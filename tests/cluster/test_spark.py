"""Spark executors count the partitions: the same saved result."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pieces_of_data import as_frame, cut, saved

import mahc
from mahc.cluster.coding import make_coding
from mahc.cluster.passes import ValueCounts
from mahc.cluster.sharded_rows import ShardedRows
from mahc.data import ReadSettings
from mahc.networks import load_network, sample

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master("local[2]")
        .appName("mahc tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 400, seed=4))


@pytest.mark.parametrize("algorithm", ["mahc", "hc", "pc-stable"])
def test_algorithms(algorithm: str, session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 250], tmp_path / "parts")
    expected = saved(mahc.learn(asia, algorithm), tmp_path)
    assert saved(mahc.learn(session.read.parquet(str(folder)), algorithm), tmp_path) == expected
    assert saved(mahc.learn(folder, algorithm, on=session), tmp_path) == expected


def test_by_passes(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    from mahc.cluster.spark_runner import SparkRunner

    runner = SparkRunner(session.read.parquet(str(cut(asia, [100, 250], tmp_path / "parts"))))
    found = runner.run(ValueCounts(tuple(asia.columns), None))
    assert found is not None
    coding, marginals = make_coding(found[1], ReadSettings())
    runner.open(coding)
    source = ShardedRows(runner, coding, marginals, found[0], int(marginals[0].sum()), 10_000, ReadSettings())
    assert saved(mahc.learn(source, "mahc"), tmp_path) == saved(mahc.learn(asia, "mahc"), tmp_path)
