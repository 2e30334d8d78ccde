"""Learn from a CSV or Parquet file with another package: `python peer_script.py NAME DATA OUTPUT`.

It imports nothing from mahc, so that it also runs in an environment where only the other package is installed. The
output is JSON: the seconds of learning alone, and the edges as [from, to] or [left, mark, right].
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Outcome = tuple[float, list[tuple[str, ...]]]


def main(name: str, data: str, output: str) -> None:
    """Learn and write."""
    import logging

    logging.disable(logging.WARNING)
    seconds, edges = PEERS[name][1](data)
    with open(output, "w", encoding="utf-8") as file:
        json.dump({"seconds": seconds, "edges": edges}, file)


def read_frame(data: str) -> Any:
    """Every column as categories of texts; no text counts as missing."""
    import pandas as pd

    if data.endswith(".parquet"):
        frame = pd.read_parquet(data)
    else:
        frame = pd.read_csv(data, dtype=str, keep_default_na=False)
    return frame.apply(lambda column: column.astype("category"))


def pybnesian_hc(data: str) -> Outcome:
    """Hill climbing by BIC."""
    import pybnesian

    frame = read_frame(data)
    began = time.perf_counter()
    model = pybnesian.hc(frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"], max_indegree=8)
    return time.perf_counter() - began, [tuple(arc) for arc in model.arcs()]


def pyagrum(local_search: str) -> Callable[[str], Outcome]:
    """One of pyAgrum's searches by BIC."""

    def learn(data: str) -> Outcome:
        import pyagrum

        learner = pyagrum.BNLearner(read_frame(data))
        learner.setNumberOfThreads(1)
        learner.useScoreBIC()
        learner.setMaxIndegree(8)
        getattr(learner, local_search)()
        began = time.perf_counter()
        graph = learner.learnDAG()
        seconds = time.perf_counter() - began
        names = learner.names()
        return seconds, [(names[a], names[b]) for a, b in graph.arcs()]

    return learn


def pyagrum_miic(data: str) -> Outcome:
    """MIIC, as a partially directed graph."""
    import pyagrum

    learner = pyagrum.BNLearner(read_frame(data))
    learner.setNumberOfThreads(1)
    learner.useMIIC()
    began = time.perf_counter()
    graph = learner.learnPDAG()
    seconds = time.perf_counter() - began
    names = learner.names()
    arcs: list[tuple[str, ...]] = [(names[a], names[b]) for a, b in graph.arcs()]
    return seconds, [*arcs, *((names[a], "---", names[b]) for a, b in graph.edges())]


def causal_learn_pc(data: str) -> Outcome:
    """PC-Stable with the G2 test at 0.01."""
    from causallearn.search.ConstraintBased.PC import pc

    frame = read_frame(data)
    codes = frame.apply(lambda column: column.cat.codes).to_numpy()
    began = time.perf_counter()
    found = pc(codes, 0.01, "gsq", show_progress=False)
    return time.perf_counter() - began, _edges(found.G, list(frame.columns))


def causal_learn_fci(data: str) -> Outcome:
    """FCI with the X2 test at 0.01."""
    from causallearn.search.ConstraintBased.FCI import fci

    frame = read_frame(data)
    codes = frame.apply(lambda column: column.cat.codes).to_numpy()
    began = time.perf_counter()
    graph, _ = fci(codes, "chisq", 0.01, show_progress=False)
    return time.perf_counter() - began, _edges(graph, list(frame.columns))


def causal_learn_order(name: str) -> Callable[[str], Outcome]:
    """BOSS or GRaSP with the package's own BDeu score for discrete data."""

    def learn(data: str) -> Outcome:
        from importlib import import_module

        search = getattr(import_module(f"causallearn.search.PermutationBased.{name}"), name.lower())
        frame = read_frame(data)
        codes = frame.apply(lambda column: column.cat.codes).to_numpy()
        began = time.perf_counter()
        graph = search(codes, score_func="local_score_BDeu", verbose=False)
        return time.perf_counter() - began, _edges(graph, list(frame.columns))

    return learn


def _edges(graph: Any, names: list[str]) -> list[tuple[str, ...]]:
    # causal-learn's graph[i, j] is the mark at i of the edge between i and j: -1 tail, 1 arrow, 2 circle.
    marks, ends = graph.graph, {-1: "-", 1: "<", 2: "o"}
    found: list[tuple[str, ...]] = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            if marks[i, j]:
                left, right = ends[int(marks[i, j])], ends[int(marks[j, i])].replace("<", ">")
                found.append((names[i], f"{left}-{right}", names[j]))
    return found


def pgmpy_hc(data: str) -> Outcome:
    """Hill climbing by BIC."""
    from pgmpy.estimators import HillClimbSearch

    frame = read_frame(data)
    began = time.perf_counter()
    kinds = ("bicscore", "bic-d")  # its name for BIC before and since 1.0
    search = HillClimbSearch(frame)
    for kind in kinds:
        try:
            found = search.estimate(scoring_method=kind, max_indegree=8, show_progress=False)
            break
        except ValueError:
            if kind == kinds[-1]:
                raise
    return time.perf_counter() - began, [tuple(arc) for arc in found.edges()]


def pgmpy_ges(data: str) -> Outcome:
    """Greedy equivalence search by BIC."""
    from pgmpy.estimators import GES

    frame = read_frame(data)
    began = time.perf_counter()
    found = GES(frame).estimate(scoring_method="bic-d")
    arcs: list[tuple[str, ...]] = [tuple(arc) for arc in getattr(found, "directed_edges", found.edges())]
    lines = [(a, "---", b) for a, b in getattr(found, "undirected_edges", ())]
    return time.perf_counter() - began, [*arcs, *lines]


# Name in a plan -> (the package's name for pip, how it learns).
PEERS: dict[str, tuple[str, Callable[[str], Outcome]]] = {
    "causal-learn-boss": ("causal-learn", causal_learn_order("BOSS")),
    "causal-learn-fci": ("causal-learn", causal_learn_fci),
    "causal-learn-grasp": ("causal-learn", causal_learn_order("GRaSP")),
    "causal-learn-pc": ("causal-learn", causal_learn_pc),
    "pgmpy-ges": ("pgmpy", pgmpy_ges),
    "pgmpy-hc": ("pgmpy", pgmpy_hc),
    "pyagrum-hc": ("pyagrum", pyagrum("useGreedyHillClimbing")),
    "pyagrum-miic": ("pyagrum", pyagrum_miic),
    "pyagrum-tabu": ("pyagrum", pyagrum("useLocalSearchWithTabuList")),
    "pybnesian-hc": ("pybnesian", pybnesian_hc),
}


if __name__ == "__main__":
    sys.path.pop(0)  # this folder: the other package must not import from it
    main(*sys.argv[1:4])
