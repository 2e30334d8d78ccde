"""The memory limit: refused before the work where it cannot do, and never exceeded where it can."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.learning import memory
from mahc.learning.memory import MEBIBYTE, MemoryLimit
from mahc.scores import Smooth

pytestmark = pytest.mark.long

# Learns in a process of its own, where nothing else grows, and prints by how many MiB the process grew at most.
PROGRAM = """
import sys, threading, time
import numpy as np
import mahc
from mahc.learning.memory import resident_bytes

rows = np.random.default_rng(1).integers(0, 3, (int(sys.argv[2]), int(sys.argv[1]))).astype(np.uint8)
data = mahc.read(rows)
mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, sys.argv[3])  # loads all code
before, most, ended = resident_bytes(), [0], threading.Event()

def watch():
    while not ended.wait(0.005):
        most[0] = max(most[0], resident_bytes() - before)

watcher = threading.Thread(target=watch)
watcher.start()
learned = mahc.learn(data, sys.argv[3], memory_mebibytes=int(sys.argv[4]), threads=1)
ended.set()
watcher.join()
print(most[0] >> 20, learned.stop_reason.value)
"""
linux = pytest.mark.skipif(not memory.resident_bytes(), reason="needs /proc")


def grow(variables: int, rows: int, algorithm: str, limit: int) -> tuple[int, str]:
    words = [str(variables), str(rows), algorithm, str(limit)]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    grown, reason = done.stdout.split()
    return int(grown), reason


@linux
@pytest.mark.long
def test_the_case_of_the_issue_stays_within_its_64_mebibytes() -> None:
    """3,000 variables x 1,000 rows: the process grew by 999 MB before."""
    grown, reason = grow(3000, 1000, "mahc", 64)
    assert reason == "converged"
    assert grown <= 64


@linux
def test_a_run_that_fits_stays_within_its_limit() -> None:
    grown, reason = grow(700, 200, "mahc", 24)
    assert reason == "converged"
    assert grown <= 24


@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS) - {"mahc"}))
def test_what_cannot_fit_is_refused_before_the_work(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("work began")

    monkeypatch.setattr("mahc.learning.problem_making.arrange", fail)
    names = [f"v{i}" for i in range(3000)]
    data = mahc.read(np.zeros((2, 3000), np.uint8) + np.array([[0], [1]], np.uint8), names=names)
    if algorithm == "boss":
        settings: dict[str, object] = {"candidates": "all"}
    else:
        settings = {}
    with pytest.raises(mahc.MahcError, match=r"3,000 variables needs about .* MiB, more than the 64 MiB allowed: give"):
        mahc.learn(data, algorithm, memory_mebibytes=64, **settings)


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_run_that_grows_too_much_ends_with_the_best_so_far(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemoryLimit, "growth", lambda _: 1 << 60)
    data = mahc.read(np.random.default_rng(1).integers(0, 2, (500, 12)).astype(np.uint8))
    learned = mahc.learn(data, algorithm)
    assert learned.stop_reason in ("memory_limit", "converged")  # a very small run may end before it is checked
    if learned.stop_reason == "memory_limit":
        assert "the memory limit was reached" in learned.run.describe_end()


def test_results_without_details_say_so_and_are_the_same_otherwise(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = mahc.read(np.random.default_rng(5).integers(0, 3, (60, 25)).astype(np.uint8))
    for algorithm in ("mahc", "hc", "tabu", "boss", "mmhc"):
        monkeypatch.setattr(memory, "MOST_DETAILED", 3000)
        whole = mahc.learn(data, algorithm)
        monkeypatch.setattr(memory, "MOST_DETAILED", 3)
        lean = mahc.learn(data, algorithm)
        assert lean == whole, algorithm
        assert lean.pruning == whole.pruning
        assert lean.strengths() == whole.strengths()
        assert len(lean.strengths()) == len(lean.arcs)
        joined = {frozenset(arc) for arc in whole.arcs}
        for tail, head in itertools.permutations(data.names, 2):
            if {tail, head} not in joined:
                with pytest.raises(mahc.MahcError, match="has no details of its arcs"):
                    lean.explain(tail, head)
                continue
            told, full = lean.explain(tail, head), whole.explain(tail, head)
            assert told.present == full.present
            assert told.numbers.get("strength") == full.numbers.get("strength")
            assert ("could point either way" in str(told)) == ("could point either way" in str(full))


def test_the_limit_of_a_run_is_a_share_for_each_cache() -> None:
    limit = MemoryLimit(64)
    assert limit.cache_bytes + limit.score_cache_bytes <= 32 * MEBIBYTE
    assert not limit.fits(65 * MEBIBYTE)
    assert limit.keeps_details(300)
    assert not limit.keeps_details(1000)


@linux
@pytest.mark.parametrize("degree", [None, 3])
def test_the_smooth_score_needs_what_it_foretells(degree: int | None) -> None:
    """250 columns of numbers: the estimate is at least what the process grows by, and at most three times that."""
    program = PROGRAM.replace(
        "integers(0, 3, (int(sys.argv[2]), int(sys.argv[1]))).astype(np.uint8)", "normal(size=(300, 250))"
    )
    program = program.replace("threads=1)", f"threads=1, objective='smooth', degree={degree})")
    words = [sys.executable, "-c", program, "0", "0", "boss", "4000"]
    grown = int(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[0])
    data = mahc.read(np.random.default_rng(1).normal(size=(300, 250)))
    needed = Smooth(degree=degree).memory_needed(data) / MEBIBYTE
    assert grown <= needed <= 3 * grown


def test_a_score_that_does_not_fit_is_refused_before_the_work() -> None:
    data = mahc.read(np.random.default_rng(1).normal(size=(50, 400)))
    with pytest.raises(
        mahc.MahcError, match=r"the score smooth with 400 variables needs about 879 MiB.*cut the numbers"
    ):
        mahc.learn(data, "boss", memory_mebibytes=200)
    assert mahc.learn(data, "boss", numbers="cuts", memory_mebibytes=200, time_limit=1.0).arcs is not None
