"""Consensus of a bootstrap against the single graph of the same algorithm, on the paper's six cases.

    python benchmarks/consensus_against_single.py [RESAMPLES]

Networks, rows, noise and seeds are the plan below. Prints the table of docs/explanation/confidence.md and writes
benchmarks/results/consensus.csv. Networks that are not shipped come from $MAHC_NETWORKS.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

import mahc
from mahc.measures import compare
from mahc.networks import load_network, simulate
from mahc.networks.noise import NOISES

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "consensus.csv"
NETWORKS = ("asia", "sports", "property", "alarm", "formed", "pathfinder")
MOST_ROWS = {"formed": 1000, "pathfinder": 1000}  # the larger cells of these two would take half an hour
SIZES = (100, 1000, 10_000)
SEEDS = range(1, 6)
ALGORITHMS = ("mahc", "hc")
MEASURES = ("f1", "shd", "bsf", "precision")
Scores = dict[str, float]


def measure(learnt: mahc.MixedGraph, truth: mahc.MixedGraph) -> Scores:
    """F1, SHD, BSF and precision, as `mahc compare` gives them."""
    counts = compare(learnt, truth).counts
    return {name: counts.measure(name) for name in MEASURES}


def run_cell(network: str, noise: str, rows: int, seed: int, algorithm: str, resamples: int) -> tuple[Scores, Scores]:
    """The measures of the single graph and of the consensus."""
    simulation = simulate(load_network(network), rows, seed, NOISES["cMISL"]() if noise == "cMISL" else None)
    truth = simulation.truth()
    single = mahc.learn(simulation.data, algorithm)
    confidence = mahc.bootstrap(simulation.data, algorithm, resamples=resamples, seed=seed)
    return measure(single.pattern, truth), measure(mahc.average(confidence).graph, truth)


def main() -> None:
    """Run all cells, print the means."""
    os.environ.setdefault("MAHC_NETWORKS", str(ROOT.parent / "shared" / "networks"))
    resamples = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    written: list[list[object]] = []
    for network in NETWORKS:
        for noise in ("clean", "cMISL"):
            for rows in (size for size in SIZES if size <= MOST_ROWS.get(network, 10_000)):
                for algorithm in ALGORITHMS:
                    for seed in SEEDS:
                        pair = run_cell(network, noise, rows, seed, algorithm, resamples)
                        for kind, scores in zip(("single", "consensus"), pair, strict=True):
                            written.append([network, noise, rows, algorithm, seed, kind, *scores.values()])
                print(f"{network} {noise} {rows}: {time.process_time():.0f} s", file=sys.stderr, flush=True)
        with RESULTS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["network", "noise", "rows", "algorithm", "seed", "graph", *MEASURES])
            writer.writerows(written)
    print_table(written)
    print(f"\n{resamples} resamples, {time.process_time():.0f} s of processor time")


def print_table(written: list[list[object]]) -> None:
    """Means over networks, rows and seeds, and over networks and seeds for each number of rows."""
    print("| algorithm | data | rows | graph | " + " | ".join(MEASURES) + " |")
    print("|---|---|---|---|" + "---|" * len(MEASURES))
    groups: dict[tuple[object, ...], list[list[float]]] = defaultdict(list)
    for network, noise, rows, algorithm, _, kind, *scores in written:
        del network
        for size in (rows, "all"):
            groups[algorithm, noise, str(size), kind].append([float(str(score)) for score in scores])
    for key in sorted(groups, key=lambda key: (str(key[0]), str(key[1]), len(str(key[2])), str(key[2]), str(key[3]))):
        found = groups[key]
        means = [sum(row[i] for row in found) / len(found) for i in range(len(MEASURES))]
        print(f"| {' | '.join(map(str, key))} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
