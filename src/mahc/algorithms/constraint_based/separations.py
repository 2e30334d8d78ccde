"""Which sets separate which pairs, the colliders that follow, and what a constraint-based algorithm returns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge

import numpy as np
from numpy.typing import NDArray

from mahc.graphs import MixedGraph
from mahc.graphs.bitset import members
from mahc.graphs.walks import Check, never_stop
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.stop_reason import StopReason


@dataclass(frozen=True)
class Separation:
    """The set that makes two variables independent, and the logarithm of the p-value."""

    given: frozenset[int]
    log_p: float


Separations = Mapping[tuple[int, int], Separation]  # by pairs u < v


class PairSeparations(Mapping[tuple[int, int], Separation]):
    """The separations of many pairs: those by the empty set as numbers, the few others as objects.

    >>> found = PairSeparations(3)
    >>> found.separate_alone(0, np.array([-0.5, np.nan]))
    >>> found.set((1, 2), Separation(frozenset({0}), 0.0))
    >>> list(found), len(found), found[0, 1].log_p, (0, 2) in found
    ([(0, 1), (1, 2)], 2, -0.5, False)
    """

    def __init__(self, variables: int) -> None:
        self._alone: list[NDArray[np.float64] | None] = [None] * variables  # of u: the later v, NaN where none
        self._others: dict[tuple[int, int], Separation] = {}

    def separate_alone(self, u: int, log_p: NDArray[np.float64]) -> None:
        """The p-values of u and each later variable without conditions; NaN where they do not separate."""
        self._alone[u] = None if np.isnan(log_p).all() else log_p

    def set(self, pair: tuple[int, int], separation: Separation) -> None:
        """A separation of the pair, in place of the one it had."""
        u, v = pair
        row = self._alone[u]
        if row is not None:
            row[v - u - 1] = np.nan
        self._others[pair] = separation

    def __getitem__(self, pair: tuple[int, int]) -> Separation:
        found = self._others.get(pair)
        if found is not None:
            return found
        u, v = pair
        row = self._alone[u] if 0 <= u < v < len(self._alone) else None
        if row is None or np.isnan(row[v - u - 1]):
            raise KeyError(pair)
        return Separation(frozenset(), float(row[v - u - 1]))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return merge(self._each_alone(), sorted(self._others))

    def _each_alone(self) -> Iterator[tuple[int, int]]:
        for u, row in enumerate(self._alone):
            if row is not None:
                yield from ((u, u + 1 + k) for k in np.flatnonzero(~np.isnan(row)).tolist())

    def __len__(self) -> int:
        return len(self._others) + sum(int((~np.isnan(row)).sum()) for row in self._alone if row is not None)

    def __bool__(self) -> bool:
        return bool(self._others) or any(row is not None and not np.isnan(row).all() for row in self._alone)

    def __repr__(self) -> str:
        return repr(dict(self))


def unshielded_colliders(
    adjacent: Sequence[int], separations: Separations, least: float = -math.inf, check: Check = never_stop
) -> Iterator[tuple[tuple[int, int, int], Separation]]:
    """Every (x, z, y) with x and y not adjacent, and z adjacent to both but not in the set that separates them.

    Only separations with a logarithm of the p-value above `least` count. `check` is called for each x.

    >>> list(unshielded_colliders([4, 4, 3], {(0, 1): Separation(frozenset(), 0.0)}))
    [((0, 2, 1), Separation(given=frozenset(), log_p=0.0))]
    """
    if not separations:
        return
    for x, near in enumerate(adjacent):
        check()
        beyond = 0
        for z in members(near):
            beyond |= adjacent[z]
        for y in members(beyond & ~near & ~((2 << x) - 1)):
            separation = separations.get((x, y))
            if separation is None or not separation.log_p > least:
                continue
            for z in members(near & adjacent[y]):
                if z not in separation.given:
                    yield (x, z, y), separation


@dataclass(frozen=True)
class ConstraintOutcome:
    """The graph and, for each non-adjacent pair u < v of variable numbers, the set that separated it.

    A pair that only knowledge separates has the set with the highest p-value. `stop_reason` is `converged`,
    `time_limit` or `interrupted`.
    """

    graph: MixedGraph
    separations: Separations
    stop_reason: StopReason


def no_constraints(names: Sequence[str]) -> Constraints:
    """Constraints that allow every arc.

    >>> no_constraints(["a", "b"])
    Constraints(2 variables, 0 arcs forbidden, 0 arcs required)
    """
    return Knowledge().check(names, max(1, len(names)))
