"""One contestant learns one file and prints what it did as JSON; run by bench_learning.py, each in its own process.

Needs nothing of mahc unless the contestant is ours, so that it also runs in an environment of the peers' own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Arcs = list[tuple[str, str]]
Outcome = tuple[float, Arcs]


def read_frame(path: str) -> Any:
    import pandas as pd

    frame = pd.read_parquet(path)
    return frame.apply(lambda column: column.astype("category"))


def ours(algorithm: str) -> Callable[[str], Outcome]:
    def learn(path: str) -> Outcome:
        import mahc
        from mahc.data import read

        data = read(path)
        learned = mahc.learn(data, algorithm)
        return learned.seconds, list(learned.arcs)

    return learn


def pybnesian_hc(path: str) -> Outcome:
    import pybnesian

    frame = read_frame(path)
    began = time.perf_counter()
    model = pybnesian.hc(frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"], max_indegree=8)
    return time.perf_counter() - began, [tuple(arc) for arc in model.arcs()]


def pyagrum(local_search: str) -> Callable[[str], Outcome]:
    def learn(path: str) -> Outcome:
        import pyagrum

        learner = pyagrum.BNLearner(read_frame(path))
        learner.setNumberOfThreads(1)
        learner.useScoreBIC()
        learner.setMaxIndegree(8)
        getattr(learner, local_search)()
        began = time.perf_counter()
        graph = learner.learnDAG()  # the structure alone, as for everybody
        seconds = time.perf_counter() - began
        names = learner.names()
        return seconds, [(names[a], names[b]) for a, b in graph.arcs()]

    return learn


def pgmpy_hc(path: str) -> Outcome:
    from pgmpy.estimators import HillClimbSearch

    frame = read_frame(path)
    began = time.perf_counter()
    # pgmpy's names for BIC moved between 0.1.26 ("bicscore") and 1.x ("bic-d").
    kinds = ("bicscore", "bic-d")
    search = HillClimbSearch(frame)
    for kind in kinds:
        try:
            found = search.estimate(scoring_method=kind, max_indegree=8, show_progress=False)
            break
        except ValueError:
            if kind == kinds[-1]:
                raise
    return time.perf_counter() - began, [tuple(arc) for arc in found.edges()]


CONTESTANTS: dict[str, Callable[[str], Outcome]] = {
    "mahc: hc": ours("hc"),
    "mahc: mahc": ours("mahc"),
    "mahc: tabu": ours("tabu"),
    "PyBNesian: hc": pybnesian_hc,
    "pyAgrum: hc": pyagrum("useGreedyHillClimbing"),
    "pyAgrum: tabu": pyagrum("useLocalSearchWithTabuList"),
    "pgmpy: hc": pgmpy_hc,
}


def main() -> None:
    import logging

    logging.disable(logging.WARNING)
    name, path = sys.argv[1:3]
    try:
        seconds, arcs = CONTESTANTS[name](path)
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}))
        return
    print("\n" + json.dumps({"seconds": seconds, "arcs": arcs}))


if __name__ == "__main__":
    main()
