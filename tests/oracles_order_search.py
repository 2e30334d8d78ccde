"""Slow, obvious order search: every place of every variable is tried and the whole order is scored from scratch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from oracles_search import Rules

from mahc.graphs import DAG, dag_to_cpdag

Arc = tuple[int, int]
Local = Callable[[int, tuple[int, ...]], float]
Family = tuple[float, tuple[int, ...]]
ILLEGAL: Family = (-math.inf, ())
INSERTIONS = 10


@dataclass
class Generator:
    """SplitMix64."""

    state: int

    def below(self, count: int) -> int:
        most = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & most
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & most
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & most
        return (z ^ (z >> 31)) % count


@dataclass
class OrderSearch:
    """Best moves and kicks under the rules; `local` is less the price of the parents already."""

    rules: Rules
    local: Local
    tie: float
    most_paired: int = 0
    early_dropping: bool = False
    moves: list[tuple[int, int, float]] = field(default_factory=list)

    def ranked(self, scored: Sequence[tuple[float, tuple[int, ...]]]) -> list[tuple[float, tuple[int, ...]]]:
        """Best first; neighbours within the tolerance are equal and go by their names."""
        runs: list[list[tuple[float, tuple[int, ...]]]] = []
        for item in sorted(scored, key=lambda item: (-item[0], item[1])):
            if runs and runs[-1][-1][0] - item[0] <= self.tie:
                runs[-1].append(item)
            else:
                runs.append([item])
        return [item for run in runs for item in sorted(run, key=lambda item: item[1])]

    def candidates(self, child: int) -> list[int]:
        return [u for u in range(self.rules.variables) if (u, child) in self.rules.allowed]

    def forced(self, child: int, before: Collection[int]) -> tuple[int, ...] | None:
        """The parents that knowledge demands; None where the predecessors do not allow them."""
        required = {u for u, v in self.rules.required if v == child}
        edges = {u for u in before if frozenset((u, child)) in self.rules.required_edges}
        found = tuple(sorted(required | edges))
        return found if required <= set(before) and len(found) <= self.rules.limit[child] else None

    def parents(self, child: int, before: Collection[int]) -> Family:
        """Grow, shrink, and then a pair if that is better."""
        forced = self.forced(child, before)
        if forced is None:
            return ILLEGAL
        score, parents = self.grow(child, before, forced)
        score, parents = self.shrink(child, score, parents, forced)
        for pair_score, pair in self.pairs(child):
            if set(pair) <= set(before) and pair_score > score + self.tie:
                return pair_score, pair
        return score, parents

    def grow(self, child: int, before: Collection[int], parents: tuple[int, ...]) -> Family:
        """Add the best parent while that improves; with early dropping, one that does not is not tried again."""
        score = self.local(child, parents)
        usable = [u for u in self.candidates(child) if u in before and u not in parents]
        while len(parents) < self.rules.limit[child]:
            scores = {u: self.local(child, tuple(sorted((*parents, u)))) for u in usable}
            improving = [u for u in usable if scores[u] > score + self.tie]
            if not improving:
                break
            best = max(scores.values())
            added = next(u for u in improving if scores[u] >= best - self.tie)
            score, parents = scores[added], tuple(sorted((*parents, added)))
            usable = [u for u in (improving if self.early_dropping else usable) if u != added]
        return score, parents

    def shrink(self, child: int, score: float, parents: tuple[int, ...], kept: tuple[int, ...]) -> Family:
        while True:
            options = [tuple(p for p in parents if p != u) for u in parents if u not in kept]
            scores = [self.local(child, option) for option in options]
            if not scores or max(scores) <= score + self.tie:
                return score, parents
            first = next(i for i, value in enumerate(scores) if value >= max(scores) - self.tie)
            score, parents = scores[first], options[first]

    def pairs(self, child: int) -> list[tuple[float, tuple[int, ...]]]:
        required = tuple(sorted(u for u, v in self.rules.required if v == child))
        joined = any(child in edge for edge in self.rules.required_edges)
        if self.most_paired < 2 or joined or len(required) + 2 > self.rules.limit[child]:
            return []

        def with_required(*some: int) -> tuple[int, ...]:
            return tuple(sorted((*required, *some)))

        single = {u: self.local(child, with_required(u)) for u in self.candidates(child) if u not in required}
        best = self.ranked([(score, (u,)) for u, score in single.items()])[: self.most_paired]
        found = []
        for u, w in itertools.combinations(sorted(u for _, (u,) in best), 2):
            score = self.local(child, with_required(u, w))
            if score > max(self.local(child, required), single[u], single[w]) + self.tie:
                found.append((score, with_required(u, w)))
        return self.ranked(found)

    def families(self, order: Sequence[int]) -> list[Family]:
        found = {v: self.parents(v, order[:i]) for i, v in enumerate(order)}
        return [found[v] for v in range(self.rules.variables)]

    def score(self, order: Sequence[int]) -> float:
        return math.fsum(family[0] for family in self.families(order)) if self.obeys_tiers(order) else -math.inf

    def obeys_tiers(self, order: Sequence[int]) -> bool:
        tiers = [self.rules.tiers[v] for v in order if v in self.rules.tiers]
        return tiers == sorted(tiers)

    def legal(self, order: Sequence[int]) -> bool:
        return self.score(order) > -math.inf

    def descend(self, order: Sequence[int]) -> list[int]:
        """Each variable in turn to its best place, until a whole round moves none."""
        order = list(order)
        moved = True
        while moved:
            moved = False
            for v in range(self.rules.variables):
                here = order.index(v)
                others = [u for u in order if u != v]
                scores = [self.score([*others[:p], v, *others[p:]]) for p in range(len(order))]
                if max(scores) <= scores[here] + self.tie:
                    continue
                near = [p for p, score in enumerate(scores) if score >= max(scores) - self.tie]
                place = min(near, key=lambda p: (abs(p - here), p))
                order = [*others[:place], v, *others[place:]]
                self.moves.append((v, place, scores[place]))
                moved = True
        return order

    def run(self, start: Collection[Arc], kicks: int, seed: int) -> tuple[float, set[Arc]]:
        """The best graph: the start graph, or that of an order."""
        n = self.rules.variables
        best = [tuple(sorted(u for u, v in start if v == child)) for child in range(n)]
        top = math.fsum(self.local(v, parents) for v, parents in enumerate(best))
        random = Generator(seed)
        for attempt in range(kicks + 1 if n > 1 else 1):
            order = self.own_order(best) if attempt == 0 else self.kick(best, random)
            families = self.families(self.descend(order))
            score = math.fsum(family[0] for family in families)
            if score > top + self.tie:
                top, best = score, [family[1] for family in families]
        return top, {(u, v) for v, parents in enumerate(best) for u in parents}

    def own_order(self, parents: Sequence[tuple[int, ...]]) -> list[int]:
        """Again and again the first variable whose parents, and all of earlier tiers, stand in the order."""
        tiers = self.rules.tiers
        order: list[int] = []
        left = list(range(self.rules.variables))

        def ready(v: int) -> bool:
            earlier = [w for w in left if v in tiers and w in tiers and tiers[w] < tiers[v]]
            return not earlier and not set(parents[v]) & set(left)

        while left:
            order.append(next(v for v in left if ready(v)))
            left.remove(order[-1])
        return order

    def kick(self, parents: Sequence[tuple[int, ...]], random: Generator) -> list[int]:
        order = self.member(parents, random) or self.own_order(parents)
        for _ in range(INSERTIONS):
            v = order[random.below(len(order))]
            others = [u for u in order if u != v]
            window = [p for p in range(len(order)) if self.obeys_order([*others[:p], v, *others[p:]])]
            place = window[random.below(len(window))]
            moved = [*others[:place], v, *others[place:]]
            order = moved if self.legal(moved) else order
        return order

    def obeys_order(self, order: Sequence[int]) -> bool:
        """Tiers and required arcs."""
        return self.obeys_tiers(order) and all(order.index(u) < order.index(v) for u, v in self.rules.required)

    def member(self, parents: Sequence[tuple[int, ...]], random: Generator) -> list[int] | None:
        """A random order of a random member of the class: again and again a possible last variable is taken."""
        n = self.rules.variables
        rank = list(range(n))
        for i in range(n - 1, 0, -1):
            j = random.below(i + 1)
            rank[i], rank[j] = rank[j], rank[i]
        edges = dag_to_cpdag(DAG.from_parents([str(v) for v in range(n)], parents)).edges
        directed = {(int(e.left), int(e.right)) for e in edges if e.mark == "-->"}
        lines = {frozenset((int(e.left), int(e.right))) for e in edges if e.mark == "---"}
        last: list[int] = []
        while len(last) < n:
            left = [v for v in rank if v not in last]
            free = [v for v in left if self.may_be_last(v, left, directed, lines)]
            if not free:
                return None
            last.append(free[0])
        return last[::-1]

    def may_be_last(self, v: int, left: list[int], directed: set[Arc], lines: set[frozenset[int]]) -> bool:
        rules = self.rules
        if any((v, w) in directed or (v, w) in rules.required for w in left):
            return False
        if any(rules.tiers.get(w, 0) > rules.tiers[v] for w in left) if v in rules.tiers else False:
            return False
        if self.too_many(v, left):
            return False

        def joined(a: int, b: int) -> bool:
            return (a, b) in directed or (b, a) in directed or frozenset((a, b)) in lines

        around = [w for w in left if w != v and joined(v, w)]
        beside = [w for w in around if frozenset((v, w)) in lines]
        return all(joined(y, z) for y in beside for z in around if z != y)

    def too_many(self, v: int, left: list[int]) -> bool:
        edges = [w for w in left if w != v and frozenset((v, w)) in self.rules.required_edges]
        required = [u for u, w in self.rules.required if w == v]
        return len(edges) + len(required) > self.rules.limit[v]
