"""A saved run done again on the same data gives the same graph; on other data it is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs
from pieces_of_data import as_frame, cut

import mahc
from mahc.data import Discrete, read
from mahc.errors import DataError, MahcError
from mahc.graphs import DAG
from mahc.learning.control import Progress
from mahc.networks import load_network, sample, sample_path
from mahc.scores import BDeu

ASIA = sample_path("asia")
RUNS: list[dict[str, Any]] = [
    {},
    {"prune_in_degree": 1, "search_in_degree": 2},
    {"pruning": False, "base": 10},
    {"averaging": False, "ties": "file-order"},
    {"algorithm": "hc", "objective": BDeu(equivalent_sample_size=7.5)},
    {"algorithm": "tabu", "start": [("asia", "dysp")]},
    {"algorithm": "tabu", "step_limit": 5},
    {"step_limit": 3, "memory_mebibytes": 200},
    {"knowledge": {"required_edges": [("asia", "xray")], "tiers": [["smoke"], ["lung"]], "all_relevant": True}},
]


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_a_saved_run_gives_the_same_again(run: dict[str, Any], tmp_path: Path) -> None:
    first = mahc.learn(ASIA, **run)
    first.save(tmp_path / "result.json")
    again = mahc.replay(mahc.Learned.load(tmp_path / "result.json"), ASIA, threads=1)
    assert again == first


def test_columns_and_rows_may_stand_in_another_order() -> None:
    first = mahc.learn(ASIA)
    data = read(ASIA)
    turned = data.select(data.names[::-1])
    turned = turned.take(np.arange(turned.rows)[::-1])
    assert mahc.replay(first, turned) == first


def test_a_run_in_passes_is_repeated_in_passes(tmp_path: Path) -> None:
    folder = cut(as_frame(sample(load_network("alarm"), 3000, seed=2)), [1000], tmp_path / "parts")
    first = mahc.learn(folder, "hc", step_limit=3, memory_mebibytes=1)
    assert first.data.passes is not None
    again = mahc.replay(first, folder)
    assert again == first
    assert again.data.passes is not None
    cut(as_frame(sample(load_network("alarm"), 3000, seed=3)), [1000], tmp_path / "others")
    with pytest.raises(DataError, match="these are not the data that the result was learned from"):
        mahc.replay(first, tmp_path / "others")


class Stopper:
    """Ends a run as Ctrl-C would: after so many looks at its progress."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def __call__(self, progress: Progress) -> None:
        self.left -= 1
        if self.left == 0:
            import signal

            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("algorithm", ["mahc", "hc"])
@pytest.mark.parametrize("seconds", [1e-9, 0.002, 0.01, 0.03, 0.1])
def test_a_run_that_time_cut_short_is_replayed_to_where_it_was(algorithm: str, seconds: float) -> None:
    data = sample(load_network("alarm"), 500, seed=3)
    first = mahc.learn(data, algorithm, time_limit=seconds)
    again = mahc.replay(first, data)
    assert (again.arcs, again.local_scores) == (first.arcs, first.local_scores)
    assert [structs.replace(s, seconds=0) for s in again.steps] == [structs.replace(s, seconds=0) for s in first.steps]
    if first.stop_reason == "time_limit":
        assert again.stop_reason == "step_limit"


@pytest.mark.parametrize("algorithm", ["tabu", "saiyanh", "exact"])
def test_a_run_of_many_climbs_that_time_cut_short_says_that_it_cannot_be_replayed(algorithm: str) -> None:
    first = mahc.learn(ASIA, algorithm, time_limit=1e-9)
    assert first.stop_reason == "time_limit"
    with pytest.raises(MahcError, match="cannot be replayed: learn again without a time limit"):
        mahc.replay(first, ASIA)


def test_other_data_are_refused_and_the_difference_is_named() -> None:
    first = mahc.learn(ASIA, "hc")
    data = read(ASIA)
    with pytest.raises(DataError, match="the data do not have the variable 'smoke'"):
        mahc.replay(first, data.select([name for name in data.names if name != "smoke"]))
    shorter = data.take(np.arange(data.rows - 1))
    with pytest.raises(DataError, match="they have 999 rows, the result was learned from 1,000"):
        mahc.replay(first, shorter)
    changed = np.array(data.codes[0])
    changed[changed.argmin()] = 1
    with pytest.raises(DataError, match="the values differ, fingerprint"):
        mahc.replay(first, dataclasses.replace(data, columns=(data.discrete[0].with_codes(changed), *data.columns[1:])))
    relabelled = dataclasses.replace(data, columns=(Discrete(("0", "1"), data.codes[0]), *data.columns[1:]))
    with pytest.raises(DataError, match="the values differ"):
        mahc.replay(first, relabelled)


def test_a_graph_that_does_not_come_out_again_is_reported() -> None:
    first = mahc.learn(ASIA, "hc")
    smaller = DAG(first.variables, first.arcs[1:])
    forged = dataclasses.replace(first, outcome=structs.replace(first.outcome, arcs=smaller.arcs))
    with pytest.raises(MahcError, match="another graph than the one saved by mahc"):
        mahc.replay(forged, ASIA)


def test_a_replay_that_is_interrupted_is_no_other_graph() -> None:
    # TABU takes longer on these data than the time between two reports of its progress.
    data = sample(load_network("win95pts"), 2_000, seed=3)
    first = mahc.learn(data, "tabu")
    with pytest.raises(KeyboardInterrupt):
        mahc.replay(first, data, progress=Stopper(1))
