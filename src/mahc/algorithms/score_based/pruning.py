"""Algorithm 1: remove the arcs that no candidate parent set needs. The climb uses the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.learning.control import Stopped
from mahc.learning.found import ALLOWED, FORBIDDEN, Base, Pruning, PruningDetails
from mahc.learning.problem import Problem

MAX_LEVELS = 100  # below FORBIDDEN
MOST_CACHED = 64  # parents of a child whose pairs are listed once; under 1 MiB in all

Lists = list[NDArray[np.int32]]


@dataclass(frozen=True)
class _Tried:
    """Some children, the number of alive parents of each, and which of these (child by child) are outside its base.

    The other arrays have one entry for each that is: child, parent, the score with the base and it, and the base's.
    """

    part: list[int]
    sizes: list[int]
    outside: NDArray[np.bool_]
    children: NDArray[np.int32]
    parents: NDArray[np.int32]
    scores: NDArray[np.float64]
    base_scores: NDArray[np.float64]


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

    def note(self, children: NDArray[np.int32], parents: NDArray[np.int32], scores: NDArray[np.float64]) -> None:
        """These arcs are pruned at the level that is being examined."""
        self.pruned[-1] += len(parents)
        if self.level is not None and self.score is not None:
            self.level[parents, children] = len(self.pruned)
            self.score[parents, children] = scores

    def finish(self, complete: bool) -> Pruning:
        """The record as a result."""
        details = None
        if self.level is not None and self.score is not None:
            details = PruningDetails(self.level, self.score, tuple(self.bases))
        return Pruning(tuple(self.alive), tuple(self.pruned), tuple(self.valid), complete, details)


def _prune_pairs(problem: Problem, record: _Record) -> None:
    """Level 1: k -> v is pruned where v scores as high without parents."""
    constraints, n = problem.constraints, problem.variables
    allowed = None if constraints.free else np.ascontiguousarray(constraints.allowed.T)
    candidates = np.full(n, n - 1) if allowed is None else allowed.sum(axis=1)
    record.valid.append(int(candidates.sum()))
    better = problem.better_parents()
    held = _held_parents(problem)
    alive, single = [], []
    for v in range(n):
        parents, scores = better.of(v)
        if allowed is not None:
            kept = allowed[v][parents]
            parents, scores = _with_held(problem, v, parents[kept], scores[kept], held.get(v))
        alive.append(parents)
        single.append(scores)
    # Only now, because scoring may stop: the record has the whole level or nothing of it.
    record.alive, record.single = alive, single
    record.bases.append({v: Base((), float(better.alone[v])) for v in np.flatnonzero(candidates).tolist()})
    record.pruned.append(0)
    if record.level is None:
        record.pruned[0] = record.valid[-1] - sum(map(len, record.alive))
    else:
        gone = record.level == ALLOWED
        for v, parents in enumerate(record.alive):
            gone[parents, v] = False
        tails, heads = (found.astype(np.int32) for found in np.nonzero(gone))
        record.note(heads, tails, problem.pairs[tails, heads])


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
    for found in tried:
        # Pruning rule: S(base) >= S(base + k) forbids k -> v in sets of all sizes (line 11).
        gone = found.scores <= found.base_scores + problem.tolerance
        if not problem.constraints.free:
            gone &= problem.constraints.hold[found.parents, found.children] == 0
        record.note(found.children[gone], found.parents[gone], found.scores[gone])
        for v, mine in zip(found.part, _split_by_child(found, gone), strict=True):
            record.alive[v], record.single[v] = record.alive[v][mine], record.single[v][mine]


def _split_by_child(tried: _Tried, gone: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
    """For each child of the part, which of its alive parents stay."""
    stays = ~tried.outside
    stays[tried.outside] = ~gone
    end = 0
    for size in tried.sizes:
        start, end = end, end + size
        yield stays[start:end]


def _find_bases(problem: Problem, record: _Record, size: int) -> Iterator[tuple[int, Base]]:
    """The best set of `size` alive parents of each child that has others to try."""
    concerned = [v for v, parents in enumerate(record.alive) if len(parents) > size]
    counts = [math.comb(len(record.alive[v]), size) for v in concerned]
    for part in _split(concerned, counts, problem.memory.batch_families):
        sets = [_subsets(record.alive[v], size) for v in part]
        sizes = np.array([len(mine) for mine in sets])
        rows = np.concatenate(sets)
        if size == 1:
            scores = np.concatenate([record.single[v] for v in part])
        else:
            scores = _score(problem, Families.of_width(np.repeat(np.array(part, np.int32), sizes), rows))
        yield from zip(part, _best(problem, sizes, rows, scores), strict=True)


def _try_others(problem: Problem, alive: Lists, bases: dict[int, Base]) -> Iterator[_Tried]:
    """Score the children with their base and each alive parent outside it."""
    for part in _split(list(bases), [len(alive[v]) for v in bases], problem.memory.batch_families):
        sizes = [len(alive[v]) for v in part]
        which = np.repeat(np.arange(len(part)), sizes)
        parents = np.concatenate([alive[v] for v in part])
        base = np.array([bases[v].parents for v in part], np.int32)
        outside = (parents[:, None] != base[which]).all(axis=1)
        which, parents = which[outside], parents[outside]
        children = np.array(part, np.int32)[which]
        scores = _score(problem, Families.of_width(children, np.column_stack([base[which], parents])))
        base_scores = np.array([bases[v].score for v in part])[which]
        yield _Tried(part, sizes, outside, children, parents, scores, base_scores)


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


def _subsets(parents: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """All sets of that size, each sorted, in sorted order."""
    if size == 1:
        return parents[:, None]
    if size == 2:
        return parents[_pairs(len(parents)) if len(parents) <= MOST_CACHED else _list_pairs(len(parents))]
    return np.array(list(combinations(parents.tolist(), size)), np.int32)


def _list_pairs(count: int) -> NDArray[np.int64]:
    return np.stack(np.triu_indices(count, 1), axis=1)


_pairs = lru_cache(maxsize=MOST_CACHED)(_list_pairs)


def _best(
    problem: Problem, sizes: NDArray[np.int64], sets: NDArray[np.int32], scores: NDArray[np.float64]
) -> Iterator[Base]:
    """Of each child the best of its sets, which are `sizes` rows of `sets` in turn."""
    # A tie for the base goes to the set that comes first in the order of the variables; sets come sorted.
    starts = np.cumsum(sizes) - sizes
    near = np.flatnonzero(scores >= np.repeat(np.maximum.reduceat(scores, starts) - problem.tolerance, sizes))
    first = near[np.searchsorted(near, starts)]
    for parents, score in zip(sets[first].tolist(), scores[first].tolist(), strict=True):
        yield Base(tuple(parents), score)
