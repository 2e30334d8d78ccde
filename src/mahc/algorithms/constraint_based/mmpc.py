"""MMPC: the parents and children of every variable (Tsamardinos, Brown and Aliferis 2006).

Forward phase: each variable adds, one at a time, the candidate whose highest p-value over all sets of members tested so
far is the lowest (max-min); a candidate that was found independent once is removed. Backward phase: members that the
others separate are removed, the one with the highest p-value first. Then the symmetry correction: u is a neighbour of
v only if v is one of u. Association is measured by the logarithm of the p-value, so that p-values too small for a
float do not tie; between exactly equal ones the order of the variables decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice

import numpy as np
from numpy.typing import NDArray

from mahc.graphs.bitset import pack, to_bitset, transpose
from mahc.graphs.walks import Check, never_stop
from mahc.independence.oracle import CachedOracle, IndependenceOracle, Questions, check_alpha, check_max_conditions
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Stopped

Question = tuple[int, tuple[int, ...]]
MAX_BATCH = 1 << 15  # questions in one batch


def find_neighbourhoods(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.05,
    max_conditions: int | None = None,
    check: Check = never_stop,
) -> list[int] | None:
    """The neighbours of every variable as bitsets, symmetric and obeying knowledge; None when stopped.

    `check` is called for each variable of each round.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> chain = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> find_neighbourhoods(SeparationOracle(chain), no_constraints(chain.names))
    [2, 5, 2]
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    joined = constraints.allowed | constraints.allowed.T
    held = (constraints.hold > 0) | (constraints.hold.T > 0)
    search = _Mmpc(CachedOracle(oracle), math.log(alpha), max_conditions, check)
    try:
        search.grow(joined | held)
        search.shrink()
    except Stopped:
        return None
    found = [to_bitset(mine) for mine in search.members]
    required = pack(held)
    return [mine & theirs | must for mine, theirs, must in zip(found, transpose(found), required, strict=True)]


class _Mmpc:
    """MMPC for all variables at once, so that every round is one batch of questions."""

    def __init__(self, oracle: CachedOracle, threshold: float, max_conditions: int | None, check: Check) -> None:
        self._oracle, self._check = oracle, check
        self._threshold = threshold
        self._max_conditions = oracle.variables if max_conditions is None else max_conditions
        self.members: list[list[int]] = [[] for _ in range(oracle.variables)]

    def grow(self, candidates: NDArray[np.bool_]) -> None:
        """Forward phase: add candidates while there are dependent ones."""
        highest: list[dict[int, float]] = []
        for row in candidates:
            self._check()
            highest.append(dict.fromkeys(np.flatnonzero(row).tolist(), -math.inf))
        pending: list[Iterable[Question]] = [_alone(t, list(mine)) for t, mine in enumerate(highest) if mine]
        while pending:
            for (t, parents), log_p in self._answer(chain.from_iterable(pending)):
                highest[t][parents[-1]] = max(highest[t][parents[-1]], log_p)
            pending = []
            for t, mine in enumerate(highest):
                self._check()
                highest[t] = {x: log_p for x, log_p in mine.items() if log_p <= self._threshold}
                pending += self._take_next(t, highest[t])

    def _take_next(self, t: int, highest: dict[int, float]) -> list[Iterable[Question]]:
        while highest:
            taken = min(highest, key=lambda x: (highest[x], x))
            del highest[taken]
            before, left = list(self.members[t]), list(highest)
            self.members[t].append(taken)
            if left and self._max_conditions > 0:
                given = _subsets(before, self._max_conditions - 1)
                return [((t, (*some, taken, x)) for some in given for x in left)]
        return []

    def shrink(self) -> None:
        """Backward phase: remove members that other members separate."""
        active = list(range(len(self.members)))
        while active:
            weakest: dict[int, tuple[float, int]] = {}
            for (t, parents), log_p in self._answer(chain.from_iterable(map(self._backward_questions, active))):
                if log_p > self._threshold:
                    weakest[t] = max(weakest.get(t, (-math.inf, 0)), (log_p, -parents[-1]))
            for t, (_, negative) in weakest.items():
                self.members[t].remove(-negative)
            active = sorted(weakest)

    def _backward_questions(self, t: int) -> Iterator[Question]:
        for x in self.members[t]:
            for given in _subsets([v for v in self.members[t] if v != x], self._max_conditions):
                yield t, (*given, x)

    def _answer(self, pending: Iterable[Question]) -> Iterator[tuple[Question, float]]:
        source = iter(pending)
        while batch := list(islice(source, MAX_BATCH)):
            answers = self._oracle.log_p_values(Questions.of(batch))
            if answers is None:
                raise Stopped
            yield from zip(batch, answers.tolist(), strict=True)


def _alone(t: int, candidates: Sequence[int]) -> Iterator[Question]:
    return ((t, (x,)) for x in candidates)


def _subsets(of: Sequence[int], most: int) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(of, size) for size in range(min(len(of), most) + 1))
