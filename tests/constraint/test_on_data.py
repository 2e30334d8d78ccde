"""PC-Stable, FCI and MMPC on samples: invariance, knowledge, stopping, and the peers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mahc.constraint import Finding, fci, find_neighbourhoods, learn_cpdag, learn_pag, pc_stable
from mahc.constraint.finding import know_nothing
from mahc.data import read
from mahc.engine import EngineRows
from mahc.errors import SettingError
from mahc.graphs import Mark
from mahc.independence import IndependenceTest, TableOracle
from mahc.networks import load_network, sample
from mahc.search.knowledge import Knowledge
from mahc.search.watch import Watch

LEARNERS = [pc_stable, fci]
ON_DATA = [learn_cpdag, learn_pag]
Learner = Callable[..., Finding]


@pytest.mark.parametrize("learner", ON_DATA)
@pytest.mark.parametrize("network", ["asia", "child"])
def test_columns_rows_and_states_may_stand_in_any_order(learner: Learner, network: str) -> None:
    data = sample(load_network(network), 2000, seed=3)
    expected = learner(data, most_given=2).graph
    rng = np.random.default_rng(0)
    for _ in range(3):
        rows, columns = rng.permutation(data.rows), rng.permutation(len(data.names)).tolist()
        turned = {}
        for v in columns:
            codes = rng.permutation(len(data.states[v]))[np.asarray(data.columns[v])]
            turned[data.names[v]] = [f"s{code}" for code in codes[rows].tolist()]
        assert learner(read(turned), most_given=2).graph == expected


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_number_of_threads_changes_nothing(learner: Learner) -> None:
    data = sample(load_network("alarm"), 1000, seed=1)
    one, two = (
        learner(TableOracle(EngineRows(data, threads=n)), know_nothing(data.names), most_given=2) for n in (1, 2)
    )
    assert one == two


@pytest.mark.parametrize("learner", ON_DATA)
def test_knowledge_is_obeyed(learner: Learner) -> None:
    data = sample(load_network("asia"), 3000, seed=2)
    known = Knowledge(
        required_arcs=[("xray", "asia")],
        required_edges=[("smoke", "tub")],
        forbidden_arcs=[("either", "dysp")],
        forbidden_edges=[("smoke", "bronc")],
        tiers=[["xray", "bronc"], ["lung", "dysp"]],
    )
    graph = learner(data, knowledge=known).graph
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
        graph = learn_cpdag(data, knowledge=known, alpha=0.3).graph
        arcs = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.TAIL)
        reached = arcs.astype(int)
        for _ in range(7):
            reached = ((reached + reached @ arcs) > 0).astype(int)
        assert not reached.diagonal().any()
        assert not any(reached[graph.index(late), graph.index("v5")] for late in ("v0", "v1"))


@pytest.mark.parametrize("learner", ON_DATA)
def test_small_and_odd_data_are_learnt_from(learner: Learner) -> None:
    assert learner(read({"a": ["x", "y", "x"]})).graph.edges == ()
    three = learner(read({"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": ["x", "x", "y"]}))
    assert three.stop_reason == "converged"
    copies = read({"a": ["x", "y"] * 40, "b": ["x", "y"] * 40, "c": ["u", "u", "v", "v"] * 20, "k": ["k"] * 80})
    found = learner(copies).graph
    assert len(found.edges) == 1
    assert found.mark("a", "b")


@pytest.mark.parametrize("learner", [*LEARNERS, find_neighbourhoods])
@pytest.mark.parametrize("settings", [{"alpha": 0}, {"alpha": "x"}, {"most_given": -1}, {"most_given": True}])
def test_bad_settings_are_refused(learner: Callable[..., object], settings: dict[str, Any]) -> None:
    data = read({"a": ["x", "y", "x"], "b": ["u", "v", "v"]})
    with pytest.raises(SettingError):
        learner(TableOracle(EngineRows(data)), know_nothing(data.names), **settings)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_time_limit_and_an_interrupt_give_what_complete_levels_say(learner: Learner) -> None:
    data = sample(load_network("asia"), 500, seed=0)
    watch = Watch(time_limit=1e-6)
    found = learner(TableOracle(EngineRows(data), watch=watch), know_nothing(data.names), watch=watch)
    assert found.stop_reason == "time_limit"
    assert len(found.graph.edges) == 28
    watch = Watch()
    watch.interrupted = True
    found = learner(TableOracle(EngineRows(data), watch=watch), know_nothing(data.names), watch=watch)
    assert found.stop_reason == "interrupted"


def causal_learn_pc(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
    module = pytest.importorskip("causallearn.search.ConstraintBased.PC")
    found = module.pc(codes, 0.01, "gsq", stable=True, uc_rule=0, uc_priority=2, show_progress=False)
    theirs = found.G.graph  # [j, i] = 1: an arrow at j
    marks = np.where(theirs == 0, 0, np.where(theirs.T == 1, Mark.ARROW, Mark.TAIL))
    return marks, found.sepset


@pytest.mark.peers
@pytest.mark.parametrize(("network", "rows"), [("asia", 1000), ("asia", 100_000), ("alarm", 1000), ("child", 1000)])
def test_pc_stable_beside_causal_learn(network: str, rows: int) -> None:
    """The skeleton is the same. Marks differ only where another separating set was chosen.

    Both keep a set of the smallest size that separates; causal-learn the first in column order, we the one with
    the highest p-value. Where the two sets disagree on the middle of an unshielded triple, so do the colliders.
    """
    data = sample(load_network(network), rows, seed=1)
    codes = np.stack([np.asarray(column) for column in data.columns], axis=1).astype(np.int64)
    theirs, sets = causal_learn_pc(codes)
    ours = pc_stable(TableOracle(EngineRows(data)), know_nothing(data.names))
    assert np.array_equal(theirs > 0, ours.graph.marks > 0)
    middles = 0
    for (x, y), separation in ours.separations.items():
        for z in np.flatnonzero((ours.graph.marks[x] > 0) & (ours.graph.marks[y] > 0)).tolist():
            middles += (z in separation.given) != (z in sets[x, y][0])
    assert middles > 0 or np.array_equal(theirs, ours.graph.marks)


@pytest.mark.peers
@pytest.mark.parametrize(("network", "rows"), [("asia", 10_000), ("asia", 100_000), ("child", 1000)])
def test_fci_beside_causal_learn(network: str, rows: int) -> None:
    """Our edges are among theirs; for each of theirs that we lack, their own test confirms our separating set.

    Beyond neighbours causal-learn asks with sets of two or more only, and looks for them again after each removal;
    we ask with all sizes out of one possible-d-sep.
    """
    module = pytest.importorskip("causallearn.search.ConstraintBased.FCI")
    cit = pytest.importorskip("causallearn.utils.cit")
    data = sample(load_network(network), rows, seed=1)
    codes = np.stack([np.asarray(column) for column in data.columns], axis=1).astype(np.int64)
    graph, _ = module.fci(codes, "chisq", 0.01, verbose=False, show_progress=False)
    ours = fci(TableOracle(EngineRows(data), IndependenceTest("x2")), know_nothing(data.names))
    joined, theirs = ours.graph.marks > 0, graph.graph != 0
    assert bool((joined <= theirs).all())
    test = cit.CIT(codes, "chisq")
    for x, y in np.argwhere(theirs & ~joined).tolist():
        if x < y:
            assert test(x, y, sorted(ours.separations[x, y].given)) > 0.01
    if np.array_equal(joined, theirs):
        meaning = {0: 0, -1: Mark.TAIL, 1: Mark.ARROW, 2: Mark.CIRCLE}
        assert [[meaning[int(m)] for m in row] for row in graph.graph.T] == ours.graph.marks.tolist()
