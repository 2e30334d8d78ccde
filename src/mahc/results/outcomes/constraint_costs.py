"""What each constraint cost: the most that one move which it alone rules out would add to the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import Legality
from mahc.knowledge.obstacles import ObstacleKind
from mahc.learning.connecting import parents_of
from mahc.learning.problem import Problem
from mahc.plurals import count
from mahc.results.outcomes.dag import ConstraintCost

Arc = tuple[int, int]
Move = tuple[str, list[tuple[int, list[int]]]]  # the constraint in the way, and the families the move would make
TIERS, STRICT = "tiers", "strict tiers"


def constraint_costs(problem: Problem, arcs: Sequence[Arc], in_degree: int) -> list[ConstraintCost]:
    """One entry per constraint, in words, with 0 where it ruled out no better graph.

    A move is an addition, deletion or reversal of one arc that would be legal without that constraint. Costs
    that only show after several moves, or without several constraints, are not seen.
    """
    constraints = problem.constraints
    parents = parents_of(problem.variables, arcs)
    graph = Legality(constraints, arcs)
    moves = [*_deletions(graph, parents, arcs), *_reversals(graph, parents, arcs, in_degree)]
    costs = dict.fromkeys(_name_all(constraints, in_degree), 0.0)
    before = problem.local_scores(parents)
    after = iter(problem.scorer.score_families(Families.of(family for _, made in moves for family in made)).tolist())
    for label, made in moves:
        gain = sum(next(after) - float(before[v]) for v, _ in made)
        costs[label] = max(costs[label], gain)
    for batch in _in_batches(_additions(graph, parents, in_degree), problem.memory.batch_families):
        families = Families.joined([Families.extending(v, parents[v], tails) for v, tails, _ in batch])
        scores = problem.scorer.score_families(families)
        ends = np.cumsum([len(tails) for _, tails, _ in batch])
        for (v, _, labels), mine in zip(batch, np.split(scores, ends[:-1]), strict=True):
            for label, gain in labels.best(mine - before[v]):
                costs[label] = max(costs[label], gain)
    return [ConstraintCost(label, cost) for label, cost in costs.items()]


def _name_all(constraints: Constraints, in_degree: int) -> Iterator[str]:
    yield from constraints.reasons.values()
    if constraints.tier_of:
        yield TIERS
    if constraints.strict_tiers and constraints.tier_of:
        yield STRICT
    for v in np.flatnonzero(constraints.limit < min(in_degree, len(constraints.names))).tolist():
        yield _name_limit(constraints, v)


def _name_limit(constraints: Constraints, v: int) -> str:
    most = int(constraints.limit[v])
    return f"at most {count(most, 'parent')} of {constraints.names[v]}"


def _reason(constraints: Constraints, u: int, v: int) -> str | None:
    """The statement about u -> v itself; None where there is none, or only the tiers."""
    return constraints.reasons.get((constraints.names[u], constraints.names[v]))


def _deletions(graph: Legality, parents: Sequence[Sequence[int]], arcs: Iterable[Arc]) -> Iterator[Move]:
    for u, v in arcs:
        label = _reason(graph.constraints, u, v)
        if label is not None and not graph.may_remove(u, v):
            yield label, [(v, [p for p in parents[v] if p != u])]


def _reversals(
    graph: Legality, parents: Sequence[Sequence[int]], arcs: Iterable[Arc], in_degree: int
) -> Iterator[Move]:
    constraints = graph.constraints
    for u, v in arcs:
        against = set(graph.against_reversing(u, v))
        if len(parents[u]) >= in_degree or ObstacleKind.CYCLE in against:
            continue
        reasons = {_reason(constraints, u, v) if ObstacleKind.REQUIRED in against else None}
        reasons.add(_reason(constraints, v, u) if ObstacleKind.FORBIDDEN in against else None)
        # That a required edge cannot turn follows from other constraints: they are in the way, not the edge.
        obstacles = {label for label in reasons if label is not None and not label.startswith("required edge")}
        obstacles |= {TIERS} if ObstacleKind.TIERS in against else set()
        obstacles |= {STRICT} if constraints.strict_tiers and _same_tiers(constraints)[u, v] else set()
        obstacles |= {_name_limit(constraints, u)} if ObstacleKind.IN_DEGREE in against else set()
        if len(obstacles) == 1:
            yield obstacles.pop(), [(v, [p for p in parents[v] if p != u]), (u, [*parents[u], v])]


def _in_batches(additions: Iterable[Additions], most: int) -> Iterator[list[Additions]]:
    """The children with their additions in batches of at most `most` families, or of one child.

    A batch can be a pass over all data, so there are as few as the memory allows.
    """
    batch: list[Additions] = []
    total = 0
    for each in additions:
        if batch and total + len(each[1]) > most:
            yield batch
            batch, total = [], 0
        batch.append(each)
        total += len(each[1])
    if batch:
        yield batch


@dataclass(frozen=True)
class _Labels:
    """The constraint in the way of each of some additions: tiers, strict tiers, or (in `others`) one of their own."""

    back: NDArray[np.bool_]
    strict: NDArray[np.bool_]
    others: Mapping[int, str]  # by place

    def best(self, gains: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
        """The highest gain of the tiers and of the strict tiers, and each other one."""
        for label, which in ((TIERS, self.back), (STRICT, self.strict)):
            if which.any():
                yield label, float(gains[which].max())
        for place, label in self.others.items():
            yield label, float(gains[place])


Additions = tuple[int, NDArray[np.int32], _Labels]  # a child, parents to add, and what is in the way


def _additions(graph: Legality, parents: Sequence[Sequence[int]], in_degree: int) -> Iterator[Additions]:
    """For each child the parents whose addition one constraint alone rules out, and which."""
    constraints, against = graph.constraints, graph.addition_obstacles()
    stated = _mark(constraints.reasons, constraints.names) & against[ObstacleKind.FORBIDDEN]
    back, full = against[ObstacleKind.TIERS], against[ObstacleKind.IN_DEGREE]
    strict = _same_tiers(constraints) if constraints.strict_tiers else np.zeros_like(back)
    alone = stated.astype(int) + back + strict + full == 1
    degrees = np.array([len(mine) for mine in parents])
    possible = ~against[ObstacleKind.PRESENT] & ~against[ObstacleKind.CYCLE] & (degrees < in_degree)[None, :]
    found = np.ascontiguousarray((alone & possible).T)
    for v in np.flatnonzero(found.any(axis=1)).tolist():
        tails = np.flatnonzero(found[v]).astype(np.int32)
        by_tiers = back[tails, v] & ~stated[tails, v]
        by_strict = strict[tails, v] & ~stated[tails, v] & ~by_tiers
        others = {
            place: (_reason(constraints, int(tails[place]), v) if stated[tails[place], v] else None)
            or _name_limit(constraints, v)
            for place in np.flatnonzero(~by_tiers & ~by_strict).tolist()
        }
        yield v, tails, _Labels(by_tiers, by_strict, others)


def _same_tiers(constraints: Constraints) -> NDArray[np.bool_]:
    """[u, v]: whether both are in one tier."""
    tiers = np.array(constraints.tier_order.tiers)
    found: NDArray[np.bool_] = (tiers[:, None] == tiers[None, :]) & (tiers > 0)[None, :]
    return found


def _mark(reasons: Mapping[tuple[str, str], str], names: Sequence[str]) -> NDArray[np.bool_]:
    place = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), bool)
    for a, b in reasons:
        marks[place[a], place[b]] = True
    return marks
