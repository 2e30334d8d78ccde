"""Learning from numbers: time against rows, and against causal-learn's BOSS on the same Gaussian score.

    python benchmarks/bench_number_growth.py            # 1e4 to 1e7 rows of 20 columns
    python benchmarks/bench_number_growth.py --peer     # causal-learn's BOSS and ours on straight lines, 1e4 rows

The pass makes the bins and counts all pairs of them; what follows, the choice of a degree and the search, sees only
correlations. Processor seconds of one thread, that of NumPy's linear algebra included. Writes number-growth.{md,svg} or
number-boss.md to benchmarks/results.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
from bench_numbers import Numbers, as_is, curved, learn_peer, random_arcs, simulate, standard, straight
from charts import log_chart
from timing import describe_machine

import mahc
from mahc.data import Continuous, Dataset
from mahc.engine import Families
from mahc.graphs import DAG, MixedGraph, cpdag_to_dag
from mahc.learn import make_request
from mahc.learning.control import Control
from mahc.learning.counted_data import arrange_rows
from mahc.learning.searching import search_best
from mahc.scores import make_score

RESULTS = Path(__file__).resolve().parent / "results"


def curves(rows: int, columns: int, seed: int = 1) -> Dataset:
    """Columns whose parents act by curves, as arrays: lists of 1e7 numbers would take too much memory."""
    draw = np.random.default_rng(seed)
    arcs = random_arcs(columns, 3.0, draw)
    values: list[Numbers] = []
    for v in range(columns):
        total = draw.normal(size=rows)
        for u, head in arcs:
            if head == v:
                total += draw.uniform(0.5, 1.2) * curved(values[u], draw)
        values.append(standard(total))
    return Dataset(tuple(f"v{v:03d}" for v in range(columns)), tuple(map(Continuous, values)))


def one(rows: int, columns: int) -> None:
    """Print the seconds of the pass and of what follows; runs in a separate process."""
    request, control = make_request(curves(rows, columns), "boss", objective="smooth", threads=1), Control(None)
    assert isinstance(request.data, Dataset)
    began = time.process_time()
    order, source = arrange_rows(request.score.hold(request.data, threads=1), request.ties, control)
    source.correlations(8)
    passed = time.process_time()
    _, found, score = search_best(request, order, source, control, details=False)
    ended = time.process_time()
    print(json.dumps([passed - began, ended - passed, len(found.arcs), score.degree]))  # type: ignore[attr-defined]


def growth(sizes: list[int], columns: int) -> None:
    """Measure each size in a process of its own."""
    lines = ["| rows | pass s | choice of the degree and search s | arcs | degree |", "|---" * 5 + "|"]
    points: dict[str, list[tuple[float, float]]] = {"the pass": [], "degree and search": []}
    for rows in sizes:
        command = [sys.executable, __file__, "--one", str(rows), str(columns)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        first, after, arcs, degree = json.loads(done.stdout.strip().splitlines()[-1])
        points["the pass"].append((rows, first))
        points["degree and search"].append((rows, after))
        lines.append(f"| {rows:,} | {first:.2f} | {after:.2f} | {arcs} | {degree} |")
        print(lines[-1], flush=True)
    head = f"{columns} columns of curves, one thread, processor seconds: {describe_machine()}\n\n"
    (RESULTS / "number-growth.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    title = f"Learning from {columns} columns of numbers"
    (RESULTS / "number-growth.svg").write_text(log_chart(title, "rows", "processor seconds", points), encoding="utf-8")


def peer(widths: list[int], rows: int) -> None:
    """The same Gaussian BIC searched by causal-learn's BOSS and by ours, reading the lists included."""
    small, _ = simulate(100, 1, straight, as_is, 3)
    mahc.learn(small, "boss", objective="gaussian-bic")  # loads what a first run loads
    lines = ["| columns | causal-learn s | ours s | ratio | score of causal-learn | ours |", "|---" * 6 + "|"]
    for columns in widths:
        table, _ = simulate(rows, 1, straight, as_is, columns)
        answer = learn_peer(table, "causal-learn BOSS", 600)
        began = time.process_time()
        learned = mahc.learn(table, "boss", objective="gaussian-bic", threads=1)
        ours = time.process_time() - began
        if isinstance(answer, str):
            lines.append(f"| {columns} | {answer} | {ours:.2f} | | | {learned.score:.1f} |")
        else:
            score = _score(table, answer[0])
            lines.append(
                f"| {columns} | {answer[1]:.2f} | {ours:.2f} | {answer[1] / ours:.1f} | {score:.1f} | "
                f"{_score(table, learned.cpdag):.1f} |"
            )
        print(lines[-1], flush=True)
    head = f"{rows:,} rows of straight lines, Gaussian BIC in bits, processor seconds: {describe_machine()}\n\n"
    (RESULTS / "number-boss.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def _score(table: dict[str, object], graph: MixedGraph) -> float:
    """The Gaussian BIC of a graph, in bits."""
    data, score = mahc.read(table), make_score("gaussian-bic")
    dag: DAG = cpdag_to_dag(graph)
    place = {name: v for v, name in enumerate(data.names)}
    families = [(place[v], sorted(place[u] for u, head in dag.arcs if head == v)) for v in data.names]
    return float(score.scorer(score.hold(data)).score_families(Families.of(families)).sum())


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", nargs=2, type=int)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--sizes", nargs="+", type=int, default=[10**4, 10**5, 10**6, 10**7])
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--widths", nargs="+", type=int, default=[20, 40, 100])
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    if given.one:
        one(*given.one)
    elif given.peer:
        peer(given.widths, 10_000)
    else:
        growth(given.sizes, given.columns)


if __name__ == "__main__":
    main()
