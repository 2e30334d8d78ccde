"""SaiyanH's parts: its measure by hand, its spanning graph by brute force, its directions on plain examples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mahc.algorithms.hybrid.saiyanh import classify, orient
from mahc.algorithms.hybrid.saiyanh_association import build_emsg, conditional_discrepancy, discrepancy, measure_pairs
from mahc.data import Dataset, read
from mahc.engine import EngineRows, RowScorer
from mahc.graphs.walks import label_components
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.networks import load_network, sample
from mahc.scores import BIC


def test_mmd_matches_a_hand_worked_example() -> None:
    table = np.array([[2, 1, 1], [0, 1, 3]], np.uint32)
    # P(b) is 1/4, 1/4, 1/2. Given either a it is off by 1/4, 0, 1/4: MN = 1/6 and MX = 1/4.
    # P(a) is 1/2, 1/2. Given b it is off by 1/2, 0, 1/4 in both states of a: MN = MX = (1/2 + 0 + 1/4) / 3 = 1/4.
    assert discrepancy(table) == pytest.approx((1 / 6 + 1 / 4 + 1 / 4 + 1 / 4) / 4)
    assert discrepancy(table.T) == discrepancy(table)


def test_states_that_do_not_occur_do_not_count() -> None:
    table = np.array([[2, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 3]], np.uint32)
    assert discrepancy(table) == discrepancy(table[[0, 2]][:, [0, 2, 3]])


def test_conditional_mmd_weighs_the_states_of_the_condition() -> None:
    copies, apart, nothing = [[3, 0], [0, 3]], [[1, 1], [0, 0]], [[0, 0], [0, 0]]
    assert conditional_discrepancy(np.array([copies, apart, nothing], np.uint32)) == pytest.approx(0.5 * 6 / 8)


@given(st.integers(2, 7).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, 5), min_size=n * n))))
def test_emsg_matches_the_construction_edge_by_edge(drawn: tuple[int, list[int]]) -> None:
    n, values = drawn
    strength = np.zeros((n, n))
    for k, (u, v) in enumerate(itertools.combinations(range(n), 2)):
        strength[u, v] = strength[v, u] = values[k] / 8
    edges = build_emsg(strength)
    assert set(edges) == one_by_one(strength)
    assert len(set(label_components(n, edges))) == 1
    assert sorted(edges, key=lambda edge: -strength[edge]) == edges


def one_by_one(strength: NDArray[np.float64]) -> set[tuple[int, int]]:
    n = len(strength)
    left = set(itertools.combinations(range(n), 2))

    def linked(u: int, v: int) -> bool:
        return (min(u, v), max(u, v)) in left

    for u, v in sorted(left, key=lambda edge: strength[edge]):
        if any(
            linked(u, c) and linked(v, c) and strength[u, c] > strength[u, v] < strength[v, c]
            for c in range(n)
            if c not in (u, v)
        ):
            left.remove((u, v))
    return left


def problem_of(data: Dataset, knowledge: Knowledge | None = None, in_degree: int = 8) -> tuple[Problem, EngineRows]:
    rows = EngineRows(data, threads=1)
    constraints = (knowledge or Knowledge()).check(data.names, in_degree)
    return Problem(RowScorer(rows, BIC()), constraints, (), Control()), rows


def strengths(rows: EngineRows) -> NDArray[np.float64]:
    found = measure_pairs(rows, Control())
    assert found is not None
    return found


def test_a_condition_that_makes_dependent_gives_a_collider() -> None:
    x, y = [0, 0, 1, 1] * 50, [0, 1, 0, 1] * 50
    problem, rows = problem_of(read({"x": x, "y": y, "z": [a | b for a, b in zip(x, y, strict=True)]}))
    strength = strengths(rows)
    edges = build_emsg(strength)
    assert sorted(edges) == [(0, 2), (1, 2)]
    assert classify(problem, edges, strength, 0.05) == ([(0, 2, 1)], [])
    assert orient(problem, edges, strength, 0.05).arcs == [(0, 2), (1, 2)]


def test_a_condition_that_makes_independent_carries_the_direction_on() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, 4_000)
    z = np.where(rng.random(4_000) < 0.9, x, 1 - x)
    y = np.where(rng.random(4_000) < 0.9, z, 1 - z)
    problem, rows = problem_of(read({"x": x, "y": y, "z": z}), Knowledge(required_arcs=[("x", "z")]))
    strength = strengths(rows)
    edges = build_emsg(strength)
    assert classify(problem, edges, strength, 0.05) == ([], [(0, 2, 1)])
    assert orient(problem.starting([(0, 2)]), edges, strength, 0.05).arcs == [(0, 2), (2, 1)]


def test_ctrl_c_after_the_first_phase_leaves_one_connected_graph() -> None:
    data = sample(load_network("alarm"), 2_000, seed=7)
    problem, rows = problem_of(data)
    edges = build_emsg(strengths(rows))
    problem.control.token.cancel()
    arcs = orient(problem, edges, strengths(rows), 0.05).arcs
    assert len(set(label_components(problem.variables, arcs))) == 1
