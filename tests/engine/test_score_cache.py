"""A cache that has no room gives the scores of one that keeps everything."""

from __future__ import annotations

import random

import numpy as np
import pytest
from noise_scores import NoiseScorer, make_space, random_rules

from mahc.engine import _native


@pytest.mark.parametrize(("escapes", "length"), [(False, 0), (True, 0), (False, 5)], ids=["hc", "tabu", "tabu list"])
def test_climbs_do_not_depend_on_the_memory_of_the_cache(escapes: bool, length: int) -> None:
    moved = 0
    for seed in range(40):
        rules, start = random_rules(random.Random(7000 + seed))
        if not rules.fit(start):
            continue
        scorer = NoiseScorer(rules.variables, seed, 0.5)
        found = [
            _native.climb(
                _native.ScoreCache(scorer, memory),
                make_space(rules),
                sorted(start),
                None,
                False,
                escapes,
                1e-9,
                200,
                None,
                list_length=length,
            )
            for memory in (1 << 22, 4096, 0)
        ]
        for other in found[1:]:
            assert other["arcs"] == found[0]["arcs"]
            assert [step[:4] for step in other["steps"]] == [step[:4] for step in found[0]["steps"]]
            np.testing.assert_array_equal(other["once"], found[0]["once"])
            np.testing.assert_array_equal(other["now"], found[0]["now"])
        moved += len(found[0]["steps"]) > 2
    assert moved > 5
