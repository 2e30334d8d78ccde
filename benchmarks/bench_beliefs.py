"""How wrong may beliefs be before they do harm? F1 of boss with truthful, noisy and adversarial beliefs.

    python benchmarks/bench_beliefs.py [--networks asia,sports,property,alarm,formed,pathfinder] [--rows 100,1000,10000]

A simulated expert states a belief about some arcs: half of the true arcs, and as many pairs that are not joined. Of an
arc that it takes for true it says p, of one that it takes for false 1 - p. It is wrong about a share of its statements:
0 (truthful), 0.2 and 0.4 (noisy), 0.5 (guessing), 1 (adversarial: what is true is called false, the reverse of an arc
is called true). F1 is against the true DAG, direction included; the mean over networks and seeds. The case studies
come from ../shared/networks (MAHC_NETWORKS).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

import mahc
from mahc.measures import compare
from mahc.networks import load_network, sample
from mahc.networks.network import Network

STRENGTHS = (0.6, 0.8, 0.95, 0.99)
WRONG = {"truthful": 0.0, "20 % wrong": 0.2, "40 % wrong": 0.4, "guessing": 0.5, "adversarial": 1.0}


def state_beliefs(network: Network, strength: float, wrong: float, random: np.random.Generator) -> list[str]:
    """What the expert says."""
    arcs, names = list(network.dag.arcs), network.names
    chosen = [arcs[k] for k in random.permutation(len(arcs))[: max(1, len(arcs) // 2)].tolist()]
    joined = {frozenset(arc) for arc in arcs}
    free = [(u, v) for u in names for v in names if u != v and frozenset((u, v)) not in joined]
    others = [free[k] for k in random.permutation(len(free))[: len(chosen)].tolist()]
    said = []
    for (tail, head), true in [*((arc, True) for arc in chosen), *((arc, False) for arc in others)]:
        mistaken = random.random() < wrong
        if true and mistaken:
            said += [f"{tail} -> {head} = {1 - strength:.4f}", f"{head} -> {tail} = {strength:.4f}"]
        else:
            said.append(f"{tail} -> {head} = {strength if true != mistaken else 1 - strength:.4f}")
    return said


def main() -> None:
    os.environ.setdefault("MAHC_NETWORKS", str(Path(__file__).resolve().parents[2] / "shared" / "networks"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="asia,sports,property,alarm,formed,pathfinder")
    parser.add_argument("--rows", default="100,1000,10000")
    parser.add_argument("--seeds", default="1,2,3")
    given = parser.parse_args()
    print(f"| rows | expert | no beliefs | {' | '.join(f'p = {p}' for p in STRENGTHS)} |")
    print(f"|{'---|' * (3 + len(STRENGTHS))}")
    for rows in map(int, given.rows.split(",")):
        plain: list[float] = []
        found: dict[tuple[str, float], list[float]] = {}
        for name in given.networks.split(","):
            network = load_network(name)
            for seed in map(int, given.seeds.split(",")):
                data = sample(network, rows, seed)
                plain.append(compare(mahc.learn(data, "boss").dag, network.dag, as_="dag")["f1"])
                for expert, wrong in WRONG.items():
                    for strength in STRENGTHS:
                        beliefs = state_beliefs(network, strength, wrong, np.random.default_rng(seed))
                        learned = mahc.learn(data, "boss", knowledge={"beliefs": beliefs})
                        value = compare(learned.dag, network.dag, as_="dag")["f1"]
                        found.setdefault((expert, strength), []).append(value)
        for expert in WRONG:
            cells = " | ".join(f"{np.mean(found[expert, strength]):.3f}" for strength in STRENGTHS)
            print(f"| {rows:,} | {expert} | {np.mean(plain):.3f} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
