"""FCI with all sets of its definition and with only those that can be needed: time and accuracy.

    python benchmarks/bench_fci_sets.py                                  # everything, about ten minutes
    python benchmarks/bench_fci_sets.py --networks asia alarm --seeds 3 --limit 10

Samples of networks with a tenth of their variables hidden; F1 and SHD against the true PAG. Means over the seeds for
which both ended within the limit; how many that were is said. A second table counts the sets that there are at the
beginning of the second round, over all pairs. Writes fci-sets.md to benchmarks/results.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from timing import describe_machine

import mahc
from mahc.algorithms.constraint_based.algorithms import FCI
from mahc.algorithms.constraint_based.fci import orient_unshielded_colliders, possible_d_sep
from mahc.algorithms.constraint_based.needed_sets import (
    find_biconnected_components,
    find_non_ancestors,
    possible_ancestors,
    restrict_pools,
)
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.engine import EngineRows
from mahc.graphs.bitset import members
from mahc.independence import IndependenceTest, TableOracle
from mahc.measures import compare
from mahc.networks import Simulation, load_network, sample, simulate
from mahc.networks.noise import Latent

NETWORKS = ["asia", "sachs", "child", "insurance", "alarm", "water", "mildew"]
ROWS = [1_000, 10_000]
COUNTED = [("alarm", 10_000), ("hepar2", 10_000), ("andes", 10_000), ("hepar2", 100_000)]
Outcome = tuple[float, float, float, float]  # F1, SHD, edges, seconds


def learn(case: Simulation, only_needed: bool, limit: float) -> Outcome | None:
    """One graph and how good it is; None where the limit ended it."""
    began = time.perf_counter()
    found = mahc.learn(case.data, FCI(only_needed=only_needed), time_limit=limit)
    seconds = time.perf_counter() - began
    if found.stop_reason != "converged":
        return None
    measures = compare(found.graph, case.network.dag, case.truth_kind, case.latents).measures
    return measures["f1"], measures["shd"], len(found.edges or ()), seconds


def line(network: str, rows: int, seeds: Sequence[int], limit: float) -> str:
    """One line of the table."""
    needed: list[Outcome] = []
    every: list[Outcome] = []
    for seed in seeds:
        case = simulate(load_network(network), rows, seed, Latent(rate=0.1))
        mine, textbook = learn(case, True, limit), learn(case, False, limit)
        if mine is not None and textbook is not None:
            needed.append(mine)
            every.append(textbook)
    both = f"| {network} | {rows:,} | {len(every)} of {len(seeds)} "
    for outcomes in (needed, every):
        if not outcomes:
            return both + "| - " * 8 + "|"
        f1, shd, edges, seconds = (sum(values) / len(values) for values in zip(*outcomes, strict=True))
        both += f"| {f1:.3f} | {shd:.1f} | {edges:.1f} | {seconds:.3f} s "
    return both + "|"


def count_sets(network: str, rows: int) -> str:
    """One line of the second table."""
    data = sample(load_network(network), rows, seed=1)
    oracle = TableOracle(EngineRows(data), IndependenceTest("x2"))
    skeleton = Skeleton(oracle, no_constraints(data.names), 0.01)
    skeleton.separate_by_neighbours(None, only_needed=False)
    adjacent = skeleton.adjacent
    pools = possible_d_sep(orient_unshielded_colliders(skeleton, no_constraints(data.names)))
    denied = find_non_ancestors(oracle, 0.01, adjacent, skeleton.separations) or []
    blocks = find_biconnected_components(adjacent)
    in_blocks = [
        (y, pools[x] & block) for x, mine in enumerate(blocks) for block in mine for y in members(adjacent[x] & block)
    ]
    needed = restrict_pools(pools, blocks, possible_ancestors(adjacent, denied), adjacent)
    counts = (
        sum(bits.bit_count() << (pools[x].bit_count() - 1) for x, bits in enumerate(adjacent) if bits),
        sum(1 << (pool & ~(1 << y)).bit_count() for y, pool in in_blocks),
        sum(1 << (pool & ~(1 << y)).bit_count() for _, bits, pool in needed for y in members(bits)),
    )
    return (
        f"| {network} | {rows:,} | "
        + " | ".join(f"{count:.3g}" if count > 1e6 else f"{count:,}" for count in counts)
        + " |"
    )


def main() -> None:
    """Learn, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS)
    parser.add_argument("--seeds", type=int, default=5, help="how many samples of each")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each graph")
    arguments = parser.parse_args()
    lines = [
        f"{describe_machine()}.",
        "",
        "| network | rows | both ended | needed: F1 | SHD | edges | time | all: F1 | SHD | edges | time |",
        "|---" * 11 + "|",
    ]
    print("\n".join(lines), flush=True)
    for network in arguments.networks:
        for rows in arguments.rows:
            lines.append(line(network, rows, range(1, arguments.seeds + 1), arguments.limit))
            print(lines[-1], flush=True)
    lines += ["", "| network | rows | sets by definition | in blocks | needed |", "|---" * 5 + "|"]
    for network, rows in [] if arguments.rows != ROWS else COUNTED:
        lines.append(count_sets(network, rows))
        print(lines[-1], flush=True)
    results = Path(__file__).resolve().parent / "results" / "fci-sets.md"
    results.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
