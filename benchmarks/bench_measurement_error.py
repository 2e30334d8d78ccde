"""The rule for measurement error: F1, SHD and processor time of boss with and without it, beside hc and mahc.

    python benchmarks/bench_measurement_error.py [--rows 1000,10000] [--seeds 77] [--out FILE.jsonl]

Samples of networks, clean and with noise: cMISL (all kinds), incorrect values (2, 5, 10 %), missing values as a state
(10 %), merged states, hidden variables. Graphs are compared with the true CPDAG, or with the true PAG where variables
are hidden. "noticed" is the number of data sets on which the rule searched again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import mahc
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
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "hc": ("hc", {}),
    "mahc": ("mahc", {}),
    "mahc qnml": ("mahc", {"objective": "qnml"}),
    "mahc qnml, relative price .25": ("mahc", {"objective": "qnml", "relative_price": 0.25}),
    "boss without the rule": ("boss", {"measurement_error": "never"}),
    "boss": ("boss", {}),
}


def measure(network: str, rows: int, seed: int, noise: str) -> dict[str, Any]:
    """One data set, learned from in every way."""
    simulation = simulate(load_network(network), rows, seed, NOISES[noise])
    truth, found = simulation.truth(), {"network": network, "rows": rows, "seed": seed, "noise": noise}
    for name, (algorithm, settings) in RUNS.items():
        began = time.process_time()
        learned = mahc.learn(simulation.data, algorithm, threads=1, **settings)
        seconds = time.process_time() - began
        counts = compare(learned, truth).counts
        found[name] = [counts.measure("f1"), counts.measure("shd"), seconds]
    record = learned.run.measurement_error
    return {**found, "kappa": record and record.kappa, "noticed": bool(record and record.noticed)}


def print_table(cells: list[dict[str, Any]]) -> None:
    """F1 / SHD by noise and rows, and the processor time of boss as a multiple of that without the rule."""
    print(f"| noise | rows | data sets | {' | '.join(RUNS)} | noticed | better, worse | time |")
    print("|" + "---|" * (len(RUNS) + 6))
    for noise in NOISES:
        for rows in sorted({cell["rows"] for cell in cells}):
            mine = [cell for cell in cells if cell["noise"] == noise and cell["rows"] == rows]
            if not mine:
                continue
            means = {name: np.mean([cell[name][:2] for cell in mine], axis=0) for name in RUNS}
            shown = " | ".join(f"{f1:.3f} / {shd:.1f}" for f1, shd in means.values())
            gains = [cell["boss"][0] - cell["boss without the rule"][0] for cell in mine]
            better, worse = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
            spent, before = (sum(cell[name][2] for cell in mine) for name in ("boss", "boss without the rule"))
            noticed = sum(cell["noticed"] for cell in mine)
            row = (noise, f"{rows:,}", len(mine), shown, noticed, f"{better}, {worse}", f"{spent / before:.2f}")
            print(f"| {' | '.join(map(str, row))} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default=NETWORKS)
    parser.add_argument("--rows", default="1000,10000")
    parser.add_argument("--seeds", default="77")
    parser.add_argument("--noises", default=",".join(NOISES))
    parser.add_argument("--out", type=Path, help="one line of JSON for each data set is added to this file")
    given = parser.parse_args()
    cells = []
    for seed in map(int, given.seeds.split(",")):
        for rows in map(int, given.rows.split(",")):
            for network in given.networks.split(","):
                for noise in given.noises.split(","):
                    cells.append(measure(network, rows, seed, noise))
                    if given.out is not None:
                        with given.out.open("a") as file:
                            file.write(json.dumps(cells[-1]) + "\n")
    print_table(cells)


if __name__ == "__main__":
    main()
