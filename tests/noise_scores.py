"""Scores that are pure noise, and random rules for the graphs to search with them."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np
import oracles_search as slow
from numpy.typing import NDArray

from mahc.engine import Families, _native


@dataclass
class NoiseScorer:
    """A scorer written in Python behind the seam: random scores, fixed by the seed."""

    variables: int
    seed: int
    price: float

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        noise = random.Random(f"{self.seed}/{child}/{parents}").gauss(0, 3)
        return noise - self.price * len(parents)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        return np.array([self.local(child, tuple(sorted(parents))) for child, parents in families])


def random_rules(rng: random.Random, least: int = 2, most: int = 6) -> tuple[slow.Rules, slow.Graph]:
    """Rules for `least` to `most` variables and a start graph; the more variables, the fewer arcs are allowed."""
    n = rng.randint(least, most)
    share = rng.choice([0.4, 0.8, 1.0]) * min(1.0, 8 / n)
    allowed = {arc for arc in itertools.permutations(range(n), 2) if rng.random() < share}
    limit = {v: rng.randint(0, 3) for v in range(n)} if rng.random() < 0.5 else dict.fromkeys(range(n), 8)
    order = rng.sample(range(n), n)
    tiers = {v: place * 2 // n for place, v in enumerate(order) if rng.random() < 0.5} if rng.random() < 0.4 else {}
    allowed = {(u, v) for u, v in allowed if not (u in tiers and v in tiers and tiers[u] > tiers[v])}
    start, required, edges, start_only = set(), set(), set(), set()
    for i, j in itertools.combinations(range(n), 2):
        arc = (order[i], order[j])
        if arc not in allowed or sum(v == arc[1] for _, v in start) >= limit[arc[1]] or rng.random() < 0.4:
            continue
        start.add(arc)
        fate = rng.random()
        if fate < 0.15:
            required.add(arc)
        elif fate < 0.3:
            edges.add(frozenset(arc))
        elif fate < 0.5:
            start_only.add(arc)
    allowed -= start_only
    rules = slow.Rules(
        n, frozenset(allowed), limit, frozenset(required), frozenset(edges), tiers, frozenset(start_only)
    )
    return rules, frozenset(start)


def make_space(rules: slow.Rules) -> _native.Space:
    n = rules.variables
    used = {*rules.allowed, *rules.start_only}
    lists = [sorted(u for u, v in used if v == child) for child in range(n)]
    first = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    hold = [
        3 if (u, v) in rules.start_only else 2 if (u, v) in rules.required else int({u, v} in rules.required_edges)
        for v in range(n)
        for u in lists[v]
    ]
    early = [v for v, t in rules.tiers.items() if t == 0]
    late = [v for v, t in rules.tiers.items() if t == 1]
    fixed = [(v, n) for v in early] + [(n, v) for v in late] if early and late else []
    return _native.Space(
        n,
        n + bool(fixed),
        first,
        np.array([u for parents in lists for u in parents], np.int32),
        np.array(hold, np.uint8),
        np.array([rules.limit[v] for v in range(n)], np.int32),
        fixed,
    )
