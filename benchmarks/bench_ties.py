"""The effect of the tie rule: final scores of hill climbing, compared with ties broken by the order of columns.

    python benchmarks/bench_ties.py
    python benchmarks/bench_ties.py --networks alarm child --rows 10000 --seeds 1 2 3 4 5

The columns of the published networks are close to causal order, so the file's order is hard to beat; shuffled
columns are what a user's file is like. Figures are differences in hundredths of a percent of the file order's score,
larger is better. Writes benchmarks/results/ties.md.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from statistics import fmean

import mahc
from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.learning.tie_order import order_variables
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
RULES = ("lookahead (ours)", "data-derived order alone", "shuffled columns")
NETWORKS = ["alarm", "child", "hepar2", "insurance", "win95pts", "hailfinder", "water", "pathfinder", "sachs", "barley"]


def rearranged(data: Dataset, order: list[int]) -> Dataset:
    return Dataset.coded(
        tuple(data.names[v] for v in order),
        tuple(data.labels[v] for v in order),
        tuple(data.codes[v] for v in order),
    )


def climbed(data: Dataset, ties: str) -> float:
    """The score that hill climbing ends with."""
    score = mahc.learn(data, "hc", ties=ties).score
    assert score is not None
    return score


def measure(network: str, rows: int, seed: int) -> list[float]:
    """Per rule, how far its score lies above that of the file's order."""
    data = sample(load_network(network), rows, seed)
    shuffled = list(range(len(data.names)))
    random.Random(seed).shuffle(shuffled)
    file_order = climbed(data, "file-order")
    scores = [
        climbed(data, "data"),
        climbed(rearranged(data, order_variables(EngineRows(data))), "file-order"),
        climbed(rearranged(data, shuffled), "file-order"),
    ]
    return [1e4 * (score - file_order) / abs(file_order) for score in scores]


def means(found: list[list[float]]) -> str:
    return " | ".join(f"{fmean(column):+.2f}" for column in zip(*found, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    lines = [f"| network | rows | {' | '.join(RULES)} |", "|---" * (2 + len(RULES)) + "|"]
    everything: list[list[float]] = []
    for network in options.networks:
        for rows in options.rows:
            found = [measure(network, rows, seed) for seed in options.seeds]
            everything += found
            lines.append(
                f"| {network} | {rows:,} | {' | '.join(f'{fmean(x):+.2f}' for x in zip(*found, strict=True))} |"
            )
            print(lines[-1], flush=True)
    lines.append(f"| mean | | {means(everything)} |")
    share = [sum(x >= -1e-9 for x in column) for column in zip(*everything, strict=True)]
    lines.append(f"| no worse | of {len(everything)} | {' | '.join(map(str, share))} |")
    head = (
        f"Means over seeds {', '.join(map(str, options.seeds))}; hundredths of a percent above the file order's score."
    )
    text = f"{head}\n\n" + "\n".join(lines) + "\n"
    options.out.mkdir(exist_ok=True)
    (options.out / "ties.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
