"""Wide tables: time, memory and growth from 1,000 variables on; each run in a separate process.

    python benchmarks/bench_wide.py                    # boss, hc, mahc; 1,000 to 5,000 variables; 1 and 2 threads
    python benchmarks/bench_wide.py --sizes 10000 20000 --algorithms boss mahc --threads 2
    python benchmarks/bench_wide.py --before PYTHON    # the same with the mahc of another environment, in turn

Data: binary, 1,000 rows, up to 3 parents among the 30 variables before. Writes wide.{md,svg} to benchmarks/results.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from charts import log_chart

import mahc
from mahc.data import Dataset

HERE = Path(__file__).resolve().parent
ROWS, REACH, MOST_PARENTS = 1_000, 30, 3
HEAD = "| variables | algorithm | mahc | threads | wall s | processor s | peak MB | arcs | same graph |"


def wide_data(variables: int, rows: int = ROWS, seed: int = 0, part: int = 0) -> Dataset:
    """Binary data of a random sparse network, which depends on the seed alone; each part has rows of its own."""
    rng = np.random.default_rng(seed)
    own = np.random.default_rng([seed, part]) if part else rng
    columns: list[np.ndarray] = []
    for v in range(variables):
        near = np.arange(max(0, v - REACH), v)
        parents = rng.choice(near, min(int(rng.integers(0, MOST_PARENTS + 1)), len(near)), replace=False)
        index = np.zeros(rows, int)
        for p in parents:
            index = index * 2 + columns[p]
        drawn = (own.random(rows) > rng.beta(0.5, 0.5, 2 ** len(parents))[index]).astype(np.uint8)
        if drawn.min() == drawn.max():
            drawn[0] ^= 1  # no column is constant
        columns.append(drawn)
    names = tuple(f"x{v}" for v in range(variables))
    return Dataset.coded(names, (("0", "1"),) * variables, tuple(columns))


def one(variables: int, algorithm: str, threads: int, limit: float) -> None:
    """Learn once and print what it took; runs in a separate process."""
    data = wide_data(variables)
    wall, cpu = time.perf_counter(), time.process_time()
    learned = mahc.learn(data, algorithm, threads=threads, time_limit=limit)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(
        json.dumps(
            {
                "wall": wall,
                "cpu": cpu,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "arcs": len(learned.arcs),
                "graph": hashlib.sha256(repr(sorted(learned.arcs)).encode()).hexdigest(),
                "ended": learned.run.stop_reason,
            }
        )
    )


def measure(python: str, variables: int, algorithm: str, threads: int, limit: float) -> dict[str, Any]:
    command = [python, __file__, "--one", str(variables), algorithm, str(threads), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line through the points, on logarithmic axes."""
    slope, _ = statistics.linear_regression(*zip(*((math.log(x), math.log(y)) for x, y in points), strict=True))
    return slope


def main() -> None:
    parser = argparse.ArgumentParser(description="Wide tables.")
    parser.add_argument("--one", nargs=4, metavar=("VARIABLES", "ALGORITHM", "THREADS", "LIMIT"))
    parser.add_argument("--sizes", nargs="+", type=int, default=[1_000, 2_000, 5_000])
    parser.add_argument("--algorithms", nargs="+", default=["boss", "hc", "mahc"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--before", help="the Python of an environment with another mahc")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for one run")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    if options.one:
        variables, algorithm, threads, limit = options.one
        one(int(variables), algorithm, int(threads), float(limit))
        return
    pythons = {"before": options.before} if options.before else {}
    pythons["now"] = sys.executable
    rows = [HEAD, "|---" * 9 + "|"]
    print("\n".join(rows))
    lines: dict[str, list[tuple[float, float]]] = {}
    for algorithm in options.algorithms:
        for size in options.sizes:
            graphs: set[str] = set()
            for which, python in pythons.items():
                for threads in options.threads:
                    found = measure(python, size, algorithm, threads, options.limit)
                    done = found["ended"] == "converged"
                    if done:
                        graphs.add(found["graph"])
                        lines.setdefault(f"{algorithm}, {which}, {threads} thread(s)", []).append((size, found["wall"]))
                    same = "yes" if len(graphs) == 1 else "no"
                    rows.append(
                        f"| {size:,} | {algorithm} | {which} | {threads} | {found['wall']:.1f} | {found['cpu']:.1f} "
                        f"| {found['peak']:.0f} | {found['arcs']:,} | {same if done else found['ended']} |"
                    )
                    print(rows[-1], flush=True)
    rows.append("")
    for name, points in lines.items():
        if len(points) > 1:
            rows.append(f"- {name}: time grows with the power {exponent(points):.2f} of the variables")
    print("\n".join(rows[rows.index("") :]))
    options.out.mkdir(exist_ok=True)
    load = f"Load average at the end: {os.getloadavg()[0]:.2f}. Binary data, {ROWS:,} rows.\n\n"
    (options.out / "wide.md").write_text(load + "\n".join(rows) + "\n")
    chart = log_chart(f"Learning time against variables ({ROWS:,} rows)", "variables", "seconds", lines)
    (options.out / "wide.svg").write_text(chart)


if __name__ == "__main__":
    main()
