"""Ordinal columns under the smooth score: ranks or indicators? F1 of the skeleton on simulated data with known graphs.

    python benchmarks/bench_ordinal_columns.py [--seeds 5]

Two generators of 12 variables: linear Gaussian variables of which half are cut into 3 to 7 ordered states at random
thresholds ("latent"), and a network in which every variable has 3 to 5 ordered states whose distribution moves with
the mean state of its parents, by ordered logits ("network").
"""

from __future__ import annotations

import argparse

import numpy as np

import mahc
from mahc.data import Continuous, Dataset, Discrete

VARIABLES, ROWS = 12, (500, 2_000, 10_000)


def parents_of(generator: np.random.Generator) -> list[list[int]]:
    """Up to three parents among the five variables before."""
    return [[u for u in range(max(0, v - 5), v) if generator.random() < 0.35][:3] for v in range(VARIABLES)]


def standard(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / max(1e-9, float(values.std())))


def latent(generator: np.random.Generator, rows: int) -> tuple[list[np.ndarray], list[bool], list[list[int]]]:
    """Thresholded linear Gaussians; the order of the variables is shuffled by the caller's names."""
    parents = parents_of(generator)
    hidden: list[np.ndarray] = []
    found: list[np.ndarray] = []
    ordinal: list[bool] = []
    for own in parents:
        weights = generator.choice([-1, 1], len(own)) * generator.uniform(0.5, 1.2, len(own))
        hidden.append(
            generator.normal(size=rows) + sum(w * standard(hidden[u]) for w, u in zip(weights, own, strict=True))
        )
        states = int(generator.integers(3, 8))
        cuts = np.quantile(hidden[-1], np.sort(generator.uniform(0.05, 0.95, states - 1)))
        ordinal.append(bool(generator.random() < 0.5))
        found.append(np.searchsorted(cuts, hidden[-1]) if ordinal[-1] else hidden[-1])
    return found, ordinal, parents


def network(generator: np.random.Generator, rows: int) -> tuple[list[np.ndarray], list[bool], list[list[int]]]:
    """Ordered states by ordered logits on the scaled states of the parents."""
    parents = parents_of(generator)
    found: list[np.ndarray] = []
    for own in parents:
        states = int(generator.integers(3, 6))
        weights = generator.choice([-1, 1], len(own)) * generator.uniform(0.8, 1.6, len(own))
        shift = sum((w * standard(found[u].astype(float)) for w, u in zip(weights, own, strict=True)), np.zeros(rows))
        cuts = np.sort(generator.normal(0, 1.2, states - 1))
        found.append(((generator.logistic(size=rows) + shift)[:, None] > cuts[None, :]).sum(axis=1))
    return found, [True] * VARIABLES, parents


def score(columns: list[np.ndarray], ordinal: list[bool], parents: list[list[int]], ordered: bool) -> float:
    """F1 of the edges, ordinal columns as ranks (`ordered`) or as indicators."""
    names = tuple(f"x{v}" for v in range(VARIABLES))
    typed: list[Continuous | Discrete] = []
    for values, listed in zip(columns, ordinal, strict=True):
        if listed:
            states, codes = np.unique(values, return_inverse=True)
            typed.append(Discrete(tuple(states.tolist()), codes.astype(np.uint8), ordered))
        else:
            typed.append(Continuous(values))
    learned = mahc.learn(Dataset(names, tuple(typed)), "boss", objective="smooth")
    true = {frozenset((f"x{u}", f"x{v}")) for v, own in enumerate(parents) for u in own}
    found = {frozenset(arc) for arc in learned.arcs}
    return 2 * len(true & found) / max(1, len(true) + len(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    print("| generator | rows | ranks | indicators |\n|---|---|---|---|")
    for make in (latent, network):
        for rows in ROWS:
            found = []
            for seed in range(seeds):
                made = make(np.random.default_rng([seed, rows]), rows)
                found.append([score(*made, ordered=ordered) for ordered in (True, False)])
            ranks, indicators = np.mean(found, axis=0)
            print(f"| {make.__name__} | {rows:,} | {ranks:.3f} | {indicators:.3f} |", flush=True)


if __name__ == "__main__":
    main()
