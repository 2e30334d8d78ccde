"""PC-Stable and FCI through `mahc.learn`: the graph, the DAG that fits it or why none does, saving, explaining."""

from __future__ import annotations

import json
import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.algorithms.constraint_based import fci, pc_stable
from mahc.algorithms.constraint_based.algorithms import FCI, PCStable
from mahc.algorithms.constraint_based.extension import fit_cpdag, fit_pag
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.errors import FormatError, GraphError, KnowledgeError, SettingError
from mahc.graphs import MixedGraph, dag_to_cpdag
from mahc.independence import IndependenceTest, TableOracle
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.tie_order import order_variables
from mahc.networks import load_network, sample, sample_path
from mahc.results.files import summary_to_dict
from mahc.results.outcomes import PatternOutcome
from mahc.results.summary import facts

ASIA = sample_path("asia")
BOTH = ("pc-stable", "fci")


def insurance() -> Dataset:
    return sample(load_network("insurance"), 5_000, seed=1)


def test_the_graph_is_that_of_the_functions() -> None:
    data = insurance()
    rows = EngineRows(data)
    order = order_variables(rows)
    rows.arrange(order)
    free = no_constraints([data.names[v] for v in order])
    by_g2, by_x2 = (TableOracle(rows, IndependenceTest(test)) for test in ("g2", "x2"))
    assert mahc.learn(data, "pc-stable").graph == pc_stable(by_g2, free).graph
    assert mahc.learn(data, "fci", max_conditions=2).graph == fci(by_x2, free, max_conditions=2).graph


def test_the_defaults_are_those_of_the_paper() -> None:
    settings = {name: mahc.learn(ASIA, name).settings for name in BOTH}
    assert {name: (found["test"], found["alpha"]) for name, found in settings.items()} == {
        "pc-stable": ("auto", 0.01),
        "fci": ("auto", 0.01),
    }
    assert (PCStable.table_statistic, FCI.table_statistic) == ("g2", "x2")


def test_a_cpdag_has_a_dag_of_its_class_and_its_score() -> None:
    learned = mahc.learn(insurance(), "pc-stable")
    assert learned.kind == "CPDAG"
    assert learned.pattern == learned.cpdag == learned.graph
    assert dag_to_cpdag(learned.dag) == learned.graph
    assert learned.score == pytest.approx(math.fsum(learned.local_scores or ()))
    assert set(learned.arcs) <= set(learned.dag.arcs)
    assert learned.strengths() == {}
    assert learned.without_dag is None


def test_a_pag_with_two_headed_edges_has_no_dag_and_says_so() -> None:
    learned = mahc.learn(insurance(), "fci", max_conditions=3)
    assert learned.kind == "PAG"
    assert any(edge.mark == "<->" for edge in learned.graph.edges)  # type: ignore[union-attr]
    assert (learned.score, learned.local_scores, learned.extension) == (None, None, None)
    assert "hidden common causes" in (learned.without_dag or "")
    with pytest.raises(GraphError, match=r"hidden common causes .*: use `graph`"):
        _ = learned.dag
    with pytest.raises(GraphError, match="PAG, which has no CPDAG: use `pattern`"):
        _ = learned.cpdag
    assert dict(facts(learned))["Score"].startswith("none: no DAG fits this PAG")
    assert summary_to_dict(learned)["score"]["value"] is None
    assert "no bic" in repr(learned)


def test_a_pag_without_them_has_the_dag_that_measures_score() -> None:
    learned = mahc.learn(ASIA, "fci")
    assert learned.score is not None
    assert set(map(frozenset, learned.dag.arcs)) == {frozenset((e.left, e.right)) for e in learned.pattern.edges}


def test_a_pattern_that_no_dag_has() -> None:
    square = [("a", "---", "b"), ("b", "---", "c"), ("c", "---", "d"), ("a", "---", "d")]
    graph = MixedGraph("abcd", square)
    assert fit_cpdag(graph, Knowledge().check(graph.names, 8)) is None


