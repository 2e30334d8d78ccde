"""All variables relevant: join what learning left apart, at the least cost in score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.search.ledger import find_path
from mahc.search.problem import Problem

Arcs = list[tuple[int, int]]


def connect(problem: Problem, arcs: Sequence[tuple[int, int]], names: Sequence[str]) -> tuple[Arcs, float]:
    """The arcs and those added to make one connected graph, and the score it cost.

    Again and again the legal arc between two components that costs the least is added; pruning does not bind
    here, knowledge does. Ties go by the order of the variables.
    """
    joined = list(arcs)
    cost = 0.0
    known: dict[int, NDArray[np.float64]] = {}
    while len(set(part := components(problem.variables, joined))) > 1:
        parents = parents_of(problem.variables, joined)
        gains = _gains(problem, parents, known)
        choice = next(_legal_from_best(problem, gains, part, parents), None)
        if choice is None:
            apart = sorted({part.index(label) for label in set(part)})
            shown = ", ".join(names[v] for v in apart[:4])
            raise KnowledgeError(
                f"all_relevant cannot be met: no legal arc joins the parts of {shown}; forbid fewer arcs, "
                "raise an in-degree, or switch all_relevant off"
            )
        gain, u, v = choice
        joined.append((u, v))
        cost -= gain
        known.pop(v)
    return sorted(joined), cost


def components(variables: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """For each variable the smallest variable of its component."""
    label = list(range(variables))

    def root(v: int) -> int:
        while label[v] != v:
            label[v] = label[label[v]]
            v = label[v]
        return v

    for u, v in arcs:
        a, b = sorted((root(u), root(v)))
        label[b] = a
    return [root(v) for v in range(variables)]


def parents_of(variables: int, arcs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Sorted parents of every variable."""
    parents: list[list[int]] = [[] for _ in range(variables)]
    for u, v in sorted(arcs):
        parents[v].append(u)
    return parents


def _gains(
    problem: Problem, parents: Sequence[Sequence[int]], known: dict[int, NDArray[np.float64]]
) -> dict[int, NDArray[np.float64]]:
    # One row of gains per child; only the child that got a parent is asked about again.
    for v, mine in enumerate(parents):
        if v in known:
            continue
        lasts = np.array([u for u in range(problem.variables) if u != v and u not in mine], np.int32)
        batch = Families.joined([Families.of([(v, mine)]), Families.extending(v, mine, lasts)])
        scores = problem.scorer.score_families(batch)
        row = np.full(problem.variables, -np.inf)
        row[lasts] = scores[1:] - scores[0]
        known[v] = row
    return known


def _legal_from_best(
    problem: Problem,
    gains: dict[int, NDArray[np.float64]],
    part: Sequence[int],
    parents: Sequence[Sequence[int]],
) -> Iterator[tuple[float, int, int]]:
    constraints = problem.constraints
    options = sorted(
        (-round(float(gains[v][u]) / problem.tolerance) * problem.tolerance, u, v)
        for v in range(problem.variables)
        if len(parents[v]) < constraints.limit[v]
        for u in range(problem.variables)
        if part[u] != part[v] and constraints.allowed[u, v]
    )
    with_tiers: list[list[int]] = [list(mine) for mine in parents]
    with_tiers += [[] for _ in range(constraints.nodes - problem.variables)]
    for a, b in constraints.virtual_arcs:
        with_tiers[b].append(a)
    for _, u, v in options:
        if find_path(with_tiers, v, u) is None:
            yield float(gains[v][u]), u, v
