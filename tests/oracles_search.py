"""Slow, obvious versions of pruning and search: whole graphs are built, tested for cycles and scored from scratch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

Arc = tuple[int, int]
Graph = frozenset[Arc]
Local = Callable[[int, tuple[int, ...]], float]


@dataclass(frozen=True, eq=False)
class Rules:
    """What a graph must obey; tiers name some variables only.

    Arcs in `start_only` are forbidden, but the start graph has them: they may stay or go, and never come back.
    """

    variables: int
    allowed: Collection[Arc]
    limit: dict[int, int]
    required: frozenset[Arc] = frozenset()
    required_edges: frozenset[frozenset[int]] = frozenset()
    tiers: dict[int, int] = field(default_factory=dict)
    start_only: frozenset[Arc] = frozenset()

    @lru_cache(maxsize=200_000)  # noqa: B019 - climbs meet the same graph many times
    def fit(self, graph: Graph) -> bool:
        edges = {frozenset(arc) for arc in graph}
        return (
            all(arc in self.allowed or arc in self.start_only for arc in graph)
            and all(sum(v == child for _, v in graph) <= self.limit[child] for child in range(self.variables))
            and self.required <= graph
            and self.required_edges <= edges
            and not has_cycle(graph)
            and not self._backwards(graph)
        )

    def _backwards(self, graph: Graph) -> bool:
        if not self.tiers:
            return False
        reach = reachable(self.variables, graph)
        return any((a, b) in reach for a, b in itertools.permutations(self.tiers, 2) if self.tiers[a] > self.tiers[b])


@lru_cache(maxsize=200_000)
def reachable(variables: int, graph: Graph) -> frozenset[Arc]:
    """All (a, b) with a directed path from a to b."""
    reach = set(graph)
    for k in range(variables):
        for a in range(variables):
            for b in range(variables):
                if (a, k) in reach and (k, b) in reach:
                    reach.add((a, b))
    return frozenset(reach)


@lru_cache(maxsize=200_000)
def has_cycle(graph: Graph) -> bool:
    """Take away arcs out of variables without parents until none is left, or none can go."""
    left = graph
    while left:
        heads = {v for _, v in left}
        rest = frozenset(arc for arc in left if arc[0] in heads)
        if len(rest) == len(left):
            return True
        left = rest
    return False


def neighbours(rules: Rules, graph: Graph) -> Iterator[tuple[str, Arc, Graph]]:
    """Every graph one addition, deletion or reversal away that obeys the rules."""
    for u, v in itertools.permutations(range(rules.variables), 2):
        if (u, v) not in graph:
            options = [("add", graph | {(u, v)})]
        else:
            options = [("delete", graph - {(u, v)}), ("reverse", graph - {(u, v)} | {(v, u)})]
        for kind, other in options:
            if all(arc in rules.allowed for arc in other - graph) and rules.fit(other):
                yield kind, (u, v), other


@lru_cache(maxsize=200_000)
def total(rules: Rules, local: Local, graph: Graph) -> float:
    parents: list[list[int]] = [[] for _ in range(rules.variables)]
    for u, v in sorted(graph):
        parents[v].append(u)
    return math.fsum(local(v, tuple(mine)) for v, mine in enumerate(parents))


def averaged(rules: Rules, local: Local, graph: Graph) -> float:
    scores = [total(rules, local, graph)]
    scores += [total(rules, local, other) for _, _, other in neighbours(rules, graph)]
    return math.fsum(scores) / len(scores)


KINDS = {"add": 0, "delete": 1, "reverse": 2}


Option = tuple[float, float, Arc, int, Graph]  # objective, own score, arc, kind of move, graph


def lookahead(rules: Rules, local: Local, graph: Graph, touched: set[int]) -> float:
    """For every variable the best gain of an arc that may be added between it and a touched one, summed."""
    best = [0.0] * rules.variables
    here = total(rules, local, graph)
    for kind, arc, other in neighbours(rules, graph):
        if kind != "add":
            continue
        gain = total(rules, local, other) - here
        for one, another in (arc, arc[::-1]):
            if another in touched:
                best[one] = max(best[one], gain)
    return math.fsum(best)


def choose(rules: Rules, local: Local, near: list[Option], look_ahead: bool, tie: float) -> Option:
    """The best of the objective, then of the plain score; then the lookahead of additions; then the order."""
    best = max(option[0] for option in near)
    near = [option for option in near if option[0] >= best - tie]
    own = max(option[1] for option in near)
    near = sorted((o for o in near if o[1] >= own - tie), key=lambda option: (option[2], option[3]))
    if not look_ahead or len(near) == 1 or any(option[3] != KINDS["add"] for option in near):
        return near[0]
    near = near[:16]
    touched = {v for option in near for v in option[2]}
    after = [lookahead(rules, local, option[4], touched) for option in near]
    return next(option for option, value in zip(near, after, strict=True) if value >= max(after) - tie)


def climb(
    rules: Rules, local: Local, start: Graph, averaging: bool, tie: float, data_ties: bool = True
) -> tuple[Graph, list[tuple[float, float]]]:
    """Final graph and (own, objective) along the path, start included.

    With `data_ties` a plain climb compares the lookahead of equal additions, and an averaging one goes to a graph with
    an equal average and a higher own score; without, only a higher objective counts.
    """
    value = averaged if averaging else total
    here, at = start, value(rules, local, start)
    path = [(total(rules, local, here), at)]
    while True:
        options = [
            (value(rules, local, other), total(rules, local, other), arc, KINDS[kind], other)
            for kind, arc, other in neighbours(rules, here)
        ]
        better = [option for option in options if option[0] > at + tie]
        equal = [option for option in options if option[0] > at - tie and option[1] > path[-1][0] + tie]
        if not better and not (averaging and data_ties and equal):
            return here, path
        chosen = choose(rules, local, better or equal, data_ties and not averaging, tie)
        here, at = chosen[4], (chosen[0] if better else at)
        path.append((chosen[1], chosen[0]))


def prune(
    variables: int, local: Local, levels: int, allowed: Collection[Arc], kept: Collection[Arc], tie: float
) -> tuple[set[Arc], list[int], list[int]]:
    """Algorithm 1 as docs/explanation/paper.md reads it: surviving arcs, pruned per level, valid sets per level."""
    alive = {v: [u for u in range(variables) if (u, v) in allowed] for v in range(variables)}
    pruned = [0] * levels
    valid = [variables] + [0] * levels
    for v in range(variables):
        for level in range(1, levels + 1):
            valid[level] += math.comb(len(alive[v]), level)
            bases = list(itertools.combinations(alive[v], level - 1))
            if not alive[v] or not bases:
                continue
            scores = {base: local(v, base) for base in bases}
            best = max(scores.values())
            base = min(b for b in bases if scores[b] >= best - tie)
            for u in list(alive[v]):
                if u in base or (u, v) in kept:
                    continue
                if scores[base] >= local(v, tuple(sorted((*base, u)))) - tie:
                    alive[v].remove(u)
                    pruned[level - 1] += 1
    return {(u, v) for v in alive for u in alive[v]}, pruned, valid


def tabu(rules: Rules, local: Local, start: Graph, tie: float) -> Graph:
    """Bayesys' TABU: climb; then climb again from each neighbour of the top, least loss first."""
    top, _ = climb(rules, local, start, False, tie)
    tried: set[tuple[str, Arc]] = set()
    left = rules.variables * (rules.variables - 1)
    while left:
        options = [
            (total(rules, local, other), arc, kind, other)
            for kind, arc, other in neighbours(rules, top)
            if (kind, arc) not in tried
        ]
        if not options:
            return top
        best = max(option[0] for option in options)
        near = [option for option in options if option[0] >= best - tie]
        _, arc, kind, other = min(near, key=lambda option: (option[1], KINDS[option[2]]))
        tried.add((kind, arc))
        reached, _ = climb(rules, local, other, False, tie)
        left -= 1
        if total(rules, local, reached) > total(rules, local, top) + tie:
            top, tried, left = reached, set(), rules.variables * (rules.variables - 1)
    return top


