"""What each constraint cost: the most that one move which it alone rules out would add to the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.knowledge.constraints import ARC, Constraints
from mahc.knowledge.tier_paths import Reach
from mahc.learning.connecting import parents_of
from mahc.learning.problem import Problem
from mahc.results.learned import ConstraintCost

Arc = tuple[int, int]
Move = tuple[str, list[tuple[int, list[int]]]]  # the constraint in the way, and the families the move would make
TIERS, STRICT = "tiers", "strict tiers"


def constraint_costs(problem: Problem, arcs: Sequence[Arc], in_degree: int) -> list[ConstraintCost]:
    """One entry per constraint, in words, with 0 where it stood in nobody's way.

    A move is an addition, deletion or reversal of one arc that would be legal without that constraint. Costs
    that only show after several moves, or with several constraints gone, are not seen.
    """
    constraints = problem.constraints
    parents = parents_of(problem.variables, arcs)
    reach = Reach.of(parents, [constraints.tier_of.get(name, 0) for name in constraints.names])
    moves = [
        *_deletions(constraints, parents, arcs),
        *_reversals(constraints, parents, arcs, reach, in_degree),
        *_additions(constraints, parents, reach, in_degree),
    ]
    costs = dict.fromkeys(_name_all(constraints, in_degree), 0.0)
    before = problem.local_scores(parents)
    after = iter(problem.scorer.score_families(Families.of(family for _, made in moves for family in made)).tolist())
    for label, made in moves:
        gain = sum(next(after) - float(before[v]) for v, _ in made)
        costs[label] = max(costs[label], gain)
    return [ConstraintCost(label, cost) for label, cost in costs.items()]


def _name_all(constraints: Constraints, in_degree: int) -> Iterator[str]:
    yield from constraints.told.values()
    if constraints.tier_of:
        yield TIERS
    if constraints.strict_tiers and constraints.tier_of:
        yield STRICT
    for v in np.flatnonzero(constraints.limit < min(in_degree, len(constraints.names))).tolist():
        yield _name_limit(constraints, v)


def _name_limit(constraints: Constraints, v: int) -> str:
    most = int(constraints.limit[v])
    return f"at most {most} parent{'' if most == 1 else 's'} of {constraints.names[v]}"


def _told(constraints: Constraints, u: int, v: int) -> str | None:
    return constraints.told.get((constraints.names[u], constraints.names[v]))


def _deletions(constraints: Constraints, parents: Sequence[Sequence[int]], arcs: Iterable[Arc]) -> Iterator[Move]:
    for u, v in arcs:
        label = _told(constraints, u, v)
        if constraints.hold[u, v] and label is not None:
            yield label, [(v, [p for p in parents[v] if p != u])]


def _reversals(
    constraints: Constraints, parents: Sequence[Sequence[int]], arcs: Iterable[Arc], reach: Reach, in_degree: int
) -> Iterator[Move]:
    for u, v in arcs:
        if len(parents[u]) >= in_degree or reach.detours(u, v):
            continue
        told = {_told(constraints, u, v) if constraints.hold[u, v] == ARC else None}
        told.add(_told(constraints, v, u) if not constraints.allowed[v, u] else None)
        # That a required edge cannot turn follows from other constraints: they are in the way, not the edge.
        obstacles = {label for label in told if label is not None and not label.startswith("required edge")}
        obstacles |= {TIERS} if reach.turns_backwards(u, v) else set()
        obstacles |= {STRICT} if constraints.strict_tiers and reach.same_tier(u, v) else set()
        obstacles |= {_name_limit(constraints, u)} if len(parents[u]) >= constraints.limit[u] else set()
        if len(obstacles) == 1:
            yield obstacles.pop(), [(v, [p for p in parents[v] if p != u]), (u, [*parents[u], v])]


def _additions(
    constraints: Constraints, parents: Sequence[Sequence[int]], reach: Reach, in_degree: int
) -> Iterator[Move]:
    degrees = np.array([len(mine) for mine in parents])
    told = _mark(constraints.told, constraints.names) & ~constraints.allowed
    back = reach.leads_backwards()
    strict = reach.same_tiers() if constraints.strict_tiers else np.zeros_like(back)
    full = np.broadcast_to((degrees >= constraints.limit)[None, :], back.shape)
    alone = told.astype(int) + back + strict + full == 1
    legal = ~reach.paths.T & (degrees < in_degree)[None, :]
    for v, mine in enumerate(parents):
        legal[mine, v] = False
    for u, v in np.argwhere(alone & legal).tolist():
        label = _told(constraints, u, v) if told[u, v] else TIERS if back[u, v] else STRICT if strict[u, v] else None
        yield label or _name_limit(constraints, v), [(v, [*parents[v], u])]


def _mark(told: Mapping[tuple[str, str], str], names: Sequence[str]) -> NDArray[np.bool_]:
    place = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), bool)
    for a, b in told:
        marks[place[a], place[b]] = True
    return marks
