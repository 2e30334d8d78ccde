"""The skeleton: the pairs that no set of other variables separates, found level by level.

At each level all pairs are tested with all sets of one size before any edge is removed (Colombo and Maathuis 2014), so
that the order of the variables does not matter. Of the sets that separate a pair at its level, the one with the
highest p-value is kept; only between exactly equal p-values does the order of the variables decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.constraint_based.needed_sets import (
    find_biconnected_components,
    find_non_ancestors,
    possible_ancestors,
    restrict_pools,
)
from mahc.algorithms.constraint_based.separations import PairSeparations, Separation
from mahc.engine import Families
from mahc.graphs.bitset import members, pack, to_bitset, transpose, unpack
from mahc.graphs.walks import Check, never_stop
from mahc.independence import IndependenceOracle, Questions, independent
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Stopped

MAX_BATCH = 1 << 15  # questions in one batch: enough for all threads, little memory
MAX_SKIPPED_SETS = 1 << 16  # sets in a row that need no test
MAX_TEXTBOOK_TESTS = 100_000  # at one level: with more, sets of neighbours are drawn from those that can be needed
# Sets of this size and more are drawn from possible ancestors. Measured: from size 2 on, PC-Stable kept 825 edges on
# pigs with 10,000 rows, where the truth has 592.
MIN_SIZE_ANCESTORS = 4

# x, the variables to test it with, and those that the conditioning sets are drawn from.
Task = tuple[int, int, int]


class Skeleton:
    """Edges that are removed as sets are found that separate them; sets of variables are bitsets.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> fork = DAG(["a", "b", "c"], [("b", "a"), ("b", "c")])
    >>> skeleton = Skeleton(SeparationOracle(fork), no_constraints(fork.names), 0.01)
    >>> skeleton.separate_by_neighbours(None)
    True
    >>> skeleton.adjacent, skeleton.separations
    ([2, 5, 2], {(0, 2): Separation(given=frozenset({1}), log_p=0.0)})
    """

    def __init__(
        self, oracle: IndependenceOracle, constraints: Constraints, alpha: float, check: Check = never_stop
    ) -> None:
        n = oracle.variables
        self._oracle, self._alpha, self.check = oracle, alpha, check
        # A pair whose edge is forbidden is tested too: orientation needs its separating set.
        if constraints.free:
            self._pending = [((1 << n) - 1) ^ 1 << v for v in range(n)]
            self.adjacent = list(self._pending)
        else:
            joined = constraints.allowed | constraints.allowed.T
            held = (constraints.hold > 0) | (constraints.hold.T > 0)
            np.fill_diagonal(joined := joined | held, False)
            self.adjacent = pack(joined)
            self._pending = pack(~np.eye(n, dtype=np.bool_) & ~held)
        self.separations = PairSeparations(n)
        self._not_above = [0] * n  # for each variable, those that it is not an ancestor of

    @property
    def least_log_p(self) -> float:
        """Separations of pairs that only knowledge separates have p-values up to this one."""
        return math.log(self._alpha)

    @property
    def unsure(self) -> list[int]:
        """For each variable, those whose edge to it knowledge forbids and that no set separates from it."""
        return [bits & ~near for bits, near in zip(self._pending, self.adjacent, strict=True)]

    def separate_by_neighbours(self, max_conditions: int | None, only_needed: bool = True) -> bool:
        """Test with sets of neighbours, of growing size; False when the oracle or `check` stopped it.

        With `only_needed`, at a level of more than `MAX_TEXTBOOK_TESTS` tests the neighbours lie on a path between x
        and y, and in sets of `MIN_SIZE_ANCESTORS` or more they also may be ancestors of x or y. A separating set
        without the other variables is one too, so the edges that true independences remove are the same.
        """
        try:
            return self._separate_alone() and self._separate_by_levels(max_conditions, only_needed)
        except Stopped:
            return False

    def _separate_by_levels(self, max_conditions: int | None, only_needed: bool) -> bool:
        size = 1
        while max_conditions is None or size <= max_conditions:
            tasks = self._tasks(self.adjacent, only_needed=False)
            if only_needed and _count_tests(tasks, size) > MAX_TEXTBOOK_TESTS:
                if size >= MIN_SIZE_ANCESTORS and not self._find_non_ancestors():
                    return False
                tasks = self._tasks(self.adjacent, only_needed=True)
            tasks = [task for task in tasks if _largest_set(task) >= size]
            if not tasks:
                return True
            if not self._separate_level(size, tasks, list(self.adjacent), None):
                return False
            size += 1
        return True

    def separate_by_pools(self, pools: Sequence[int], max_conditions: int | None, only_needed: bool) -> bool:
        """Test with subsets of `pools[x]`, or of the part that may be needed to separate x and y; False when stopped.

        Sets of neighbours of x or of y have been tested already and are left out.
        """
        try:
            return self._separate_pools_by_levels(pools, max_conditions, only_needed)
        except Stopped:
            return False

    def _separate_pools_by_levels(self, pools: Sequence[int], max_conditions: int | None, only_needed: bool) -> bool:
        if only_needed and not self._find_non_ancestors():
            return False
        tested = list(self.adjacent)
        size = 1
        while max_conditions is None or size <= max_conditions:
            tasks = [task for task in self._tasks(pools, only_needed) if _largest_set(task) >= size]
            if not tasks:
                return True
            if not self._separate_level(size, tasks, pools, tested):
                return False
            size += 1
        return True

    def _tasks(self, pools: Sequence[int], only_needed: bool) -> list[Task]:
        if not only_needed:
            return [(x, bits, pools[x]) for x, bits in enumerate(self._pending)]
        # A pair that is tested though its edge is forbidden needs a component too: joined as if it were adjacent.
        joined = [near | bits for near, bits in zip(self.adjacent, self._pending, strict=True)]
        ancestors = possible_ancestors(self.adjacent, self._not_above, self.check)
        components = find_biconnected_components(joined, self.check)
        return restrict_pools(pools, components, ancestors, self._pending, self.check)

    def _find_non_ancestors(self) -> bool:
        # Those found at earlier levels stay: an edge that was removed since does not make them ancestors.
        found = find_non_ancestors(self._oracle, self._alpha, self.adjacent, self.separations, self.check)
        if found is None:
            return False
        self._not_above = [old | new for old, new in zip(self._not_above, found, strict=True)]
        return True

    def _separate_alone(self) -> bool:
        """Test all pairs without conditions, as arrays: wide data have millions of pairs."""
        n = len(self.adjacent)
        unsure, pending = unpack(self.unsure), unpack(self._pending)
        separated = np.zeros((n, n), np.bool_)
        found = PairSeparations(n)
        for first, last in _split_rows(pending, MAX_BATCH, self.check):
            xs, ys = np.nonzero(np.triu(pending[first:last], first + 1))
            xs += first
            log_p = self._oracle.log_p_values(Families.of_width(xs.astype(np.int32), ys.astype(np.int32)[:, None]))
            if log_p is None:
                return False
            accepted = independent(log_p, self._alpha)
            separated[xs[accepted], ys[accepted]] = True
            rows = np.full((last - first, n), np.nan)
            kept = accepted | unsure[xs, ys]
            rows[xs[kept] - first, ys[kept]] = log_p[kept]
            for x in range(first, last):
                found.separate_alone(x, rows[x - first, x + 1 :].copy())
        separated |= separated.T
        self.separations = found
        self.adjacent = pack(unpack(self.adjacent) & ~separated)
        self._pending = pack(pending & ~separated)
        return True

    def _separate_level(
        self, size: int, tasks: Sequence[Task], pools: Sequence[int], tested: Sequence[int] | None
    ) -> bool:
        best: dict[tuple[int, int], Separation] = {}
        for batch in _batches(size, tasks, pools, tested):
            log_p = self._oracle.log_p_values(batch)
            if log_p is None:
                return False
            wanted = independent(log_p, self._alpha) | self._is_forbidden(batch)
            for i in np.flatnonzero(wanted).tolist():
                x, y = int(batch.children[i]), int(batch.parents[batch.offsets[i + 1] - 1])
                pair = (x, y) if x < y else (y, x)
                known = best.get(pair)
                if known is None or log_p[i] > known.log_p:
                    given = batch.parents[batch.offsets[i] : batch.offsets[i + 1] - 1].tolist()
                    best[pair] = Separation(frozenset(given), float(log_p[i]))
        self._remove_separated(best)
        return True

    def _is_forbidden(self, batch: Questions) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        lasts = batch.parents[batch.offsets[1:] - 1]
        forbidden = self.unsure
        if not any(forbidden):
            return np.zeros(len(batch), np.bool_)
        pairs = zip(batch.children.tolist(), lasts.tolist(), strict=True)
        return np.fromiter((bool(forbidden[x] >> y & 1) for x, y in pairs), np.bool_, len(batch))

    def _remove_separated(self, best: dict[tuple[int, int], Separation]) -> None:
        for (x, y), separation in best.items():
            known = self.separations.get((x, y))
            if known is None or separation.log_p > known.log_p:
                self.separations.set((x, y), separation)
            if separation.log_p > math.log(self._alpha):
                for a, b in ((x, y), (y, x)):
                    self.adjacent[a] &= ~(1 << b)
                    self._pending[a] &= ~(1 << b)


def _split_rows(pending: NDArray[np.bool_], most: int, check: Check = never_stop) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about `most` pairs together, or of one row."""
    first = pairs = 0
    for x, row in enumerate(pending):
        check()
        here = int(row[x + 1 :].sum())
        if pairs and pairs + here > most:
            yield first, x
            first, pairs = x, 0
        pairs += here
    if first < len(pending):
        yield first, len(pending)


