"""Every algorithm ends when the clock or the user says so, with a graph that obeys and the reason."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset
from mahc.graphs import Mark
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.networks import load_network, sample

pytestmark = [
    pytest.mark.parametrize("algorithm", sorted(ALGORITHMS)),
    pytest.mark.long,
]
REQUIRED, FORBIDDEN = ("GOAL_2", "SNode_3"), ("SNode_4", "SNode_3")
KNOWN = Knowledge(required_arcs=[REQUIRED], forbidden_edges=[FORBIDDEN])


@pytest.fixture(autouse=True)
def able(algorithm: str) -> None:
    """So many variables are beyond exact learning without SCIP; CI runs these with it."""
    if algorithm == "exact":
        pytest.importorskip("pyscipopt", reason="needs the extra `exact`")


@pytest.fixture(scope="module")
def andes() -> Dataset:
    """Data that keep every algorithm busy for longer than it goes without a look at its control."""
    return sample(load_network("andes"), 10_000, seed=3)


@pytest.fixture(scope="module")
def file(andes: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("andes") / "andes.parquet"
    columns = {name: np.array(andes.labels[v])[andes.codes[v]] for v, name in enumerate(andes.names)}
    polars.DataFrame(columns).write_parquet(path)
    return path


def check(learned: mahc.Learned, reason: str) -> None:
    assert learned.stop_reason == reason
    graph = learned.pattern
    assert (graph.mark(*REQUIRED), graph.mark(*REQUIRED[::-1])) == (Mark.ARROW, Mark.TAIL)
    assert graph.mark(*FORBIDDEN) == Mark.NONE
    assert learned.local_scores is None or np.isfinite(learned.local_scores).all()
    assert (learned.local_scores is None) == (learned.without_dag is not None)
    learned.explain(*REQUIRED)


def test_no_time_at_all_gives_a_graph_all_the_same(algorithm: str, andes: Dataset) -> None:
    check(mahc.learn(andes, algorithm, time_limit=1e-6, knowledge=KNOWN), "time_limit")


def test_whenever_the_clock_strikes_the_end_is_near(algorithm: str) -> None:
    """No phase works on without a look: some would need minutes to the end. The margin is no measurement.

    Processor time is compared, because other processes cannot slow it down.
    """
    data = sample(load_network("andes"), 300, seed=3)
    for seconds in (0.05, 0.4, 1.2):
        began = time.process_time()
        learned = mahc.learn(data, algorithm, time_limit=seconds, knowledge=KNOWN, threads=1)
        assert time.process_time() - began < seconds + 60
        check(learned, learned.stop_reason)
        if learned.stop_reason == "converged":
            break
        assert learned.stop_reason == "time_limit"


@pytest.mark.parametrize("look", [1, 3])
def test_it_may_be_interrupted_whenever_it_looks_at_the_watch(
    algorithm: str, look: int, andes: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    real = Control.stop_reason

    def interrupting(control: Control) -> str | None:
        nonlocal looks
        looks += 1
        if looks == look:
            signal.raise_signal(signal.SIGINT)
        return real(control)

    monkeypatch.setattr(Control, "stop_reason", interrupting)
    learned = mahc.learn(andes, algorithm, knowledge=KNOWN)
    check(learned, "interrupted" if looks >= look else "converged")


# Says when the search first looks at its control, and then waits for the signal, so that no test has to guess.
PROGRAM = """
import sys, time
from mahc.learning.control import Control
real = Control.stop_reason
def announced(control):
    if not control.token.cancelled:
        print("searching", file=sys.stderr, flush=True)
        while not control.token.cancelled:
            time.sleep(0.01)
    return real(control)
Control.stop_reason = announced
from mahc.cli.main import run
run()
"""
NOTE = "mahc: note: the search was interrupted: this is the best graph so far"


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_at_the_command_line_delivers_the_graph_so_far(algorithm: str, file: Path) -> None:
    words = ["learn", str(file), "--algorithm", algorithm, "--json"]
    command = [sys.executable, "-c", PROGRAM, *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert err.startswith(NOTE)
    assert len(err.splitlines()) == 1
    found = json.loads(out)
    assert (found["algorithm"], found["stop_reason"]) == (algorithm, "interrupted")
    assert len(found["variables"]) == 223
