"""Is a frequency of 80 % right 80 % of the time? Bootstraps of data from known networks against the true graphs.

    python benchmarks/calibrate_confidence.py count     learns, and writes benchmarks/results/calibration.csv
    python benchmarks/calibrate_confidence.py report    from that file: numbers, correction and reliability diagram

`count` takes a few minutes of one processor. `report` prints the tables of docs/explanation/confidence.md and the
numbers of src/mahc/results/calibration.py, and writes docs/explanation/calibration.svg.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from calibration_report import KINDS, Row, report

import mahc
from mahc.networks import load_network, simulate
from mahc.networks.noise import Combined, Incorrect, Merged, Missing

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "calibration.csv"
FITTED = ("asia", "child", "insurance", "hepar2")  # the correction is learned on these
HELD_OUT = ("cancer", "alarm", "hailfinder", "sports")  # and checked on these; sports needs $MAHC_NETWORKS
NOISES = {"clean": None, "noisy": Combined((Missing(), Incorrect(), Merged()))}
SIZES = (500, 5000)
SEEDS = range(1, 6)
ALGORITHMS = ("mahc", "hc")
RESAMPLES = 60


def count_cell(network: str, noise: str, rows: int, seed: int, algorithm: str) -> Counter[tuple[str, int, bool]]:
    """For edges and directions: how many pairs came back in k resamples, right and wrong ones."""
    simulation = simulate(load_network(network), rows, seed, NOISES[noise])
    confidence = mahc.bootstrap(simulation.data, algorithm, resamples=RESAMPLES, seed=seed, threads=1)
    true = set(simulation.network.dag.arcs)
    found: Counter[tuple[str, int, bool]] = Counter()
    for tail, head in permutations(confidence.variables, 2):
        joined = (tail, head) in true or (head, tail) in true
        if tail < head:
            found["edge", confidence.edge_counts.edge(tail, head), joined] += 1
        found["direction", confidence.edge_counts.arc(tail, head), (tail, head) in true] += 1
        found["compelled", confidence.pattern_counts.arc(tail, head), (tail, head) in true] += 1
    return found


def count_all() -> Iterator[Row]:
    """All cells, summed over the seeds."""
    for network in (*FITTED, *HELD_OUT):
        for noise in NOISES:
            for rows in SIZES:
                for algorithm in ALGORITHMS:
                    total: Counter[tuple[str, int, bool]] = Counter()
                    for seed in SEEDS:
                        total += count_cell(network, noise, rows, seed, algorithm)
                    for kind in KINDS:
                        for k in range(RESAMPLES + 1):
                            right, wrong = total[kind, k, True], total[kind, k, False]
                            if right + wrong:
                                role = "fitted" if network in FITTED else "held out"
                                yield Row(
                                    network, role, noise, rows, algorithm, kind, k, RESAMPLES, right + wrong, right
                                )
                    print(f"{network} {noise} {rows} {algorithm}: {time.process_time():.0f} s", file=sys.stderr)


def main() -> None:
    """Count or report."""
    os.environ.setdefault("MAHC_NETWORKS", str(ROOT.parent / "shared" / "networks"))
    if sys.argv[1:] == ["count"]:
        rows = list(count_all())
        with RESULTS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(Row._fields)
            writer.writerows(rows)
        print(f"{len(rows)} rows in {RESULTS}, {time.process_time():.0f} s of processor time")
    elif sys.argv[1:] == ["report"]:
        report(RESULTS, ROOT / "docs" / "explanation" / "calibration.svg")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
