"""How far the graphs of boss, mahc, hc and tabu score below the proven optimum of the same score.

    python benchmarks/gap_to_optimum.py                                   # asia, survey, sachs, child, insurance, alarm
    python benchmarks/gap_to_optimum.py --networks child --rows 1000 --seeds 1,2,3 --limit 60

The optimum comes from exact learning, which needs the extra `exact` above 20 variables. Every algorithm searches graphs
of in-degree 3, with the same score and the same price per arc: the price of boss (half the logarithm of the number of
variables), and none. A sample on which exact learning does not end within the limit is left out and counted. The gap
is the difference of the scores less their prices, in percent of the optimum. The column "boss, pruning" is the part of
boss's gap that its candidate arcs cause: the gap of the best graph within them, by exact learning with all other arcs
forbidden. The rest is its search. Writes benchmarks/results/gap.md.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import mahc
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
ALGORITHMS = ("boss", "mahc", "hc", "tabu")
PRUNING = "boss, pruning"
COLUMNS = ("boss", PRUNING, *ALGORITHMS[1:])
IN_DEGREE = 3


def value(learned: mahc.Learned, price: float) -> float:
    """What the search maximises: the score less the price of the arcs."""
    assert learned.score is not None
    return learned.score - price * len(learned.arcs)


def measure(data: mahc.Dataset, objective: str, price: float, limit: float) -> dict[str, float] | None:
    """The gaps by column, in percent of the optimum; None where an optimum is not proven."""
    same: dict[str, Any] = {"objective": objective, "arc_price": price, "search_in_degree": IN_DEGREE, "threads": 1}
    best = mahc.learn(data, "exact", time_limit=limit, **same)
    if best.stop_reason != "converged":
        return None
    learned = {name: mahc.learn(data, name, **same) for name in ALGORITHMS}
    pruning = learned["boss"].pruning
    assert pruning is not None
    outside = sorted(set(permutations(data.names, 2)) - set(pruning.allowed_arcs))
    within = mahc.learn(data, "exact", time_limit=limit, knowledge=mahc.Knowledge(forbidden_arcs=outside), **same)
    if within.stop_reason != "converged":
        return None
    optimum = value(best, price)
    return {
        name: 100 * (optimum - value(found, price)) / -optimum for name, found in {**learned, PRUNING: within}.items()
    }


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of the table, each as soon as it is measured."""
    yield "| score | price per arc | network | rows | proven | " + " | ".join(COLUMNS) + " |"
    yield "|---|---|---|---|---|" + "---|" * len(COLUMNS)
    everything: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    for objective in arguments.scores:
        for network in arguments.networks:
            truth = load_network(network)
            price_of_boss = 0.5 * math.log2(len(truth.names))
            for rows in arguments.rows:
                for label, price in (("boss's", price_of_boss), ("none", 0.0)):
                    gaps = [
                        found
                        for seed in arguments.seeds
                        if (found := measure(sample(truth, rows, seed=seed), objective, price, arguments.limit))
                    ]
                    everything[objective, label] += gaps
                    proven = f"{len(gaps)} of {len(arguments.seeds)}"
                    yield f"| {objective} | {label} | {network} | {rows:,} | {proven} | {spell(gaps)} |"
    for (objective, label), gaps in everything.items():
        yield f"| {objective} | {label} | **mean** | | {len(gaps)} | {spell(gaps)} |"


def spell(gaps: list[dict[str, float]]) -> str:
    """The mean gap of each column."""
    if not gaps:
        return " | ".join("-" for _ in COLUMNS)
    return " | ".join(f"{math.fsum(found[name] for found in gaps) / len(gaps):.4f}" for name in COLUMNS)


def words(text: str) -> list[str]:
    """A list that is separated by commas."""
    return text.split(",")


def numbers(text: str) -> list[int]:
    """A list of whole numbers that is separated by commas."""
    return [int(part) for part in words(text)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="asia,survey,sachs,child,insurance,alarm", type=words)
    parser.add_argument("--scores", default="qnml,bic", type=words)
    parser.add_argument("--rows", default="100,1000,10000", type=numbers)
    parser.add_argument("--seeds", default="1,2,3", type=numbers)
    parser.add_argument("--limit", type=float, default=60, help="seconds for a proof")
    arguments = parser.parse_args()
    lines = [
        "# Gap to the proven optimum, in percent",
        "",
        f"    python benchmarks/gap_to_optimum.py {shlex.join(sys.argv[1:])}".rstrip(),
        "",
    ]
    for line in report(arguments):
        print(line, flush=True)
        lines.append(line)
    (HERE / "results" / "gap.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
