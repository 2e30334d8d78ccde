"""Every algorithm on four threads, and several Python threads with one scorer: run by tools/tsan.sh."""

from __future__ import annotations

import sys
import threading

import numpy as np

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer, _native
from mahc.learning.control import Control, Progress
from mahc.networks import load_network, sample
from mahc.scores import BIC

THREADS = 4


def learn_with_all(data: Dataset) -> None:
    """Every algorithm, with progress reports from the core."""
    for name in sorted(ALGORITHMS):
        seen: list[Progress] = []
        learned = mahc.learn(data, name, threads=THREADS, progress=seen.append)
        print(f"{name}: {learned.stop_reason}, {len(seen)} reports", flush=True)


def share_a_scorer(data: Dataset) -> None:
    """Python threads that use one scorer, and one cache of scores, each with a control of its own."""
    scorer = RowScorer(EngineRows(data, threads=THREADS), BIC())
    cache = _native.ScoreCache(scorer, 1 << 20)
    n = scorer.variables
    batch = Families.of((v, (u,)) for v in range(n) for u in range(n) if u != v)
    answers: list[np.ndarray] = []

    def work() -> None:
        control = Control(600.0, lambda _: None)
        for _ in range(5):
            scorer.score_pairs(control)
            found = cache.score_families(batch.children, batch.offsets, batch.parents, control)
            assert found is not None
            answers.append(found)

    workers = [threading.Thread(target=work) for _ in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(answers) == 5 * THREADS
    assert all((found == answers[0]).all() for found in answers)
    print("one scorer, four Python threads: done", flush=True)


if __name__ == "__main__":
    if sys.prefix not in _native.__file__:
        sys.exit(f"not the core that was built for this: {_native.__file__}")
    asia = sample(load_network("asia"), 300, seed=1)
    share_a_scorer(asia)
    learn_with_all(asia)
