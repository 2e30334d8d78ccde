"""The graph that a search starts from: the user's graph, completed with the required arcs and edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.minimal_subset import find_irreducible
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.edge_orientation import initial_orientation
from mahc.knowledge.legality import Legality
from mahc.knowledge.obstacles import ObstacleKind
from mahc.learning.problem import Problem
from mahc.plurals import noun

Arc = tuple[int, int]


def complete_start(problem: Problem, given: Sequence[Arc]) -> tuple[Arc, ...]:
    """The given arcs with the required arcs and edges; a KnowledgeError names what makes that impossible."""
    constraints = problem.constraints
    _refuse_forbidden(constraints, given)
    _refuse_full(constraints, given)
    taken = set(given)

    def prefer(u: int, v: int) -> float:
        alone, joined = problem.scorer.score_families(Families.of([(v, []), (v, [u])])).tolist()
        return float(joined - alone)

    try:
        return tuple(initial_orientation(constraints, prefer, given=sorted(taken)))
    except KnowledgeError:
        raise KnowledgeError(_describe_conflict(constraints, sorted(taken))) from None


def _refuse_forbidden(constraints: Constraints, given: Sequence[Arc]) -> None:
    empty = Legality(constraints)
    for u, v in given:
        obstacle = empty.why_not_add(u, v)
        if obstacle is not None and obstacle.kind is ObstacleKind.FORBIDDEN:
            arc = f"{constraints.names[u]} -> {constraints.names[v]}"
            raise KnowledgeError(
                f"the start graph has {arc}, against the knowledge ({obstacle.text}): remove one of them"
            )


def _refuse_full(constraints: Constraints, given: Sequence[Arc]) -> None:
    required = constraints.required_arcs
    count = np.zeros(len(constraints.limit), int)
    for _, v in {*chain(given, required)}:
        count[v] += 1
    for v in np.flatnonzero(count > constraints.limit).tolist():
        with_required = " with what is required" if any(head == v for _, head in required) else ""
        raise KnowledgeError(
            f"the start graph{with_required} gives {constraints.names[v]} {count[v]} {noun(count[v], 'parent')}, "
            f"more than the {constraints.limit[v]} allowed: remove some, or raise the in-degree"
        )


def _describe_conflict(constraints: Constraints, given: Sequence[Arc]) -> str:
    def conflicts(some: Sequence[Arc]) -> bool:
        try:
            initial_orientation(constraints, lambda u, v: 0.0, given=list(some))
        except KnowledgeError:
            return True
        return False

    names = constraints.names
    found = ", ".join(sorted(f"{names[u]} -> {names[v]}" for u, v in find_irreducible(given, conflicts)))
    return (
        f"the start graph has {found}, which leaves no legal way to fulfil tiers, in-degrees and what is required: "
        "remove one of them, or require less"
    )
