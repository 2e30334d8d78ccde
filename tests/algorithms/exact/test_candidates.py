"""Candidate parent sets: what the bounds leave uncounted is never missed."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from random_learning import dependent_data

from mahc.algorithms.exact.candidates import Candidates, find_candidates
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import make_score


def problem_of(data: Dataset, score: str, in_degree: int, knowledge: Knowledge | None = None) -> Problem:
    constraints = (knowledge or Knowledge()).check(data.names, in_degree)
    return Problem(RowScorer(EngineRows(data, threads=1), make_score(score)), constraints, (), Control())


def slow_candidates(problem: Problem, child: int, in_degree: int) -> dict[tuple[int, ...], float]:
    """Every set that beats all its subsets, all of them counted."""
    others = [u for u in range(problem.variables) if u != child]
    sets = [s for size in range(in_degree + 1) for s in itertools.combinations(others, size)]
    scores = problem.scorer.score_families(Families.of((child, s) for s in sets)).tolist()
    table = dict(zip(sets, scores, strict=True))
    kept = {}
    for s in sets:
        smaller = [table[t] for size in range(len(s)) for t in itertools.combinations(s, size)]
        if not smaller or table[s] > max(smaller) + problem.tolerance:
            kept[s] = table[s]
    return kept


@pytest.mark.parametrize("score", ["bic", "aic", "loglik", "bdeu", "fnml", "qnml"])
def test_candidates_are_the_sets_that_beat_all_their_subsets(score: str) -> None:
    for seed in range(12):
        rng = random.Random(f"{score}/{seed}")
        data = dependent_data(rng, tuple("abcdef"), rng.choice([3, 30, 300]))
        in_degree = rng.choice([1, 2, 3, 5])
        problem = problem_of(data, score, in_degree)
        found = counted(find_candidates(problem))
        for child, mine in enumerate(found.of):
            expected = slow_candidates(problem, child, in_degree)
            assert dict(zip(mine.sets, mine.scores.tolist(), strict=True)) == expected


def counted(found: Candidates | None) -> Candidates:
    assert found is not None
    return found


def test_not_all_sets_are_counted() -> None:
    data = sample(load_network("child"), 1_000, seed=7)
    found = counted(find_candidates(problem_of(data, "bic", 19)))
    assert found.possible == 20 * 2**19
    assert found.counted < found.possible / 50


def test_required_parents_are_in_every_set_and_required_edges_in_some() -> None:
    data = dependent_data(random.Random(5), tuple("abcd"), 50)
    knowledge = Knowledge(required_arcs=[("a", "b")], required_edges=[("c", "b")], forbidden_arcs=[("d", "b")])
    found = counted(find_candidates(problem_of(data, "bic", 3, knowledge)))
    a, b, c = (data.names.index(name) for name in "abc")
    assert {frozenset(s) for s in found.of[b].sets} == {frozenset({a}), frozenset({a, c})}


def test_the_ceiling_is_above_every_graph() -> None:
    data = dependent_data(random.Random(8), tuple("abcde"), 80)
    problem = problem_of(data, "bic", 2)
    found = counted(find_candidates(problem))
    empty = float(problem.local_scores([[] for _ in range(5)]).sum())
    assert found.ceiling >= empty
    assert np.isclose(found.ceiling, sum(mine.scores.max() for mine in found.of))


def test_a_cancelled_run_ends_the_counting() -> None:
    data = dependent_data(random.Random(8), tuple("abcde"), 80)
    problem = problem_of(data, "bic", 2)
    problem.control.token.cancel()
    assert find_candidates(problem) is None
