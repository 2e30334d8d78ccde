"""Slow, obvious versions of pruning and search: whole graphs are built, tested for cycles and scored from scratch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

Arc = tuple[int, int]
Graph = frozenset[Arc]
Local = Callable[[int, tuple[int, ...]], float]

TIE = 1e-9


@dataclass(frozen=True)
class Rules:
    """What a graph must obey; tiers name some variables only."""

    variables: int
    allowed: Collection[Arc]
    limit: dict[int, int]
    required: frozenset[Arc] = frozenset()
    required_edges: frozenset[frozenset[int]] = frozenset()
    tiers: dict[int, int] = field(default_factory=dict)

    def fit(self, graph: Graph) -> bool:
        edges = {frozenset(arc) for arc in graph}
        return (
            all(arc in self.allowed for arc in graph)
            and all(sum(v == child for _, v in graph) <= self.limit[child] for child in range(self.variables))
            and self.required <= graph
            and self.required_edges <= edges
            and not has_cycle(self.variables, graph)
            and not self._backwards(graph)
        )

    def _backwards(self, graph: Graph) -> bool:
        reach = reachable(self.variables, graph)
        return any(
            (a, b) in reach
            for a, b in itertools.permutations(self.tiers, 2)
            if self.tiers[a] > self.tiers[b]
        )


def reachable(variables: int, graph: Collection[Arc]) -> set[Arc]:
    """All (a, b) with a directed path from a to b."""
    reach = set(graph)
    for k in range(variables):
        for a in range(variables):
            for b in range(variables):
                if (a, k) in reach and (k, b) in reach:
                    reach.add((a, b))
    return reach


def has_cycle(variables: int, graph: Collection[Arc]) -> bool:
    reach = reachable(variables, graph)
    return any((v, v) in reach for v in range(variables))


def neighbours(rules: Rules, graph: Graph) -> Iterator[tuple[str, Arc, Graph]]:
    """Every graph one addition, deletion or reversal away that obeys the rules."""
    for u, v in itertools.permutations(range(rules.variables), 2):
        if (u, v) not in graph:
            options = [("add", graph | {(u, v)})]
        else:
            options = [("delete", graph - {(u, v)}), ("reverse", graph - {(u, v)} | {(v, u)})]
        for kind, other in options:
            if len(other) == len(graph) and kind == "add":
                continue
            if rules.fit(other):
                yield kind, (u, v), other


def total(rules: Rules, local: Local, graph: Graph) -> float:
    return math.fsum(
        local(v, tuple(sorted(u for u, child in graph if child == v))) for v in range(rules.variables)
    )


def averaged(rules: Rules, local: Local, graph: Graph) -> float:
    scores = [total(rules, local, graph)]
    scores += [total(rules, local, other) for _, _, other in neighbours(rules, graph)]
    return math.fsum(scores) / len(scores)


def tolerance(start_score: float) -> float:
    return max(1e-9, 1e-12 * abs(start_score))


KINDS = {"add": 0, "delete": 1, "reverse": 2}


def climb(
    rules: Rules, local: Local, start: Graph, averaging: bool
) -> tuple[Graph, list[tuple[float, float]]]:
    """Final graph and (own, objective) along the path, start included."""
    value = averaged if averaging else total
    tie = tolerance(total(rules, local, start))
    here, at = start, value(rules, local, start)
    path = [(total(rules, local, here), at)]
    while True:
        options = [
            (value(rules, local, other), total(rules, local, other), arc, KINDS[kind], other)
            for kind, arc, other in neighbours(rules, here)
        ]
        better = [option for option in options if option[0] > at + tie]
        if not better:
            return here, path
        best = max(option[0] for option in better)
        near = [option for option in better if option[0] >= best - tie]
        own = max(option[1] for option in near)
        near = [option for option in near if option[1] >= own - tie]
        chosen = min(near, key=lambda option: (option[2], option[3]))
        here, at = chosen[4], chosen[0]
        path.append((chosen[1], chosen[0]))


def prune(
    variables: int, local: Local, levels: int, allowed: Collection[Arc], kept: Collection[Arc] = ()
) -> tuple[set[Arc], list[int], list[int]]:
    """Algorithm 1 as reading.md reads it: surviving arcs, pruned per level, valid sets per level."""
    alive = {v: [u for u in range(variables) if (u, v) in allowed] for v in range(variables)}
    pruned = [0] * levels
    valid = [variables] + [0] * levels
    for v in range(variables):
        for level in range(1, levels + 1):
            valid[level] += math.comb(len(alive[v]), level)
            bases = list(itertools.combinations(alive[v], level - 1))
            if not bases:
                continue
            scores = {base: local(v, base) for base in bases}
            best = max(scores.values())
            base = min(b for b in bases if scores[b] >= best - tolerance(best))
            for u in list(alive[v]):
                if u in base or (u, v) in kept:
                    continue
                if scores[base] >= local(v, tuple(sorted((*base, u)))) - TIE:
                    alive[v].remove(u)
                    pruned[level - 1] += 1
    return {(u, v) for v in alive for u in alive[v]}, pruned, valid
