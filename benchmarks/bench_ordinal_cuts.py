"""Learned cuts with ordinal columns: should neighbouring states merge? F1 of the edges, simulated data.

    python benchmarks/bench_ordinal_cuts.py [--seeds 8]

Three generators of 12 variables whose ordinal columns have 5 to 7 states: "latent" and "network" as in
`bench_ordinal_columns.py`, and "measured": variables with two or three states from random tables, which a noisy scale
shows as ordered states or as numbers.
"""

from __future__ import annotations

import argparse

import numpy as np
from bench_ordinal_columns import VARIABLES, parents_of, standard

import mahc
from mahc.data import Continuous, Dataset, Discrete

ROWS = (500, 2_000, 5_000)
Made = tuple[list[np.ndarray], list[bool], list[list[int]]]


def latent(generator: np.random.Generator, rows: int) -> Made:
    """Thresholded linear Gaussian variables; about half of the columns stay numbers."""
    parents = parents_of(generator)
    hidden: list[np.ndarray] = []
    found: list[np.ndarray] = []
    ordinal: list[bool] = []
    for own in parents:
        weights = generator.choice([-1, 1], len(own)) * generator.uniform(0.5, 1.2, len(own))
        effects = (w * standard(hidden[u]) for w, u in zip(weights, own, strict=True))
        hidden.append(generator.normal(size=rows) + sum(effects))
        states = int(generator.integers(5, 8))
        cuts = np.quantile(hidden[-1], np.sort(generator.uniform(0.05, 0.95, states - 1)))
        ordinal.append(bool(generator.random() < 0.5))
        found.append(np.searchsorted(cuts, hidden[-1]) if ordinal[-1] else hidden[-1])
    return found, ordinal, parents


def network(generator: np.random.Generator, rows: int) -> Made:
    """Ordered states by ordered logits on the scaled states of the parents."""
    parents = parents_of(generator)
    found: list[np.ndarray] = []
    for own in parents:
        states = int(generator.integers(5, 8))
        weights = generator.choice([-1, 1], len(own)) * generator.uniform(0.8, 1.6, len(own))
        effects = (w * standard(found[u].astype(float)) for w, u in zip(weights, own, strict=True))
        shift = sum(effects, np.zeros(rows))
        cuts = np.sort(generator.normal(0, 1.2, states - 1))
        found.append(((generator.logistic(size=rows) + shift)[:, None] > cuts[None, :]).sum(axis=1))
    return found, [True] * VARIABLES, parents


def measured(generator: np.random.Generator, rows: int) -> Made:
    """Two or three hidden states by random tables, seen through a noisy scale."""
    parents = [own[:2] for own in parents_of(generator)]
    hidden: list[np.ndarray] = []
    found: list[np.ndarray] = []
    ordinal: list[bool] = []
    for own in parents:
        states, row = int(generator.integers(2, 4)), np.zeros(rows, np.int64)
        for u in own:
            row = row * 3 + hidden[u]
        tables = generator.dirichlet(np.full(states, 0.5), size=3 ** len(own))
        drawn = (tables[row].cumsum(axis=1) < generator.random(rows)[:, None]).sum(axis=1)
        hidden.append(np.minimum(drawn, states - 1))
        seen = hidden[-1] + 0.25 * generator.normal(size=rows)
        steps = int(generator.integers(5, 8))
        ordinal.append(bool(generator.random() < 0.5))
        cuts = np.quantile(seen, np.linspace(0, 1, steps + 1)[1:-1])
        found.append(np.searchsorted(cuts, seen) if ordinal[-1] else np.exp(seen))
    return found, ordinal, parents


def score(made: Made, algorithm: str, merge: bool) -> float:
    """F1 of the edges of the graph with learned cuts, ordinal columns with an order (they merge) or without one."""
    columns, ordinal, parents = made
    names = tuple(f"x{v}" for v in range(VARIABLES))
    typed: list[Continuous | Discrete] = []
    for values, listed in zip(columns, ordinal, strict=True):
        if listed:
            states, codes = np.unique(values, return_inverse=True)
            typed.append(Discrete(tuple(states.tolist()), codes.astype(np.uint8), merge))
        else:
            typed.append(Continuous(values))
    learned = mahc.learn(Dataset(names, tuple(typed)), algorithm, numbers="cuts")
    true = {frozenset((f"x{u}", f"x{v}")) for v, own in enumerate(parents) for u in own}
    found = {frozenset(arc) for arc in learned.arcs}
    return 2 * len(true & found) / max(1, len(true) + len(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=8)
    seeds = parser.parse_args().seeds
    print("| generator | rows | boss, all states | boss, merged | mahc, all states | mahc, merged |")
    print("|---" * 6 + "|")
    for make in (latent, network, measured):
        for rows in ROWS:
            made = [make(np.random.default_rng([seed, rows, 7]), rows) for seed in range(seeds)]
            found = [
                np.mean([score(one, algorithm, merge) for one in made])
                for algorithm in ("boss", "mahc")
                for merge in (False, True)
            ]
            print(f"| {make.__name__} | {rows:,} | {' | '.join(f'{f1:.3f}' for f1 in found)} |", flush=True)


if __name__ == "__main__":
    main()
