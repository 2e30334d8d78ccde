"""How learning time grows with the variables and with the rows; every size in a separate process.

    python benchmarks/bench_learning_growth.py             # variables 37..2,000 at 1e4 rows; alarm at 1e3..1e7 rows
    python benchmarks/bench_learning_growth.py --kinds variables --algorithms hc mahc boss
    python benchmarks/bench_learning_growth.py --small     # up to 300 variables and 1e5 rows

Writes growth-variables.{md,svg} and growth-rows.{md,svg} to benchmarks/results.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from charts import log_chart

from mahc.data import Dataset
from mahc.learn import learn
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
ALGORITHMS = ("hc", "mahc", "boss")


def sparse_data(variables: int, rows: int, seed: int = 0) -> Dataset:
    """Data of a random sparse network: 2 or 3 states, up to 3 parents among the 30 variables before."""
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    states: list[int] = []
    for v in range(variables):
        own = int(rng.integers(2, 4))
        near = np.arange(max(0, v - 30), v)
        parents = rng.choice(near, min(int(rng.integers(0, 4)), len(near)), replace=False)
        index, configurations = np.zeros(rows, int), 1
        for p in parents:
            index, configurations = index * states[p] + columns[p], configurations * states[p]
        steps = np.cumsum(rng.dirichlet(np.full(own, 0.5), configurations), axis=1)[:, :-1]
        drawn = (rng.random(rows)[:, None] > steps[index]).sum(axis=1)
        seen, codes = np.unique(drawn, return_inverse=True)
        columns.append(codes.astype(np.uint8))
        states.append(len(seen))
    names = tuple(f"x{v}" for v in range(variables))
    return Dataset.coded(names, tuple(tuple(str(s) for s in range(n)) for n in states), tuple(columns))


def one(kind: str, size: int, algorithm: str) -> None:
    """Learn once and print seconds and peak memory; runs in a separate process."""
    data = sparse_data(size, 10_000) if kind == "variables" else sample(load_network("alarm"), size, 1)
    cpu = time.process_time()
    learned = learn(data, algorithm)
    cpu = time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": learned.seconds, "cpu": cpu, "arcs": len(learned.arcs), "peak_mb": peak}))


def measure(kind: str, sizes: list[int], algorithms: list[str], out: Path) -> None:
    lines: dict[str, list[tuple[float, float]]] = {name: [] for name in algorithms}
    rows = [f"| {kind} | algorithm | learning s | processor s of the whole call | arcs | peak MB |", "|---" * 6 + "|"]
    for size in sizes:
        for name in algorithms:
            command = [sys.executable, __file__, "--one", kind, str(size), name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found = json.loads(done.stdout.strip().splitlines()[-1])
            lines[name].append((size, found["seconds"]))
            rows.append(
                f"| {size:,} | {name} | {found['seconds']:.3f} | {found['cpu']:.3f} | {found['arcs']} "
                f"| {found['peak_mb']:.0f} |"
            )
            print(rows[-1], flush=True)
    load = os.getloadavg()[0]
    (out / f"growth-{kind}.md").write_text(f"Load average at the end: {load:.2f}.\n\n" + "\n".join(rows) + "\n")
    title = "1e4 rows, random sparse networks" if kind == "variables" else "alarm, 37 variables"
    chart = log_chart(f"Learning time against {kind} ({title})", kind, "seconds", lines)
    (out / f"growth-{kind}.svg").write_text(chart)


def main() -> None:
    parser = argparse.ArgumentParser(description="Growth of learning time.")
    parser.add_argument("--one", nargs=3, metavar=("KIND", "SIZE", "ALGORITHM"))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--kinds", nargs="+", choices=("variables", "rows"), default=["variables", "rows"])
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS))
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    if options.one:
        one(options.one[0], int(options.one[1]), options.one[2])
        return
    options.out.mkdir(exist_ok=True)
    sizes = {
        "variables": [37, 100, 300] if options.small else [37, 100, 300, 500, 1000, 2000],
        "rows": [10**power for power in range(3, 6 if options.small else 8)],
    }
    for kind in options.kinds:
        measure(kind, sizes[kind], options.algorithms, options.out)


if __name__ == "__main__":
    main()