def _largest_set(task: Task) -> int:
    # The size of the largest conditioning set for x and some y; y itself cannot be in it.
    _, others, pool = task
    if not others:
        return -1
    return pool.bit_count() - (0 if others & ~pool else 1)


def _count_tests(tasks: Sequence[Task], size: int) -> int:
    # Upper bound; it does not depend on the order of the variables.
    return sum(bits.bit_count() * math.comb(pool.bit_count(), size) for _, bits, pool in tasks)


def _batches(
    size: int, tasks: Sequence[Task], pools: Sequence[int], tested: Sequence[int] | None
) -> Iterator[Questions]:
    questions: list[tuple[int, tuple[int, ...]]] = []
    holders = transpose(pools)  # v -> the variables whose pool contains v
    holders_tested = None if tested is None else transpose(tested)
    everything = (1 << len(pools)) - 1
    for x, others, pool in tasks:
        later = ~((2 << x) - 1)
        for tried, given in enumerate(combinations(members(pool), size), 1):
            if tried % MAX_SKIPPED_SETS == 0:
                yield Families.of(questions)  # even if empty: the oracle then checks whether to stop
                questions = []
            if tested is not None and not to_bitset(given) & ~tested[x]:
                continue
            # A y < x is tested with this set in its own turn if all of it is in y's pool.
            own_turn, old = everything, everything if holders_tested is not None else 0
            for v in given:
                own_turn &= holders[v]
                if holders_tested is not None:
                    old &= holders_tested[v]
            remaining = others & ~to_bitset(given) & ~old & (later | ~own_turn)
            questions += [(x, (*given, y)) for y in members(remaining)]
            if len(questions) >= MAX_BATCH:
                yield Families.of(questions)
                questions = []
    if questions:
        yield Families.of(questions)
