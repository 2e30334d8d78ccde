"""Algorithm 1: remove the arcs that no candidate parent set needs. The climb uses the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.learning.control import Stopped
from mahc.learning.found import ALLOWED, FORBIDDEN, Base, Pruning, PruningDetails
from mahc.learning.problem import Problem

MAX_LEVELS = 100  # below FORBIDDEN

Lists = list[NDArray[np.int32]]
Tried = tuple[int, NDArray[np.int32], NDArray[np.float64]]  # a child, parents outside its base, scores with each


def prune(problem: Problem, levels: int) -> Pruning:
    """Algorithm 1 with M_P = `levels`; stops early, incomplete, when the control says so.

    Of the pairs, only those are kept that level 1 leaves, unless the result is to have details.
    """
    record = _Record(problem)
    try:
        _prune_pairs(problem, record)
        for m in range(2, levels + 1):
            _prune_level(problem, record, m)
    except Stopped:
        return record.finish(complete=False)
    return record.finish(complete=True)


class _Record:
    """What is still allowed, and what was pruned so far."""

    def __init__(self, problem: Problem) -> None:
        n = problem.variables
        self.alive: Lists = []  # none until level 1 is done
        self.single: list[NDArray[np.float64]] = []  # the score of the child with each alive parent alone
        self.pruned: list[int] = []
        self.valid = [n]
        self.bases: list[dict[int, Base]] = []
        self.level = self.score = None
        if problem.details:
            self.level = np.where(problem.constraints.allowed, ALLOWED, FORBIDDEN).astype(np.uint8)
            self.score = np.full((n, n), np.nan)

    def note(self, v: int, parents: NDArray[np.int32], scores: NDArray[np.float64]) -> None:
        """These arcs into v are pruned at the level that is being examined."""
        self.pruned[-1] += len(parents)
        if self.level is not None and self.score is not None:
            self.level[parents, v] = len(self.pruned)
            self.score[parents, v] = scores

    def finish(self, complete: bool) -> Pruning:
        """The record as a result."""
        details = None
        if self.level is not None and self.score is not None:
            details = PruningDetails(self.level, self.score, tuple(self.bases))
            if not self.alive:
                self.alive = [np.flatnonzero(mine == ALLOWED).astype(np.int32) for mine in self.level.T]
        return Pruning(tuple(self.alive), tuple(self.pruned), tuple(self.valid), complete, details)


def _prune_pairs(problem: Problem, record: _Record) -> None:
    """Level 1: k -> v is pruned where v scores as high without parents."""
    constraints, n = problem.constraints, problem.variables
    allowed = None if constraints.free else np.ascontiguousarray(constraints.allowed.T)
    candidates = np.full(n, n - 1) if allowed is None else allowed.sum(axis=1)
    record.valid.append(int(candidates.sum()))
    better = problem.better_parents()
    held = _held_parents(problem)
    record.bases.append({v: Base((), float(better.alone[v])) for v in np.flatnonzero(candidates).tolist()})
    record.pruned.append(0)
    for v in range(n):
        parents, scores = better.of(v)
        if allowed is not None:
            kept = allowed[v][parents]
            parents, scores = _with_held(problem, v, parents[kept], scores[kept], held.get(v))
        record.alive.append(parents)
        record.single.append(scores)
        if record.level is None:
            record.pruned[0] += int(candidates[v]) - len(parents)
        else:
            gone = np.setdiff1d(np.flatnonzero(record.level[:, v] == ALLOWED), parents).astype(np.int32)
            record.note(v, gone, problem.pairs[gone, v])


def _held_parents(problem: Problem) -> dict[int, NDArray[np.int32]]:
    """By child, the allowed parents that knowledge requires: they are never pruned."""
    constraints = problem.constraints
    turned = [(v, u) for u, v in constraints.required_edges]
    held: dict[int, list[int]] = {}
    for u, v in (*constraints.required_arcs, *constraints.required_edges, *turned):
        if constraints.allowed[u, v]:
            held.setdefault(v, []).append(u)
    return {v: np.array(sorted(parents), np.int32) for v, parents in held.items()}


def _with_held(
    problem: Problem,
    v: int,
    parents: NDArray[np.int32],
    scores: NDArray[np.float64],
    held: NDArray[np.int32] | None,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Parents and their scores, with those that knowledge requires."""
    missing = None if held is None else np.setdiff1d(held, parents)
    if missing is None or not len(missing):
        return parents, scores
    parents = np.concatenate([parents, missing])
    scores = np.concatenate([scores, _score(problem, Families.extending(v, (), missing))])
    order = np.argsort(parents)
    return parents[order], scores[order]