def test_the_dag_obeys_tiers_and_limits_or_there_is_none() -> None:
    line = MixedGraph("abc", [("a", "---", "b"), ("b", "---", "c")])
    tiers = Knowledge(tiers=[["c"], ["a"]]).check(line.names, 8)
    assert fit_cpdag(line, tiers) == ((1, 0), (1, 2))
    assert fit_cpdag(line, Knowledge(max_parents=dict.fromkeys("abc", 0)).check(line.names, 8)) is None
    circles = MixedGraph("abc", [("a", "o-o", "b"), ("b", "o-o", "c")])
    assert fit_pag(circles, Knowledge().check(line.names, 8)) == ((0, 1), (1, 2))
    assert fit_pag(circles, tiers) == ((1, 0), (1, 2))


def test_a_path_through_variables_in_no_tier_is_seen() -> None:
    known = Knowledge(tiers=[["c"], ["a"]]).check("abc", 8)
    assert known.tier_order.find_path_back([0, 0b001, 0b010]) == [0, 1, 2]
    assert known.tier_order.find_path_back([0b010, 0b100, 0]) is None


@pytest.mark.parametrize("algorithm", BOTH)
def test_saved_loaded_and_replayed(algorithm: str, tmp_path: Path) -> None:
    data = insurance()
    known = Knowledge(required_edges=[("Age", "Theft")], forbidden_edges=[("GoodStudent", "Age")])
    learned = mahc.learn(data, algorithm, knowledge=known, max_conditions=2, test="g2", min_rows_per_df=1)
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    assert (loaded.graph, loaded.kind) == (learned.graph, learned.kind)
    assert isinstance(loaded.outcome, PatternOutcome)
    assert isinstance(learned.outcome, PatternOutcome)
    assert loaded.outcome.test_details == learned.outcome.test_details
    assert mahc.replay(loaded, data) == learned


def test_so_many_pairs_are_not_saved_and_the_result_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mahc.results.files.MAX_CELLS", 10)
    learned = mahc.learn(ASIA, "fci")
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    with pytest.raises(mahc.MahcError, match="saved without the details of its tests"):
        loaded.explain("asia", "tub")


def break_edge(content: dict[str, Any]) -> None:
    content["edges"][0][1] = "-=-"


def break_arcs(content: dict[str, Any]) -> None:
    content["arcs"] = [["asia", "tub"]]


def break_kind(content: dict[str, Any]) -> None:
    content["kind"] = "DAG"


def break_tests(content: dict[str, Any]) -> None:
    content["test_details"]["separations"][0][0] = 99


def break_scores(content: dict[str, Any]) -> None:
    content["local_scores"] = None


def lose_tests(content: dict[str, Any]) -> None:
    content["test_details"] = None


@pytest.mark.parametrize("harm", [break_edge, break_arcs, break_kind, break_tests, break_scores, lose_tests])
@pytest.mark.parametrize("algorithm", BOTH)
def test_a_damaged_result_is_refused(algorithm: str, harm: Any, tmp_path: Path) -> None:
    content = mahc.learn(ASIA, algorithm).to_dict()
    harm(content)
    (tmp_path / "result.json").write_text(json.dumps(content))
    with pytest.raises(FormatError, match="is damaged"):
        mahc.Learned.load(tmp_path / "result.json")


def test_why_an_edge_is_there_or_not() -> None:
    learned = mahc.learn(ASIA, "pc-stable")
    gone = learned.explain("asia", "tub")
    assert (gone.present, gone.kind) == (False, "separated")
    assert gone.sentence.startswith("asia and tub are not adjacent: independent given the empty set (p = 0.")
    assert gone.numbers["p_value"] > gone.numbers["alpha"] == 0.01
    there = learned.explain("either", "lung")
    assert (there.present, there.kind) == (True, "edge")
    assert there.sentence.startswith("lung --> either is in the graph: dependent given every set tested (alpha = 0.01)")
    assert "arrowhead at either: lung and tub are independent given the empty set, a set without" in there.sentence
    assert "bronc --- smoke is in the graph" in learned.explain("bronc", "smoke").sentence
    assert learned.explain("bronc", "bronc").kind == "forbidden"


