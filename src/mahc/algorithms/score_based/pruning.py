"""Algorithm 1: remove the arcs that no candidate parent set needs. The climb uses the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.learning.found import ALLOWED, FORBIDDEN, Base, Pruning
from mahc.learning.problem import Problem

MAX_LEVELS = 100  # below FORBIDDEN


def prune(problem: Problem, levels: int) -> Pruning:
    """Algorithm 1 with M_P = `levels`; stops early, incomplete, when the control says so."""
    n = problem.variables
    level = np.where(problem.constraints.allowed, ALLOWED, FORBIDDEN).astype(np.uint8)
    score = np.full((n, n), np.nan)
    bases: list[dict[int, Base]] = []
    valid = [n]
    for m in range(1, levels + 1):
        alive = [np.flatnonzero(level[:, v] == ALLOWED).astype(np.int32) for v in range(n)]
        valid.append(sum(math.comb(len(parents), m) for parents in alive))
        found = _find_bases(problem, alive, m - 1)
        outcome = None if found is None else _try_others(problem, alive, found)
        if found is None or outcome is None:
            return Pruning(level, score, tuple(bases), tuple(valid), complete=False)
        bases.append(found)
        for v, others, scores in outcome:
            # Pruning rule: S(base) >= S(base + k) forbids k -> v in sets of all sizes (line 11).
            gone = scores <= found[v].score + problem.tolerance
            gone &= problem.constraints.hold[others, v] == 0
            level[others[gone], v] = m
            score[others[gone], v] = scores[gone]
    return Pruning(level, score, tuple(bases), tuple(valid), complete=True)


Alive = list[NDArray[np.int32]]


def _find_bases(problem: Problem, alive: Alive, size: int) -> dict[int, Base] | None:
    """The best set of `size` alive parents of each child that has others to try; None when stopped."""
    if size == 0:
        return {v: Base((), float(problem.pairs[v, v])) for v in range(len(alive)) if len(alive[v])}
    concerned = [v for v in range(len(alive)) if len(alive[v]) > size]
    if size == 1:
        return {v: _best(problem, alive[v][:, None], problem.pairs[alive[v], v]) for v in concerned}
    sets = {v: _subsets(alive[v], size) for v in concerned}
    scores = problem.score(_families((v, sets[v]) for v in concerned))
    if scores is None:
        return None
    ends = np.cumsum([len(sets[v]) for v in concerned])
    parts = np.split(scores, ends[:-1]) if concerned else []
    return {v: _best(problem, sets[v], part) for v, part in zip(concerned, parts, strict=True)}


def _try_others(
    problem: Problem, alive: Alive, bases: dict[int, Base]
) -> list[tuple[int, NDArray[np.int32], NDArray[np.float64]]] | None:
    """Each child with the alive parents outside its base and the scores of base + k; None when stopped."""
    others = {v: _without(alive[v], base.parents) for v, base in bases.items()}
    if all(not base.parents for base in bases.values()):
        return [(v, others[v], problem.pairs[others[v], v]) for v in bases]
    batch = [Families.extending(v, base.parents, others[v]) for v, base in bases.items()]
    scores = problem.score(Families.joined(batch))
    if scores is None:
        return None
    ends = np.cumsum([len(others[v]) for v in bases])
    parts = np.split(scores, ends[:-1]) if bases else []
    return [(v, others[v], part) for v, part in zip(bases, parts, strict=True)]


def _without(parents: NDArray[np.int32], base: Sequence[int]) -> NDArray[np.int32]:
    """The sorted parents less those of the base, all of which are among them."""
    kept = np.ones(len(parents), np.bool_)
    kept[np.searchsorted(parents, base)] = False
    return parents[kept]


def _subsets(parents: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    if size == 2:
        first, second = np.triu_indices(len(parents), 1)
        return np.stack([parents[first], parents[second]], axis=1)
    return np.array(list(combinations(parents.tolist(), size)), np.int32)


def _families(sets: Iterable[tuple[int, NDArray[np.int32]]]) -> Families:
    parts = [
        Families(
            np.full(len(rows), child, np.int32),
            np.arange(0, rows.size + 1, rows.shape[1], dtype=np.int64),
            np.ascontiguousarray(rows).ravel(),
        )
        for child, rows in sets
    ]
    return Families.joined(parts)


def _best(problem: Problem, sets: NDArray[np.int32], scores: NDArray[np.float64]) -> Base:
    # A tie for the base goes to the set that comes first in the order of the variables; sets come sorted.
    near = np.flatnonzero(scores >= scores.max() - problem.tolerance)
    return Base(tuple(sets[near[0]].tolist()), float(scores[near[0]]))
