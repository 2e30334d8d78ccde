"""Order search in the core equals a slow, obvious version of itself, move by move."""

from __future__ import annotations

import random

import numpy as np
import pytest
from blocks import in_blocks
from oracles_order_search import OrderSearch
from order_search_cases import make_oracle, make_problem, random_data
from random_learning import random_knowledge

from mahc.algorithms.score_based.boss import Ordered, search_orders
from mahc.errors import KnowledgeError
from mahc.knowledge.knowledge import Knowledge

pytestmark = pytest.mark.long

CASES = 360
BLOCKS = 6


def assert_same(found: Ordered, oracle: OrderSearch, best: tuple[float, set[tuple[int, int]]]) -> None:
    assert [move[:2] for move in found.moves] == [move[:2] for move in oracle.moves]
    assert [move[2] for move in found.moves] == pytest.approx([move[2] for move in oracle.moves], abs=1e-9)
    assert found.stop_reason == "converged"
    assert found.score == pytest.approx(best[0], abs=1e-9)
    assert set(found.arcs) == best[1]


@pytest.mark.parametrize("block", in_blocks(BLOCKS, short=2))
def test_textbook_boss_equals_the_oracle_move_by_move(block: int) -> None:
    """All arcs, BIC, no price, no pairs, no kicks."""
    moves = 0
    for seed in range(block * CASES // BLOCKS, (block + 1) * CASES // BLOCKS):
        data = random_data(random.Random(seed))
        problem = make_problem(data, Knowledge(), 8, "bic", 0.0)
        oracle = make_oracle(problem, Knowledge(), problem.constraints.allowed, 8, 0)
        found = search_orders(problem, problem.constraints.allowed, ())
        assert_same(found, oracle, oracle.run((), 0, 0))
        moves += len(found.moves)
    assert moves > 10


@pytest.mark.parametrize("block", in_blocks(BLOCKS, short=2))
def test_everything_at_once_equals_the_oracle(block: int) -> None:
    """Knowledge, in-degrees, prices, pairs of few candidates, early dropping, arcs left out, kicks."""
    followed = 0
    for seed in range(block * CASES // BLOCKS, (block + 1) * CASES // BLOCKS):
        rng = random.Random(seed)
        data = random_data(rng)
        knowledge = random_knowledge(rng, data.names) if seed % 3 else Knowledge()
        in_degree, price, paired = rng.choice([1, 2, 3, 8]), rng.choice([0.0, 1.0, 3.0]), rng.choice([0, 2, 3, 40])
        try:
            score, share = rng.choice(["bic", "qnml", "bdeu"]), rng.choice([0.0, 0.25])
            problem = make_problem(data, knowledge, in_degree, score, price, share=share)
        except KnowledgeError:
            continue
        held = problem.constraints.hold > 0
        chance = np.random.default_rng(seed).random(held.shape) < rng.choice([0.5, 0.8, 1.0])
        allowed = (problem.constraints.allowed & chance) | held
        dropping = rng.random() < 0.5
        oracle = make_oracle(problem, knowledge, allowed, in_degree, paired, dropping)
        found = search_orders(
            problem, allowed, problem.start, kicks=3, seed=seed, pair_candidates=paired, early_dropping=dropping
        )
        assert_same(found, oracle, oracle.run(problem.start, 3, seed))
        assert oracle.rules.fit(frozenset(found.arcs))
        followed += 1
    assert followed > 0.5 * CASES / BLOCKS


def test_few_nodes_in_memory_give_the_same_graph() -> None:
    data = random_data(random.Random(4))
    problem = make_problem(data, Knowledge(), 8, "bic", 0.0)
    allowed = problem.constraints.allowed
    roomy = search_orders(problem, allowed, (), kicks=5)
    tight = search_orders(problem, allowed, (), kicks=5, memory_mebibytes=0)
    assert (tight.arcs, tight.moves, tight.score) == (roomy.arcs, roomy.moves, roomy.score)
