"""Contexts: are the mechanisms found that differ between places, and no others?

    python benchmarks/bench_contexts.py [--rows 2000 10000] [--seeds 3]

Samples of networks from two, four or fifty places. In each place two (with fifty: four) variables have tables of their
own, drawn anew from a Dirichlet distribution; the context is the place. "determined" adds a second context that the
first determines (its region). Recall: changed variables that the context has an arc to. False: arcs out of contexts to
other variables, as a share of these. Edges: F1 of the adjacencies among the other variables, with the context and in
pooled rows without it.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Any

import numpy as np

import mahc
from mahc.data import Dataset, Discrete
from mahc.networks import Network, load_network, sample

NETWORKS = ("asia", "child", "alarm", "insurance")
ALGORITHMS = ("boss", "mahc", "pc-stable", "fci")


Shifted = tuple[Dataset, set[str], list[str]]  # the rows, the variables that differ, the contexts


def changed(network: Network, nodes: list[int], generator: np.random.Generator) -> Network:
    tables = list(network.tables)
    for node in nodes:
        states = tables[node].shape[1]
        tables[node] = generator.dirichlet(np.ones(states), size=len(tables[node]))
    return replace(network, tables=tuple(tables))


def shifted(network: Network, places: int, rows: int, seed: int, determined: bool) -> Shifted:
    generator = np.random.default_rng([seed, places])
    nodes = sorted(generator.choice(len(network.names), 4 if places > 10 else 2, replace=False).tolist())
    parts = [
        sample(
            changed(network, nodes, generator) if place else network,
            rows // places,
            1000 * seed + place,
            unseen_states=True,
        )
        for place in range(places)
    ]
    data = parts[0]
    for part in parts[1:]:
        data = data.stack(part)
    place = np.repeat(np.arange(places, dtype=np.uint32), rows // places)
    names, columns = ["place"], [Discrete(tuple(f"p{k}" for k in range(places)), place)]
    if determined:
        names.append("region")
        columns.append(Discrete(("north", "south"), place % 2))
    data = Dataset((*data.names, *names), (*data.columns, *columns)).without_unused_states()
    return data, {network.names[v] for v in nodes}, names


def measure(network: Network, algorithm: str, places: int, rows: int, seed: int, determined: bool) -> tuple[float, ...]:
    data, wanted, contexts = shifted(network, places, rows, seed, determined)
    began = time.process_time()
    learned = mahc.learn(data, algorithm, context=contexts)
    took = time.process_time() - began
    found = {name for names in learned.changes.values() for name in names}
    others = len(network.names) - len(wanted)
    pooled = mahc.learn(data.select(network.names), algorithm)
    truth = {frozenset(arc) for arc in network.arcs}
    return (
        len(found & wanted) / len(wanted),
        len(found - wanted) / others,
        edges(learned, truth, set(contexts)),
        edges(pooled, truth, set()),
        took,
    )


def edges(learned: Any, truth: set[frozenset[str]], contexts: set[str]) -> float:
    found = {frozenset(pair) for pair in learned.outcome.adjacent if not contexts & set(pair)}
    return 2 * len(found & truth) / max(1, len(found) + len(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[2000, 10000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--names", nargs="+", default=list(NETWORKS))
    given = parser.parse_args()
    print("places           rows   algorithm   recall   false   edges   edges pooled   seconds")
    for places, determined in ((2, False), (4, False), (4, True), (50, False)):
        for rows in given.rows:
            for algorithm in ALGORITHMS:
                found = [
                    measure(load_network(name), algorithm, places, rows, seed, determined)
                    for name in given.names
                    for seed in range(1, given.seeds + 1)
                ]
                recall, false, with_context, pooled, took = np.mean(found, axis=0)
                label = f"{places}{', determined' if determined else ''}"
                print(
                    f"{label:15} {rows:6}   {algorithm:10} {recall:7.3f} {false:7.3f} "
                    f"{with_context:7.3f} {pooled:10.3f} {took:12.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
