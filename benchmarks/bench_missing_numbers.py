"""Missing values under the smooth score: F1 of the edges by each method, beside the complete rows.

    python benchmarks/bench_missing_numbers.py [--seeds 4]

Graphs of 12 numbers with up to three parents; values lost at random ("mcar"), or in every second column depending on
the column before ("mar").
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import mahc
from mahc.errors import MahcError

VARIABLES = 12
METHODS = ("complete", "drop", "pairwise", "impute")


def generate(kind: str, rows: int, generator: np.random.Generator) -> tuple[np.ndarray, set[frozenset[str]]]:
    """Numbers, one column per variable, and the edges of their graph."""
    order, values = generator.permutation(VARIABLES), np.zeros((rows, VARIABLES))
    edges: set[frozenset[str]] = set()
    for place, v in enumerate(order):
        parents = [u for u in order[max(0, place - 5) : place] if generator.random() < 0.4][:3]
        values[:, v] = generator.normal(size=rows)
        for u in parents:
            edges.add(frozenset((f"x{u}", f"x{v}")))
            weight = generator.choice([-1, 1]) * generator.uniform(0.5, 1.2)
            z = (values[:, u] - values[:, u].mean()) / values[:, u].std()
            curve = np.tanh(1.5 * z) + 0.4 * z * z * (generator.random() < 0.4)
            values[:, v] += weight * (z if kind == "linear" else curve)
    return values, edges


def lose(values: np.ndarray, how: str, share: float, generator: np.random.Generator) -> np.ndarray:
    """The same with values lost."""
    found = values.copy()
    if how == "mcar":
        found[generator.random(values.shape) < share] = np.nan
        return found
    for v in range(1, VARIABLES, 2):
        cause = values[:, v - 1]
        chance = 2 * share / (1 + np.exp(-2 * (cause - cause.mean()) / cause.std()))
        found[generator.random(len(values)) < chance, v] = np.nan
    return found


def measure(values: np.ndarray, edges: set[frozenset[str]], method: str) -> float:
    """F1 of the edges; 0 where the method refuses."""
    how: dict[str, Any] = {} if method == "complete" else {"missing": method}
    table = {f"x{v}": values[:, v] for v in range(VARIABLES)}
    try:
        found = {frozenset(arc) for arc in mahc.learn(table, "boss", objective="smooth", **how).arcs}
    except MahcError:
        return 0.0
    return 2 * len(found & edges) / max(1, len(found) + len(edges))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4)
    seeds = parser.parse_args().seeds
    print(f"| data | rows | lost | {' | '.join(METHODS)} |\n|{'---|' * (3 + len(METHODS))}")
    for kind in ("linear", "nonlinear"):
        for rows in (500, 2_000):
            for how, share in (("mcar", 0.1), ("mcar", 0.3), ("mar", 0.3)):
                found = []
                for seed in range(seeds):
                    generator = np.random.default_rng([seed, rows])
                    values, edges = generate(kind, rows, generator)
                    lost = lose(values, how, share, generator)
                    found.append([measure(values if m == "complete" else lost, edges, m) for m in METHODS])
                means = " | ".join(f"{mean:.3f}" for mean in np.mean(found, axis=0))
                print(f"| {kind} | {rows:,} | {how} {share:.0%} | {means} |", flush=True)


if __name__ == "__main__":
    main()
