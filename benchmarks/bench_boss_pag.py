"""boss-pag beside FCI, and beside the PAG of boss's DAG without tests: accuracy against the true PAG.

usage: python benchmarks/bench_boss_pag.py [--seeds 3] [--rows 1000 10000 100000] [--noise latent:0.15] [--networks ...]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import mahc
from mahc.graphs import MixedGraph, dag_to_pag
from mahc.measures import compare
from mahc.networks import load_network
from mahc.networks.noise import parse_noise
from mahc.networks.simulation import simulate

NETWORKS = ("asia", "alarm", "child", "insurance", "hailfinder", "win95pts", "hepar2")
MEASURES = ("f1", "shd", "bsf", "precision", "recall")
OUT = Path(__file__).parent / "results" / "boss-pag.md"


def learn_all(data: mahc.Dataset) -> dict[str, MixedGraph]:
    """The graphs to compare, by label."""
    return {
        "fci": mahc.learn(data, "fci").pattern,
        "PAG of boss's DAG": dag_to_pag(mahc.learn(data, "boss").dag),
        "boss-pag": mahc.learn(data, "boss-pag").pattern,
    }


def measure(networks: list[str], noise: str, rows: int, seeds: int) -> dict[str, list[float]]:
    """The mean of each measure over networks and seeds, by label."""
    found: dict[str, list[list[float]]] = defaultdict(list)
    for name in networks:
        for seed in range(1, seeds + 1):
            simulation = simulate(load_network(name), rows, seed, parse_noise(noise))
            truth = simulation.truth()
            for label, graph in learn_all(simulation.data).items():
                result = compare(graph, truth)
                found[label].append([result[measure] for measure in MEASURES])
    return {label: [fmean(column) for column in zip(*cells, strict=True)] for label, cells in found.items()}


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--noise", nargs="+", default=["latent:0.15", "cMISL"])
    parser.add_argument("--rows", nargs="+", type=int, default=[1000, 10_000])
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    lines = [
        "# boss-pag beside FCI, against the true PAG",
        "",
        f"Networks: {', '.join(asked.networks)}; {asked.seeds} samples each. Made by `{Path(__file__).name}`.",
        "",
        "| noise | rows | algorithm | F1 | SHD | BSF | precision | recall |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for noise in asked.noise:
        for rows in asked.rows:
            for label, values in measure(asked.networks, noise, rows, asked.seeds).items():
                f1, shd, *rest = values
                cells = [f"{f1:.3f}", f"{shd:.1f}", *(f"{value:.3f}" for value in rest)]
                lines.append(f"| {noise} | {rows:,} | {label} | {' | '.join(cells)} |")
                print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
