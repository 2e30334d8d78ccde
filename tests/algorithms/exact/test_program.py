"""The 0-1 program: the same answer as all orders, cuts that only cut cycles, limits that are kept."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms.exact.candidates import find_candidates
from mahc.algorithms.exact.clusters import Weights, find_cyclic_parts, find_short_cycles, grow_clusters
from mahc.algorithms.exact.exact import Exact
from mahc.algorithms.score_based.climb import climb
from mahc.data import Dataset
from mahc.engine import EngineRows, RowScorer
from mahc.errors import KnowledgeError
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.connecting import parents_of
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import BIC

pytest.importorskip("pyscipopt", reason="the extra `exact` is not installed")

from mahc.algorithms.exact.acyclicity import search_clusters
from mahc.algorithms.exact.program import solve_by_program


@pytest.mark.parametrize("informed", [False, True])
def test_the_program_finds_the_same_score_as_all_orders(informed: bool) -> None:
    solved = 0
    for seed in range(24):
        rng = random.Random(seed)
        names = tuple("abcdefghijklmn"[: rng.choice([1, 2, 5, 8, 11, 14])])
        data = dependent_data(rng, names, rng.choice([3, 40, 400]))
        knowledge = random_knowledge(rng, names) if informed and 1 < len(names) < 9 else Knowledge()
        score, in_degree = rng.choice(["bic", "aic", "bdeu"]), rng.choice([1, 2, 3])
        by_method = []
        try:
            for method in ("orders", "program"):
                chosen = Exact(search_in_degree=in_degree, method=method)
                by_method.append(mahc.learn(data, chosen, objective=score, knowledge=knowledge, threads=1))
        except KnowledgeError:
            continue
        orders, program = by_method
        assert program.stop_reason == orders.stop_reason == "converged"
        assert program.score == pytest.approx(orders.score, abs=1e-5)
        check_obeys(program, knowledge)
        solved += 1
    assert solved > 12


def check_obeys(learned: mahc.Learned, knowledge: Knowledge) -> None:
    arcs = set(learned.arcs)
    assert set(knowledge.required_arcs) <= arcs
    assert all(((a, b) in arcs) != ((b, a) in arcs) for a, b in knowledge.required_edges)
    assert not arcs & {*knowledge.forbidden_arcs, *knowledge.forbidden_edges}
    tier = knowledge.tier_of
    assert all(tier[b] >= tier[a] for a in tier for b in learned.dag.descendants(a) if b in tier)


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return sample(load_network("alarm"), 1_000, seed=7)


@pytest.fixture(scope="module")
def best_of_alarm(alarm: Dataset) -> mahc.Learned:
    return mahc.learn(alarm, "exact")


def test_alarm_is_solved_and_nobody_scores_higher(alarm: Dataset, best_of_alarm: mahc.Learned) -> None:
    assert best_of_alarm.stop_reason == "converged"
    assert best_of_alarm.score == pytest.approx(-16904.67582651, abs=1e-5)
    for algorithm in ("hc", "mahc", "tabu"):
        assert mahc.learn(alarm, algorithm, search_in_degree=3).score <= best_of_alarm.score + 1e-6


def test_no_order_of_the_columns_shows(alarm: Dataset, best_of_alarm: mahc.Learned) -> None:
    turned = alarm.select(tuple(reversed(alarm.names)))
    assert mahc.learn(turned, "exact").arcs == best_of_alarm.arcs


def test_a_time_limit_brings_a_legal_graph_at_once(alarm: Dataset) -> None:
    known = Knowledge(required_arcs=[("CVP", "PCWP")])
    learned = mahc.learn(alarm, "exact", knowledge=known, time_limit=1e-6)
    assert learned.stop_reason == "time_limit"
    assert ("CVP", "PCWP") in learned.arcs


def test_stopped_in_the_midst_it_has_a_graph_and_a_proven_gap() -> None:
    data = sample(load_network("alarm"), 4_000, seed=7)
    rows = EngineRows(data, threads=1)
    control = Control()
    problem = Problem(RowScorer(rows, BIC()), Knowledge().check(data.names, 3), (), control)
    candidates = find_candidates(problem)
    assert candidates is not None
    first = climb(problem, problem.constraints.allowed, averaging=False).arcs
    control.token.cancel()  # as Ctrl-C does, noticed at the first cut
    solved = solve_by_program(problem, candidates, [tuple(s) for s in parents_of(problem.variables, first)])
    score = float(problem.local_scores(solved.parents).sum())
    assert solved.gap > 0
    assert score >= float(problem.local_scores(parents_of(problem.variables, first)).sum()) - 1e-6
    assert score + solved.gap <= candidates.ceiling + 1e-6


def random_weights(rng: random.Random, nodes: int) -> Weights:
    """Each node a mixture of parent sets, as a relaxation gives them."""
    entries = []
    for v in range(nodes):
        others = [u for u in range(nodes) if u != v]
        shares = rng.choice([(1.0,), (0.5, 0.5), (0.25, 0.25, 0.5)])
        for share in shares:
            chosen = rng.sample(others, rng.randint(0, 2))
            if chosen:
                entries.append((v, sum(1 << u for u in chosen), share))
    child, mask, value = zip(*entries, strict=True)
    return Weights(nodes, child, mask, value)


def test_clusters_are_violated_and_none_is_overlooked_by_the_search() -> None:
    for seed in range(20):
        weights = random_weights(random.Random(seed), 6)
        every = [sum(1 << v for v in c) for size in range(2, 7) for c in itertools.combinations(range(6), size)]
        violated = {cluster for cluster in every if weights.violation(cluster) > 1e-4}
        for found in (find_short_cycles(weights), grow_clusters(weights), search_clusters(weights, 10.0)):
            assert set(found) <= violated
        assert bool(search_clusters(weights, 10.0)) == bool(violated)


def test_cyclic_parts_are_those_that_reach_themselves() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        linked = rng.random((6, 6)) < 0.2
        np.fill_diagonal(linked, False)
        parents = [int(sum(1 << int(u) for u in np.flatnonzero(linked[:, v]))) for v in range(6)]
        power, reach = linked.copy(), linked.copy()
        for _ in range(6):
            power = (power.astype(int) @ linked.astype(int)) > 0
            reach |= power
        cyclic = {v for v in range(6) if reach[v, v]}
        assert {v for part in find_cyclic_parts(6, parents) for v in range(6) if part >> v & 1} == cyclic
