"""Rows of experiments: what knowing the targets is worth.

    python benchmarks/bench_interventions.py sachs [--folder ../shared/data/sachs]
    python benchmarks/bench_interventions.py networks [--rows 1000 10000]
    python benchmarks/bench_interventions.py classes      # exact on random DAGs: the true essential graph?
    python benchmarks/bench_interventions.py gaussian     # beside GIES (pip install gies)

F1 and SHD are those of arcs: an arc counts where the graph directs it as the true DAG does, and an edge in the wrong
direction, or without one, counts as one error. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from pathlib import Path
from typing import Any

import numpy as np

import mahc
from mahc.data import Dataset
from mahc.graphs import DAG, MixedGraph
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.experiments import record_experiments
from mahc.networks import Network, load_network, sample
from mahc.results.outcomes.dag import find_pattern

NETWORKS = ("asia", "alarm", "child", "insurance", "hailfinder", "win95pts")
CONSENSUS = (
    "PKC Raf, PKC Mek, PKC Jnk, PKC P38, PKC PKA, PKA Raf, PKA Mek, PKA Erk, PKA Akt, PKA Jnk, PKA P38, Raf Mek, "
    "Mek Erk, Erk Akt, Plcg PIP2, Plcg PIP3, PIP3 PIP2"
)
Arcs = set[tuple[str, str]]


def compare(found: MixedGraph, truth: Arcs) -> tuple[float, int]:
    """F1 and SHD of arcs."""
    directed = {(e.left, e.right) for e in found.edges if e.mark == "-->"}
    directed |= {(e.right, e.left) for e in found.edges if e.mark == "<--"}
    joined = {frozenset((e.left, e.right)) for e in found.edges}
    right = len(directed & truth)
    wanted = {frozenset(arc) for arc in truth}
    f1 = 2 * right / max(1, len(joined) + len(truth))
    return f1, len(joined ^ wanted) + len(joined & wanted) - right


def as_mixed(dag: DAG) -> MixedGraph:
    return find_pattern(dag, Knowledge(required_arcs=dag.arcs))


def sachs(folder: Path) -> None:
    file = folder / "sachs.interventional.txt"
    truth = {(a, b) for a, b in (pair.split() for pair in CONSENSUS.split(", "))}
    known: dict[str, Any] = {"interventions": "INT", "interventions_coded": True}
    print("algorithm, score          targets    arcs   right  reversed   F1     SHD   (of the DAG)")
    searches: tuple[tuple[str, dict[str, Any]], ...] = (
        ("tabu", {"objective": "bdeu", "equivalent_sample_size": 15}),
        ("mahc", {}),
        ("boss", {}),
    )
    for algorithm, score in searches:
        for label, reading in (
            ("unknown", {"drop": ["INT"]}),
            ("set", known),
            ("changed", known | {"mechanism": "changed"}),
        ):
            learned = mahc.learn(file, algorithm, **score, **reading)
            f1, shd = compare(as_mixed(learned.dag), truth)
            arcs = set(learned.arcs)
            turned = len({(b, a) for a, b in arcs} & truth)
            shown = f"{algorithm}, {learned.run.score.name}"
            print(f"{shown:25} {label:10} {len(arcs):4} {len(arcs & truth):7} {turned:8} {f1:8.3f} {shd:5}", flush=True)
    # The procedure of the book: an average over many graphs, arcs of more than 85 %.
    for label, reading in (("unknown", {"drop": ["INT"]}), ("set", known)):
        drawn = mahc.bootstrap(
            file, "tabu", objective="bdeu", equivalent_sample_size=15, resamples=200, seed=1, **reading
        )
        found = mahc.average(drawn, threshold=0.85)
        arcs = set(found.dag.arcs if found.dag is not None else ())
        f1, shd = compare(as_mixed(DAG(found.graph.names, sorted(arcs))), truth)
        turned = len({(b, a) for a, b in arcs} & truth)
        print(
            f"{'tabu, 200 resamples > .85':25} {label:10} {len(arcs):4} {len(arcs & truth):7} {turned:8} "
            f"{f1:8.3f} {shd:5}"
        )


def experiments_of(network: Network, rows: int, targets: int, seed: int) -> Dataset:
    """A tenth of the rows for each target, the others without an experiment."""
    generator = np.random.default_rng([seed, targets])
    chosen = sorted(generator.choice(len(network.names), targets, replace=False).tolist())
    each = rows // 10
    free = rows - each * len(chosen)
    if not free:  # every row belongs to an experiment, and every variable is free in nine of ten
        first = chosen.pop(0)
        data = sample(network, each, seed, do=[network.names[first]], unseen_states=True)
    else:
        data = sample(network, free, seed, unseen_states=True)
    for node in chosen:
        data = data.stack(sample(network, each, seed, do=[network.names[node]], unseen_states=True))
    return data.without_unused_states()


def networks(sizes: list[int], names: list[str], seeds: int) -> None:
    print("network      rows  targets   F1 known  F1 ignored   SHD known  SHD ignored   seconds")
    for name in names:
        network = load_network(name)
        truth = set(network.arcs)
        for rows in sizes:
            for targets in (0, 3, 10):
                if targets >= len(network.names):
                    continue
                found = []
                began = time.process_time()
                for seed in range(1, seeds + 1):
                    data = experiments_of(network, rows, targets, seed)
                    plain = Dataset(data.names, data.columns)
                    one, two = (compare(mahc.learn(each, "boss").cpdag, truth) for each in (data, plain))
                    found.append((*one, *two))
                f1, shd, plain_f1, plain_shd = np.mean(found, axis=0)
                took = time.process_time() - began
                print(
                    f"{name:11} {rows:6} {targets:6} {f1:10.3f} {plain_f1:10.3f} "
                    f"{shd:10.1f} {plain_shd:10.1f} {took:12.1f}",
                    flush=True,
                )


def random_network(generator: np.random.Generator, strength: float) -> Network:
    """A binary network of 4 to 8 variables; each parent moves the log odds of its child by `strength` to 2 x that."""
    n = int(generator.integers(4, 9))
    names = tuple(f"x{v}" for v in range(n))
    parents = [tuple(u for u in range(v) if generator.random() < 2.2 / (n - 1)) for v in range(n)]
    parents = [
        tuple(sorted(generator.choice(own, 3, replace=False).tolist())) if len(own) > 3 else own for own in parents
    ]
    tables = []
    for own in parents:
        weights = generator.uniform(strength, 2 * strength, len(own)) * generator.choice([-1, 1], len(own))
        configurations = np.array(list(np.ndindex(*(2,) * len(own)))).reshape(2 ** len(own), len(own))
        odds = generator.uniform(-0.3, 0.3) + (configurations - 0.5) @ weights
        p = 1 / (1 + np.exp(-odds))
        tables.append(np.stack([1 - p, p], axis=1))
    return Network("random", names, (("0", "1"),) * n, tuple(parents), tuple(tables))


def classes(graphs: int, rows: int, strength: float) -> None:
    right, total = 0, 0
    began = time.process_time()
    for seed in range(graphs):
        generator = np.random.default_rng(seed)
        network = random_network(generator, strength)
        targets = [
            sorted(generator.choice(len(network.names), int(generator.integers(1, 3)), replace=False).tolist())
            for _ in range(int(generator.integers(1, 4)))
        ]
        each = rows // (len(targets) + 1)
        data = sample(network, each, seed, unseen_states=True)
        for place, own in enumerate(targets):
            do = [network.names[v] for v in own]
            data = data.stack(sample(network, each, seed + 1000 * (place + 1), do=do, unseen_states=True))
        learned = mahc.learn(data, "exact", search_in_degree=4)
        truth = find_pattern(network.dag, Knowledge(), record_experiments(data))
        right += learned.cpdag.edges == truth.edges
        total += 1
    print(
        f"{rows:,} rows, log odds of an arc at least {strength:g}: the true interventional essential graph in "
        f"{right} of {total} ({time.process_time() - began:.0f} s)"
    )


def gaussian(graphs: int, rows: int, variables: int) -> None:
    gies: Any = importlib.import_module("gies") if importlib.util.find_spec("gies") else None
    found: dict[str, list[tuple[float, float, float]]] = {}
    for seed in range(graphs):
        generator = np.random.default_rng(seed)
        order = generator.permutation(variables)
        weights = np.zeros((variables, variables))
        for i, v in enumerate(order):
            for u in order[:i]:
                if generator.random() < 3 / (variables - 1):
                    weights[u, v] = generator.uniform(0.4, 1) * generator.choice([-1, 1])
        names = [f"x{v}" for v in range(variables)]
        truth = {(names[u], names[v]) for u, v in zip(*np.nonzero(weights), strict=True)}
        targets: list[list[int]] = [[], *([int(v)] for v in generator.choice(variables, 3, replace=False))]
        parts = []
        for own in targets:
            noise = generator.normal(size=(rows // len(targets), variables))
            values = np.zeros_like(noise)
            for v in order:
                values[:, v] = noise[:, v] + (2 if v in own else values @ weights[:, v])
            parts.append(values)
        columns = {name: np.concatenate([part[:, v] for part in parts]) for v, name in enumerate(names)}
        listed = [[names[v] for v in own] for own in targets for _ in range(rows // len(targets))]
        ways: tuple[tuple[str, dict[str, Any]], ...] = (("known", {"interventions": listed}), ("ignored", {}))
        for label, reading in ways:
            for algorithm, score in (("boss", "gaussian-bic"), ("boss", "bge"), ("mahc", "gaussian-bic")):
                began = time.process_time()
                learned = mahc.learn(columns, algorithm, objective=score, **reading)
                took = time.process_time() - began
                key = f"{algorithm} {score}, {label}"
                found.setdefault(key, []).append((*compare(learned.cpdag, truth), took))
        if gies is not None:
            began = time.process_time()
            matrix, _ = gies.fit_bic(parts, targets)
            took = time.process_time() - began
            marks = [[0] * variables for _ in range(2)]
            for u, v in zip(*np.nonzero(matrix), strict=True):
                marks[1 if matrix[v, u] else 0][v] |= 1 << int(u)
            pattern = MixedGraph.from_arcs(names, *marks)
            found.setdefault("gies", []).append((*compare(pattern, truth), took))
    print(
        f"{graphs} linear Gaussian networks of {variables} variables, {rows} rows, "
        "3 targets with a quarter of the rows each"
    )
    for key, each in found.items():
        f1, shd, took = np.mean(each, axis=0)
        print(f"{key:30} F1 {f1:.3f}  SHD {shd:5.1f}  {took:7.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sachs", "networks", "classes", "gaussian"])
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "sachs")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--names", nargs="+", default=list(NETWORKS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--strength", type=float, default=1.0)
    parser.add_argument("--variables", type=int, default=15)
    given = parser.parse_args()
    if given.what == "sachs":
        sachs(given.folder)
    elif given.what == "networks":
        networks(given.rows, given.names, given.seeds)
    elif given.what == "classes":
        classes(given.graphs, max(given.rows), given.strength)
    else:
        gaussian(given.graphs, min(given.rows), given.variables)


if __name__ == "__main__":
    main()
