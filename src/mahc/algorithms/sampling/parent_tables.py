"""Scores of the parent sets that a posterior may need, made level by level.

    candidates   of each child: required parents, neighbours in the best graph, then what gains alone; at most 32
    free         others by single gain: one of them at a time, in sets of at most three
    levels       a set is scored if a set with one parent less is alive
    alive        not more than `delta` nats below a subset: whenever the set fits into a DAG, its subsets fit too

A set is two numbers: its candidates as bits, and its free parent or -1. Everything is in the order of the problem's
variables, which comes from the data, so the tables do not depend on the order of columns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families, _native
from mahc.errors import Mention, SettingError
from mahc.learning.connecting import parents_of
from mahc.learning.control import Stopped
from mahc.learning.problem import Problem
from mahc.plurals import count

Arc = tuple[int, int]
MOST_CANDIDATES = 32  # bits of a set
MOST_VARIABLES = 65_000  # a key has 16 bits for the child and for the free parent
FREE_PARENTS = 48  # of each child
LARGEST_FREE = 3  # parents of a set with a free one
GRAPHS_AT_ONCE = 1000
SET_BYTES = 150  # of a parent set while its level is scored, and in the lists
_BITS = np.uint32(1) << np.arange(MOST_CANDIDATES, dtype=np.uint32)


@dataclass(frozen=True)
class Candidates:
    """Which parents a child may have: [v, p] is its candidate at bit p, [v, k] its k-th free parent; -1: no more.

    `required` are the bits of required parents. `kept` are also those that are required in either direction: a subset
    without one of them need not fit where the set fits.
    """

    inside: NDArray[np.int32]
    free: NDArray[np.int32]
    required: NDArray[np.uint32]
    kept: NDArray[np.uint32]

    def bits(self, child: int, parents: Sequence[int]) -> int:
        """The bits of these parents, all of them candidates."""
        mine = self.inside[child].tolist()
        return sum(1 << mine.index(u) for u in parents)


def choose_candidates(problem: Problem, arcs: Sequence[Arc], most: int, least: int = 0) -> Candidates:
    """The candidates of every child: those that must be there, the neighbours in this graph, then what gains alone."""
    n, constraints = problem.variables, problem.constraints
    pairs = problem.pairs
    gains = pairs - np.diag(pairs)
    parents, required = parents_of(n, arcs), parents_of(n, constraints.required_arcs)
    near = parents_of(n, [*arcs, *((v, u) for u, v in arcs)])
    held: list[list[int]] = [[*mine] for mine in required]
    for u, v in constraints.required_edges:
        held[u].append(v)
        held[v].append(u)
    inside = np.full((n, MOST_CANDIDATES), -1, np.int32)
    free = np.full((n, FREE_PARENTS), -1, np.int32)
    bits = np.zeros((2, n), np.uint32)
    for v in range(n):
        allowed = constraints.allowed[:, v]
        by_gain = [u for u in np.argsort(-gains[:, v], kind="stable").tolist() if u != v and allowed[u]]
        must = list(dict.fromkeys(u for u in (*held[v], *parents[v]) if allowed[u]))
        if len(must) > MOST_CANDIDATES:
            raise SettingError(
                f"{constraints.names[v]} has {count(len(must), 'parent')} in the best graph or required, and a "
                f"posterior takes at most {MOST_CANDIDATES}: lower ",
                Mention("search_in_degree"),
            )
        useful = [u for u in by_gain if gains[u, v] > 0] if problem.single_gains_suffice else by_gain
        mine = list(dict.fromkeys([*must, *(u for u in by_gain if u in near[v]), *useful]))
        more = [u for u in by_gain if u not in mine][: max(0, least - len(mine))]
        mine = [*mine, *more][: max(most, len(must))]
        inside[v, : len(mine)] = mine
        others = [u for u in by_gain if u not in mine][:FREE_PARENTS]
        free[v, : len(others)] = others
        for row, wanted in enumerate((required[v], held[v])):
            bits[row, v] = sum(1 << mine.index(u) for u in set(wanted) if u in mine)
    return Candidates(inside, free, bits[0], bits[1])


@dataclass(frozen=True)
class Sets:
    """Parent sets: the child, the bits of the candidates and the free parent of each."""

    child: NDArray[np.int32]
    inside: NDArray[np.uint32]
    free: NDArray[np.int32]

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """One number for each: child, free parent, bits."""
        high = (self.child.astype(np.uint64) << np.uint64(16)) | (self.free + 1).astype(np.uint64)
        return (high << np.uint64(32)) | self.inside.astype(np.uint64)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of parents of each."""
        found: NDArray[np.int64] = np.bitwise_count(self.inside).astype(np.int64) + (self.free >= 0)
        return found

    def __len__(self) -> int:
        return len(self.child)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Sets:
        return Sets(self.child[which], self.inside[which], self.free[which])

    @staticmethod
    def of_keys(keys: NDArray[np.uint64]) -> Sets:
        """The sets of these keys."""
        high = keys >> np.uint64(32)
        return Sets(
            (high >> np.uint64(16)).astype(np.int32),
            (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32),
            (high & np.uint64(0xFFFF)).astype(np.int32) - 1,
        )

    def families(self, candidates: Candidates) -> tuple[NDArray[np.int64], Families]:
        """An order in which those that differ in their last parent follow each other, and the families in it."""
        last = np.where(self.free >= 0, 0, np.bitwise_count(_fill(self.inside))).astype(np.int64)
        rest = np.where(last > 0, self.inside & ~_BITS[np.maximum(last - 1, 0)], self.inside)
        order = np.lexsort((self.free, last, rest, self.child))
        ordered = self[order]
        chosen = (ordered.inside[:, None] & _BITS) != 0
        members = np.where(chosen, candidates.inside[ordered.child], -1)
        members = np.concatenate([members, ordered.free[:, None]], axis=1)
        present = members >= 0
        offsets = np.zeros(len(ordered) + 1, np.int64)
        np.cumsum(present.sum(axis=1), out=offsets[1:])
        return order, Families(ordered.child, offsets, np.ascontiguousarray(members[present]))


