"""Dask workers and schedulers that die, and passes that are cancelled: the same result, or one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from killing_passes import KillingPass, KillingRunner, WaitingRunner, mark, wait_for
from pieces_of_data import as_frame, by_passes_on, cut, saved

import mahc
from mahc.cli.main import run
from mahc.cluster import dask_runner
from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.passes import ValueCounts
from mahc.cluster.pieces import find_pieces
from mahc.errors import MahcError
from mahc.networks import load_network, sample

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers that are always started again, however often and however slowly."""
    patient = {"distributed.deploy.lost-worker-timeout": "1h", "distributed.scheduler.allowed-failures": 50}
    with (
        dask.config.set(patient),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 600, seed=4))


@pytest.fixture
def folder(asia: pl.DataFrame, tmp_path: Path) -> Path:
    return cut(asia, [100, 200, 300], tmp_path / "parts")


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    (tmp_path / "marks").mkdir()
    return tmp_path / "marks"


def test_a_worker_is_killed_at_each_pass(
    client: Any, folder: Path, marks: Path, asia: pl.DataFrame, tmp_path: Path
) -> None:
    source = by_passes_on(KillingRunner(client, find_pieces(folder), marks), limit=10_000)
    assert saved(mahc.learn(source), tmp_path) == saved(mahc.learn(asia), tmp_path)
    assert source.passes >= 6
    assert {file.name for file in marks.iterdir()} == {f"pass-{n}-kill-0" for n in range(1, source.passes + 1)}


def test_workers_are_killed_twice_in_a_pass(client: Any, folder: Path, marks: Path, asia: pl.DataFrame) -> None:
    question = ValueCounts(tuple(asia.columns), None)
    runner = KillingRunner(client, find_pieces(folder), marks, kills=2)
    counted = runner.run(question)
    assert {file.name for file in marks.iterdir()} == {"pass-1-kill-0", "pass-1-kill-1"}
    assert counted.rows == asia.height


def running(client: Any) -> int:
    """Tasks that the scheduler still knows and that are not done."""
    return int(
        client.run_on_scheduler(lambda dask_scheduler: sum(t.state != "memory" for t in dask_scheduler.tasks.values()))
    )


def test_a_cancelled_pass_leaves_no_task(client: Any, folder: Path, marks: Path) -> None:
    token = mahc.CancelToken()
    source = by_passes_on(WaitingRunner(client, find_pieces(folder), marks, 3, token.cancel))
    try:
        learned = mahc.learn(source, "hc", cancel=token)
        assert learned.stop_reason == "interrupted"
        wait_for(lambda: running(client) == 0)
    finally:
        mark(marks / "go")


@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_while_reading_leaves_no_task(client: Any, folder: Path, marks: Path, number: int) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    runner = WaitingRunner(client, find_pieces(folder), marks, number, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            mahc.learn(by_passes_on(runner))
        wait_for(lambda: running(client) == 0)
    finally:
        mark(marks / "go")


def test_a_piece_that_kills_every_worker(client: Any, folder: Path, marks: Path, asia: pl.DataFrame) -> None:
    client.run_on_scheduler(allow_failures, 1)
    try:
        with pytest.raises(MahcError, match=r"the Dask workers that counted one of the pieces died.*more memory"):
            DaskRunner(client, find_pieces(folder)).run(KillingPass(ValueCounts(("asia",), None), marks, 1, 1000))
    finally:
        client.run_on_scheduler(allow_failures, 50)
        client.wait_for_workers(2, timeout=120)


def allow_failures(count: int, dask_scheduler: Any = None) -> None:
    dask_scheduler.allowed_failures = count


def test_no_workers_for_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_runner, "NO_WORKERS", 1)
    monkeypatch.setattr(dask_runner, "SECONDS_BETWEEN_CHECKS", 0.2)
    sentence = "the Dask cluster has had no workers for 1 s: start some"
    with empty_cluster(folder.parent) as (address, _), pytest.raises(MahcError, match=sentence):
        mahc.learn(folder, on=address)


def _address(file: Path) -> str | None:
    """The address in a scheduler file; None while it is not written to its end."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (OSError, ValueError):
        return None


@contextmanager
def empty_cluster(place: Path, workers: int = 0) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and the process of a scheduler, with workers that end with it."""
    file = place / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    words += ["--no-dashboard", "--scheduler-file", str(file)]
    started = [subprocess.Popen(words, **quiet)]
    try:
        wait_for(lambda: _address(file) is not None)
        address = _address(file) or ""
        words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
        started += [subprocess.Popen([*words, "--no-dashboard"], cwd=place, **quiet) for _ in range(workers)]
        yield address.replace("tcp://", "dask://"), started[0]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_scheduler_that_is_killed(
    folder: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit code 2, and no result."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    out = folder.parent / "result"
    with empty_cluster(folder.parent, workers=1) as (address, scheduler):

        def make(client: Any, pieces: Any, owned: bool, progress: Any) -> DaskRunner:
            client.wait_for_workers(1, timeout=120)
            return WaitingRunner(client, pieces, marks, 2, scheduler.kill, owned)

        monkeypatch.setattr(dask_runner, "DaskRunner", make)
        with pytest.raises(SystemExit) as ending:
            run(["learn", str(folder), "--on", address, "--out", str(out)])
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert ending.value.code == 2
    assert "the Dask " in said
    assert said.endswith("start it again")
    assert not out.exists()
