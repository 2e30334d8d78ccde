"""PC-Stable, FCI and MMPC on samples: invariance, knowledge, stopping."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.algorithms.constraint_based import ConstraintOutcome, fci, find_neighbourhoods, pc_stable
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.data import read
from mahc.engine import EngineRows
from mahc.errors import SettingError
from mahc.graphs import Mark
from mahc.independence import TableOracle
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.networks import load_network, sample

LEARNERS = [pc_stable, fci]
ON_DATA = ["pc-stable", "fci"]
Learner = Callable[..., ConstraintOutcome]


@pytest.mark.parametrize("algorithm", ON_DATA)
@pytest.mark.parametrize("network", ["asia", "child"])
def test_columns_rows_and_states_may_stand_in_any_order(algorithm: str, network: str) -> None:
    data = sample(load_network(network), 2000, seed=3)
    expected = mahc.learn(data, algorithm, max_conditions=2).graph
    rng = np.random.default_rng(0)
    for _ in range(3):
        rows, columns = rng.permutation(data.rows), rng.permutation(len(data.names)).tolist()
        turned = {}
        for v in columns:
            codes = rng.permutation(len(data.labels[v]))[np.asarray(data.codes[v])]
            turned[data.names[v]] = [f"s{code}" for code in codes[rows].tolist()]
        assert mahc.learn(turned, algorithm, max_conditions=2).graph == expected


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_number_of_threads_changes_nothing(learner: Learner) -> None:
    data = sample(load_network("alarm"), 1000, seed=1)
    one, two = (
        learner(TableOracle(EngineRows(data, threads=n)), no_constraints(data.names), max_conditions=2) for n in (1, 2)
    )
    assert one == two


@pytest.mark.parametrize("algorithm", ON_DATA)
def test_knowledge_is_obeyed(algorithm: str) -> None:
    data = sample(load_network("asia"), 3000, seed=2)
    known = Knowledge(
        required_arcs=[("xray", "asia")],
        required_edges=[("smoke", "tub")],
        forbidden_arcs=[("either", "dysp")],
        forbidden_edges=[("smoke", "bronc")],
        tiers=[["xray", "bronc"], ["lung", "dysp"]],
    )
    graph = mahc.learn(data, algorithm, knowledge=known).graph
    assert (graph.mark("asia", "xray"), graph.mark("xray", "asia")) == (Mark.TAIL, Mark.ARROW)
    assert graph.mark("smoke", "tub")
    assert not graph.mark("smoke", "bronc")
    for early, late in itertools.product(["xray", "bronc"], ["lung", "dysp"]):
        if graph.mark(early, late):
            assert graph.mark(early, late) == Mark.ARROW  # the later one is no cause of the earlier
    assert not (graph.mark("dysp", "either") == Mark.TAIL and graph.mark("either", "dysp") == Mark.ARROW)


def test_no_path_of_arcs_leads_from_a_later_tier_to_an_earlier_one_or_round() -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 2, (60, 7))
        codes[:, 3] = np.where(rng.random(60) < 0.7, codes[:, 0] ^ codes[:, 1], codes[:, 3])
        codes[:, 5] = np.where(rng.random(60) < 0.7, codes[:, 3] | codes[:, 4], codes[:, 5])
        data = read({f"v{i}": codes[:, i].tolist() for i in range(7)})
        known = Knowledge(tiers=[["v5"], ["v0", "v1"]])
        graph = mahc.learn(data, "pc-stable", knowledge=known, alpha=0.3).graph
        arcs = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.TAIL)
        reached = arcs.astype(int)
        for _ in range(7):
            reached = ((reached + reached @ arcs) > 0).astype(int)
        assert not reached.diagonal().any()
        assert not any(reached[graph.index(late), graph.index("v5")] for late in ("v0", "v1"))


@pytest.mark.parametrize("algorithm", ON_DATA)
def test_small_and_odd_data_are_learned_from(algorithm: str) -> None:
    assert mahc.learn({"a": ["x", "y", "x"]}, algorithm).graph.edges == ()
    three = mahc.learn({"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": ["x", "x", "y"]}, algorithm)
    assert three.stop_reason == "converged"
    copies = {"a": ["x", "y"] * 40, "b": ["x", "y"] * 40, "c": ["u", "u", "v", "v"] * 20, "k": ["k"] * 80}
    found = mahc.learn(copies, algorithm).graph
    assert len(found.edges) == 1
    assert found.mark("a", "b")


@pytest.mark.parametrize("learner", [*LEARNERS, find_neighbourhoods])
@pytest.mark.parametrize("settings", [{"alpha": 0}, {"alpha": "x"}, {"max_conditions": -1}, {"max_conditions": True}])
def test_bad_settings_are_refused(learner: Callable[..., object], settings: dict[str, Any]) -> None:
    data = read({"a": ["x", "y", "x"], "b": ["u", "v", "v"]})
    with pytest.raises(SettingError):
        learner(TableOracle(EngineRows(data)), no_constraints(data.names), **settings)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_time_limit_and_an_interrupt_give_what_complete_levels_say(learner: Learner) -> None:
    data = sample(load_network("asia"), 500, seed=0)
    control = Control(time_limit=1e-6)
    found = learner(TableOracle(EngineRows(data), control=control), no_constraints(data.names), control=control)
    assert found.stop_reason == "time_limit"
    assert len(found.graph.edges) == 28
    control = Control()
    control.token.cancel()
    found = learner(TableOracle(EngineRows(data), control=control), no_constraints(data.names), control=control)
    assert found.stop_reason == "interrupted"
