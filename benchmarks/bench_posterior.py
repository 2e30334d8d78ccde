"""The posterior: its price against resamples of boss, its growth, and how well its probabilities are calibrated.

    python benchmarks/bench_posterior.py [--quick | --calibration | --graphs] | tee benchmarks/results/posterior.md

Times are processor seconds, contestants in turn. `--calibration` measures log loss and calibration error on networks
that had no part in the design of the sampler (docs/explanation/posterior.md), `--graphs NETWORK ...` F1 and SHD of one
graph from each distribution (without names: all networks of the page).
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from charts import Points, log_chart
from timing import describe_machine, smallest

import mahc
from mahc.data import Dataset
from mahc.graphs import MixedGraph
from mahc.measures import compare
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import parse_noise

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "posterior-growth.svg"
GRAPHS = ("asia", "sachs", "child", "insurance", "alarm", "water", "hailfinder")
UNSEEN = ("mildew", "munin1", "andes")


def say(line: str) -> None:
    """Print a line now: the load may end a run early."""
    print(line, flush=True)


def against_boss(rounds: int) -> None:
    """Processor time of 300 graphs as a multiple of that of 30 resamples of boss."""
    for name, rows in (("asia", 1000), ("alarm", 100), ("alarm", 1000), ("alarm", 10_000), ("insurance", 1000)):
        data = sample(load_network(name), rows, 1)
        found = smallest(
            {
                "posterior": partial(mahc.posterior, data, threads=1),
                "boss": partial(mahc.bootstrap, data, "boss", resamples=30, threads=1),
            },
            rounds,
            time.process_time,
        )
        ratio = found["posterior"] / found["boss"]
        say(f"| {name} | {rows:,} | {found['posterior']:.2f} | {found['boss']:.2f} | {ratio:.2f} |")


def wide(variables: int, rows: int) -> Dataset:
    """Copies of alarm side by side, cut to this number of variables."""
    columns: dict[str, list[object]] = {}
    number = 0
    while len(columns) < variables:
        data = sample(load_network("alarm"), rows, number + 1)
        for labels, codes, name in zip(data.labels, data.codes, data.names, strict=True):
            if len(columns) < variables:
                columns[f"{name}{number}"] = [labels[code] for code in codes.tolist()]
        number += 1
    return mahc.read(columns)


def growth(sizes: tuple[int, ...], rows: tuple[int, ...]) -> None:
    """Processor time by variables (1,000 rows) and by rows (alarm), one thread; a full run writes the picture."""
    by_variables = [(n, _grow(f"{n} variables, 1,000 rows", wide(n, 1000))) for n in sizes]
    by_rows = [(n, _grow(f"alarm, {n:,} rows", sample(load_network("alarm"), n, 1))) for n in rows]
    if len(rows) > 1:
        PICTURE.write_text(draw_growth(by_variables, by_rows), encoding="utf-8")


def draw_growth(by_variables: Points, by_rows: Points) -> str:
    """The picture."""
    lines = {"by variables, 1,000 rows": by_variables, "by rows, alarm (37 variables)": by_rows}
    return log_chart("Posterior, 300 graphs, one thread", "variables or rows", "processor seconds", lines)


def _grow(title: str, data: Dataset) -> float:
    began = time.process_time()
    mahc.learn(data, "boss", threads=1)
    middle = time.process_time()
    found = mahc.posterior(data, threads=1)
    seconds = time.process_time() - middle
    assert found.mixing is not None
    say(f"| {title} | {middle - began:.2f} | {seconds:.2f} | {len(found.mixing.differing)} | {found.mixing.agree} |")
    return seconds


def calibration(rows: tuple[int, ...], seeds: tuple[int, ...]) -> None:
    """Log loss of adjacencies per true edge, and calibration error, on networks that the design has not seen."""
    sums: dict[tuple[int, str, str], list[tuple[float, float]]] = {}
    for name, number, noise, seed in _cells(UNSEEN, rows, seeds):
        drawn = simulate(load_network(name), number, seed, parse_noise(noise) if noise != "clean" else None)
        found = samples(drawn.data) | {
            "posterior, beta 1": mahc.posterior(drawn.data, beta=1.0),
            "posterior, beta 0.25": mahc.posterior(drawn.data, beta=0.25),
        }
        for title, each in found.items():
            sums.setdefault((number, noise, title), []).append(measure(each, drawn.truth()))
    for (number, noise, title), values in sums.items():
        loss, error = np.mean(values, axis=0)
        say(f"| {number:,} | {noise} | {title} | {len(values)} | {loss:.2f} | {error:.3f} |")


def samples(data: Dataset) -> dict[str, mahc.GraphSample]:
    """The distributions that are compared."""
    boss, half = mahc.bootstrap(data, "boss", resamples=40), mahc.posterior(data)
    return {"bootstrap of boss": boss, "posterior": half, "mean of both": mahc.combine(half, boss)}


def graphs(networks: tuple[str, ...], rows: tuple[int, ...], seeds: tuple[int, ...]) -> None:
    """F1 and SHD of boss, and of one graph from each distribution by each rule."""
    sums: dict[tuple[int, str, str], list[tuple[float, float]]] = {}
    for name, number, noise, seed in _cells(networks, rows, seeds):
        drawn = simulate(load_network(name), number, seed, parse_noise(noise) if noise != "clean" else None)
        made = {"boss": mahc.learn(drawn.data, "boss").pattern}
        for title, each in samples(drawn.data).items():
            made |= {f"{title}, {rule}": mahc.average(each, rule=rule).graph for rule in ("f1", "shd", "median")}
        for title, graph in made.items():
            compared = compare(graph, drawn.truth())
            sums.setdefault((number, noise, title), []).append((compared["f1"], compared["shd"]))
    for (number, noise, title), values in sums.items():
        f1, shd = np.mean(values, axis=0)
        say(f"| {number:,} | {noise} | {title} | {len(values)} | {f1:.3f} | {shd:.2f} |")


def _cells(
    networks: tuple[str, ...], rows: tuple[int, ...], seeds: tuple[int, ...]
) -> Iterator[tuple[str, int, str, int]]:
    for number in rows:
        for noise in ("clean", "cMISL"):
            for name in networks:
                for seed in seeds:
                    yield name, number, noise, seed


def measure(found: mahc.GraphSample, truth: MixedGraph) -> tuple[float, float]:
    """Log loss of adjacencies per true edge, probabilities kept from 0.5 to 99.5 %; and the calibration error.

    Both over the pairs that a graph of the sample or the truth joins; ten bins.
    """
    share = found.edge_counts.edge_matrix() / found.size
    place = {name: v for v, name in enumerate(found.variables)}
    true = np.zeros(share.shape, np.bool_)
    for edge in truth.edges:
        i, j = place[edge.left], place[edge.right]
        true[i, j] = true[j, i] = True
    upper = np.triu_indices(len(true), 1)
    share, true = share[upper], true[upper]
    counted = (share > 0) | true
    share, true = share[counted], true[counted]
    kept = np.clip(share, 0.005, 0.995)
    loss = -float(np.where(true, np.log(kept), np.log(1 - kept)).sum()) / max(1, int(true.sum()))
    bins = np.minimum((share * 10).astype(int), 9)
    gaps = [abs(float((share - true)[bins == each].sum())) for each in range(10)]
    return loss, sum(gaps) / max(1, len(share))


def memory() -> None:
    """The most memory of Python's own objects for a wide table."""
    data = wide(200, 1000)
    tracemalloc.start()
    mahc.posterior(data, samples=50, threads=1)
    peak = tracemalloc.get_traced_memory()[1]
    say(f"\n200 variables, 1,000 rows: {peak / 1e6:.0f} MB at most in arrays and objects.")
    tracemalloc.stop()


def main() -> None:
    """Run what was asked for."""
    quick = "--quick" in sys.argv
    say(f"# Posterior\n\n{describe_machine()}\n")
    if "--calibration" in sys.argv:
        say("| rows | data | probabilities | cells | log loss per true edge | ECE |\n|---|---|---|---|---|---|")
        calibration((100, 1000), (201,))
        return
    if "--graphs" in sys.argv:
        say("| rows | data | graph | cells | F1 | SHD |\n|---|---|---|---|---|---|")
        named = tuple(sys.argv[sys.argv.index("--graphs") + 1 :])
        graphs(named or GRAPHS, (100, 500, 1000), (401, 402))
        return
    say("## Price\n\n| network | rows | 300 graphs, CPU s | 30 resamples of boss, CPU s | ratio |")
    say("|---|---|---|---|---|")
    against_boss(2 if quick else 4)
    say(
        "\n## Growth\n"
        "\n| data | boss, CPU s | posterior, CPU s | pairs that differ | chains agree |\n|---|---|---|---|---|"
    )
    if quick:
        growth((37, 74), (1000,))
    else:
        growth((37, 74, 150, 300, 500), (100, 1000, 10_000, 100_000))
    memory()


if __name__ == "__main__":
    main()
