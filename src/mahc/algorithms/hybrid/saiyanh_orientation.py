"""SaiyanH's second phase: directions for the edges of the EMSG, by our reading (docs/explanation/saiyanh.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.hybrid.saiyanh_discrepancy import conditional_discrepancy
from mahc.algorithms.hybrid.saiyanh_draft import Draft
from mahc.engine import Families
from mahc.engine.count_requests import CountRequests
from mahc.learning.problem import Problem

Arc = tuple[int, int]
Triple = tuple[int, int, int]  # a - c - b, with a < b


def orient(problem: Problem, edges: Sequence[Arc], strength: NDArray[np.float64], at: float) -> Draft:
    """The start graph and the edges, directed where that is legal; the others are left without direction.

    Colliders and chains come from triples a - c - b. The other edges are directed by the score, then by which
    direction connects more pairs by directed paths. In a second round, each edge that was directed by score or paths
    is decided again, now that the others are directed. When the search is stopped, what is left is directed in the
    first legal way, and there is no second round.
    """
    draft = Draft(problem, problem.start, edges)
    dependent, independent = classify(problem, edges, strength, at)
    for a, c, b in dependent:
        if problem.control.stop_reason() is not None:
            break
        _place_collider(draft, a, c, b)
    _follow_chains(draft, independent)
    decided = _decide(draft, list(draft.undirected))
    for u, v in decided:
        if problem.control.stop_reason() is not None:
            break
        here = (u, v) if draft.has(u, v) else (v, u)
        draft.release(*here)
        _decide(draft, [(u, v)])
    return draft


def classify(
    problem: Problem, edges: Sequence[Arc], strength: NDArray[np.float64], at: float
) -> tuple[list[Triple], list[Triple]]:
    """The triples that are conditionally dependent and independent, the clearest first; not all when stopped."""
    neighbours: list[list[int]] = [[] for _ in range(problem.variables)]
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    requests = CountRequests(problem.source)
    dependent: list[tuple[float, Triple]] = []
    independent: list[tuple[float, Triple]] = []
    for c, ends in enumerate(neighbours):
        problem.control.report(0, math.nan)
        if problem.control.stop_reason() is not None:
            break
        pairs = list(combinations(sorted(ends), 2))
        triples = requests.tables(Families.of((a, (c, b)) for a, b in pairs))
        for (a, b), tables in zip(pairs, triples, strict=True):
            if problem.control.stop_reason() is not None:
                break
            given = conditional_discrepancy(tables)
            if given > strength[a, b] + at:
                dependent.append((float(strength[a, b]) - given, (a, c, b)))
            elif given < at:
                independent.append((given, (a, c, b)))
    return [triple for _, triple in sorted(dependent)], [triple for _, triple in sorted(independent)]


def _place_collider(draft: Draft, a: int, c: int, b: int) -> None:
    wanted = [(u, c) for u in (a, b) if not draft.has(u, c)]
    if all(draft.is_open(*arc) for arc in wanted) and draft.legality.may_add_parents([u for u, _ in wanted], c):
        for u, _ in wanted:
            draft.direct(u, c)


def _follow_chains(draft: Draft, independent: Sequence[Triple]) -> None:
    """Where c is not a collider and one arc points at it, the other edge points away; until nothing more follows."""
    changed = True
    while changed:
        changed = False
        for a, c, b in independent:
            if draft.problem.control.stop_reason() is not None:
                return
            for u, w in ((a, b), (b, a)):
                if draft.has(u, c) and draft.is_open(c, w) and draft.legality.may_add(c, w):
                    draft.direct(c, w)
                    changed = True


def _decide(draft: Draft, edges: Sequence[Arc]) -> list[Arc]:
    """Direct these edges by score, then the undecided by paths; returns those that could be directed."""
    for u, v in edges:
        if draft.problem.control.stop_reason() is not None:
            break
        there, back = draft.gain(u, v), draft.gain(v, u)
        if abs(there - back) > draft.problem.tolerance:
            better = (u, v) if there > back else (v, u)
            if draft.legality.may_add(*better):
                draft.direct(*better)
    for u, v in edges:
        if not draft.is_open(u, v):
            continue
        legal = [arc for arc in ((u, v), (v, u)) if draft.legality.may_add(*arc)]
        if legal and draft.problem.control.stop_reason() is not None:
            draft.direct(*legal[0])
        elif legal:
            draft.direct(*max(legal, key=lambda arc: draft.count_paths_with(*arc)))
    return [edge for edge in edges if not draft.is_open(*edge)]
