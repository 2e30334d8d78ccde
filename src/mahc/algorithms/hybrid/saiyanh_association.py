"""SaiyanH's first phase: the extended maximum spanning graph (EMSG) of the strongest associations."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.hybrid.saiyanh_discrepancy import discrepancy
from mahc.engine import CountSource, Families
from mahc.engine.count_requests import CountRequests
from mahc.graphs.stopping import Check, never_stop
from mahc.learning.control import Control


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
