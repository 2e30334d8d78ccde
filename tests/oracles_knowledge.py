"""Every DAG on a few variables, and which of them fulfil a set of statements: slow and obvious."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mahc.knowledge.conflicts.statements import Kind, Statement

NAMES = ("a", "b", "c", "d", "e")


@cache
def all_dags(n: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Adjacency and reachability (paths of one arc or more) of every DAG on n variables."""
    pairs = list(itertools.combinations(range(n), 2))
    choices = np.array(list(itertools.product(range(3), repeat=len(pairs))), dtype=np.uint8).reshape(-1, len(pairs))
    adjacency = np.zeros((len(choices), n, n), dtype=bool)
    for k, (u, v) in enumerate(pairs):
        adjacency[:, u, v] = choices[:, k] == 1
        adjacency[:, v, u] = choices[:, k] == 2
    reach = adjacency.copy()
    for _ in range(n):
        reach |= (reach.astype(np.uint8) @ adjacency.astype(np.uint8)).astype(bool)
    acyclic = ~np.einsum("gii->gi", reach).any(axis=1)
    return adjacency[acyclic], reach[acyclic]


def fulfilling(statements: Iterable[Statement], n: int) -> NDArray[np.bool_]:
    """Which of all DAGs on the first n names fulfil all the statements."""
    adjacency, reach = all_dags(n)
    statements = list(statements)
    tiers = {NAMES.index(s.variables[0]): s.number for s in statements if s.kind is Kind.IN_TIER}
    strict = any(s.kind is Kind.STRICT_TIERS for s in statements)
    good = np.ones(len(adjacency), dtype=bool)
    for u, v in itertools.permutations(tiers, 2):
        if tiers[u] > tiers[v]:
            good &= ~reach[:, u, v]
        if strict and tiers[u] == tiers[v]:
            good &= ~adjacency[:, u, v]
    for s in statements:
        at = [NAMES.index(name) for name in s.variables]
        if s.kind is Kind.REQUIRED_ARC:
            good &= adjacency[:, at[0], at[1]]
        elif s.kind is Kind.REQUIRED_EDGE:
            good &= adjacency[:, at[0], at[1]] | adjacency[:, at[1], at[0]]
        elif s.kind is Kind.FORBIDDEN_ARC:
            good &= ~adjacency[:, at[0], at[1]]
        elif s.kind is Kind.FORBIDDEN_EDGE:
            good &= ~adjacency[:, at[0], at[1]] & ~adjacency[:, at[1], at[0]]
        elif s.kind is Kind.MAX_PARENTS:
            good &= adjacency[:, :, at[0]].sum(axis=1) <= s.number
        elif s.kind is Kind.SEARCH_IN_DEGREE:
            good &= (adjacency.sum(axis=1) <= s.number).all(axis=1)
    return good
