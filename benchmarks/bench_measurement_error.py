"""The rule for measurement error: F1, SHD and processor time of boss with and without it, beside hc and mahc.

    python benchmarks/bench_measurement_error.py [--rows 1000,10000] [--seeds 77] [--out FILE.jsonl]
    python benchmarks/bench_measurement_error.py --numbers [--rows 2000,20000] [--seeds 61,62] [--columns 15]
    python benchmarks/bench_measurement_error.py --posterior [--rows 5000] [--seeds 61,62] [--columns 12]

Samples of networks, clean and with noise: cMISL (all kinds), incorrect values (2, 5, 10 %), missing values as a state
(10 %), merged states, hidden variables. Graphs are compared with the true CPDAG, or with the true PAG where variables
are hidden. "noticed" is the number of data sets on which the rule searched again.

With --numbers: random networks with columns of numbers (`mahc.lab.generators`), learned with the smooth score. Normal
errors of 0, .3 and .6 standard deviations are added to every column of numbers. With --posterior: the log loss of the
edges' probabilities in a posterior sample of such tables, with the rule and without.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import mahc
from mahc.data import Dataset
from mahc.graphs import MixedGraph
from mahc.lab.generators import generate
from mahc.measures import compare
from mahc.networks import load_network, simulate
from mahc.networks.noise import CMISL, Incorrect, Latent, Merged, Missing, Noise

NETWORKS = (
    "alarm,asia,barley,cancer,child,earthquake,hailfinder,hepar2,insurance,mildew,munin1,sachs,survey,water,win95pts"
)
NOISES: dict[str, Noise | None] = {
    "clean": None,
    "cMISL": CMISL(),
    "incorrect 2 %": Incorrect(0.02),
    "incorrect 5 %": Incorrect(0.05),
    "incorrect 10 %": Incorrect(0.1),
    "missing 10 %": Missing(0.1),
    "merged 10 %": Merged(0.1),
    "hidden 15 %": Latent(0.15),
}
Runs = dict[str, tuple[str, dict[str, Any]]]
RUNS: Runs = {
    "hc": ("hc", {}),
    "mahc": ("mahc", {}),
    "mahc qnml": ("mahc", {"objective": "qnml"}),
    "mahc qnml, relative price .25": ("mahc", {"objective": "qnml", "relative_price": 0.25}),
    "boss without the rule": ("boss", {"measurement_error": "never"}),
    "boss": ("boss", {}),
}
NUMBER_KINDS = "linear,curved,mixed,measured"
NUMBER_ERRORS = (0.0, 0.3, 0.6)
NUMBER_RUNS: Runs = {
    "hc": ("hc", {"numbers": "smooth"}),
    "boss without the rule": ("boss", {"numbers": "smooth", "measurement_error": "never"}),
    "boss, always cured": ("boss", {"numbers": "smooth", "measurement_error": "always"}),
    "boss": ("boss", {"numbers": "smooth"}),
}


def measure(network: str, rows: int, seed: int, noise: str) -> dict[str, Any]:
    """One data set, learned from in every way."""
    simulation = simulate(load_network(network), rows, seed, NOISES[noise])
    about = {"network": network, "rows": rows, "seed": seed, "noise": noise}
    return about | learn_all(simulation.data, simulation.truth(), RUNS)


def measure_numbers(kind: str, rows: int, seed: int, error: float, columns: int) -> dict[str, Any]:
    """The same with columns of numbers."""
    made = generate(kind, rows, seed, columns=columns, noise=error)
    about = {"network": kind, "rows": rows, "seed": seed, "noise": f"{kind}, errors {error:g}"}
    return about | learn_all(made.data, made.truth(), NUMBER_RUNS)


def learn_all(data: Dataset, truth: MixedGraph, runs: Runs) -> dict[str, Any]:
    """F1, SHD and seconds of each run; the last of them has the rule."""
    found: dict[str, Any] = {}
    for name, (algorithm, settings) in runs.items():
        began = time.process_time()
        learned = mahc.learn(data, algorithm, threads=1, **settings)
        seconds = time.process_time() - began
        counts = compare(learned, truth).counts
        found[name] = [counts.measure("f1"), counts.measure("shd"), seconds]
    record = learned.run.measurement_error
    return {**found, "kappa": record and record.kappa, "noticed": bool(record and record.noticed)}


def posterior_loss(kind: str, rows: int, seed: int, error: float, columns: int, rule: str) -> float:
    """The log loss of the probabilities of all edges, in nats per true edge."""
    made = generate(kind, rows, seed, columns=columns, noise=error)
    drawn = mahc.posterior(made.data, numbers="smooth", samples=100, measurement_error=rule)
    truth = {frozenset(arc) for arc in made.dag.arcs}
    pairs = [(a, b) for place, a in enumerate(made.data.names) for b in made.data.names[:place]]
    shares = np.clip([drawn.probability(a, b, of="edge") for a, b in pairs], 0.005, 0.995)
    right = np.array([frozenset(pair) in truth for pair in pairs])
    return float(-np.log(np.where(right, shares, 1 - shares)).sum() / len(truth))


def print_losses(kinds: list[str], sizes: list[int], seeds: list[int], columns: int) -> None:
    """The mean log loss by kind, rows and errors."""
    print("| kind | rows | errors | without the rule | with the rule |\n|---|---|---|---|---|")
    for kind, rows, error in product(kinds, sizes, NUMBER_ERRORS):
        losses = [
            np.mean([posterior_loss(kind, rows, seed, error, columns, rule) for seed in seeds])
            for rule in ("never", "auto")
        ]
        print(f"| {kind} | {rows:,} | {error:g} | {losses[0]:.2f} | {losses[1]:.2f} |")


def print_table(cells: list[dict[str, Any]], runs: Runs) -> None:
    """F1 / SHD by noise and rows, and the processor time of boss as a multiple of that without the rule."""
    print(f"| noise | rows | data sets | {' | '.join(runs)} | noticed | better, worse | time |")
    print("|" + "---|" * (len(runs) + 6))
    for noise in dict.fromkeys(cell["noise"] for cell in cells):
        for rows in sorted({cell["rows"] for cell in cells}):
            mine = [cell for cell in cells if cell["noise"] == noise and cell["rows"] == rows]
            if not mine:
                continue
            means = {name: np.mean([cell[name][:2] for cell in mine], axis=0) for name in runs}
            shown = " | ".join(f"{f1:.3f} / {shd:.1f}" for f1, shd in means.values())
            gains = [cell["boss"][0] - cell["boss without the rule"][0] for cell in mine]
            better, worse = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
            spent, before = (sum(cell[name][2] for cell in mine) for name in ("boss", "boss without the rule"))
            noticed = sum(cell["noticed"] for cell in mine)
            row = (noise, f"{rows:,}", len(mine), shown, noticed, f"{better}, {worse}", f"{spent / before:.2f}")
            print(f"| {' | '.join(map(str, row))} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", action="store_true", help="random networks with columns of numbers")
    parser.add_argument("--posterior", action="store_true", help="the same, by the log loss of a posterior sample")
    parser.add_argument("--columns", type=int, default=15, help="of numbers")
    parser.add_argument("--networks", help="names of networks, with --numbers kinds of generators")
    parser.add_argument("--rows", help="1000,10000; with --numbers 2000,20000")
    parser.add_argument("--seeds", default="77")
    parser.add_argument("--noises", default=",".join(NOISES))
    parser.add_argument("--out", type=Path, help="one line of JSON for each data set is added to this file")
    given = parser.parse_args()
    if given.posterior:
        sizes, seeds = ([int(each) for each in text.split(",")] for text in (given.rows or "5000", given.seeds))
        print_losses((given.networks or NUMBER_KINDS).split(","), sizes, seeds, given.columns)
        return
    networks = (given.networks or (NUMBER_KINDS if given.numbers else NETWORKS)).split(",")
    cells = []
    for seed in map(int, given.seeds.split(",")):
        for rows in map(int, (given.rows or ("2000,20000" if given.numbers else "1000,10000")).split(",")):
            for network in networks:
                if given.numbers:
                    own = [measure_numbers(network, rows, seed, error, given.columns) for error in NUMBER_ERRORS]
                else:
                    own = [measure(network, rows, seed, noise) for noise in given.noises.split(",")]
                cells += own
                if given.out is not None:
                    with given.out.open("a") as file:
                        file.writelines(json.dumps(cell) + "\n" for cell in own)
    print_table(cells, NUMBER_RUNS if given.numbers else RUNS)


if __name__ == "__main__":
    main()
