"""MMPC beside pgmpy 0.1.26 on the paper's sample of Asia: where its skeletons differ from ours, and why.

pgmpy takes minutes for eight variables and is no part of the extras; what it gave for two choices of columns (alpha
0.05, the same for every hash seed tried) is written down here, and comes out of its steps on scipy's p-values:
- its forward phase takes a variable in while 1 - p > 0, not while p <= alpha: all variables come in;
- its backward phase removes from the list that it walks over, and so never looks at the one after a removed one;
- neither does its symmetry correction, and what it leaves on one side only is an edge;
- its test is X2 with Yates' correction where a configuration leaves one degree of freedom; a test without any is
  no number, which counts as dependent.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from peer_rules import codes_of, parts_of

from mahc.algorithms.constraint_based import find_neighbourhoods
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.data import Dataset, read
from mahc.engine import EngineRows
from mahc.graphs.bitset import members
from mahc.independence import IndependenceTest, Questions, TableOracle

pytestmark = [pytest.mark.shared, pytest.mark.peers]
PGMPY = {
    ("smoke", "lung", "bronc", "either", "dysp"): "bronc-dysp bronc-smoke either-lung either-smoke",
    ("tub", "smoke", "lung", "either", "xray", "dysp"): "dysp-lung dysp-smoke either-lung either-smoke either-xray",
}
OURS = {
    ("smoke", "lung", "bronc", "either", "dysp"): "bronc-dysp bronc-smoke dysp-either either-lung lung-smoke",
    ("tub", "smoke", "lung", "either", "xray", "dysp"): "dysp-smoke either-lung either-tub lung-smoke",
}
Edges = set[tuple[str, ...]]


def edges(text: str) -> Edges:
    return {tuple(word.split("-")) for word in text.split()}


def our_skeleton(data: Dataset) -> Edges:
    oracle = TableOracle(EngineRows(data), IndependenceTest("x2", "adjusted"))
    found = find_neighbourhoods(oracle, no_constraints(data.names), alpha=0.05)
    assert found is not None
    return {tuple(sorted((data.names[u], data.names[v]))) for v, bits in enumerate(found) for u in members(bits)}


def yates_p(codes: NDArray[np.int64], x: int, y: int, given: Sequence[int]) -> float:
    stats = pytest.importorskip("scipy.stats")
    total, freedom = 0.0, 0
    for part in parts_of(codes, x, y, tuple(given)):
        seen = part[part.any(axis=1)][:, part.any(axis=0)]
        result = stats.chi2_contingency(seen)
        total, freedom = total + float(result.statistic), freedom + int(result.dof)
    return 1 - float(stats.chi2.cdf(total, freedom)) if freedom else math.nan


def subsets(of: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(of, size) for size in range(len(of) + 1))


def pgmpy_skeleton(data: Dataset) -> Edges:
    """Its steps, one by one."""
    codes, n = codes_of(data), len(data.names)
    near: list[list[int]] = []
    for x in range(n):
        mine: list[int] = []
        while left := [y for y in range(n) if y != x and y not in mine]:
            best, most = -1, 0.0
            for y in left:
                least = min(1 - yates_p(codes, x, y, given) for given in subsets(mine))
                best, most = (y, least) if least >= most else (best, most)
            if not most > 0:
                break
            mine.append(best)
        for y in mine:  # while it shrinks
            if any(yates_p(codes, x, y, given) >= 0.05 for given in subsets([v for v in mine if v != y])):
                mine.remove(y)
        near.append(mine)
    for x, mine in enumerate(near):
        for y in mine:
            if x not in near[y]:
                mine.remove(y)
    return {tuple(sorted((data.names[x], data.names[y]))) for x, mine in enumerate(near) for y in mine}


@pytest.mark.parametrize("columns", PGMPY, ids=len)
def test_the_skeletons_and_why_they_differ(columns: tuple[str, ...], shared: Path) -> None:
    data = read(shared / "paper" / "asia-1k.csv").select(columns)
    assert our_skeleton(data) == edges(OURS[columns])
    assert pgmpy_skeleton(data) == edges(PGMPY[columns])


@pytest.mark.parametrize("columns", PGMPY, ids=len)
def test_no_set_separates_what_we_join(columns: tuple[str, ...], shared: Path) -> None:
    """MMPC's promise, checked by brute force: no subset of its other neighbours parts two that are joined."""
    data = read(shared / "paper" / "asia-1k.csv").select(columns)
    found = our_skeleton(data)
    oracle = TableOracle(EngineRows(data), IndependenceTest("x2", "adjusted"))
    for a, b in found:
        others = [data.index(name) for edge in found if a in edge for name in edge if name not in (a, b)]
        for given in subsets(others):
            answers = oracle.log_p_values(Questions.of([(data.index(a), [*given, data.index(b)])]))
            assert answers is not None
            assert answers[0] <= math.log(0.05)
