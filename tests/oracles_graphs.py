"""Slow, obvious versions of what the graphs room does; nothing here shares code with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np

Arcs = frozenset[tuple[int, int]]


def random_dag(n: int, density: float, rng: np.random.Generator) -> list[list[int]]:
    """Parent lists of a random DAG in a random order."""
    order = rng.permutation(n)
    parents: list[list[int]] = [[] for _ in range(n)]
    for a, b in itertools.combinations(range(n), 2):
        if rng.random() < density:
            parents[order[b]].append(int(order[a]))
    return parents


def arcs_of(parents: list[list[int]]) -> Arcs:
    return frozenset((p, c) for c, chosen in enumerate(parents) for p in chosen)


def is_acyclic(n: int, arcs: Iterable[tuple[int, int]]) -> bool:
    left, rest = set(range(n)), set(arcs)
    while left:
        sources = {v for v in left if not any(head == v for _, head in rest)}
        if not sources:
            return False
        left -= sources
        rest = {(a, b) for a, b in rest if a in left and b in left}
    return True


def colliders(n: int, arcs: Arcs) -> set[tuple[int, int, int]]:
    joined = {frozenset(arc) for arc in arcs}
    return {
        (a, v, b)
        for v in range(n)
        for a, b in itertools.combinations(sorted(t for t, h in arcs if h == v), 2)
        if frozenset((a, b)) not in joined
    }


def all_directions(arcs: Arcs) -> Iterator[Arcs]:
    for flips in itertools.product((False, True), repeat=len(arcs)):
        yield frozenset((b, a) if flip else (a, b) for flip, (a, b) in zip(flips, sorted(arcs), strict=True))


def equivalent_dags(n: int, arcs: Arcs) -> list[Arcs]:
    """All DAGs with the same adjacencies and unshielded colliders."""
    wanted = colliders(n, arcs)
    return [other for other in all_directions(arcs) if is_acyclic(n, other) and colliders(n, other) == wanted]


def shared_arcs(members: Iterable[Arcs]) -> Arcs:
    return frozenset.intersection(*members)


def all_dags(n: int) -> Iterator[Arcs]:
    pairs = list(itertools.combinations(range(n), 2))
    for kinds in itertools.product((None, False, True), repeat=len(pairs)):
        arcs = frozenset(
            (b, a) if kind else (a, b) for kind, (a, b) in zip(kinds, pairs, strict=True) if kind is not None
        )
        if is_acyclic(n, arcs):
            yield arcs


def reversible_dags(arcs: Arcs) -> set[Arcs]:
    """The class of a DAG, by reversing covered arcs (Chickering 1995) until nothing new comes."""
    found, todo = {arcs}, [arcs]
    while todo:
        current = todo.pop()
        for a, b in current:
            into_a = {t for t, h in current if h == a}
            into_b = {t for t, h in current if h == b}
            turned = (current - {(a, b)}) | {(b, a)}
            if into_b == into_a | {a} and turned not in found:
                found.add(turned)
                todo.append(turned)
    return found
