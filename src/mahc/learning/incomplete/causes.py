"""Which variables the missingness of a variable depends on, by tests of independence on the rows that allow them.

For every incomplete variable v its indicator R (is v missing in this row?) is tested against each other variable u,
on the rows in which u is observed. Dependent variables are then tested again given one and two of the others, and
those that become independent are no causes. The level of a test is 0.01 divided by the number of candidates of v, so
that under values missing completely at random a variable has a false cause in one of a hundred cases.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.data.incomplete import IncompleteData
from mahc.data.settings import MISSING_STATE
from mahc.engine import EngineRows, Families
from mahc.engine.count_scoring import CountTester
from mahc.engine.counts import FamilyCounts
from mahc.errors import DataError

LEVEL = 0.01
MOST_CANDIDATES = 4  # of one variable that are tested given others
MOST_CONDITIONS = 2


@dataclass(frozen=True)
class Dependence:
    """The missingness of `variable` depends on `cause`; `log_p` is the natural logarithm of the pair's p-value."""

    variable: int
    cause: int
    log_p: float


class Indicators:
    """The data with one more variable per incomplete variable: is it missing in this row?"""

    incomplete = True

    def __init__(self, data: IncompleteData) -> None:
        n = len(data.names)
        self.of = {v: n + k for k, v in enumerate(v for v in range(n) if data.missing_counts[v])}
        self.size = data.size
        flags = [data.missing(v).astype(np.uint8) for v in self.of]
        self._states = [*(len(labels) for labels in data.states), *([2] * len(flags))]
        table = Dataset(
            tuple(str(i) for i in range(len(self._states))),
            (*data.data.states, *([("observed", MISSING_STATE)] * len(flags))),
            (*data.data.columns, *flags),
            data.data.weights,
        )
        self._digits = [len(labels) for labels in table.states]
        self._rows = EngineRows(table)

    @property
    def marginals(self) -> list[NDArray[np.int64]]:
        """Only their lengths are used: the number of states of each variable."""
        return [np.zeros(count, np.int64) for count in self._states]

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family, from the rows complete in it: tables without the state `missing`."""
        counts = self._rows.count_families(families)
        found, offsets = [], [0]
        for i, (child, parents) in enumerate(families):
            members = (*parents, child)
            cells = counts.cells[counts.offsets[i] : counts.offsets[i + 1]]
            if len(cells) != math.prod(self._digits[v] for v in members):
                raise DataError(
                    "three columns have too many states to test what missing values depend on: merge states"
                )
            table = cells.reshape([self._digits[v] for v in members])
            found.append(table[tuple(slice(self._states[v]) for v in members)].ravel())
            offsets.append(offsets[-1] + found[-1].size)
        return FamilyCounts(np.concatenate(found), np.array(offsets, np.int64))


def find_dependences(data: IncompleteData) -> list[Dependence]:
    """Every pair of an incomplete variable and another one on which its missingness seems to depend."""
    indicators = Indicators(data)
    return _find_dependences(data, indicators, _make_tester(indicators))


def _find_dependences(data: IncompleteData, indicators: Indicators, tester: CountTester) -> list[Dependence]:
    found = []
    n = len(data.names)
    pairs = [(v, u) for v in indicators.of for u in range(n) if u != v]
    for (v, u), log_p in zip(pairs, _test(tester, [(indicators.of[v], (u,)) for v, u in pairs]), strict=True):
        if log_p <= _level(n):
            found.append(Dependence(v, u, log_p))
    return found


def find_causes(data: IncompleteData) -> list[list[int]]:
    """For each variable, what its missingness depends on given the others; the strongest first."""
    causes: list[list[int]] = [[] for _ in data.names]
    indicators = Indicators(data)
    tester = _make_tester(indicators)
    level = _level(len(data.names))
    by_variable: dict[int, list[Dependence]] = {}
    for dependence in _find_dependences(data, indicators, tester):
        by_variable.setdefault(dependence.variable, []).append(dependence)
    for v, dependences in by_variable.items():
        strongest = sorted(dependences, key=lambda d: (d.log_p, data.names[d.cause]))[:MOST_CANDIDATES]
        kept = [dependence.cause for dependence in strongest]
        for conditions in range(1, MOST_CONDITIONS + 1):
            questions = [
                (cause, given)
                for cause in kept
                for given in combinations([other for other in kept if other != cause], conditions)
            ]
            answers = _test(tester, [(indicators.of[v], (*given, cause)) for cause, given in questions])
            separated = {cause for (cause, _), log_p in zip(questions, answers, strict=True) if log_p > level}
            kept = [cause for cause in kept if cause not in separated]
        causes[v] = kept
    return causes


def _level(variables: int) -> float:
    return math.log(LEVEL / max(1, variables - 1))


def _make_tester(indicators: Indicators) -> CountTester:
    return CountTester(indicators)  # type: ignore[arg-type]  # it only counts, which is all that a tester needs


def _test(tester: CountTester, questions: Sequence[tuple[int, tuple[int, ...]]]) -> list[float]:
    if not questions:
        return []
    found = tester.test_families(Families.of(questions), False, True)
    assert found is not None
    return [float(log_p) for log_p in found[2]]
