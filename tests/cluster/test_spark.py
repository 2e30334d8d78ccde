"""Spark executors count the partitions: the same saved result."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pieces_of_data import as_frame, by_passes, cut, saved

import mahc
from mahc.cluster import spark_runner
from mahc.cluster.meter import PassProgress
from mahc.cluster.sharded_rows import ShardedRows
from mahc.data import ReadSettings
from mahc.errors import MahcError
from mahc.learning.control import Progress
from mahc.networks import load_network, sample

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Threads of one process; `MAHC_SPARK_MASTER=local-cluster[2,1,1024]` has executors of their own."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    made = (
        SparkSession.builder.master(os.environ.get("MAHC_SPARK_MASTER", "local[2]"))
        .appName("mahc tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
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


def executors_of(session: Any) -> list[int]:
    """The processes of this session's executors."""
    port = session.sparkContext.getConf().get("spark.driver.port")
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    mine = f"CoarseGrainedScheduler@127.0.0.1:{port}"
    return [
        int(line.split()[0])
        for line in listed.splitlines()
        if "CoarseGrainedExecutorBackend" in line and mine in line and line.split()[1].endswith("java")
    ]


def source_by_passes(session: Any, asia: pl.DataFrame, folder: Path, progress: Any = None) -> ShardedRows:
    runner = spark_runner.SparkRunner(session.read.parquet(str(cut(asia, [100, 250], folder))).repartition(5), progress)
    return by_passes(runner, asia.columns, ReadSettings(), 10_000)


def test_by_passes(session: Any, asia: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contributions are added on the executors, two at a time."""
    monkeypatch.setattr(spark_runner, "BRANCHES", 2)
    learned = mahc.learn(source_by_passes(session, asia, tmp_path / "parts"), "mahc")
    assert saved(learned, tmp_path) == saved(mahc.learn(asia, "mahc"), tmp_path)


def test_by_passes_with_an_executor_killed(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    """An executor dies in the third pass."""
    if not executors_of(session):
        pytest.skip("the executors are no processes of their own: set MAHC_SPARK_MASTER")
    killed: list[int] = []

    def kill(state: PassProgress) -> None:
        if not killed and state.number == 3:
            killed.extend(executors_of(session)[:1])
            os.kill(killed[0], signal.SIGKILL)

    learned = mahc.learn(source_by_passes(session, asia, tmp_path / "parts", kill), "mahc")
    assert killed
    assert saved(learned, tmp_path) == saved(mahc.learn(asia, "mahc"), tmp_path)


def test_a_pass_is_cancelled(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    token = mahc.CancelToken()

    def stop(progress: Progress) -> None:
        if progress.detail.startswith("pass 3 "):
            token.cancel()

    source = source_by_passes(session, asia, tmp_path / "parts")
    assert mahc.learn(source, "hc", cancel=token, progress=stop).stop_reason == "interrupted"


def test_a_failing_job_is_one_sentence(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 250], tmp_path / "parts")
    frame = session.read.parquet(str(folder))
    (folder / "001.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(MahcError, match="the Spark job failed"):
        mahc.learn(frame)
