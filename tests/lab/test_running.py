"""Running a plan: the right rows, each once, whatever happens on the way."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

import mahc
from mahc.errors import MahcError
from mahc.lab import write_report
from mahc.lab.outline import TRUTH, Row
from mahc.lab.plan_file import read_plan
from mahc.lab.processes import tree_of
from mahc.lab.report.writing import TIMES_BEGIN, TIMES_END
from mahc.lab.running import WORK, Progress, Summary
from mahc.lab.running import run as run_plan
from mahc.lab.store import FILE, read_rows
from mahc.measures import compare, compare_scores
from mahc.networks import load_network, simulate

pytestmark = pytest.mark.long

PLAN = """
sizes = [100, 200, 300]
cases = ["asia"]
[limits]
seconds = 600
memory_mebibytes = 1024
[[contestants]]
label = "HC"
algorithm = "hc"
[[contestants]]
label = "chain"
callable = "chain.py:learn"
paper_name = "MAHC" # so that the report has somebody to compare with
"""
# Tests may hold the last of its cells, so that a run cannot end before they have interrupted it.
CHAIN = """
import os, time

def learn(path):
    with open(path) as file:
        names, *rows = file.read().splitlines()
    while len(rows) == 300 and os.path.exists(os.environ.get("MAHC_TEST_HOLD", "")):
        time.sleep(0.02)
    return list(zip(names.split(","), names.split(",")[1:]))