def limited_tabu(rules: Rules, local: Local, start: Graph, tie: float, limit: int) -> tuple[Graph, str]:
    """`tabu` that stops on the graph it is at, if that is higher than the top, once so many steps were taken."""
    top, path = climb(rules, local, start, False, tie)
    taken = len(path) - 1
    if taken >= limit:
        return _walk(rules, local, start, tie)[limit], "step_limit"
    tried: set[Graph] = set()
    while True:
        options = [option for option in neighbours(rules, top) if option[2] not in tried]
        if not options or len(tried) == rules.variables * (rules.variables - 1):
            return top, "converged"
        best = max(total(rules, local, option[2]) for option in options)
        near = [option for option in options if total(rules, local, option[2]) >= best - tie]
        other = min(near, key=lambda option: (option[1], KINDS[option[0]]))[2]
        tried.add(other)
        way = _walk(rules, local, other, tie)
        left = max(limit - taken - 1, 1)  # the first step away from the top is never the last
        if len(way) - 1 >= left:
            here = way[left]
            return (here if total(rules, local, here) > total(rules, local, top) + tie else top), "step_limit"
        if total(rules, local, way[-1]) > total(rules, local, top) + tie:
            top, tried, taken = way[-1], set(), taken + len(way)


def _walk(rules: Rules, local: Local, start: Graph, tie: float) -> list[Graph]:
    """The graphs of a plain climb, the first and the last included."""
    way = [start]
    while True:
        here = total(rules, local, way[-1])
        options = [
            (total(rules, local, other), total(rules, local, other), arc, KINDS[kind], other)
            for kind, arc, other in neighbours(rules, way[-1])
        ]
        better = [option for option in options if option[0] > here + tie]
        if not better:
            return way
        way.append(choose(rules, local, better, True, tie)[4])


def tabu_list(rules: Rules, local: Local, start: Graph, tie: float, length: int) -> tuple[Graph, list[float]]:
    """Tabu search with a list of the last `length` graphs: the best graph and the scores on the way to it."""
    visited, best, in_vain = [start], 0, 0
    while in_vain < length:
        here = total(rules, local, visited[-1])
        options = [
            (total(rules, local, other), total(rules, local, other), arc, KINDS[kind], other)
            for kind, arc, other in neighbours(rules, visited[-1])
            if other not in visited[-length:]
        ]
        if not options:
            break
        better = [option for option in options if option[0] > here + tie]
        visited.append(choose(rules, local, better or options, bool(better), tie)[4])
        higher = total(rules, local, visited[-1]) > total(rules, local, visited[best]) + tie
        best, in_vain = (len(visited) - 1, 0) if higher else (best, in_vain + 1)
    return visited[best], [total(rules, local, graph) for graph in visited[1 : best + 1]]
