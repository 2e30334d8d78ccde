"""Exact learning against all graphs there are."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles_knowledge import NAMES, all_dags, fulfilling
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms.exact.exact import Exact
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.statements import list_statements
from mahc.knowledge.knowledge import Knowledge
from mahc.scores import Score, make_score

pytestmark = pytest.mark.long


def best_of_all(
    data: Dataset, score: Score, knowledge: Knowledge, in_degree: int, arc_price: float = 0.0, share: float = 0.0
) -> float:
    """The highest score of any legal graph less the price of its arcs, every one of them added up."""
    n = len(data.names)
    names = NAMES[:n]
    adjacency, _ = all_dags(n)
    legal = fulfilling(list_statements(knowledge, in_degree), n)
    scorer = RowScorer(EngineRows(data.select(names), threads=1), score)
    sets = list(itertools.product([False, True], repeat=n))
    totals = np.zeros(len(adjacency))
    for v in range(n):
        mine = [chosen for chosen in sets if not chosen[v]]
        scores = scorer.score_families(Families.of((v, np.flatnonzero(chosen).tolist()) for chosen in mine))
        table = dict(zip(mine, scores.tolist(), strict=True))
        totals += [table[tuple(column)] for column in adjacency[:, :, v].tolist()]
    totals -= (adjacency * prices_of(scorer, n, arc_price, share)).sum(axis=(1, 2))
    return float(totals[legal].max())


def prices_of(scorer: RowScorer, n: int, arc_price: float, share: float) -> NDArray[np.float64]:
    """[u, v]: the constant price, and the share of what the pair gains alone, on average over both directions."""
    alone, pairs = np.zeros(n), np.zeros((n, n))
    for v in range(n):
        alone[v] = scorer.score_families(Families.of([(v, [])]))[0]
        for u in set(range(n)) - {v}:
            pairs[u, v] = scorer.score_families(Families.of([(v, [u])]))[0] - alone[v]
    return arc_price + share * np.maximum(0.0, (pairs + pairs.T) / 2 - arc_price)


@pytest.mark.parametrize("name", ["bic", "aic", "bdeu", "fnml", "qnml", "loglik"])
@pytest.mark.parametrize("informed", [False, True])
def test_exact_equals_enumeration_of_all_graphs(name: str, informed: bool) -> None:
    checked = 0
    for seed in range(20):
        rng = random.Random(f"{name}/{seed}")
        names = NAMES[: rng.choice([2, 3, 4, 4, 5])]
        data = dependent_data(rng, names, rng.choice([3, 20, 100]))
        knowledge = random_knowledge(rng, names) if informed else Knowledge()
        in_degree = rng.choice([1, 2, 3, 8])
        try:
            learned = mahc.learn(
                data, Exact(search_in_degree=in_degree), objective=name, knowledge=knowledge, threads=1
            )
        except KnowledgeError:
            continue
        best = best_of_all(data, make_score(name), knowledge, in_degree)
        assert learned.score == pytest.approx(best, abs=1e-8)
        assert is_legal(learned, knowledge, in_degree)
        checked += 1
    assert checked > 8


@pytest.mark.parametrize("name", ["bic", "fnml", "qnml"])
@pytest.mark.parametrize("method", ["orders", "program"])
def test_with_a_price_per_arc_too(name: str, method: str) -> None:
    if method == "program":
        pytest.importorskip("pyscipopt", reason="needs the extra `exact`")
    checked = changed = 0
    for seed in range(20):
        rng = random.Random(f"{name}/{seed}/price")
        names = NAMES[: rng.choice([3, 4, 5])]
        data = dependent_data(rng, names, rng.choice([20, 100]))
        knowledge = random_knowledge(rng, names) if seed % 2 else Knowledge()
        price = rng.choice([1.0, 6.0, 15.0])
        share = rng.choice([0.0, 0.2, 0.5])
        exact = Exact(search_in_degree=3, method=method, arc_price=price, relative_price=share)
        try:
            learned = mahc.learn(data, exact, objective=name, knowledge=knowledge, threads=1)
        except KnowledgeError:
            continue
        best = best_of_all(data, make_score(name), knowledge, 3, price, share)
        scorer = RowScorer(EngineRows(data.select(names), threads=1), make_score(name))
        prices = prices_of(scorer, len(names), price, share)
        paid = sum(prices[names.index(a), names.index(b)] for a, b in learned.arcs)
        assert learned.score - paid == pytest.approx(best, abs=1e-5 if method == "program" else 1e-8)
        assert is_legal(learned, knowledge, 3)
        free = mahc.learn(data, Exact(method="orders"), objective=name, knowledge=knowledge, threads=1)
        changed += len(free.arcs) != len(learned.arcs)
        checked += 1
    assert checked > 12
    assert changed > 2


def is_legal(learned: mahc.Learned, knowledge: Knowledge, in_degree: int) -> bool:
    """Whether the graph is one of those that fulfil every statement."""
    n = len(learned.variables)
    wanted = np.zeros((n, n), bool)
    for a, b in learned.arcs:
        wanted[NAMES.index(a), NAMES.index(b)] = True
    adjacency, _ = all_dags(n)
    found = (adjacency == wanted).all(axis=(1, 2))
    return bool(fulfilling(list_statements(knowledge, in_degree), n)[found].all()) and found.sum() == 1


def test_targets_divide_the_penalty() -> None:
    rng = random.Random(3)
    data = dependent_data(rng, NAMES[:4], 60)
    plain = mahc.learn(data, "exact", threads=1)
    keen = mahc.learn(data, "exact", knowledge=Knowledge(targets={"a": 50.0}), threads=1)
    climbed = mahc.learn(data, "tabu", search_in_degree=3, knowledge=Knowledge(targets={"a": 50.0}), threads=1)
    assert keen.score >= climbed.score - 1e-9
    assert sum(b == "a" for _, b in keen.arcs) >= sum(b == "a" for _, b in plain.arcs)
