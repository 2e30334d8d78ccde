"""Frequencies of edges against plain bootstrap loops over the hill climbing of PyBNesian and pyAgrum.

Their resamples are their own (numpy draws row numbers), so frequencies differ by sampling error. A few pairs differ by
more: of asia 1 (PyBNesian) and 2 (pyAgrum) of 28, of alarm 5 and 4 of 666. The limits below were set after these counts
were seen. The climbs end in different local optima of the same score: from a graph of theirs, that of mahc finds no
better neighbour (tested below). The likely reason is that at the first steps both directions of an arc score the same,
and each program chooses by a rule of its own; `ties="file-order"` does not reproduce their graphs either. The pair
TPR - CO in alarm (PyBNesian 0.65, here 0) was looked at: docs/explanation/confidence.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.data import Dataset
from mahc.networks import load_network, sample
from mahc.networks.table_file import to_frame

pytestmark = [pytest.mark.peers, pytest.mark.long]
Learner = Callable[[Any], list[tuple[str, str]]]


def resampled_frames(data: Dataset, resamples: int) -> Iterator[tuple[Dataset, Any]]:
    frame = to_frame(data).to_pandas()
    for number in range(resamples):
        rows = np.random.default_rng([7, number]).integers(0, len(frame), len(frame))
        table = Dataset(data.names, data.states, tuple(column[rows] for column in data.columns))
        yield table, frame.iloc[rows].reset_index(drop=True)


def pybnesian_arcs(frame: Any) -> list[tuple[str, str]]:
    pybnesian = pytest.importorskip("pybnesian")
    start, operators = pybnesian.DiscreteBN(list(frame.columns)), pybnesian.ArcOperatorSet()
    return list(pybnesian.GreedyHillClimbing().estimate(operators, pybnesian.BIC(frame), start).arcs())


def pyagrum_arcs(frame: Any) -> list[tuple[str, str]]:
    pyagrum = pytest.importorskip("pyagrum")
    learner = pyagrum.BNLearner(frame)
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    names = learner.names()
    return [(names[a], names[b]) for a, b in learner.learnDAG().arcs()]


@pytest.mark.parametrize("learn", [pybnesian_arcs, pyagrum_arcs])
@pytest.mark.parametrize(
    ("network", "rows", "resamples", "most_beyond"), [("asia", 1000, 100, 2), ("alarm", 2000, 20, 7)]
)
def test_frequencies_agree(learn: Learner, network: str, rows: int, resamples: int, most_beyond: int) -> None:
    data = sample(load_network(network), rows, seed=1)
    theirs: Counter[frozenset[str]] = Counter()
    for _, frame in resampled_frames(data, resamples):
        theirs.update(frozenset(arc) for arc in learn(frame))
    ours = mahc.bootstrap(data, "hc", resamples=4 * resamples, search_in_degree=8)
    beyond, distance = [], 0.0
    for pair in combinations(data.names, 2):
        here, there = ours.edge(*pair), theirs[frozenset(pair)] / resamples
        pooled = (here * 4 + there) / 5
        error = np.sqrt(pooled * (1 - pooled) * (1 / resamples + 1 / (4 * resamples)))
        distance += abs(here - there)
        if abs(here - there) > 4 * error + 1 / resamples:
            beyond.append((pair, round(here, 2), round(there, 2)))
    pairs = len(data.names) * (len(data.names) - 1) / 2
    print(network, learn.__name__, "mean difference", round(distance / pairs, 4), "beyond", beyond)
    assert len(beyond) <= most_beyond, beyond
    assert distance / pairs < 0.035


@pytest.mark.parametrize("learn", [pybnesian_arcs, pyagrum_arcs])
def test_their_graphs_are_local_optima_of_the_same_score(learn: Learner) -> None:
    data = sample(load_network("alarm"), 2000, seed=1)
    for table, frame in resampled_frames(data, 2):
        arcs = sorted(learn(frame))
        climbed = mahc.learn(table, "hc", start=mahc.DAG(table.names, arcs), search_in_degree=8)
        assert sorted(climbed.graph.arcs) == arcs
