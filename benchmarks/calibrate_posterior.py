"""Is a share of 80 % right 80 % of the time? Bootstraps of boss, posteriors and their mean on known networks.

    python benchmarks/calibrate_posterior.py | tee benchmarks/results/calibration-posterior.md

Prints the tables of docs/explanation/confidence.md; it takes about 20 minutes of one processor. ECE is the expected
calibration error in ten bins, over the pairs that at least one graph joins. "After a correction" is that of a
logistic curve on the logarithm of the odds, fitted to all other networks (all numbers of rows, clean and noisy).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from timing import describe_machine

import mahc
from mahc.networks import Simulation, load_network, simulate
from mahc.networks.noise import Combined, Incorrect, Merged, Missing

KINDS = ("edge", "direction", "compelled")
SOURCES = ("bootstrap of boss", "posterior", "mean of both")
NOISES = {"clean": None, "noisy": Combined((Missing(), Incorrect(), Merged()))}
SMALL = ("asia", "cancer", "earthquake", "sports", "survey")  # of at most 9 variables: a network has 20 to 60 pairs
DESIGN = ("alarm", "child", "hailfinder", "hepar2", "insurance", "property", "sachs", "water", "win95pts")
UNSEEN = ("andes", "barley", "mildew", "munin1", "pathfinder")  # no part in the design of the sampler
LARGE = ("andes", "barley", "munin1", "pathfinder")
SEEDS = (901, 902, 903)
RESAMPLES = 60

Shares = NDArray[np.float64]
Truth = NDArray[np.bool_]


@dataclass
class Cell:
    """The pairs of one data set that a graph joins: their shares in bootstrap and posterior, and which are right."""

    network: str
    rows: int
    noise: str
    seed: int
    pairs: dict[str, tuple[Shares, Shares, Truth]] = field(default_factory=dict)

    def shares(self, kind: str, source: str) -> tuple[Shares, Truth]:
        """The shares above 0, and which pairs are right."""
        boss, drawn, right = self.pairs[kind]
        share = {"bootstrap of boss": boss, "posterior": drawn}.get(source, (boss + drawn) / 2)
        return share[share > 0], right[share > 0]


def seeds(network: str, rows: int) -> tuple[int, ...]:
    """Three; with 10,000 rows one or two, and none for the largest networks, to save time."""
    if rows < 10_000:
        return SEEDS
    return () if network in ("andes", "munin1") else SEEDS[:1] if network in LARGE else SEEDS[:2]


def count_cells(rows: Iterable[int]) -> Iterator[Cell]:
    """Learn and draw."""
    for size in rows:
        for network in (*SMALL, *DESIGN, *UNSEEN):
            for seed in seeds(network, size):
                for noise, kind in NOISES.items():
                    yield count_cell(network, size, noise, seed, simulate(load_network(network), size, seed, kind))
            print(f"{network} {size}: {time.process_time():.0f} s", file=sys.stderr, flush=True)


def count_cell(network: str, rows: int, noise: str, seed: int, drawn: Simulation) -> Cell:
    """One data set."""
    boss = mahc.bootstrap(drawn.data, "boss", resamples=RESAMPLES, seed=seed - 900, threads=1)
    sample = mahc.posterior(drawn.data, seed=seed - 900, threads=1)
    place = {name: k for k, name in enumerate(boss.variables)}
    true = np.zeros((len(place), len(place)), np.bool_)
    for tail, head in drawn.network.dag.arcs:
        true[place[tail], place[head]] = True
    cell, shares = Cell(network, rows, noise, seed), [matrices(boss), matrices(sample)]
    for kind in KINDS:
        right = true | true.T if kind == "edge" else true
        mine, theirs = (each[kind] for each in shares)
        joined = (mine > 0) | (theirs > 0)
        joined = np.triu(joined, 1) if kind == "edge" else joined & ~np.eye(len(true), dtype=np.bool_)
        cell.pairs[kind] = (mine[joined], theirs[joined], right[joined])
    return cell


def matrices(sample: mahc.GraphSample) -> dict[str, Shares]:
    """The shares of all pairs."""
    graphs, patterns = sample.edge_counts, sample.pattern_counts
    counts = (graphs.edge_matrix(), graphs.text_matrix("-->"), patterns.text_matrix("-->"))
    return {kind: each / sample.size for kind, each in zip(KINDS, counts, strict=True)}


def calibration_error(share: Shares, right: Truth) -> float:
    """The expected calibration error in ten bins."""
    bins = np.minimum((share * 10).astype(int), 9)
    return sum(abs(float((share - right)[bins == each].sum())) for each in range(10)) / max(1, len(share))


def log_odds(share: Shares) -> Shares:
    """Finite for 0 and 1."""
    return np.log((share * RESAMPLES + 0.5) / (RESAMPLES - share * RESAMPLES + 0.5))


def fit_curve(cells: Sequence[Cell], kind: str, source: str) -> Shares:
    """Intercept and slope of the logistic regression; a data set counts by the square root of its pairs."""
    found = [each.shares(kind, source) for each in cells]
    x = np.concatenate([log_odds(share) for share, _ in found])
    right = np.concatenate([right for _, right in found])
    weight = np.concatenate([np.full(len(share), max(1, len(share)) ** -0.5) for share, _ in found])
    design, curve = np.stack([np.ones_like(x), x], 1), np.array([0.0, 1.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ curve))
        hessian = design.T @ (design * (weight * p * (1 - p))[:, None])
        step = np.linalg.solve(hessian, design.T @ (weight * (right - p)))
        curve += step * min(1.0, 1.0 / abs(step).max())  # a longer one can overshoot
        if abs(step).max() < 1e-9:
            break
    return curve


def curves(cells: Sequence[Cell], kind: str, source: str) -> dict[str, Shares]:
    """For each network the curve that was fitted to all others."""
    names = sorted({each.network for each in cells})
    return {name: fit_curve([each for each in cells if each.network != name], kind, source) for name in names}


def line(cells: Sequence[Cell], kind: str, source: str, curve: dict[str, Shares]) -> str:
    """Pairs, and errors before and after: of all pairs together, and the mean over the networks."""
    raw = [(each.network, *each.shares(kind, source)) for each in cells]
    mended = [(name, 1 / (1 + np.exp(-curve[name][0] - curve[name][1] * log_odds(p))), y) for name, p, y in raw]

    def error(found: list[tuple[str, Shares, Truth]], networks: Iterable[str]) -> float:
        mine = [(p, y) for name, p, y in found if name in networks]
        return calibration_error(np.concatenate([p for p, _ in mine]), np.concatenate([y for _, y in mine]))

    def mean(found: list[tuple[str, Shares, Truth]], networks: Sequence[str]) -> float:
        return float(np.mean([error(found, [name]) for name in networks]))

    names = sorted({each.network for each in cells})
    larger = [name for name in names if name not in SMALL]
    unseen = [name for name in names if name in UNSEEN]
    numbers = [(error(each, names), mean(each, larger), mean(each, unseen)) for each in (raw, mended)]
    texts = [f"{before:.3f}, {after:.3f}" for before, after in zip(*numbers, strict=True)]
    return f"{sum(len(p) for _, p, _ in raw):,} | {' | '.join(texts)}"


def say_tables(cells: Sequence[Cell]) -> None:
    """All tables."""
    known = {(kind, source): curves(cells, kind, source) for kind in KINDS for source in SOURCES}
    for kind in KINDS:
        print(f"\n## {kind.capitalize()}\n\nECE before and after a correction.\n")
        print("| rows | data | shares of | pairs | all pairs | mean of networks | mean of those not in the design |")
        print("|---|---|---|---|---|---|---|")
        for rows in sorted({each.rows for each in cells}):
            for noise in NOISES:
                mine = [each for each in cells if (each.rows, each.noise) == (rows, noise)]
                for source in SOURCES:
                    print(f"| {rows:,} | {noise} | {source} | {line(mine, kind, source, known[kind, source])} |")


def main() -> None:
    """Count and report."""
    os.environ.setdefault("MAHC_NETWORKS", str(Path(__file__).resolve().parents[2] / "shared" / "networks"))
    print(f"# Calibration of boss, posterior and their mean\n\n{describe_machine()}")
    say_tables(list(count_cells((100, 1_000, 10_000))))
    print(f"\n{time.process_time():.0f} s of processor time.")


if __name__ == "__main__":
    main()
