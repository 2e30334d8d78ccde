"""MMHC: a climb within the skeleton of MMPC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.algorithms.constraint_based import find_neighbourhoods
from mahc.algorithms.hybrid.mmhc import MaxMinHillClimbing
from mahc.cli.main import run
from mahc.data import Dataset, read
from mahc.engine import EngineRows
from mahc.errors import MahcError
from mahc.graphs.bitset import members, transpose
from mahc.independence import IndependenceTest, TableOracle
from mahc.knowledge.knowledge import Knowledge
from mahc.networks import load_network, sample
from mahc.results.learned import Learned


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return sample(load_network("alarm"), 5000, seed=1)


def joined(learned: Learned) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in learned.arcs}


def test_the_graph_stays_within_a_symmetric_skeleton(alarm: Dataset) -> None:
    oracle = TableOracle(EngineRows(alarm), IndependenceTest("mi", "plain"))
    found = find_neighbourhoods(oracle, Knowledge().check(alarm.names, 8), alpha=0.05)
    assert found is not None
    assert transpose(found) == found
    skeleton = {frozenset((alarm.names[u], alarm.names[v])) for v, bits in enumerate(found) for u in members(bits)}
    learned = mahc.learn(alarm, MaxMinHillClimbing())
    assert joined(learned) <= skeleton
    assert learned.stop_reason == "converged"
    assert learned.score <= mahc.learn(alarm, "hc").score + 1e-6 * abs(learned.score)


def test_most_of_alarm_is_found_and_more_of_it_with_adjusted_degrees_of_freedom(alarm: Dataset) -> None:
    """What was measured: 35 of 46 edges with plain degrees of freedom, 42 with adjusted ones, none of them false."""
    truth = {frozenset(arc) for arc in load_network("alarm").dag.arcs}
    plain, adjusted = (
        joined(mahc.learn(alarm, MaxMinHillClimbing(degrees_of_freedom=word))) for word in ("plain", "adjusted")
    )
    assert (len(plain & truth), len(adjusted & truth)) == (35, 42)
    assert plain | adjusted <= truth


def test_columns_rows_and_states_may_stand_in_any_order() -> None:
    data = sample(load_network("child"), 1000, seed=5)
    expected = set(mahc.learn(data, MaxMinHillClimbing()).arcs)
    rng = np.random.default_rng(1)
    for _ in range(3):
        rows = rng.permutation(data.rows)
        turned = {}
        for v in rng.permutation(len(data.names)).tolist():
            codes = rng.permutation(len(data.labels[v]))[np.asarray(data.codes[v])]
            turned[data.names[v]] = [f"s{code}" for code in codes[rows].tolist()]
        assert set(mahc.learn(read(turned), MaxMinHillClimbing()).arcs) == expected


def test_knowledge_is_obeyed() -> None:
    data = sample(load_network("asia"), 3000, seed=2)
    known = Knowledge(
        required_arcs=[("xray", "asia")],
        required_edges=[("smoke", "tub")],
        forbidden_edges=[("smoke", "bronc")],
        tiers=[["xray"], ["lung", "either"]],
    )
    arcs = set(mahc.learn(data, MaxMinHillClimbing(), knowledge=known).arcs)
    assert ("xray", "asia") in arcs
    assert {("smoke", "tub"), ("tub", "smoke")} & arcs
    assert not {("smoke", "bronc"), ("bronc", "smoke")} & arcs
    assert not {("lung", "xray"), ("either", "xray")} & arcs


def test_small_and_odd_data_are_learned_from() -> None:
    learner = MaxMinHillClimbing()
    assert mahc.learn({"a": ["x", "y", "x"]}, learner).arcs == ()
    assert mahc.learn({"a": ["x", "y", "x"], "b": ["x", "y", "y"]}, learner).stop_reason == "converged"
    copies = {"a": ["x", "y"] * 40, "b": ["x", "y"] * 40, "c": ["u", "u", "v", "v"] * 20, "k": ["k"] * 80}
    assert joined(mahc.learn(copies, learner)) == {frozenset("ab")}


def test_a_time_limit_gives_the_start_graph(alarm: Dataset) -> None:
    learned = mahc.learn(alarm, MaxMinHillClimbing(), time_limit=1e-6, start=[("HR", "HRBP")])
    assert learned.stop_reason == "time_limit"
    assert learned.arcs == (("HR", "HRBP"),)


def test_the_result_survives_json(alarm: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("mmhc") / "result.json"
    learned = mahc.learn(alarm, MaxMinHillClimbing(alpha=0.01, max_conditions=2))
    learned.save(path)
    assert Learned.load(path) == learned


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run(["learn", *map(str, words)])
    return ending.value.code


def test_alpha_is_a_setting_of_learn_and_of_the_command_line(tmp_path: Path) -> None:
    columns = {"a": ["x", "y"] * 40, "b": ["x", "x", "y", "y"] * 20}
    assert mahc.learn(columns, "mmhc", alpha=0.2).settings["alpha"] == 0.2
    with pytest.raises(MahcError, match='no setting alpha: leave it out, or use "boss-pag", "fci", "mmhc" or'):
        mahc.learn(columns, "hc", alpha=0.2)
    file = tmp_path / "data.csv"
    file.write_text("a,b\n" + "x,x\ny,y\nx,y\n" * 20, encoding="utf-8")
    assert call(file, "--algorithm", "mmhc", "--alpha", "0.1", "--out", tmp_path / "out") == 0
    assert Learned.load(tmp_path / "out" / "result.json").settings["alpha"] == 0.1
    assert call(file, "--algorithm", "mmhc", "--alpha", "2") == 2


@pytest.mark.parametrize(
    "settings",
    [{"alpha": 0.0}, {"alpha": 1.5}, {"max_conditions": -1}, {"degrees_of_freedom": "x"}, {"search_in_degree": 0}],
)
def test_bad_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(MahcError):
        MaxMinHillClimbing(**settings)  # type: ignore[arg-type]
