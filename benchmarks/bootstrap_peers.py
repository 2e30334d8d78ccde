"""Frequencies of edges of `mahc.bootstrap` with hc against plain loops over the hill climbing of other packages.

    python benchmarks/bootstrap_peers.py | tee benchmarks/results/bootstrap-peers.md

The loops draw resamples of their own (NumPy draws row numbers), so that frequencies differ by sampling error. A pair is
beyond it where the difference is more than 4 standard errors and one resample. For such pairs our hc learns from the
same resamples as the other package, and the table says whose graph scores better where only one of them has the edge.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from timing import describe_machine

import mahc
from mahc.data import Dataset
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import to_frame

Arcs = list[tuple[str, str]]
CASES = (("asia", 1000, 100), ("alarm", 2000, 20))  # network, rows, resamples of the other package
MORE = 4  # our resamples for each of theirs
ERRORS = 4.0
BETTER = ("ours better", "theirs better")


def pybnesian_arcs(frame: Any) -> Arcs:
    """Hill climbing of PyBNesian with BIC."""
    import pybnesian

    start, operators = pybnesian.DiscreteBN(list(frame.columns)), pybnesian.ArcOperatorSet()
    return list(pybnesian.GreedyHillClimbing().estimate(operators, pybnesian.BIC(frame), start).arcs())


def pyagrum_arcs(frame: Any) -> Arcs:
    """Hill climbing of pyAgrum with BIC and no prior."""
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    names = learner.names()
    return [(names[a], names[b]) for a, b in learner.learnDAG().arcs()]


PEERS: dict[str, Callable[[Any], Arcs]] = {"pybnesian": pybnesian_arcs, "pyagrum": pyagrum_arcs}


def resampled_frames(data: Dataset, resamples: int) -> Iterator[tuple[Dataset, Any]]:
    """Resamples drawn by NumPy, as our table and as a frame of pandas."""
    frame = to_frame(data).to_pandas()
    for number in range(resamples):
        rows = np.random.default_rng([7, number]).integers(0, len(frame), len(frame))
        table = Dataset.coded(data.names, data.labels, tuple(column[rows] for column in data.codes))
        yield table, frame.iloc[rows].reset_index(drop=True)


@dataclass(frozen=True)
class Beyond:
    """A pair whose frequencies differ by more than sampling error."""

    pair: tuple[str, str]
    here: float
    there: float
    errors: float  # the difference in standard errors
    only_one: int  # resamples in which only one of the two graphs has the edge
    ours_better: int  # of these, in which our graph has the higher score
    theirs_better: int


@dataclass(frozen=True)
class Agreement:
    """The comparison of one network with one package."""

    pairs: int
    mean_difference: float
    largest: float
    beyond: list[Beyond]
    resamples: int
    ours_better: int  # resamples in which our graph has the higher score
    theirs_better: int


@dataclass(frozen=True)
class Learned:
    """Both graphs of one resample of theirs, and how much higher ours scores, in bits."""

    ours: frozenset[frozenset[str]]
    theirs: frozenset[frozenset[str]]
    gain: float


def learn_both(table: Dataset, arcs: Arcs) -> Learned:
    """Our graph of a resample beside theirs."""
    ours = mahc.learn(table, "hc", search_in_degree=8, threads=1).dag
    theirs = mahc.DAG(table.names, arcs)
    gain = mahc.score_graph(ours, table).total - mahc.score_graph(theirs, table).total
    return Learned(frozenset(map(frozenset, ours.arcs)), frozenset(map(frozenset, theirs.arcs)), gain)


def count_better(graphs: Sequence[Learned]) -> tuple[int, int]:
    """In how many our graph scores higher, and in how many theirs; rounding is not a difference."""
    return sum(each.gain > 1e-6 for each in graphs), sum(each.gain < -1e-6 for each in graphs)


def compare(network: str, rows: int, resamples: int, learn: Callable[[Any], Arcs]) -> Agreement:
    """Frequencies over their resamples against frequencies over ours."""
    data = sample(load_network(network), rows, seed=1)
    graphs = [learn_both(table, learn(frame)) for table, frame in resampled_frames(data, resamples)]
    theirs = Counter(edge for each in graphs for edge in each.theirs)
    ours = mahc.bootstrap(data, "hc", resamples=MORE * resamples, search_in_degree=8)
    beyond, differences = [], []
    for pair in combinations(data.names, 2):
        edge = frozenset(pair)
        here, there = ours.edge(*pair), theirs[edge] / resamples
        differences.append(abs(here - there))
        pooled = (here * MORE + there) / (MORE + 1)
        error = math.sqrt(pooled * (1 - pooled) * (1 / resamples + 1 / (MORE * resamples)))
        if abs(here - there) > ERRORS * error + 1 / resamples:
            apart = [each for each in graphs if (edge in each.ours) != (edge in each.theirs)]
            errors = abs(here - there) / error if error else math.inf
            beyond.append(Beyond(pair, here, there, errors, len(apart), *count_better(apart)))
    beyond.sort(key=lambda each: -abs(each.here - each.there))
    mean = sum(differences) / len(differences)
    return Agreement(len(differences), mean, max(differences), beyond, resamples, *count_better(graphs))


def print_row(*cells: object) -> None:
    """A row of a Markdown table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> None:
    """Print a table of all comparisons, and one of the pairs beyond sampling error."""
    print("# Bootstrap frequencies against other packages\n\n    python benchmarks/bootstrap_peers.py\n")
    print(
        "| network | package | pairs | mean difference | largest | beyond 4 s.e. | our graph better | theirs better |"
    )
    print("|---|---|---|---|---|---|---|---|")
    details: list[tuple[str, str, Beyond]] = []
    for network, rows, resamples in CASES:
        for peer, learn in PEERS.items():
            try:
                found = compare(network, rows, resamples, learn)
            except ImportError:
                print(f"{peer} is not installed: left out", file=sys.stderr)
                continue
            better = [f"{number} of {resamples}" for number in (found.ours_better, found.theirs_better)]
            differences = (f"{found.mean_difference:.4f}", f"{found.largest:.2f}", len(found.beyond))
            print_row(f"{network}, {rows:,} rows", peer, found.pairs, *differences, *better)
            details += [(network, peer, each) for each in found.beyond]
    print()
    print_row("network", "package", "pair", "here", "there", "difference in s.e.", "only one has it", *BETTER)
    print("|---" * 9 + "|")
    for network, peer, each in details:
        shares = (f"{each.here:.2f}", f"{each.there:.2f}", f"{each.errors:.1f}")
        print_row(network, peer, " - ".join(each.pair), *shares, each.only_one, each.ours_better, each.theirs_better)
    print(f"\n{describe_machine()}")


if __name__ == "__main__":
    main()
