"""MMPC: the parents and children of every variable (Tsamardinos, Brown and Aliferis 2006).

Each variable takes in, one after another, the candidate that its strongest would-be separation leaves the most
dependent; a candidate once found independent is out. Then members that the others separate go, the most plausibly
independent first. Last comes the symmetry correction: u stays by v only if v stays by u. Association is measured
by the logarithm of the p-value, so that no tie comes from p-values too small for a number; between exactly equal
ones the order of the variables decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice

import numpy as np

from mahc.graphs.bitset import pack, to_bitset, transpose
from mahc.independence.oracle import IndependenceOracle, Questions, check_alpha, check_max_conditions
from mahc.independence.remembered import RememberedOracle
from mahc.knowledge.constraints import Constraints

Question = tuple[int, tuple[int, ...]]
MOST_AT_ONCE = 1 << 15  # questions in one batch


def find_neighbourhoods(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.05,
    max_conditions: int | None = None,
) -> list[int] | None:
    """The neighbours of every variable as bit sets, symmetric and obeying knowledge; None when stopped.

    >>> from mahc.algorithms.constraint_based.finding import know_nothing
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> chain = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> find_neighbourhoods(SeparationOracle(chain), know_nothing(chain.names))
    [2, 5, 2]
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    joined = constraints.allowed | constraints.allowed.T
    held = (constraints.hold > 0) | (constraints.hold.T > 0)
    search = _Mmpc(RememberedOracle(oracle), math.log(alpha), max_conditions)
    try:
        search.grow([np.flatnonzero(row).tolist() for row in joined | held])
        search.shrink()
    except _StoppedError:
        return None
    found = [to_bitset(mine) for mine in search.members]
    required = pack(held)
    return [mine & theirs | must for mine, theirs, must in zip(found, transpose(found), required, strict=True)]


class _StoppedError(Exception):
    """The oracle gave no answer."""


class _Mmpc:
    """All variables at once, so that every round is one batch of questions."""

    def __init__(self, oracle: RememberedOracle, threshold: float, max_conditions: int | None) -> None:
        self._oracle = oracle
        self._threshold = threshold
        self._most = oracle.variables if max_conditions is None else max_conditions
        self.members: list[list[int]] = [[] for _ in range(oracle.variables)]

    def grow(self, candidates: Sequence[Sequence[int]]) -> None:
        """Take candidates in while there are dependent ones."""
        worst = [dict.fromkeys(mine, -math.inf) for mine in candidates]
        asked: list[Iterable[Question]] = [[(t, (x,)) for x in mine] for t, mine in enumerate(candidates) if mine]
        while asked:
            for (t, parents), log_p in self._answer(chain.from_iterable(asked)):
                worst[t][parents[-1]] = max(worst[t][parents[-1]], log_p)
            asked = []
            for t, mine in enumerate(worst):
                worst[t] = {x: log_p for x, log_p in mine.items() if log_p <= self._threshold}
                asked += self._take_next(t, worst[t])

    def _take_next(self, t: int, worst: dict[int, float]) -> list[Iterable[Question]]:
        while worst:
            taken = min(worst, key=lambda x: (worst[x], x))
            del worst[taken]
            before, left = list(self.members[t]), list(worst)
            self.members[t].append(taken)
            if left and self._most > 0:
                given = _subsets(before, self._most - 1)
                return [((t, (*some, taken, x)) for some in given for x in left)]
        return []

    def shrink(self) -> None:
        """Let members go that other members separate."""
        active = list(range(len(self.members)))
        while active:
            weakest: dict[int, tuple[float, int]] = {}
            for (t, parents), log_p in self._answer(chain.from_iterable(map(self._doubt, active))):
                if log_p > self._threshold:
                    weakest[t] = max(weakest.get(t, (-math.inf, 0)), (log_p, -parents[-1]))
            for t, (_, negative) in weakest.items():
                self.members[t].remove(-negative)
            active = sorted(weakest)

    def _doubt(self, t: int) -> Iterator[Question]:
        for x in self.members[t]:
            for given in _subsets([v for v in self.members[t] if v != x], self._most):
                yield t, (*given, x)

    def _answer(self, asked: Iterable[Question]) -> Iterator[tuple[Question, float]]:
        source = iter(asked)
        while batch := list(islice(source, MOST_AT_ONCE)):
            answers = self._oracle.log_p_values(Questions.of(batch))
            if answers is None:
                raise _StoppedError
            yield from zip(batch, answers.tolist(), strict=True)


def _subsets(of: Sequence[int], most: int) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(of, size) for size in range(min(len(of), most) + 1))
