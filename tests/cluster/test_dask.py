"""Dask workers count the pieces: the same saved result. `test_dask_failures.py` kills them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pieces_of_data import as_frame, cut, saved
from pieces_of_data import by_passes as count_by_passes

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cluster import dask_runner
from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.pieces import find_pieces
from mahc.cluster.sharded_rows import ShardedRows
from mahc.data import ReadSettings
from mahc.errors import MahcError
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
    if algorithm in ("mahc", "hc", "pc-stable", "boss"):
        assert saved(mahc.learn(by_passes(client, folder), algorithm), tmp_path) == expected


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
