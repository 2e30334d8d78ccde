"""One Spark session for all tests on clusters: it takes long to start."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """Two executors, each a process of its own; threads of one process where those do not start."""
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    made = start(os.environ.get("MAHC_SPARK_MASTER", "local-cluster[2,1,1024]"))
    if not runs_jobs(made):
        made.stop()
        made = start("local[2]")
    yield made
    made.stop()


def start(master: str) -> Any:
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(master)
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
    return made


def runs_jobs(session: Any) -> bool:
    """Whether executors take tasks; where none can be started, Spark waits for ever."""
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(session.range(10).count()), daemon=True)
    thread.start()
    thread.join(300)
    return done == [10]
