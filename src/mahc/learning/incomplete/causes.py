"""Which variables the missingness of a variable depends on, by tests of independence on the rows that allow them.

For every incomplete variable v its indicator R (is v missing in this row?) is tested against each other variable u,
on the rows in which u is observed. Dependent variables are then tested again given one and two of the others, and
those that become independent are no causes. The level of a test is 0.01 divided by the number of candidates of v, so
that under values missing completely at random a variable has a false cause in one of a hundred cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Discrete
from mahc.engine import EngineRows, Families
from mahc.engine.count_scoring import CountTester
from mahc.engine.counts import FamilyCounts
from mahc.errors import DataError
from mahc.learning.control import Control

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

    def __init__(self, data: Dataset) -> None:
        n = len(data.names)
        self.of = {v: n + k for k, v in enumerate(v for v in range(n) if data.missing_counts[v])}
        self.size = data.size
        flags = [data.columns[v].missing.astype(np.uint8) for v in self.of]
        self._states = [*data.state_counts.tolist(), *([2] * len(flags))]
        columns = (*data.missing_as_state().columns, *(Discrete((False, True), flag) for flag in flags))
        table = Dataset(tuple(str(i) for i in range(len(self._states))), columns, data.weights)
        self._digits = table.state_counts
        self._rows = EngineRows(table)

    @property
    def marginals(self) -> list[NDArray[np.int64]]:
        """Only their lengths are used: the number of states of each variable."""
        return [np.zeros(count, np.int64) for count in self._states]

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family, from the rows complete in it: tables without the state `missing`."""
        counts = self._rows.count_families(families)
        sizes = np.diff(counts.offsets)
        lengths = np.diff(families.offsets)
        # Every cell's digits, the child's first: a cell with a digit beyond the states stands for missing values.
        family = np.repeat(np.arange(len(families)), sizes)
        rest = np.arange(len(counts.cells)) - counts.offsets[family]
        full, kept = self._digits[families.children], np.ones(len(rest), np.bool_)
        states = np.array(self._states)
        for place in range(-1, int(lengths.max(initial=0))):
            member = families.children.copy()
            if place >= 0:  # the last parent varies fastest after the child
                has = lengths > place
                member[has] = families.parents[(families.offsets[1:] - 1 - place)[has]]
                full = np.where(has, full * self._digits[member], full)
            else:
                has = np.ones(len(families), np.bool_)
            radix = np.where(has, self._digits[member], 1)[family]
            kept &= rest % radix < np.where(has, states[member], 1)[family]
            rest = rest // radix
        if (full != sizes).any():
            raise DataError("three columns have too many states to test what missing values depend on: merge states")
        ends = np.concatenate([[0], np.cumsum(kept)])[counts.offsets]
        return FamilyCounts(counts.cells[kept], ends.astype(np.int64))


def find_dependences(data: Dataset) -> list[Dependence]:
    """Every pair of an incomplete variable and another one on which its missingness seems to depend."""
    indicators = Indicators(data)
    return _find_dependences(data, indicators, _make_tester(indicators), None)


def _find_dependences(
    data: Dataset, indicators: Indicators, tester: CountTester, control: Control | None
) -> list[Dependence]:
    n = len(data.names)
    found = []
    for v, indicator in indicators.of.items():
        if control is not None:
            control.check()
        # One indicator, all others being its last parent in turn: the core counts such a group together.
        others = np.delete(np.arange(n, dtype=np.int32), v)
        log_p = _test(tester, Families.extending(indicator, (), others))
        found += [Dependence(v, int(others[k]), float(log_p[k])) for k in np.flatnonzero(log_p <= _level(n))]
    return found


def find_causes(data: Dataset, control: Control | None = None) -> list[list[int]]:
    """For each variable, what its missingness depends on given the others; the strongest first.

    Raises Stopped when the control stops the run.
    """
    causes: list[list[int]] = [[] for _ in data.names]
    indicators = Indicators(data)
    tester = _make_tester(indicators)
    level = _level(len(data.names))
    by_variable: dict[int, list[Dependence]] = {}
    for dependence in _find_dependences(data, indicators, tester, control):
        by_variable.setdefault(dependence.variable, []).append(dependence)
    for v, dependences in by_variable.items():
        strongest = sorted(dependences, key=lambda d: (d.log_p, data.names[d.cause]))[:MOST_CANDIDATES]
        causes[v] = [dependence.cause for dependence in strongest]
    for conditions in range(1, MOST_CONDITIONS + 1):
        questions = [
            (v, cause, given)
            for v in by_variable
            for cause in causes[v]
            for given in combinations([other for other in causes[v] if other != cause], conditions)
        ]
        answers = _test(tester, Families.of((indicators.of[v], (*given, cause)) for v, cause, given in questions))
        for (v, cause, _), log_p in zip(questions, answers.tolist(), strict=True):
            if log_p > level and cause in causes[v]:
                causes[v].remove(cause)
    return causes


def _level(variables: int) -> float:
    return math.log(LEVEL / max(1, variables - 1))


def _make_tester(indicators: Indicators) -> CountTester:
    return CountTester(indicators)  # type: ignore[arg-type]  # it only counts, which is all that a tester needs


def _test(tester: CountTester, questions: Families) -> NDArray[np.float64]:
    """The logarithms of the p-values."""
    if not len(questions):
        return np.empty(0)
    found = tester.test_families(questions, False, True)
    assert found is not None
    return found[2]
