"""SaiyanH as a whole: always one connected legal graph, whatever the data and the knowledge."""

from __future__ import annotations

import itertools
import random

import numpy as np
import oracles_search as slow
import pytest
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms.hybrid.saiyanh import SaiyanH
from mahc.algorithms.score_based.climb import climb
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import KnowledgeError, SettingError
from mahc.graphs import DAG
from mahc.graphs.walks import label_components
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import BIC


class ConnectedRules(slow.Rules):
    """Rules that no graph in several parts fulfils."""

    def fit(self, graph: slow.Graph) -> bool:
        return len(set(label_components(self.variables, sorted(graph)))) == 1 and super().fit(graph)


def test_the_search_equals_brute_force_over_the_connected_graphs() -> None:
    for seed in range(25):
        rng = random.Random(seed)
        n = rng.choice([3, 4, 5])
        data = dependent_data(rng, tuple("abcde"[:n]), rng.choice([5, 40, 200]))
        scorer = RowScorer(EngineRows(data, threads=1), BIC())
        problem = Problem(scorer, Knowledge().check(data.names, 2), (), Control())
        tree = frozenset((rng.randrange(v), v) for v in range(1, n))
        rules = ConnectedRules(n, set(itertools.permutations(range(n), 2)), dict.fromkeys(range(n), 2))

        def local(child: int, parents: tuple[int, ...], problem: Problem = problem) -> float:
            return float(problem.scorer.score_families(Families.of([(child, parents)]))[0])

        found = climb(
            problem.starting(sorted(tree)),
            problem.constraints.allowed,
            averaging=False,
            escapes=True,
            stay_connected=True,
        )
        assert frozenset(found.arcs) == slow.tabu(rules, local, tree, problem.tolerance)


def test_the_graph_is_always_one_connected_legal_dag() -> None:
    graphs = 0
    for seed in range(80):
        rng = random.Random(seed)
        names = tuple("abcdef"[: rng.randint(1, 6)])
        data = dependent_data(rng, names, rng.choice([3, 30, 200]))
        knowledge = random_knowledge(rng, names) if seed % 2 and len(names) > 1 else Knowledge()
        in_degree = rng.choice([1, 2, 8])
        try:
            learned = mahc.learn(data, SaiyanH(search_in_degree=in_degree), knowledge=knowledge, threads=1)
        except KnowledgeError:
            continue
        graphs += 1
        place = {name: i for i, name in enumerate(data.names)}
        arcs = [(place[a], place[b]) for a, b in learned.arcs]
        assert len(set(label_components(len(names), arcs))) == 1
        assert all(len(parents) <= in_degree for parents in learned.dag.parent_sets)
        check_obeys(learned, knowledge)
        check_steps(learned)
    assert graphs > 60


def check_obeys(learned: mahc.Learned, knowledge: Knowledge) -> None:
    arcs = set(learned.arcs)
    assert set(knowledge.required_arcs) <= arcs
    assert all((a, b) in arcs or (b, a) in arcs for a, b in knowledge.required_edges)
    assert not arcs & set(knowledge.forbidden_arcs)
    assert not any((a, b) in arcs or (b, a) in arcs for a, b in knowledge.forbidden_edges)
    tier = knowledge.tier_of
    for a in tier:
        below = learned.dag.descendants(a)
        assert all(tier[b] >= tier[a] for b in below if b in tier)
    for name, most in knowledge.max_parents.items():
        assert len(learned.dag.parents(name)) <= most


def check_steps(learned: mahc.Learned) -> None:
    """Taken back from the last to the first, the steps end with what knowledge alone put there."""
    arcs = set(learned.arcs)
    for step in reversed(learned.steps):
        if step.move == "delete":
            arcs.add((step.tail, step.head))
        else:
            arcs.remove((step.tail, step.head) if step.move == "add" else (step.head, step.tail))
        if step.move == "reverse":
            arcs.add((step.tail, step.head))
    known = {frozenset(pair) for pair in (*learned.knowledge.required_arcs, *learned.knowledge.required_edges)}
    assert {frozenset(arc) for arc in arcs} == known
    if learned.steps:
        assert learned.steps[-1].score == pytest.approx(learned.score)


@pytest.mark.parametrize(
    "columns",
    [
        {"a": ["x", "y", "x"]},
        {"a": ["x", "y"] * 9, "b": ["x", "y"] * 9},
        {"a": ["x", "y"] * 9, "b": ["x", "x"] * 9, "c": ["x", "y", "z"] * 6},
        {"a": ["x", "y", "z"], "b": ["x", "x", "z"], "c": ["u", "v", "w"]},
    ],
    ids=["one variable", "two copies", "a constant column", "three rows"],
)
def test_the_smallest_data_are_joined_too(columns: dict[str, list[str]]) -> None:
    learned = mahc.learn(columns, "saiyanh", threads=1)
    assert learned.stop_reason == "converged"
    assert len(learned.arcs) >= len(columns) - 1
    assert isinstance(learned.dag, DAG)


def test_no_order_and_no_label_shows_in_the_result() -> None:
    data = sample(load_network("asia"), 800, seed=7)
    expected = mahc.learn(data, "saiyanh", threads=1)
    rng = np.random.default_rng(2)
    for _ in range(10):
        again = mahc.learn(shuffled(data, rng), "saiyanh", threads=2)
        assert (again.arcs, again.score, len(again.steps)) == (expected.arcs, expected.score, len(expected.steps))


def shuffled(data: Dataset, rng: np.random.Generator) -> Dataset:
    rows = rng.permutation(data.rows)
    order = rng.permutation(len(data.names)).tolist()
    columns, states = [], []
    for v in order:
        count = len(data.labels[v])
        columns.append(rng.permutation(count)[data.codes[v]][rows])
        states.append(tuple(f"label {k}" for k in range(count)))
    return Dataset.coded(tuple(data.names[v] for v in order), tuple(states), tuple(columns))


def test_a_time_limit_ends_it_with_a_legal_graph() -> None:
    data = sample(load_network("alarm"), 2_000, seed=7)
    known = Knowledge(required_arcs=[("CVP", "PCWP")])
    at_once = mahc.learn(data, "saiyanh", knowledge=known, time_limit=1e-6)
    assert (at_once.stop_reason, at_once.arcs) == ("time_limit", (("CVP", "PCWP"),))


def test_knowledge_that_leaves_no_connected_graph_is_refused() -> None:
    columns = {"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}
    with pytest.raises(KnowledgeError, match="one connected graph"):
        mahc.learn(columns, "saiyanh", knowledge=Knowledge(forbidden_edges=[("a", "b")]))


@pytest.mark.parametrize("threshold", [0.0, 1.0, -3.0, True])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(SettingError, match="threshold"):
        SaiyanH(threshold=threshold)
