"""What each constraint cost: the most that one move which it alone rules out would add to the score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from mahc.engine import Families
from mahc.search.learned import ConstraintCost
from mahc.search.ledger import find_path
from mahc.search.problem import Problem
from mahc.search.relevance import parents_of


def constraint_costs(problem: Problem, arcs: Sequence[tuple[int, int]], in_degree: int) -> list[ConstraintCost]:
    """One entry per constraint, in words, with 0 where it stood in nobody's way.

    A required arc costs what deleting it would gain; a forbidden one (or one that tiers or a variable's own
    in-degree rule out) what adding it would gain, where that closes no cycle. Costs that only show after
    several moves are not seen.
    """
    constraints = problem.constraints
    parents = parents_of(problem.variables, arcs)
    costs: dict[str, float] = defaultdict(float)
    asked: list[tuple[str, int, list[int]]] = []
    for u, v, reason in _bound_arcs(problem, parents, in_degree):
        costs[reason] += 0.0
        if u in parents[v]:
            if constraints.hold[u, v]:
                asked.append((reason, v, [p for p in parents[v] if p != u]))
        elif len(parents[v]) < in_degree and find_path(parents, v, u) is None:
            asked.append((reason, v, [*parents[v], u]))
    if asked:
        before = problem.local_scores(parents)
        after = problem.scorer.score_families(Families.of((v, family) for _, v, family in asked))
        for (reason, v, _), score in zip(asked, after.tolist(), strict=True):
            costs[reason] = max(costs[reason], score - float(before[v]))
    return [ConstraintCost(reason, cost) for reason, cost in costs.items()]


def _bound_arcs(problem: Problem, parents: Sequence[Sequence[int]], in_degree: int) -> Iterator[tuple[int, int, str]]:
    """Arcs that a constraint speaks of, with the constraint; all that the tiers rule out counts as one."""
    constraints = problem.constraints
    for u, v in zip(*np.nonzero(~constraints.allowed | (constraints.hold > 0)), strict=True):
        reason = constraints.reason(int(u), int(v)) if u != v else None
        if reason is not None:
            yield int(u), int(v), reason.split(":")[0] if "tiers:" in reason else reason
    for v in np.flatnonzero(constraints.limit < in_degree).tolist():
        for u in np.flatnonzero(constraints.allowed[:, v]).tolist():
            if u not in parents[v] and len(parents[v]) >= constraints.limit[v]:
                yield u, v, f"{constraints.names[v]} has at most {constraints.limit[v]} parents"