def _fill(bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """All bits up to the highest one."""
    for shift in (1, 2, 4, 8, 16):
        bits = bits | (bits >> np.uint32(shift))
    return bits


@dataclass(frozen=True)
class ParentTable:
    """The sets that are alive, by key, with their scores in nats, the arc price subtracted."""

    problem: Problem
    candidates: Candidates
    sets: Sets
    scores: NDArray[np.float64]

    def lists(self, beta: float) -> ParentLists:
        """The lists of a walk that visits DAGs in proportion to exp(beta * score)."""
        order = np.lexsort((self.sets.keys, -self.scores, self.sets.child))
        sets, scores = self.sets[order], beta * self.scores[order]
        n, constraints = self.problem.variables, self.problem.constraints
        offsets = np.searchsorted(sets.child, np.arange(n + 1)).astype(np.int64)
        partners: list[list[int]] = [[] for _ in range(n)]
        for u, v in constraints.required_edges:
            partners[u].append(v)
            partners[v].append(u)
        native = _native.ParentLists(
            [mine[mine >= 0].tolist() for mine in self.candidates.inside],
            offsets,
            sets.inside,
            sets.free,
            scores,
            partners,
            list(constraints.virtual_arcs),
            constraints.nodes,
        )
        return ParentLists(native, self.candidates, sets, offsets, scores / beta)


@dataclass(frozen=True)
class ParentLists:
    """The sets of every child by falling score; a graph is one place in the list of each child."""

    native: _native.ParentLists
    candidates: Candidates
    sets: Sets
    offsets: NDArray[np.int64]
    scores: NDArray[np.float64]

    def places(self, arcs: Sequence[Arc]) -> NDArray[np.int32]:
        """The places of the parent sets of a graph, all of which are listed."""
        found = np.empty(len(self.offsets) - 1, np.int32)
        for v, mine in enumerate(parents_of(len(found), arcs)):
            inside = [u for u in mine if u in self.candidates.inside[v]]
            free = next((u for u in mine if u not in inside), -1)
            here = slice(self.offsets[v], self.offsets[v + 1])
            same = (self.sets.inside[here] == self.candidates.bits(v, inside)) & (self.sets.free[here] == free)
            found[v] = int(np.flatnonzero(same)[0])
        return found

    def named_arcs(self, graphs: NDArray[np.int32], names: NDArray[np.int64]) -> list[tuple[Arc, ...]]:
        """The sorted arcs of graphs, one row of places each; `names[v]` is the number that variable v is given."""
        found: list[tuple[Arc, ...]] = []
        for block in np.array_split(graphs, max(1, len(graphs) // GRAPHS_AT_ONCE)):
            which = self.offsets[:-1] + block
            graph, child, bit = np.nonzero((self.sets.inside[which][:, :, None] & _BITS) != 0)
            free_graph, free_child = np.nonzero(self.sets.free[which] >= 0)
            tails = names[
                np.concatenate([self.candidates.inside[child, bit], self.sets.free[which][free_graph, free_child]])
            ]
            heads = names[np.concatenate([child, free_child])]
            graph = np.concatenate([graph, free_graph])
            order = np.lexsort((heads, tails, graph))
            arcs = list(zip(tails[order].tolist(), heads[order].tolist(), strict=True))
            ends = np.searchsorted(graph[order], np.arange(len(block) + 1)).tolist()
            found += [tuple(arcs[first:last]) for first, last in pairwise(ends)]
        return found

    def total_scores(self, graphs: NDArray[np.int32]) -> NDArray[np.float64]:
        """The scores of graphs, one row of places each, in nats, the arc price subtracted."""
        found: NDArray[np.float64] = self.scores[self.offsets[:-1] + graphs].sum(axis=1)
        return found


def score_parent_sets(problem: Problem, arcs: Sequence[Arc], *, most: int, delta: float, least: int = 0) -> ParentTable:
    """The table of the parent sets that are alive, and of those of the given graph; Stopped when the run is to stop.

    Parameters
    ----------
    problem : Problem
        The scorer with its arc price, and the constraints.
    arcs : sequence of (int, int)
        A legal graph with a high score.
    most : int
        Number of candidates of a child.
    delta : float
        How many nats a set may score below a subset.
    least : int
        Number of candidates also where fewer gain alone.
    """
    n = problem.variables
    if n > MOST_VARIABLES:
        raise SettingError(f"a posterior takes at most {MOST_VARIABLES:,} variables: give fewer than {n:,}")
    candidates = choose_candidates(problem, arcs, most, least)
    unit, limit = math.log(problem.score_base), problem.constraints.limit
    level = Sets(np.arange(n, dtype=np.int32), candidates.required, np.full(n, -1, np.int32))
    scores = unit * _score(problem, level, candidates)
    best = scores
    alive = np.ones(n, np.bool_)
    kept_sets, kept_scores = [level], [scores]
    total = n
    while alive.any():
        wider = _extend(level[alive], candidates, limit)
        if not len(wider):
            break
        total += len(wider)
        problem.memory.require(
            float(SET_BYTES * total),
            f"a posterior of {count(n, 'variable')}",
            "give fewer candidates, a lower in-degree",
        )
        above = _best_below(wider, level, best, candidates)
        scores = unit * _score(problem, wider, candidates)
        alive = scores > above - delta
        level, best = wider, np.maximum(scores, above)
        kept_sets.append(level[alive])
        kept_scores.append(scores[alive])
    start = _sets_of(arcs, n, candidates)
    kept_sets.append(start)
    kept_scores.append(unit * _score(problem, start, candidates))
    keys, first = np.unique(np.concatenate([each.keys for each in kept_sets]), return_index=True)
    return ParentTable(problem, candidates, Sets.of_keys(keys), np.concatenate(kept_scores)[first])


def _score(problem: Problem, sets: Sets, candidates: Candidates) -> NDArray[np.float64]:
    order, families = sets.families(candidates)
    scored = problem.score(families)
    if scored is None:
        raise Stopped
    found = np.empty(len(sets))
    found[order] = scored
    return found


def _sets_of(arcs: Sequence[Arc], n: int, candidates: Candidates) -> Sets:
    parents = parents_of(n, arcs)
    bits = np.array([candidates.bits(v, mine) for v, mine in enumerate(parents)], np.uint32)
    return Sets(np.arange(n, dtype=np.int32), bits, np.full(n, -1, np.int32))


def _extend(level: Sets, candidates: Candidates, limit: NDArray[np.int32]) -> Sets:
    """All sets with one parent more, each once, by key."""
    level = level[level.sizes < limit[level.child]]
    addable = (candidates.inside[level.child] >= 0) & ((level.inside[:, None] & _BITS) == 0)
    which, bit = np.nonzero(addable)
    inside = Sets(level.child[which], level.inside[which] | _BITS[bit], level.free[which])
    base = level[(level.free < 0) & (level.sizes < LARGEST_FREE)]
    which, place = np.nonzero(candidates.free[base.child] >= 0)
    outside = Sets(base.child[which], base.inside[which], candidates.free[base.child[which], place])
    keys = np.concatenate([inside.keys[inside.sizes <= _largest(inside)], outside.keys])
    return Sets.of_keys(np.unique(keys))


def _largest(sets: Sets) -> NDArray[np.int64]:
    return np.where(sets.free >= 0, LARGEST_FREE, MOST_CANDIDATES)


def _best_below(sets: Sets, level: Sets, best: NDArray[np.float64], candidates: Candidates) -> NDArray[np.float64]:
    """The best score of a subset that fits wherever the set fits; minus infinity where none was scored."""
    found = np.full(len(sets), -np.inf)
    keys = level.keys
    removable = sets.inside & ~candidates.kept[sets.child]

    def take(which: NDArray[np.int64], smaller: Sets) -> None:
        wanted = smaller.keys
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        there = keys[place] == wanted
        found[which[there]] = np.maximum(found[which[there]], best[place[there]])

    for bit in _BITS:
        which = np.flatnonzero(removable & bit)
        if len(which):
            mine = sets[which]
            take(which, Sets(mine.child, mine.inside & ~bit, mine.free))
    which = np.flatnonzero(sets.free >= 0)
    mine = sets[which]
    take(which, Sets(mine.child, mine.inside, np.full(len(mine), -1, np.int32)))
    return found
