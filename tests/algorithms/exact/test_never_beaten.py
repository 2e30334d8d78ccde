"""Nobody beats exact: with the same in-degree, every algorithm of the registry scores at most as high."""

from __future__ import annotations

import random
from dataclasses import fields
from functools import cache
from importlib.util import find_spec

import pytest
from oracles_knowledge import NAMES
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset
from mahc.errors import KnowledgeError
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import make_algorithm
from mahc.networks import load_network, sample

pytestmark = pytest.mark.long

IN_DEGREE = 3
OTHERS = sorted(set(ALGORITHMS) - {"exact"})
CASES = [
    (network, rows, score)
    for network in ("asia", "cancer", "earthquake", "survey", "sachs", "child")
    for rows in (100, 2_000)
    for score in ("bic", "bdeu")
]
if find_spec("pyscipopt") is not None:
    CASES.append(("insurance", 500, "bic"))  # 27 variables: by the 0-1 program


@cache
def drawn(network: str, rows: int) -> Dataset:
    return sample(load_network(network), rows, seed=3)


@cache
def best(network: str, rows: int, score: str) -> float:
    learned = mahc.learn(drawn(network, rows), "exact", objective=score, search_in_degree=IN_DEGREE)
    assert learned.stop_reason == "converged"
    assert learned.score is not None
    return learned.score


def limited(algorithm: str) -> mahc.learning.algorithm.Algorithm:
    """The algorithm with the in-degree, where it has that setting."""
    has = "search_in_degree" in {f.name for f in fields(ALGORITHMS[algorithm])}
    return make_algorithm(algorithm, search_in_degree=IN_DEGREE if has else None)


def comparable(learned: mahc.Learned) -> bool:
    """Whether there is a DAG to score and its in-degree is one that exact had to choose from."""
    if learned.without_dag is not None:
        return False
    heads = [head for _, head in learned.dag.arcs]
    return max(map(heads.count, heads), default=0) <= IN_DEGREE


@pytest.mark.parametrize("algorithm", OTHERS)
@pytest.mark.parametrize(("network", "rows", "score"), CASES)
def test_no_algorithm_scores_higher(algorithm: str, network: str, rows: int, score: str) -> None:
    learned = mahc.learn(drawn(network, rows), limited(algorithm), objective=score)
    if comparable(learned):
        assert learned.score is not None
        assert learned.score <= best(network, rows, score) + 1e-6
    else:
        assert "search_in_degree" not in learned.settings


@pytest.mark.parametrize("algorithm", OTHERS)
@pytest.mark.parametrize("known", [False, True], ids=["free", "knowledge"])
def test_nor_on_small_random_data(algorithm: str, known: bool) -> None:
    """With knowledge too: an algorithm that obeys it chooses among the graphs that exact chooses from."""
    compared = 0
    for seed in range(40):
        rng = random.Random(seed)
        names = NAMES[: rng.randint(3, 5)]
        data = dependent_data(rng, names, rng.choice([5, 40, 300]))
        knowledge = random_knowledge(rng, names) if known else Knowledge()
        idle = ALGORITHMS[algorithm].idle
        knowledge = Knowledge.from_dict(
            {name: value for name, value in knowledge.to_dict().items() if name not in idle}
        )
        try:
            learned = mahc.learn(data, limited(algorithm), objective="bic", knowledge=knowledge, threads=1)
            optimum = mahc.learn(data, "exact", search_in_degree=IN_DEGREE, knowledge=knowledge, threads=1).score
        except KnowledgeError:
            continue
        if comparable(learned):
            compared += 1
            assert learned.score is not None
            assert optimum is not None
            assert learned.score <= optimum + 1e-6
    assert compared >= 10
