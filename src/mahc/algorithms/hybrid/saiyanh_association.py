"""SaiyanH's measure of association (MMD) and first phase: the extended maximum spanning graph (EMSG)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountSource, Families
from mahc.engine.count_requests import CountRequests
from mahc.graphs.walks import Check, never_stop
from mahc.learning.control import Control

Table = NDArray[np.integer]


def discrepancy(counts: Table) -> float:
    """MMD of two variables from their table: how far P(b|a) is from P(b), in both directions; 0 to 1.

    For each direction, over the states a of the one, the mean of the mean (MN) and of the largest (MX) of
    |P(b) - P(b|a)| over the states b of the other; MMD is the mean of these four. States that do not
    occur are left out.

    >>> discrepancy(np.array([[2, 0], [0, 2]], np.uint32))
    0.5
    >>> discrepancy(np.array([[1, 1], [2, 2]], np.uint32))
    0.0
    """
    seen = counts[counts.any(axis=1)][:, counts.any(axis=0)].astype(np.float64)
    return math.fsum([*_mean_and_max(seen), *_mean_and_max(seen.T)]) / 4


def conditional_discrepancy(counts: Table) -> float:
    """MMD within each state of the first variable of a table of three, weighted by how often it occurs.

    >>> copies, apart = [[2, 0], [0, 2]], [[1, 1], [1, 1]]
    >>> conditional_discrepancy(np.array([copies, apart], np.uint32))
    0.25
    """
    sizes = counts.sum(axis=(1, 2), dtype=np.float64)
    parts = [size * discrepancy(part) for size, part in zip(sizes.tolist(), counts, strict=True) if size]
    return math.fsum(parts) / float(sizes.sum())


def _mean_and_max(counts: NDArray[np.float64]) -> tuple[float, float]:
    given = counts / counts.sum(axis=1, keepdims=True)
    apart = np.abs(given - counts.sum(axis=0) / counts.sum())
    return _sum(apart) / apart.size, _sum(apart.max(axis=1)) / len(apart)


def _sum(terms: NDArray[np.float64]) -> float:
    # Sorted, so that the order of the states does not change the last bit.
    return float(np.sort(terms, axis=None).sum())


def measure_pairs(source: CountSource, control: Control) -> NDArray[np.float64] | None:
    """[u, v]: MMD of every pair; None when stopped."""
    requests = CountRequests(source)
    n = len(source.names)
    found = np.zeros((n, n))
    for u in range(n - 1):
        control.report(0, math.nan)
        if control.stop_reason() is not None:
            return None
        others = range(u + 1, n)
        for v, tables in zip(others, requests.tables(Families.of((u, (v,)) for v in others)), strict=True):
            if control.stop_reason() is not None:
                return None
            found[u, v] = found[v, u] = discrepancy(tables[0])
    return found


def build_emsg(strength: NDArray[np.float64], check: Check = never_stop) -> list[tuple[int, int]]:
    """The edges u < v that remain of the complete graph, the strongest first; `check` is called for each u.

    From the weakest edge up, A - B is removed if some C is a neighbour of both with MMD(A,C) > MMD(A,B) < MMD(B,C).
    Stronger edges are still present when a weaker one is examined, so the order does not matter: A - B is removed
    exactly if some C is closer to both than they are to each other. The remaining graph contains a maximum spanning
    tree and is therefore connected.

    >>> build_emsg(np.array([[0, 0.3, 0.1], [0.3, 0, 0.2], [0.1, 0.2, 0]]))
    [(0, 1), (1, 2)]
    """
    n = len(strength)
    linked = strength.copy()
    np.fill_diagonal(linked, -np.inf)
    edges = []
    for u in range(n):
        check()
        through = np.minimum(linked[u][None, :], linked[u + 1 :]).max(axis=1)
        edges += [(u, u + 1 + int(k)) for k in np.flatnonzero(through <= strength[u, u + 1 :])]
    return sorted(edges, key=lambda edge: (-strength[edge], edge))
