"""The averaged score of every neighbour equals full enumeration, on scores that are pure noise."""

from __future__ import annotations

import itertools
import random
from functools import lru_cache

import numpy as np
import oracles_search as slow
import pytest
from blocks import in_blocks
from noise_scores import NoiseScorer, make_space, random_rules
from numpy.typing import NDArray

from mahc.engine import Families, _native


@pytest.mark.parametrize("block", in_blocks(10, short=4))
def test_every_neighbour_and_the_whole_climb_equal_enumeration(block: int) -> None:
    checked = sum(check(seed) for seed in range(60 * block, 60 * (block + 1)))
    assert checked > 40


def check(seed: int) -> bool:
    rng = random.Random(seed)
    rules, start = random_rules(rng)
    if not rules.fit(start):
        return False
    scorer = NoiseScorer(rules.variables, seed, rng.choice([0.0, 0.5, 2.0]))
    local = lru_cache(maxsize=None)(scorer.local)
    memory = _native.ScoreCache(scorer, 1 << 22)
    space = make_space(rules)
    _own, average, count, found = _native.neighbours(memory, space, sorted(start))
    expected = {
        (kind, *arc): (slow.total(rules, local, graph), slow.averaged(rules, local, graph))
        for kind, arc, graph in slow.neighbours(rules, start)
    }
    assert count == len(expected)
    assert average == pytest.approx(slow.averaged(rules, local, start), abs=1e-9)
    assert {(kind, u, v) for kind, u, v, _, _ in found} == set(expected)
    for kind, u, v, score, mean in found:
        assert (score, mean) == pytest.approx(expected[kind, u, v], abs=1e-9)
    for averaging, ties in itertools.product((True, False), (True, False)):
        climbed = _native.climb(memory, space, sorted(start), None, averaging, False, 1e-9, 10**6, None, data_ties=ties)
        graph, path = slow.climb(rules, local, start, averaging, 1e-9, ties)
        assert set(climbed["arcs"]) == set(graph)
        assert [step[3] for step in climbed["steps"]] == pytest.approx([own for own, _ in path[1:]], abs=1e-9)
    return True


@pytest.mark.parametrize("seed", range(40))
def test_what_a_climb_keeps_from_step_to_step_equals_a_fresh_look(seed: int) -> None:
    rng = random.Random(500 + seed)
    rules, start = random_rules(rng, 12, 24)
    if not rules.fit(start):
        return
    memory = _native.ScoreCache(NoiseScorer(rules.variables, seed, rng.choice([0.5, 2.0])), 1 << 22)
    space, graph = make_space(rules), set(start)
    climbed = _native.climb(memory, space, sorted(start), None, True, False, 1e-9, 10**6, None)
    for kind, u, v, own, averaged, _ in climbed["steps"]:
        found = {(*move,): (score, mean) for *move, score, mean in _native.neighbours(memory, space, sorted(graph))[3]}
        assert (own, averaged) == pytest.approx(found[kind, u, v], abs=1e-9)
        assert averaged == pytest.approx(max(mean for _, mean in found.values()), abs=2e-9)
        graph -= {(u, v)} if kind != "add" else set()
        graph |= {"add": {(u, v)}, "delete": set(), "reverse": {(v, u)}}[kind]
    assert graph == set(climbed["arcs"])


@pytest.mark.parametrize("seed", range(60))
def test_tabu_equals_brute_force(seed: int) -> None:
    rng = random.Random(1000 + seed)
    rules, _ = random_rules(rng)
    rules = slow.Rules(min(rules.variables, 4), frozenset(a for a in rules.allowed if max(a) < 4), rules.limit)
    scorer = NoiseScorer(rules.variables, seed, 0.5)
    local = lru_cache(maxsize=None)(scorer.local)
    memory = _native.ScoreCache(scorer, 1 << 22)
    climbed = _native.climb(memory, make_space(rules), [], None, False, True, 1e-9, 10**6, None)
    assert set(climbed["arcs"]) == slow.tabu(rules, local, frozenset(), 1e-9)
    assert climbed["reason"] == "converged"


def test_a_memory_too_small_to_remember_gives_the_same_answer() -> None:
    scorer = NoiseScorer(6, 7, 0.5)
    rules = slow.Rules(6, frozenset(itertools.permutations(range(6), 2)), dict.fromkeys(range(6), 8))
    results = [
        _native.climb(_native.ScoreCache(scorer, size), make_space(rules), [], None, True, False, 1e-9, 10**6, None)
        for size in (1, 1 << 24)
    ]
    assert results[0]["arcs"] == results[1]["arcs"]


def test_a_mistake_in_a_python_scorer_comes_through_as_it_is() -> None:
    class Broken(NoiseScorer):
        def score_families(self, families: Families) -> NDArray[np.float64]:
            raise RuntimeError("the cluster is gone")

    rules = slow.Rules(3, frozenset(itertools.permutations(range(3), 2)), dict.fromkeys(range(3), 8))
    memory = _native.ScoreCache(Broken(3, 0, 0.0), 1 << 20)
    with pytest.raises(RuntimeError, match="the cluster is gone"):
        _native.climb(memory, make_space(rules), [], None, False, False, 1e-9, 10**6, None)
