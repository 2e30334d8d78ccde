"""The graph that a search starts from: the user's, completed with all that is required."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.minimal_subset import find_irreducible
from mahc.knowledge.constraints import ARC, Constraints
from mahc.knowledge.edge_orientation import initial_orientation
from mahc.learning.problem import Problem

Arc = tuple[int, int]


def complete_start(problem: Problem, given: Sequence[Arc]) -> tuple[Arc, ...]:
    """The given arcs and all that is required, or a refusal that names what stands in the way."""
    constraints = problem.constraints
    _refuse_barred(constraints, given)
    _refuse_full(constraints, given)
    taken = set(given)

    def prefer(u: int, v: int) -> float:
        alone, joined = problem.scorer.score_families(Families.of([(v, []), (v, [u])])).tolist()
        return float(joined - alone)

    try:
        return tuple(initial_orientation(constraints, prefer, given=sorted(taken)))
    except KnowledgeError:
        raise KnowledgeError(_tell_clash(constraints, sorted(taken))) from None


def _refuse_barred(constraints: Constraints, given: Sequence[Arc]) -> None:
    for u, v in given:
        if not constraints.allowed[u, v]:
            tail, head = constraints.names[u], constraints.names[v]
            raise KnowledgeError(
                f"the start graph has {tail} -> {head}, but {constraints.reason(u, v)}: take it out of one of them"
            )


def _refuse_full(constraints: Constraints, given: Sequence[Arc]) -> None:
    required = [(int(u), int(v)) for u, v in np.argwhere(constraints.hold == ARC)]
    count = np.zeros(len(constraints.limit), int)
    for _, v in {*chain(given, required)}:
        count[v] += 1
    for v in np.flatnonzero(count > constraints.limit).tolist():
        with_required = " with what is required" if any(head == v for _, head in required) else ""
        raise KnowledgeError(
            f"the start graph{with_required} gives {constraints.names[v]} {count[v]} parents, more than its most "
            f"{constraints.limit[v]}: take some out, or raise the in-degree"
        )


def _tell_clash(constraints: Constraints, given: Sequence[Arc]) -> str:
    def clashes(some: Sequence[Arc]) -> bool:
        try:
            initial_orientation(constraints, lambda u, v: 0.0, given=list(some))
        except KnowledgeError:
            return True
        return False

    names = constraints.names
    found = ", ".join(sorted(f"{names[u]} -> {names[v]}" for u, v in find_irreducible(given, clashes)))
    return (
        f"the start graph has {found}, which leaves no legal way to fulfil tiers, in-degrees and what is required: "
        "take one out, or ask for less"
    )
