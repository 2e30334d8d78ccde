"""Exact learning: candidate sets, then the proof, with the seconds of each and the gap of TABU.

    python benchmarks/bench_exact.py                          # child, insurance and alarm at 1e3 and 1e4 rows
    python benchmarks/bench_exact.py --networks alarm --rows 10000 --limit 600
    python benchmarks/bench_exact.py --pygobnilp PYTHON       # beside pygobnilp, on what its free licence takes

Needs the extra `exact` for more than 20 variables. Writes benchmarks/results/exact.md; beside pygobnilp, which lives in
a separate environment (pip install pygobnilp gurobipy), benchmarks/results/exact-pygobnilp.md.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mahc
from mahc.algorithms.exact.candidates import find_candidates
from mahc.engine import EngineRows, RowScorer
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import BIC

HERE = Path(__file__).resolve().parent
HEADER = "| network | rows | sets within in-degree | counted | kept | counting s | whole s | ended | exact | TABU |"


@dataclass(frozen=True)
class Row:
    """One data set learned exactly."""

    network: str
    rows: int
    possible: int
    counted: int
    kept: int
    counting: float
    whole: float
    ended: str
    exact: float
    tabu: float

    def __str__(self) -> str:
        return (
            f"| {self.network} | {self.rows:,} | {self.possible:,} | {self.counted:,} | {self.kept:,} | "
            f"{self.counting:.2f} | {self.whole:.2f} | {self.ended} | {self.exact:.2f} | {self.tabu:.2f} |"
        )


def measure(network: str, rows: int, in_degree: int, limit: float, seed: int) -> Row:
    """Learn one sample of a network."""
    data = sample(load_network(network), rows, seed)
    constraints = Knowledge().check(data.names, in_degree)
    problem = Problem(RowScorer(EngineRows(data), BIC()), constraints, (), Control(limit))
    began = time.perf_counter()
    found = find_candidates(problem)
    counting = time.perf_counter() - began
    assert found is not None, "the limit was too short to count the candidates"
    kept = sum(len(mine.sets) for mine in found.of)
    began = time.perf_counter()
    learned = mahc.learn(data, "exact", search_in_degree=in_degree, time_limit=limit)
    whole = time.perf_counter() - began
    tabu = mahc.learn(data, "tabu", search_in_degree=in_degree).score
    assert learned.score is not None
    assert tabu is not None
    ended = "proven" if learned.stop_reason == "converged" else learned.stop_reason
    return Row(network, rows, found.possible, found.counted, kept, counting, whole, ended, learned.score, tabu)


def beside_pygobnilp(python: str, network: str, rows: int, in_degree: int, limit: float, seed: int) -> str:
    """One sample learned by both: the smaller seconds of two runs, and scores."""
    data = sample(load_network(network), rows, seed)
    runs = []
    for _ in range(2):
        began = time.perf_counter()
        learned = mahc.learn(data, "exact", search_in_degree=in_degree)
        runs.append(time.perf_counter() - began)
    assert learned.score is not None
    codes = np.stack([np.asarray(column) for column in data.codes], axis=1)
    states = [len(labels) for labels in data.labels]
    assert codes.max(axis=0).tolist() == [count - 1 for count in states], "a state does not occur: take more rows"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.dat"
        lines = [data.names, states, *codes.tolist()]
        path.write_text("\n".join(" ".join(map(str, line)) for line in lines) + "\n")
        theirs = run_pygobnilp([python, str(HERE / "pygobnilp_contestant.py"), str(path), str(in_degree)], limit)
    return f"| {network} | {rows:,} | {min(runs):.3f} | {learned.score:.3f} | {theirs} |"


def run_pygobnilp(command: list[str], limit: float) -> str:
    """Its seconds and score in bits, or why there are none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"> {limit:.0f} | "
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["failed"])[-1][:90] + " | "
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return f"{found['seconds']:.3f} | {found['score'] / math.log(2):.3f}"


def compare_with_pygobnilp(options: argparse.Namespace) -> None:
    """The table beside pygobnilp."""
    cases = [("asia", 1_000), ("asia", 10_000), ("sachs", 1_000), ("sachs", 10_000), ("child", 1_000), ("alarm", 1_000)]
    lines = ["| network | rows | exact s | score | pygobnilp s | score |", "|" + " --- |" * 6]
    for network, rows in cases:
        lines.append(beside_pygobnilp(options.pygobnilp, network, rows, options.in_degree, options.limit, options.seed))
        print(lines[-1], flush=True)
    title = f"# Exact learning beside pygobnilp, BIC in bits, in-degree {options.in_degree}"
    (HERE / "results" / "exact-pygobnilp.md").write_text("\n".join([title, "", *lines, ""]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+")
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000])
    parser.add_argument("--in-degree", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pygobnilp", metavar="PYTHON", help="the Python that has pygobnilp and gurobipy")
    options = parser.parse_args()
    if options.pygobnilp:
        compare_with_pygobnilp(options)
        return
    cases = [
        ("child", 1_000),
        ("child", 10_000),
        ("insurance", 1_000),
        ("insurance", 10_000),
        ("alarm", 1_000),
        ("alarm", 10_000),
    ]
    if options.networks:
        cases = [(network, rows) for network in options.networks for rows in options.rows]
    lines = [HEADER, "|" + " --- |" * 10]
    for network, rows in cases:
        lines.append(str(measure(network, rows, options.in_degree, options.limit, options.seed)))
        print(lines[-1], flush=True)
    out = HERE / "results" / "exact.md"
    out.parent.mkdir(exist_ok=True)
    out.write_text("\n".join([f"# Exact learning, BIC, in-degree {options.in_degree}", "", *lines, ""]))


if __name__ == "__main__":
    main()
