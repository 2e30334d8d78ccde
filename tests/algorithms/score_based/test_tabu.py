"""TABU's shortcuts change nothing, and the tabu list equals a slow, obvious one."""

from __future__ import annotations

import itertools
import random
from functools import lru_cache

import numpy as np
import oracles_search as slow
import pytest
from blocks import in_blocks
from noise_scores import NoiseScorer, make_space, random_rules
from small_data import local_bic, random_data

import mahc
from mahc.engine import EngineRows, _native
from mahc.learning.tie_order import order_variables
from mahc.networks import load_network, sample

pytestmark = pytest.mark.long


@pytest.mark.parametrize("length", [1, 2, 5, 12])
@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_the_tabu_list_equals_a_slow_one(length: int, block: int) -> None:
    compared = beyond_the_climb = 0
    for seed in range(30 * block, 30 * (block + 1)):
        rules, start = random_rules(random.Random(3000 + seed))
        if not rules.fit(start):
            continue
        scorer = NoiseScorer(rules.variables, seed, 0.5)
        local = lru_cache(maxsize=None)(scorer.local)
        found = list_search(scorer, rules, start, length)
        graph, scores = slow.tabu_list(rules, local, start, 1e-9, length)
        assert set(found["arcs"]) == graph
        assert [step[3] for step in found["steps"]] == pytest.approx(scores, abs=1e-9)
        assert found["reason"] == "converged"
        compared += 1
        beyond_the_climb += graph != slow.climb(rules, local, start, False, 1e-9)[0]
    assert compared > 15
    assert beyond_the_climb > 0 or length < 5


def list_search(
    scorer: NoiseScorer, rules: slow.Rules, start: slow.Graph, length: int, most_steps: int = 10**6
) -> dict[str, list[tuple[str, int, int, float]]]:
    cache = _native.ScoreCache(scorer, 1 << 22)
    space = make_space(rules)
    return _native.climb(cache, space, sorted(start), None, False, False, 1e-9, most_steps, None, list_length=length)


def test_the_step_limit_ends_the_list_search_at_its_best_graph() -> None:
    rules = slow.Rules(5, frozenset(itertools.permutations(range(5), 2)), dict.fromkeys(range(5), 8))
    for seed in range(10):
        scorer = NoiseScorer(5, seed, 0.5)
        local = lru_cache(maxsize=None)(scorer.local)
        whole = list_search(scorer, rules, frozenset(), 8)
        cut = list_search(scorer, rules, frozenset(), 8, most_steps=4)
        assert cut["reason"] == "step_limit"
        assert [step[:3] for step in cut["steps"]] == [step[:3] for step in whole["steps"][: len(cut["steps"])]]
        scores = [slow.total(rules, local, frozenset()), *(step[3] for step in cut["steps"])]
        assert slow.total(rules, local, frozenset(cut["arcs"])) == pytest.approx(max(scores))


@pytest.mark.parametrize("block", in_blocks(4, short=2))
def test_escapes_on_counted_scores_equal_brute_force(block: int) -> None:
    """With counted scores, additions that cannot be the best move are left out; noise has no bounds."""
    higher = 0
    for seed in range(15 * block, 15 * (block + 1)):
        rng = random.Random(4000 + seed)
        data = random_data(rng)
        n = len(data.names)
        if n > 5:
            continue
        in_degree = rng.choice([2, 8])
        learned = mahc.learn(data, "tabu", search_in_degree=in_degree, threads=1)
        order = order_variables(EngineRows(data, threads=1), "data")
        names = [data.names[v] for v in order]
        local = local_bic(data, order)
        rules = slow.Rules(n, frozenset(itertools.permutations(range(n), 2)), dict.fromkeys(range(n), in_degree))
        tie = max(1e-9, 1e-12 * abs(sum(local(v, ()) for v in range(n))))
        graph = slow.tabu(rules, local, frozenset(), tie)
        assert {(names[u], names[v]) for u, v in graph} == set(learned.arcs)
        higher += graph != slow.climb(rules, local, frozenset(), False, tie)[0]
    assert higher > 0


def test_a_step_limit_cuts_the_escapes_where_it_falls() -> None:
    """Steps of failed escapes count towards the limit, also where the way was gone before."""
    rules = slow.Rules(5, frozenset(itertools.permutations(range(5), 2)), dict.fromkeys(range(5), 8))
    reasons = set()
    for seed, limit in itertools.product(range(12), range(1, 14)):
        scorer = NoiseScorer(5, seed, 0.5)
        local = lru_cache(maxsize=None)(scorer.local)
        cache = _native.ScoreCache(scorer, 1 << 22)
        found = _native.climb(cache, make_space(rules), [], None, False, True, 1e-9, limit, None)
        graph, reason = slow.limited_tabu(rules, local, frozenset(), 1e-9, limit)
        assert (set(found["arcs"]), found["reason"]) == (graph, reason)
        reasons.add(reason)
    assert reasons == {"converged", "step_limit"}


def test_the_gains_after_escapes_are_those_of_the_final_graph() -> None:
    data = sample(load_network("asia"), 1000, 5)
    learned = mahc.learn(data, "tabu", threads=1)
    again = mahc.learn(data, "hc", start=learned.arcs, threads=1)
    assert again.arcs == learned.arcs
    ours, theirs = (result.outcome.arc_details.gain for result in (learned, again))
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    np.testing.assert_allclose(ours[both], theirs[both])


def test_a_tabu_list_is_a_setting() -> None:
    data = sample(load_network("asia"), 1000, 5)
    climbed = mahc.learn(data, "hc", threads=1)
    learned = mahc.learn(data, "tabu", list_length=10, threads=1)
    assert learned.settings["list_length"] == 10
    assert learned.score is not None
    assert climbed.score is not None
    assert learned.score >= climbed.score
    with pytest.raises(mahc.MahcError, match="list_length"):
        mahc.learn(data, "tabu", list_length=0)