"""
COMMAND = [sys.executable, "-c", "from mahc.cli.main import run; run()", "experiment", "run"]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plan")
    (folder / "chain.py").write_text(CHAIN)
    (folder / "plan.toml").write_text(PLAN)
    return folder / "plan.toml"


@pytest.fixture(scope="module")
def done(plan: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("done") / "store"
    standings: list[Progress] = []
    summary = run_plan(read_plan(plan), store, jobs=2, progress=standings.append)
    assert summary == Summary((("done", 9),), total=9, kept=0, ran=9)
    assert max(len(standing.running) for standing in standings) == 2
    assert {standing.total for standing in standings} == {9}
    assert sorted(entry.name for entry in store.iterdir()) == ["lock.sqlite", FILE]
    return store


def timeless_report(store: Path, out: Path) -> dict[str, str]:
    write_report(store, out)
    files = [file for file in out.rglob("*") if file.is_file() and file.parent.name != "times"]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    parts = re.split(f"{TIMES_BEGIN}.*?{TIMES_END}", texts["index.html"], flags=re.DOTALL)
    assert len(parts) == 3  # the leaderboard and the runtimes
    return {**texts, "index.html": "".join(parts)}


def timeless(store: Path) -> list[Row]:
    return [replace(row, seconds=None, peak_memory_mebibytes=None) for row in read_rows(store)]


def test_rows_are_what_learning_in_this_process_gives(done: Path) -> None:
    row = next(r for r in read_rows(done) if (r.contestant, r.case, r.rows) == ("HC", "asia", 200))
    simulation = simulate(load_network("asia"), 200, 1)
    learned = mahc.learn(simulation.data, "hc")
    scores = compare_scores(learned.dag, simulation.network.dag, simulation.data)
    compared = compare(learned.dag, simulation.network.dag, as_="cpdag")
    wrong = {f"{name}_distance": compared.distances().share(name) for name in ("parent", "ancestor", "optimal")}
    assert row.measures == {**compared.measures, **wrong}
    assert (row.score, row.free_parameters) == (scores.learned.value, scores.learned.free_parameters)
    assert (row.edges, row.variables, row.stop_reason) == (len(learned.arcs), 8, "converged")
    assert row.version == f"mahc {mahc.__version__}"
    assert row.seconds is not None
    assert row.seconds > 0
    truth = next(r for r in read_rows(done) if (r.contestant, r.case, r.rows) == (TRUTH, "asia", 200))
    assert truth.score == scores.true.value
    wrong = {"parent_distance": 0, "ancestor_distance": 0, "optimal_distance": 0}
    assert truth.measures == {"bsf": 1, "f1": 1, "precision": 1, "recall": 1, "shd": 0, **wrong}


def test_a_plan_that_is_done_runs_nothing(plan: Path, done: Path) -> None:
    before = read_rows(done)
    assert run_plan(read_plan(plan), done) == Summary((("done", 9),), total=9, kept=9, ran=0)
    assert read_rows(done) == before


def test_another_setting_or_another_file_runs_that_contestant_alone(plan: Path, done: Path, tmp_path: Path) -> None:
    (tmp_path / "chain.py").write_text(CHAIN)
    (tmp_path / "plan.toml").write_text(PLAN.replace('"hc"', '"hc"\nsettings = {search_in_degree = 1}'))
    store = tmp_path / "store"
    store.mkdir()
    (store / FILE).write_bytes((done / FILE).read_bytes())
    summary = run_plan(read_plan(tmp_path / "plan.toml"), store, jobs=2)
    assert (summary.ran, summary.kept) == (3, 6)
    assert [r for r in timeless(store) if r.contestant != "HC"] == [r for r in timeless(done) if r.contestant != "HC"]
    (tmp_path / "chain.py").write_text("def learn(path):\n    raise ValueError('two\\nlines')\n")
    summary = run_plan(read_plan(plan.parent.joinpath("plan.toml")), store)  # the old plan's rows are still there
    assert (summary.ran, summary.kept) == (0, 9)
    summary = run_plan(read_plan(tmp_path / "plan.toml"), store, jobs=2)
    assert (summary.ran, summary.outcomes) == (3, (("crashed", 3), ("done", 6)))
    assert {row.reason for row in read_rows(store) if row.contestant == "chain"} == {"ValueError: two lines"}


def count_rows(store: Path) -> int:
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{store / FILE}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    return 0


def start(plan: Path, store: Path) -> subprocess.Popen[bytes]:
    words = [*COMMAND, str(plan), "--store", str(store), "--jobs", "2"]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(condition: object, seconds: float = 300) -> None:
    assert callable(condition)
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds
        time.sleep(0.01)


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One cell of the plan goes on as long as this file exists."""
    file = tmp_path / "hold"
    file.touch()
    monkeypatch.setenv("MAHC_TEST_HOLD", str(file))
    return file


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks for processes in /proc")
def test_killed_twice_and_resumed_it_gives_the_same_rows_and_report(
    plan: Path, done: Path, tmp_path: Path, held: Path
) -> None:
    store, moments = tmp_path / "store", random.Random(6)
    for least in (1, 4):
        runner = start(plan, store)
        wait_for(lambda least=least: count_rows(store) >= least)
        time.sleep(moments.random() / 2)
        workers = tree_of(runner.pid)[1:]
        runner.kill()
        runner.communicate()
        wait_for(lambda workers=workers: not any(Path(f"/proc/{pid}/statm").exists() for pid in workers))
    kept = count_rows(store)
    assert 4 <= kept < 9
    held.unlink()
    summary = run_plan(read_plan(plan), store, jobs=2)
    assert (summary.kept, summary.ran) == (kept, 9 - kept)
    assert timeless(store) == timeless(done)
    assert not (store / WORK).exists()
    report = timeless_report(store, tmp_path / "report")
    assert report == timeless_report(done, tmp_path / "straight")
    assert {"report.md", "failed.csv", "wins-clean.csv", "raw-scores.csv", "relative-accuracy.svg"} <= report.keys()


@pytest.mark.usefixtures("held")
def test_ctrl_c_keeps_the_rows_and_says_how_to_go_on(plan: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    runner = start(plan, store)
    wait_for(lambda: count_rows(store) >= 1)
    second = start(plan, store)
    assert b"another run is using the store" in second.communicate()[1]
    assert second.returncode == 2
    os.kill(runner.pid, signal.SIGINT)
    out, err = runner.communicate(timeout=300)
    assert (runner.returncode, out) == (130, b"")
    kept = f"{count_rows(store)} of 9 cells are kept in {store}"
    assert err.decode() == f"mahc: interrupted; {kept}: run the same command again to go on\n"
    assert 1 <= count_rows(store) < 9
    assert not (store / WORK).exists()


def test_odd_numbers_of_jobs_are_refused(plan: Path, tmp_path: Path) -> None:
    for jobs in (0, -1, True, 10**6):
        with pytest.raises(MahcError, match=r"jobs is .*: give a whole number from 1"):
            run_plan(read_plan(plan), tmp_path / "store", jobs=jobs)
    assert not (tmp_path / "store").exists()
