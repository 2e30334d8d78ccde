"""A token that any thread sets ends a run with the best graph so far; the core lets other threads work meanwhile."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from count_sources import DictionarySource

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.algorithms.score_based.climb import make_space
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, FamilyCounts, RowScorer, _native
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control, Progress
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import BIC

LONG_RUNS = {
    "tabu": {},
    "hc": {},
    "mahc": {"pruning": False},
    "boss": {},
    "boss-pag": {},
    "pc-stable": {"alpha": 0.9},
    "fci": {"alpha": 0.9},
    "mmhc": {"alpha": 0.9},
    "saiyanh": {},
    "exact": {},
}


@pytest.fixture(scope="module")
def andes() -> Dataset:
    return sample(load_network("andes"), 100_000, seed=3)


def able(algorithm: str) -> None:
    if algorithm == "exact":
        pytest.importorskip("pyscipopt", reason="needs the extra `exact`")


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_thread_cancels_a_long_run(algorithm: str, andes: Dataset) -> None:
    able(algorithm)
    token, begun = mahc.CancelToken(), threading.Event()

    def cancel() -> None:
        begun.wait()
        token.cancel()

    thread = threading.Thread(target=cancel)

    def note(progress: Progress) -> None:
        begun.set()
        thread.join()  # however late the thread is, the run has not ended before it cancels

    thread.start()
    learned = mahc.learn(andes, algorithm, cancel=token, progress=note, threads=1, **LONG_RUNS[algorithm])
    begun.set()
    thread.join()
    assert learned.stop_reason == "interrupted"
    assert learned.local_scores is None or np.isfinite(learned.local_scores).all()


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_token_that_is_cancelled_already_gives_the_start(algorithm: str, andes: Dataset) -> None:
    able(algorithm)
    token = mahc.CancelToken()
    assert not token.cancelled
    token.cancel()
    assert token.cancelled
    few = andes.select(andes.names[:30])
    learned = mahc.learn(few, algorithm, cancel=token)
    assert learned.stop_reason == "interrupted"
    assert learned.steps == ()


def test_a_token_that_is_not_cancelled_changes_nothing(andes: Dataset) -> None:
    few = andes.select(andes.names[:20])
    assert mahc.learn(few, cancel=mahc.CancelToken()) == mahc.learn(few)


class Cancelling(DictionarySource):
    """A count source whose third request cancels the run."""

    def __init__(self, data: Dataset, token: mahc.CancelToken) -> None:
        super().__init__(data)
        self._token = token

    def count_families(self, families: Families) -> FamilyCounts:
        counts = super().count_families(families)
        if self.requests == 3:
            self._token.cancel()
        return counts


def test_a_run_on_a_count_source_is_cancelled() -> None:
    data = sample(load_network("asia"), 200, seed=1)
    token = mahc.CancelToken()
    source = Cancelling(data, token)
    learned = mahc.learn(source, "tabu", cancel=token)
    assert learned.stop_reason == "interrupted"
    assert source.requests < 10


@pytest.fixture(scope="module")
def many_neighbours() -> tuple[Problem, _native.Space]:
    """A graph whose neighbours take the core some time: 223 variables, all arcs allowed."""
    data = sample(load_network("andes"), 1000, seed=3)
    rows = EngineRows(data, threads=1)
    constraints = Knowledge().check(data.names, 8)
    problem = Problem(RowScorer(rows, BIC()), constraints, (), Control())
    return problem, make_space(problem, constraints.allowed)


@pytest.fixture
def eager_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("eager_switching")
def test_other_threads_work_while_neighbours_are_described(many_neighbours: tuple[Problem, _native.Space]) -> None:
    problem, space = many_neighbours
    token, inside, done = mahc.CancelToken(), threading.Event(), threading.Event()

    class Noting(Control):
        def should_stop(self, steps: int, score: float) -> bool:
            inside.set()
            return super().should_stop(steps, score)

    def count() -> None:
        inside.wait()
        for _ in range(100_000):  # far more than fits in between two calls of `should_stop` from a core with the lock
            if done.is_set():
                return
        token.cancel()

    thread = threading.Thread(target=count)
    thread.start()
    found = _native.neighbours(problem.score_cache, space, [], Noting(token=token))
    done.set()
    inside.set()
    thread.join()
    assert found is None  # the thread got to cancel it


def test_neighbours_are_not_cut_short_by_the_time_limit(andes: Dataset) -> None:
    """Nor by the question whether to stop, which work of more than 50 ms asks."""
    few = andes.select(andes.names[:60])
    rows = EngineRows(few, threads=1)
    constraints = Knowledge().check(few.names, 8)
    problem = Problem(RowScorer(rows, BIC()), constraints, (), Control(time_limit=1e-9))
    time.sleep(0.001)
    assert problem.control.stop_reason() == "time_limit"
    assert _native.neighbours(problem.score_cache, make_space(problem, constraints.allowed), [], problem.control)


def test_a_cancel_while_the_result_is_described_leaves_the_graph_and_no_averages() -> None:
    data = sample(load_network("alarm"), 1000, seed=3)
    token = mahc.CancelToken()

    def cancel(progress: Progress) -> None:
        if progress.phase == "finishing":
            token.cancel()

    learned, whole = mahc.learn(data, cancel=token, progress=cancel), mahc.learn(data)
    assert learned.stop_reason == "converged"
    assert learned.arcs == whole.arcs
    assert learned.averaged_score == whole.averaged_score
    arc = whole.arcs[0]
    assert set(learned.explain(*arc).numbers) < set(whole.explain(*arc).numbers)
