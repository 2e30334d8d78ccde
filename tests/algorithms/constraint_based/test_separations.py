"""Separations of many pairs: the compact mapping is a dictionary, and colliders are those of all triples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.algorithms.constraint_based.separations import PairSeparations, Separation, unshielded_colliders
from mahc.algorithms.hybrid.boss_pag import UnchosenPairs
from mahc.graphs.bitset import pack
from mahc.learning.found import FoundDag, UnchosenArc
from mahc.learning.pair_views import PairView, sort_pair


def separations_of(rng: np.random.Generator, n: int) -> tuple[PairSeparations, dict[tuple[int, int], Separation]]:
    """Random separations, compact and as a dictionary; some by the empty set are replaced."""
    compact, expected = PairSeparations(n), {}
    for u in range(n):
        log_p = np.where(rng.random(n - u - 1) < 0.5, -rng.random(n - u - 1), np.nan)
        compact.separate_alone(u, log_p)
        for k in np.flatnonzero(~np.isnan(log_p)).tolist():
            expected[u, u + 1 + k] = Separation(frozenset(), float(log_p[k]))
    for pair in combinations(range(n), 2):
        if rng.random() < 0.3:
            others = frozenset(int(w) for w in range(n) if w not in pair and rng.random() < 0.5)
            expected[pair] = Separation(others, -float(rng.random()))
            compact.set(pair, expected[pair])
    return compact, expected


@given(st.integers(1, 7), st.integers(0, 2**32))
def test_the_compact_mapping_is_a_dictionary(n: int, seed: int) -> None:
    compact, expected = separations_of(np.random.default_rng(seed), n)
    assert list(compact.items()) == sorted(expected.items(), key=lambda row: row[0])
    assert len(compact) == len(expected)
    assert bool(compact) == bool(expected)
    assert all((pair in compact) == (pair in expected) for pair in combinations(range(-1, n + 1), 2))


@given(st.integers(1, 7), st.integers(0, 2**32), st.floats(-1, 0))
def test_unshielded_colliders_are_those_of_all_triples(n: int, seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    compact, expected = separations_of(rng, n)
    joined = np.triu(rng.random((n, n)) < 0.5, 1)
    adjacent = pack(joined | joined.T)
    slowly = [
        ((x, z, y), expected[x, y])
        for x, y in combinations(range(n), 2)
        for z in range(n)
        if (x, y) in expected and expected[x, y].log_p > least and not adjacent[x] >> y & 1
        if adjacent[x] >> z & 1 and adjacent[y] >> z & 1 and z not in expected[x, y].given
    ]
    assert list(unshielded_colliders(adjacent, compact, least)) == slowly


@given(st.permutations(range(6)), st.dictionaries(st.sampled_from([*combinations(range(6), 2)]), st.integers()))
def test_a_view_renumbers_and_sorts(position: list[int], stored: dict[tuple[int, int], int]) -> None:
    expected = {sort_pair(position[u], position[v]): -value for (u, v), value in stored.items()}
    view = PairView(stored, lambda value: -value, position)
    assert list(view.items()) == sorted(expected.items())
    assert view == expected
    assert len(view) == len(expected)


def test_unchosen_pairs_are_those_without_an_arc() -> None:
    pairs = UnchosenPairs([0, 0b001, 0b001, 0], FoundDag(((0, 1), (0, 2)), (), "converged"))
    assert list(pairs) == [(0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(pairs) == 4
    assert pairs[1, 2] == UnchosenArc(None)
    assert (0, 1) not in pairs
    assert (3, 0) not in pairs


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "boss-pag"])
def test_a_run_stopped_before_the_first_test_says_nothing_of_directions(algorithm: str) -> None:
    token = mahc.CancelToken()
    token.cancel()
    columns = {name: list("xyxyyxxy") * 4 for name in "abcd"}
    learned = mahc.learn(columns, algorithm, cancel=token)
    assert learned.stop_reason == "interrupted"
    assert {edge.mark for edge in learned.edges} <= {"---", "o-o"}
    assert learned.explain("a", "b").sentence