def _prune_level(problem: Problem, record: _Record, m: int) -> None:
    """Level m: k -> v is pruned where v scores as high without k, with its best m - 1 parents."""
    record.valid.append(sum(math.comb(len(parents), m) for parents in record.alive))
    bases = dict(_find_bases(problem, record, m - 1))
    tried = list(_try_others(problem, record.alive, bases))
    record.bases.append(bases)
    record.pruned.append(0)
    for v, others, scores in tried:
        # Pruning rule: S(base) >= S(base + k) forbids k -> v in sets of all sizes (line 11).
        gone = scores <= bases[v].score + problem.tolerance
        if not problem.constraints.free:
            gone &= problem.constraints.hold[others, v] == 0
        record.note(v, others[gone], scores[gone])
        kept = _kept(record.alive[v], others[gone])
        record.alive[v], record.single[v] = record.alive[v][kept], record.single[v][kept]


def _find_bases(problem: Problem, record: _Record, size: int) -> Iterator[tuple[int, Base]]:
    """The best set of `size` alive parents of each child that has others to try."""
    concerned = [v for v, parents in enumerate(record.alive) if len(parents) > size]
    if size == 1:
        for v in concerned:
            yield v, _best(problem, record.alive[v][:, None], record.single[v])
        return
    counts = [math.comb(len(record.alive[v]), size) for v in concerned]
    for part in _split(concerned, counts, problem.memory.batch_families):
        sets = [_subsets(record.alive[v], size) for v in part]
        scores = _score(problem, _families(zip(part, sets, strict=True)))
        ends = np.cumsum([len(mine) for mine in sets])[:-1]
        for v, mine, values in zip(part, sets, np.split(scores, ends), strict=True):
            yield v, _best(problem, mine, values)


def _try_others(problem: Problem, alive: Lists, bases: dict[int, Base]) -> Iterator[Tried]:
    """Each child with the alive parents outside its base and the scores of base + k."""
    for part in _split(list(bases), [len(alive[v]) for v in bases], problem.memory.batch_families):
        others = [_without(alive[v], bases[v].parents) for v in part]
        batch = [Families.extending(v, bases[v].parents, mine) for v, mine in zip(part, others, strict=True)]
        scores = _score(problem, Families.joined(batch))
        ends = np.cumsum([len(mine) for mine in others])[:-1]
        yield from zip(part, others, np.split(scores, ends), strict=True)


def _split(children: Sequence[int], counts: Sequence[int], most: int) -> Iterator[list[int]]:
    """The children in parts of at most `most` families each, or of one child."""
    part: list[int] = []
    total = 0
    for v, count in zip(children, counts, strict=True):
        if part and total + count > most:
            yield part
            part, total = [], 0
        part.append(v)
        total += count
    if part:
        yield part


def _score(problem: Problem, families: Families) -> NDArray[np.float64]:
    scores = problem.score(families)
    if scores is None:
        raise Stopped
    return scores


def _without(parents: NDArray[np.int32], some: Sequence[int]) -> NDArray[np.int32]:
    """The sorted parents less some of them."""
    return parents[_kept(parents, some)]


def _kept(parents: NDArray[np.int32], gone: Sequence[int] | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of the sorted parents are left without some of them."""
    kept = np.ones(len(parents), np.bool_)
    kept[np.searchsorted(parents, gone)] = False
    return kept


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
