"""The skeleton: which pairs no set of other variables makes independent, level by level.

Level by level, all sets of one size are asked about every pair, and only then edges are removed (Colombo and
Maathuis 2014), so that no order of variables matters. Of the sets that separate a pair at its level, the one with
the highest p-value is kept; only between exactly equal p-values does the order of the variables decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from mahc.algorithms.constraint_based.ancestry import needed_pools, possible_ancestors, rule_out_ancestors
from mahc.algorithms.constraint_based.blocks import find_blocks
from mahc.algorithms.constraint_based.separations import Separation
from mahc.engine import Families
from mahc.graphs.bitset import members, pack, to_bitset, transpose
from mahc.independence import IndependenceOracle, Questions, independent
from mahc.knowledge.constraints import Constraints

MOST_AT_ONCE = 1 << 15  # questions in one batch: enough for the threads, little memory
MOST_UNASKED = 1 << 16  # sets that are looked through without a question


class Skeleton:
    """Edges under way from all pairs to those that nothing separates; sets of variables are bits.

    >>> from mahc.algorithms.constraint_based.finding import know_nothing
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> fork = DAG(["a", "b", "c"], [("b", "a"), ("b", "c")])
    >>> skeleton = Skeleton(SeparationOracle(fork), know_nothing(fork.names), 0.01)
    >>> skeleton.thin_by_neighbours(None)
    True
    >>> skeleton.adjacent, skeleton.separations
    ([2, 5, 2], {(0, 2): Separation(given=frozenset({1}), log_p=0.0)})
    """

    def __init__(self, oracle: IndependenceOracle, constraints: Constraints, alpha: float) -> None:
        n = oracle.variables
        self._oracle, self._alpha = oracle, alpha
        joined = constraints.allowed | constraints.allowed.T
        held = (constraints.hold > 0) | (constraints.hold.T > 0)
        np.fill_diagonal(joined := joined | held, False)
        others = ~np.eye(n, dtype=np.bool_)
        self.adjacent = pack(joined)
        # A pair that knowledge keeps apart is asked about all the same: orientation needs the set.
        self._open = pack(others & ~held)
        self.separations: dict[tuple[int, int], Separation] = {}

    @property
    def proven(self) -> dict[tuple[int, int], Separation]:
        """The separations that are some: without the closest sets of pairs that knowledge alone keeps apart."""
        least = math.log(self._alpha)
        return {pair: found for pair, found in self.separations.items() if found.log_p > least}

    @property
    def unsure(self) -> list[int]:
        """For each variable those that knowledge keeps apart from it and no set separates."""
        return [bits & ~near for bits, near in zip(self._open, self.adjacent, strict=True)]

    def thin_by_neighbours(self, max_conditions: int | None) -> bool:
        """Ask with sets of neighbours, of growing size; False when the oracle stopped."""
        size = 0
        while max_conditions is None or size <= max_conditions:
            everywhere = [(x, bits, pool) for x, (bits, pool) in enumerate(zip(self._open, self.adjacent, strict=True))]
            tasks = [task for task in everywhere if _reach(task) >= size]
            if not tasks:
                return True
            if not self._thin(size, tasks, list(self.adjacent), None):
                return False
            size += 1
        return True

    def thin_by(self, pools: Sequence[int], max_conditions: int | None, only_needed: bool) -> bool:
        """Ask with sets out of `pools[x]`, or what of it may be needed to separate x and y; False when stopped.

        Sets that are all neighbours of x or of y have been asked about and are left out.
        """
        denied = rule_out_ancestors(self._oracle, self._alpha, self.adjacent, self.proven) if only_needed else []
        if denied is None:
            return False
        done = list(self.adjacent)
        size = 1
        while max_conditions is None or size <= max_conditions:
            drawn = [(x, bits, pools[x]) for x, bits in enumerate(self._open)]
            if only_needed:
                above = possible_ancestors(self.adjacent, denied)
                asked = [near | bits for near, bits in zip(self.adjacent, self._open, strict=True)]
                drawn = needed_pools(pools, find_blocks(asked), above, self._open)
            tasks = [task for task in drawn if _reach(task) >= size]
            if not tasks:
                return True
            if not self._thin(size, tasks, pools, done):
                return False
            size += 1
        return True

    def _thin(self, size: int, tasks: Sequence[Task], pools: Sequence[int], done: Sequence[int] | None) -> bool:
        best: dict[tuple[int, int], Separation] = {}
        for batch in _batches(size, tasks, pools, done):
            log_p = self._oracle.log_p_values(batch)
            if log_p is None:
                return False
            wanted = independent(log_p, self._alpha) | self._apart(batch)
            for i in np.flatnonzero(wanted).tolist():
                x, y = int(batch.children[i]), int(batch.parents[batch.offsets[i + 1] - 1])
                pair = (x, y) if x < y else (y, x)
                known = best.get(pair)
                if known is None or log_p[i] > known.log_p:
                    given = batch.parents[batch.offsets[i] : batch.offsets[i + 1] - 1].tolist()
                    best[pair] = Separation(frozenset(given), float(log_p[i]))
        self._settle(best)
        return True

    def _apart(self, batch: Questions) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        lasts = batch.parents[batch.offsets[1:] - 1]
        kept_apart = self.unsure
        if not any(kept_apart):
            return np.zeros(len(batch), np.bool_)
        pairs = zip(batch.children.tolist(), lasts.tolist(), strict=True)
        return np.fromiter((bool(kept_apart[x] >> y & 1) for x, y in pairs), np.bool_, len(batch))

    def _settle(self, best: dict[tuple[int, int], Separation]) -> None:
        for (x, y), separation in best.items():
            known = self.separations.get((x, y))
            if known is None or separation.log_p > known.log_p:
                self.separations[x, y] = separation
            if separation.log_p > math.log(self._alpha):
                for a, b in ((x, y), (y, x)):
                    self.adjacent[a] &= ~(1 << b)
                    self._open[a] &= ~(1 << b)


# x, the variables that it is to be asked about, and those that sets are drawn from.
Task = tuple[int, int, int]


def _reach(task: Task) -> int:
    # The largest set that can be drawn beside some y that x is to be asked about.
    _, ask, pool = task
    if not ask:
        return -1
    return pool.bit_count() - (0 if ask & ~pool else 1)


def _batches(size: int, tasks: Sequence[Task], pools: Sequence[int], done: Sequence[int] | None) -> Iterator[Questions]:
    asked: list[tuple[int, tuple[int, ...]]] = []
    holders = transpose(pools)  # v -> all whose pool holds it
    holders_done = None if done is None else transpose(done)
    everybody = (1 << len(pools)) - 1
    for x, others, pool in tasks:
        later = ~((2 << x) - 1)
        for tried, given in enumerate(combinations(members(pool), size), 1):
            if tried % MOST_UNASKED == 0:
                yield Families.of(asked)  # however little there is to ask: whoever answers looks at the watch
                asked = []
            if done is not None and not to_bitset(given) & ~done[x]:
                continue
            # y < x asks with this set itself if it is all out of y's pool.
            theirs, old = everybody, everybody if holders_done is not None else 0
            for v in given:
                theirs &= holders[v]
                if holders_done is not None:
                    old &= holders_done[v]
            ask = others & ~to_bitset(given) & ~old & (later | ~theirs)
            asked += [(x, (*given, y)) for y in members(ask)]
            if len(asked) >= MOST_AT_ONCE:
                yield Families.of(asked)
                asked = []
    if asked:
        yield Families.of(asked)
