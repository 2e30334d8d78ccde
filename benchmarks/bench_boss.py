"""Order search beside hill climbing and causal-learn's BOSS, in one run, as ratios; growth with the variables.

    python benchmarks/bench_boss.py                               # all three parts
    python benchmarks/bench_boss.py --parts hc --networks alarm   # one part, one network

Parts: `hc` (bar: at most 6 times hill climbing's time), `growth` (bar: 1,000 variables x 1e4 rows in 60 s), `peer`
(causal-learn's BOSS with its own score; bar: 50 times faster). Writes benchmarks/results/boss.md.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from bench_learning_growth import sparse_data
from timing import describe_machine, smallest

from mahc.data import Dataset
from mahc.learn import learn
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
PARTS = ("hc", "growth", "peer")


def priced_score(data: Dataset, algorithm: str) -> float:
    """qNML less boss's price per arc: what boss maximises."""
    learned = learn(data, algorithm, objective="qnml", arc_price=None if algorithm == "boss" else default_price(data))
    assert learned.score is not None
    return learned.score - default_price(data) * len(learned.arcs)


def default_price(data: Dataset) -> float:
    return 0.5 * math.log2(len(data.names))


def beside_hill_climbing(options: argparse.Namespace) -> str:
    lines = [
        "| network | rows | hc s | boss s | boss / hc | priced qNML of hc on all arcs | of boss |",
        "|---|---|---|---|---|---|---|",
    ]
    for network in options.networks:
        for rows in options.rows:
            data = sample(load_network(network), rows, options.seed)
            acts: dict[str, Callable[[], object]] = {name: partial(learn, data, name) for name in ("hc", "boss")}
            seconds = smallest(acts, options.repeat)
            ratio = seconds["boss"] / seconds["hc"]
            scores = [priced_score(data, name) for name in ("hc", "boss")]
            lines.append(
                f"| {network} | {rows:,} | {seconds['hc']:.3f} | {seconds['boss']:.3f} | {ratio:.1f}x "
                f"| {scores[0]:,.1f} | {scores[1]:,.1f} |"
            )
            print(lines[-1], flush=True)
    return "\n".join(lines)


def growth(options: argparse.Namespace) -> str:
    lines = ["| variables (1e4 rows) | hc s | boss s | arcs of boss |", "|---|---|---|---|"]
    for variables in options.variables:
        data = sparse_data(variables, 10_000)
        plain, ordered = learn(data, "hc"), learn(data, "boss")
        lines.append(f"| {variables:,} | {plain.seconds:.2f} | {ordered.seconds:.2f} | {len(ordered.arcs):,} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def beside_causal_learn(options: argparse.Namespace) -> str:
    try:
        from causallearn.search.PermutationBased.BOSS import boss
    except ImportError:
        return "causal-learn is not installed."
    data = sample(load_network("asia"), 1_000, options.seed)
    values = np.stack(data.columns, axis=1).astype(float)
    began = time.perf_counter()
    boss(values, score_func="local_score_BDeu", verbose=False)
    peer = time.perf_counter() - began
    ours = smallest({"boss": partial(learn, data, "boss")}, options.repeat)["boss"]
    text = f"asia, 1,000 rows: causal-learn's BOSS (BDeu) {peer:.2f} s, ours {ours:.4f} s: {peer / ours:,.0f}x."
    print(text, flush=True)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2", "pathfinder", "andes"])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000])
    parser.add_argument("--variables", nargs="+", type=int, default=[37, 100, 300, 1_000])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    machine = describe_machine()
    parts = {"hc": beside_hill_climbing, "growth": growth, "peer": beside_causal_learn}
    texts = [machine, *(parts[name](options) for name in options.parts)]
    options.out.mkdir(exist_ok=True)
    (options.out / "boss.md").write_text("\n\n".join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
