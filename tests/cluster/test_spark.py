"""Spark executors count the partitions: the same saved result."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from killing_passes import KillingPass
from pieces_of_data import as_frame, by_passes, cut, saved

import mahc
from mahc.cluster import coding, spark_runner
from mahc.cluster.planning import plan_files
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
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 400, seed=4))


@pytest.mark.parametrize("algorithm", ["mahc", "hc", "pc-stable"])
def test_algorithms(algorithm: str, session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 250], tmp_path / "parts")
    expected = saved(mahc.learn(asia, algorithm), tmp_path)
    assert saved(mahc.learn(session.read.parquet(str(folder)), algorithm), tmp_path) == expected
    assert saved(mahc.learn(folder, algorithm, on=session), tmp_path) == expected


def source_by_passes(
    session: Any, asia: pl.DataFrame, folder: Path, kind: type[spark_runner.SparkRunner] = spark_runner.SparkRunner
) -> ShardedRows:
    runner = kind(session.read.parquet(str(cut(asia, [100, 250], folder))).repartition(5))
    return by_passes(runner, asia.columns, ReadSettings(), 10_000)


def test_by_passes(session: Any, asia: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contributions are added on the executors, two at a time."""
    monkeypatch.setattr(spark_runner, "BRANCHES", 2)
    learned = mahc.learn(source_by_passes(session, asia, tmp_path / "parts"), "mahc")
    assert saved(learned, tmp_path) == saved(mahc.learn(asia, "mahc"), tmp_path)


def test_an_executor_is_killed(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    """In the third pass, a task kills its executor: the parent of the parent of the process of Python."""
    if not session.sparkContext.master.startswith("local-cluster"):
        pytest.skip("the executors are no processes of their own")
    marks = tmp_path / "marks"
    marks.mkdir()

    class KillingRunner(spark_runner.SparkRunner):
        def run(self, question: Any, control: Any = None) -> Any:
            kills = int(self.passes + 1 == 3)
            return super().run(KillingPass(question, marks, 3, kills, generations=2), control)

    learned = mahc.learn(source_by_passes(session, asia, tmp_path / "parts", KillingRunner), "mahc")
    assert [file.name for file in marks.iterdir()] == ["pass-3-kill-0"]
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


@pytest.mark.parametrize("by_counting", [False, True])
def test_numbers(by_counting: bool, session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1).normal
    dose = draw(size=300)
    effect = dose + 0.5 * draw(size=300)
    well = np.where(effect + 0.3 * draw(size=300) > 0, "yes", "no")
    frame = pl.DataFrame({"dose": dose, "effect": effect, "well": well})
    folder = cut(frame, [100, 170], tmp_path / "parts")
    expected = saved(mahc.learn(frame, numbers="smooth"), tmp_path)
    if by_counting:  # the distinct rows do not fit into the memory
        monkeypatch.setattr("mahc.cluster.opening.most_distinct_rows", lambda memory, variables: 100)
        monkeypatch.setattr(coding, "MAX_VALUES", 50)
    found = mahc.learn(session.read.parquet(str(folder)), numbers="smooth")
    assert found.data.passes is not None
    assert saved(found, tmp_path) == expected
    assert saved(mahc.learn(folder, numbers="smooth", on=session), tmp_path) == expected
    if by_counting:
        with pytest.raises(MahcError, match="counted in passes"):
            mahc.learn(folder, numbers="cuts", on=session)
    else:
        assert mahc.learn(folder, on=session).arcs == mahc.learn(frame).arcs


def test_a_plan(session: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    """The trips are those of the session; the trial runs here."""
    folder = cut(asia, [100, 250], tmp_path / "parts")
    made = plan_files(folder, ReadSettings(), 1 << 30, mahc.learn, on="spark://local[2]")
    assert (made.workers, made.pieces, made.passes) == (session.sparkContext.defaultParallelism, 3, 2)