@pytest.mark.parametrize("algorithm", BOTH)
def test_knowledge_is_named_where_it_decided(algorithm: str) -> None:
    known = Knowledge(
        required_arcs=[("xray", "asia")], forbidden_edges=[("smoke", "bronc")], tiers=[["dysp"], ["bronc"]]
    )
    learned = mahc.learn(ASIA, algorithm, knowledge=known)
    assert learned.explain("xray", "asia").kind == "required"
    assert "xray --> asia is in the graph: required arc xray -> asia." in str(learned.explain("asia", "xray"))
    apart = learned.explain("smoke", "bronc")
    assert apart.kind == "forbidden"
    assert "forbidden edge" in apart.sentence
    assert "arrowhead at bronc: tiers: bronc (tier 2) comes after dysp (tier 1)" in str(
        learned.explain("bronc", "dysp")
    )
    assert learned.constraint_costs == ()


@pytest.mark.parametrize("algorithm", BOTH)
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"start": [("asia", "tub")]}, "cannot use a start graph"),
        ({"knowledge": {"targets": {"asia": 2}}}, "cannot use 'targets' in the knowledge"),
        ({"knowledge": {"all_relevant": True}}, "cannot use 'all_relevant' in the knowledge"),
        ({"search_in_degree": 3}, "has no setting search_in_degree"),
        ({"test": "g3"}, "test is 'g3'"),
        ({"max_conditions": -1}, "max_conditions is -1"),
        ({"alpha": 1.0}, "alpha is 1.0"),
    ],
)
def test_what_would_be_ignored_is_refused(algorithm: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(mahc.MahcError, match=says):
        mahc.learn(ASIA, algorithm, **given)


def test_fci_refuses_a_limit_of_parents_and_pc_obeys_it() -> None:
    known = Knowledge(max_parents={"either": 1})
    with pytest.raises(SettingError, match="fci cannot use 'max_parents' in the knowledge"):
        mahc.learn(ASIA, "fci", knowledge=known)
    assert len(mahc.learn(ASIA, "pc-stable", knowledge=known).dag.parents("either")) <= 1


def test_a_way_back_that_fci_finds_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mahc.graphs.tier_order.TierOrder.find_path_back", lambda order, parents: [0, 1])
    with pytest.raises(KnowledgeError, match="in an earlier tier, through variables that are in no tier: put all"):
        mahc.learn(ASIA, "fci", knowledge={"tiers": [["asia"], ["tub"]]})


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_time_limit_leaves_the_graph_so_far_without_a_dag(algorithm: str) -> None:
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 3, 3_000)
    columns = {
        f"v{i}": np.where(rng.random(3_000) < 0.6, hidden, rng.integers(0, 3, 3_000)).tolist() for i in range(40)
    }
    phases = set()
    learned = mahc.learn(columns, algorithm, time_limit=0.3, progress=lambda told: phases.add(told.phase))
    assert learned.stop_reason == "time_limit"
    assert phases == {"testing", "finishing"}
    assert learned.score is None
    assert "the time limit was reached before" in (learned.without_dag or "")
    assert "not tested to the end" in dict(facts(learned))["Ended"]
    assert "before all its tests were made" in learned.explain("v0", "v1").sentence
    assert "too dense to be drawn" in learned._repr_html_()  # 780 edges would take longer than the learning
    with pytest.raises(mahc.MahcError, match="cannot be replayed"):
        mahc.replay(learned, columns)


def test_it_may_run_beside_the_main_thread() -> None:
    found: list[mahc.Learned] = []
    worker = threading.Thread(target=lambda: found.append(mahc.learn(ASIA, "pc-stable")))
    worker.start()
    worker.join()
    assert found[0] == mahc.learn(ASIA, "pc-stable")
