"""Dask workers count the pieces: the same saved result. `test_dask_failures.py` kills them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut, random_frame, saved
from pieces_of_data import by_passes as count_by_passes

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cli.main import run
from mahc.cluster import dask_runner
from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.pieces import find_pieces
from mahc.cluster.planning import plan_files
from mahc.cluster.sharded_rows import ShardedRows
from mahc.data import ReadSettings
from mahc.errors import DataError, MahcError
from mahc.networks import load_network, sample

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 600, seed=4))


def by_passes(client: Any, folder: Path, limit: int = 50) -> ShardedRows:
    """Counts on the workers, whatever the number of distinct rows."""
    pieces = find_pieces(folder)
    return count_by_passes(DaskRunner(client, pieces), list(pieces[0].column_types()), ReadSettings(), limit)


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_every_algorithm(algorithm: str, client: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 100, 350], tmp_path / "parts")
    expected = saved(mahc.learn(asia, algorithm), tmp_path)
    assert saved(mahc.learn(folder, algorithm, on=client), tmp_path) == expected
    if algorithm in ("mahc", "hc", "pc-stable"):
        assert saved(mahc.learn(by_passes(client, folder), algorithm), tmp_path) == expected


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
@given(
    seed=st.integers(0, 10_000),
    cuts=st.lists(st.integers(0, 60), max_size=3),
    limit=st.sampled_from([1, 30, 10_000]),
    budget=st.sampled_from([0, 300, 1 << 30]),
    weighted=st.booleans(),
)
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_algorithm_by_passes_over_random_pieces(
    algorithm: str, seed: int, cuts: list[int], limit: int, budget: int, weighted: bool, client: Any, tmp_path: Path
) -> None:
    """Empty pieces, a label in one piece only, tied columns, weights, and projections from none to all."""
    frame = random_frame(np.random.default_rng(seed), 60, weighted)
    reading = ReadSettings(weights="w" if weighted else None)
    folder = cut(frame, cuts, tmp_path / "parts")
    names = [name for name in frame.columns if name != "w"]
    source = count_by_passes(DaskRunner(client, find_pieces(folder)[::-1]), names, reading, limit)
    source.budget = budget
    expected = saved(mahc.learn(frame, algorithm, weights=reading.weights), tmp_path)
    assert saved(mahc.learn(source, algorithm), tmp_path) == expected


def test_a_dask_data_frame_and_an_address(client: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    dataframe = pytest.importorskip("dask.dataframe")
    expected = saved(mahc.learn(asia), tmp_path)
    frame = dataframe.from_pandas(asia.to_pandas(), npartitions=4)
    assert saved(mahc.learn(frame), tmp_path) == expected
    folder = cut(asia, [100], tmp_path / "parts")
    address = client.scheduler.address.replace("tcp://", "dask://")
    assert saved(mahc.learn(folder, on=address), tmp_path) == expected


def test_another_version_and_an_unreachable_scheduler(
    client: Any, asia: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cut(asia, [100], tmp_path / "parts")
    monkeypatch.setattr(dask_runner, "__version__", "9.9")
    with pytest.raises(MahcError, match=r"has mahc .*, this process 9\.9: install one version"):
        mahc.learn(folder, on=client)
    monkeypatch.undo()
    monkeypatch.setattr(dask_runner, "TIMEOUT", 1)
    with pytest.raises(MahcError, match=r"no Dask scheduler answers at dask://127\.0\.0\.1:9"):
        mahc.learn(folder, on="dask://127.0.0.1:9")
    with pytest.raises(MahcError, match='give "dask://host:8786" or "spark://host:7077"'):
        mahc.learn(folder, on="yarn://somewhere")


def test_a_column_with_another_type_in_one_file(client: Any, asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 200], tmp_path / "parts")
    asia.with_columns(asia=1).write_parquet(folder / "001.parquet")
    with pytest.raises(DataError, match=r"column 'asia' is String in .*000\.parquet and Int32 in .*001\.parquet"):
        mahc.learn(folder, on=client)


def test_a_plan(client: Any, asia: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A worker runs the trial, and the cluster says how many workers it has."""
    folder = cut(asia, [100, 350], tmp_path / "parts")
    made = plan_files(folder, ReadSettings(), 1 << 30, mahc.learn, on=client.scheduler.address)
    assert (made.workers, made.pieces, made.rows, made.passes) == (2, 3, 600, 2)
    assert made.distinct_rows == asia.n_unique()
    with pytest.raises(SystemExit) as ending:
        run(["audit", str(folder), "--plan", "--on", client.scheduler.address, "--rows", "1e6", "--workers", "7"])
    assert ending.value.code == 0
    assert "1,000,000 rows x 8 columns in 5,000 pieces, 7 workers" in capsys.readouterr().out
