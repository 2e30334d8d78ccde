"""Why `weighted` is not better than `pairwise` under MAR: the figures of docs/explanation/missing.md.

    python tools/examine_weights.py --sizes 1000 10000 --seeds 1 2 3

For every network and seed the mechanism `mar` is replayed, so that the true cause of each variable's missing values
and the true probabilities are known. It prints how often the true cause is found, how many variables still have a
biased distribution, the effective number of rows, and the F1 of `hc` without weights, with the weights that are
estimated, and with the weights of the true mechanism, with the number of edges.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.engine.incomplete import LOG_STEPS, MOST_STEPS, RowWeights
from mahc.graphs import DAG, MixedGraph
from mahc.learn import learn
from mahc.learning.incomplete import solving
from mahc.learning.incomplete.causes import find_causes
from mahc.learning.incomplete.weights import weigh_rows
from mahc.measures.comparison import compare
from mahc.networks import load_network, simulate
from mahc.networks.noise.mechanisms import MissingAtRandom
from mahc.networks.random_streams import stream

NETWORKS = ("alarm", "insurance", "child", "hailfinder")


def true_weights(clean: Dataset, data: Dataset, rate: float, seed: int) -> RowWeights:
    """The weights from the probabilities that the mechanism used, and the cause that it used for each variable."""
    noise = MissingAtRandom(rate)
    incomplete = [name for name, count in zip(data.names, data.missing_counts, strict=True) if count]
    candidates = sorted(noise.find_causes(data.names, tuple(incomplete)))
    logs: list[NDArray[np.int16] | None] = [None] * len(data.names)
    causes: list[list[int]] = [[] for _ in data.names]
    for name in incomplete:
        v = data.names.index(name)
        chances = noise._chances(clean, name, candidates, seed)
        generator = stream(seed, f"{noise.noise} cause", name)  # as `_chances` draws it
        causes[v] = [clean.index(candidates[int(generator.integers(len(candidates)))])]
        steps = np.rint(LOG_STEPS * np.log2((1 - rate) / np.maximum(1 - chances, 1e-9)))
        logs[v] = np.where(data.columns[v].missing, 0, np.clip(steps, -MOST_STEPS, MOST_STEPS)).astype(np.int16)
    return RowWeights(logs, causes)


def share_of_rows(data: Dataset, weights: RowWeights, members: tuple[int, ...]) -> float:
    """(sum of weights)^2 / sum of squares, divided by the number of rows that are complete in the members."""
    rows = np.ones(data.rows, np.bool_)
    total = np.zeros(data.rows)
    for v in members:
        rows &= ~data.columns[v].missing
        if (mine := weights.logs[v]) is not None:
            total += mine / LOG_STEPS
    values = np.exp2(np.clip(total[rows], -5, 5))
    return float(values.sum() ** 2 / (values**2).sum() / len(values)) if len(values) else 1.0


def bias(clean: Dataset, data: Dataset, weights: RowWeights | None, v: int) -> float:
    """Half the sum of absolute differences between the distribution in complete and in observed (weighted) rows."""
    rows = ~data.columns[v].missing
    mine = None if weights is None else weights.logs[v]
    values = np.ones(data.rows) if mine is None else np.exp2(mine / LOG_STEPS)
    seen = np.bincount(data.discrete[v].codes[rows], values[rows], len(data.labels[v]))
    whole = np.bincount(clean.codes[v], minlength=len(clean.labels[v]))
    order = [clean.labels[v].index(label) for label in data.labels[v]]
    return float(np.abs(seen / seen.sum() - whole[order] / whole.sum()).sum() / 2)


def learn_with(
    sample: Dataset, truth: DAG | MixedGraph, method: str, weights: RowWeights | None = None
) -> dict[str, float]:
    """F1 and the number of edges of hc; `weights` takes the place of the estimated ones."""
    with pytest.MonkeyPatch.context() as patch:
        if weights is not None:
            patch.setattr(solving, "weigh_rows", lambda _: weights)
        found = learn(sample, "hc", threads=1, missing=method)
    return {"F1": float(compare(found.pattern, truth)["f1"]), "edges": len(found.arcs)}


def examine(name: str, rows: int, seed: int, rate: float) -> dict[str, float]:
    network = load_network(name)
    clean = simulate(network, rows, seed).data
    made = simulate(network, rows, seed, MissingAtRandom(rate))
    data, truth = made.data.state_as_missing(), made.truth()
    right, estimated = true_weights(clean, data, rate, seed), weigh_rows(data)
    holes = [v for v, count in enumerate(data.missing_counts) if count]
    found = find_causes(data)
    near = {(data.names.index(a), data.names.index(b)) for a, b in network.arcs}
    adjacent = [v for v in holes if (v, right.causes[v][0]) in near or (right.causes[v][0], v) in near]
    pairs = list(combinations(holes, 2))[:200]
    learned = {
        "clean": learn_with(clean, truth, "drop"),
        "pairwise": learn_with(made.data, truth, "pairwise"),
        "weighted": learn_with(made.data, truth, "weighted"),
        "true weights": learn_with(made.data, truth, "weighted", right),
    }
    figures: dict[str, object] = {
        "true cause found": np.mean([right.causes[v][0] in found[v] for v in holes]),
        "other causes per variable": np.mean([len(set(found[v]) - set(right.causes[v])) for v in holes]),
        "cause adjacent": len(adjacent) / len(holes),
        "bias unweighted": np.mean([bias(clean, data, None, v) for v in holes]),
        "bias weighted": np.mean([bias(clean, data, estimated, v) for v in holes]),
        "effective rows, one": np.mean([share_of_rows(data, right, (v,)) for v in holes]),
        "effective rows, pair": np.mean([share_of_rows(data, right, pair) for pair in pairs]),
        **{f"{key} {method}": found[key] for key in ("F1", "edges") for method, found in learned.items()},
    }
    return {key: float(str(value)) for key, value in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rate", type=float, default=0.3)
    given = parser.parse_args()
    for size in given.sizes:
        cells = [examine(name, size, seed, given.rate) for name in given.networks for seed in given.seeds]
        print(f"{size:,} rows, MAR {given.rate}, {len(cells)} data sets; means:")
        for key in cells[0]:
            print(f"  {key}: {np.mean([cell[key] for cell in cells]):.3f}")
        print("  F1 weighted - pairwise, per data set:", end="")
        print("".join(f" {cell['F1 weighted'] - cell['F1 pairwise']:+.3f}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
