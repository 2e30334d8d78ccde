"""Slow, obvious versions of what the graphs package does; nothing here shares code with it."""

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


# Mixed graphs here are dictionaries (i, j) -> mark at j, with "-", ">" and "o".
Ends = dict[tuple[int, int], str]


def ends_of(arcs: Arcs) -> Ends:
    return {pair: mark for a, b in arcs for pair, mark in (((a, b), ">"), ((b, a), "-"))}


def simple_paths(n: int, ends: Ends, start: int, goal: int, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    path = path or (start,)
    if path[-1] == goal:
        yield path
        return
    for v in range(n):
        if (path[-1], v) in ends and v not in path:
            yield from simple_paths(n, ends, start, goal, (*path, v))


def above(n: int, ends: Ends, targets: Iterable[int]) -> set[int]:
    """The targets and all their ancestors."""
    found = set(targets)
    for _ in range(n):
        found |= {a for a in range(n) for b in found if ends.get((a, b)) == ">" and ends[b, a] == "-"}
    return found


def is_open(n: int, ends: Ends, path: tuple[int, ...], given: set[int]) -> bool:
    opened = above(n, ends, given)
    for before, v, after in zip(path, path[1:], path[2:], strict=False):
        if ends[before, v] == ends[after, v] == ">":
            if v not in opened:
                return False
        elif v in given:
            return False
    return True


def separated(n: int, ends: Ends, x: int, y: int, given: Iterable[int]) -> bool:
    """m-separation, path by path."""
    return not any(is_open(n, ends, path, set(given)) for path in simple_paths(n, ends, x, y))


def separating_set(n: int, ends: Ends, x: int, y: int, usable: Iterable[int]) -> frozenset[int] | None:
    others = [v for v in usable if v not in (x, y)]
    for size in range(len(others) + 1):
        for given in itertools.combinations(others, size):
            if separated(n, ends, x, y, given):
                return frozenset(given)
    return None


def mag_of(n: int, arcs: Arcs, latent: set[int]) -> Ends:
    """The MAG from its definition: joined when no observed set separates, marks from ancestry."""
    dag = ends_of(arcs)
    observed = [v for v in range(n) if v not in latent]
    mag: Ends = {}
    for x, y in itertools.combinations(observed, 2):
        if separating_set(n, dag, x, y, observed) is None:
            mag[x, y] = "-" if y in above(n, dag, [x]) else ">"
            mag[y, x] = "-" if x in above(n, dag, [y]) else ">"
    return mag
