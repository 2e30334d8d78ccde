"""Tests of independence on data: the G2 and X2 statistics and their p-values.

Degrees of freedom, and how other programs count them (causal-learn and pyAgrum are checked by the tests, the others
are described by their documentation):
- `adjusted`: within each configuration of the conditions that occurs, (states of x that occur - 1) times (states
  of y that occur - 1). causal-learn and bnlearn's `-adf` tests do the same; so does pgmpy, which tests each
  configuration separately (with Yates' correction where one degree is left).
- `plain`: (states of x - 1) times (states of y - 1) times all configurations, whether they occur or not. bnlearn's
  `mi` and `x2` do the same.
- pyAgrum subtracts one from the plain number for every cell in an empty row or column. That is more than the
  parameters lost with it, so it finds more pairs dependent (docs/explanation/constraint-peers.md).
A test with zero degrees of freedom gives "independent".

A test on too few rows means little. `min_rows_per_df` is the number of rows that a test needs per plain degree of
freedom; a test with fewer is not made and gives "independent". 0 makes all tests (as causal-learn does); pcalg uses
10, the authors of MMHC 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountSource, EngineRows
from mahc.engine.count_scoring import CountTester
from mahc.engine.row_testing import RowTester
from mahc.independence.oracle import (
    LogP,
    Questions,
    declare_degrees_of_freedom,
    declare_min_rows_per_df,
    declare_statistic,
)
from mahc.settings import check_settings

if TYPE_CHECKING:
    from mahc.learning.control import Control


@dataclass(frozen=True)
class IndependenceTest:
    """How independence is tested.

    The mutual information in bits ("mi") is G2 on another scale (G2 = 2 N ln 2 times it) and has the same p-value.

    Parameters
    ----------
    statistic : str
        "g2" (likelihood ratio), "x2" (Pearson) or "mi" (mutual information).
    degrees_of_freedom : str
        "adjusted" (without empty rows and columns of a table) or "plain".
    min_rows_per_df : float
        Rows per degree of freedom that a test needs; with fewer the pair counts as independent.

    Examples
    --------
    >>> IndependenceTest(statistic="x2").degrees_of_freedom
    'adjusted'
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test

    statistic: str = declare_statistic("g2")
    degrees_of_freedom: str = declare_degrees_of_freedom("adjusted")
    min_rows_per_df: float = declare_min_rows_per_df()

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
class TestResult:
    """The outcome of each test of a batch.

    Parameters
    ----------
    statistic : array of float
        The statistics.
    degrees_of_freedom : array of float
        Their degrees of freedom.
    log_p : array of float
        The natural logarithms of the p-values.

    Examples
    --------
    >>> import numpy as np
    >>> TestResult(np.array([55.45]), np.array([1.0]), np.array([-30.8])).log_p.tolist()
    [-30.8]
    """

    __test__: ClassVar[bool] = False

    statistic: NDArray[np.float64]
    degrees_of_freedom: NDArray[np.float64]
    log_p: LogP

    @property
    def p_value(self) -> NDArray[np.float64]:
        """The p-values; those below 1e-308 show as 0 and differ in `log_p` only."""
        return np.exp(self.log_p)


class TableOracle:
    """Answers from the rows of data, by tests on contingency tables. Variables are numbered as in the source.

    Parameters
    ----------
    source : CountSource
        Rows in this process (`EngineRows`), or counts made elsewhere.
    test : IndependenceTest, optional
        The test; G2 if left out.
    control : Control, optional
        Time limit and cancelling.

    Examples
    --------
    >>> from mahc.data import read
    >>> rows = EngineRows(read({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20, "c": ["s", "s", "t", "t"] * 10}))
    >>> result = TableOracle(rows).test(Questions.of([(0, [1]), (0, [2])]))
    >>> result.statistic.round(3).tolist(), result.degrees_of_freedom.tolist()
    ([55.452, 0.0], [1.0, 1.0])
    """

    def __init__(
        self, source: CountSource, test: IndependenceTest | None = None, control: Control | None = None
    ) -> None:
        self._source = source
        self._test = test or IndependenceTest()
        self._control = control
        self._tester = RowTester(source) if isinstance(source, EngineRows) else CountTester(source)
        self._states = np.array([len(counts) for counts in source.marginals], np.float64)

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._source.names)

    def test(self, questions: Questions) -> TestResult | None:
        """Statistics, degrees of freedom and p-values; None when it was stopped."""
        control = self._control
        if control is not None and control.should_stop(0, np.nan):
            return None
        kind = self._test
        found = self._tester.test_families(
            questions,
            kind.statistic == "x2",
            kind.degrees_of_freedom == "adjusted",
            control,
        )
        if found is None:
            return None
        statistic, degrees_of_freedom, log_p = found
        if kind.statistic == "mi":
            statistic = statistic / (2 * np.log(2) * self._source.size)
        return TestResult(statistic, degrees_of_freedom, log_p)

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question; None when it was stopped."""
        if self._test.min_rows_per_df == 0:
            result = self.test(questions)
            return None if result is None else result.log_p
        enough = self.plain_degrees_of_freedom(questions) * self._test.min_rows_per_df <= self._source.size
        kept = np.flatnonzero(enough)
        log_p = np.zeros(len(questions))
        result = self.test(select_questions(questions, kept))
        if result is None:
            return None
        log_p[kept] = result.log_p
        return log_p

    def plain_degrees_of_freedom(self, questions: Questions) -> NDArray[np.float64]:
        """The degrees of freedom that a full table of each question has."""
        lasts = questions.offsets[1:] - 1
        factors = np.log(self._states[questions.parents])
        factors[lasts] = 0.0
        running = np.concatenate([[0.0], np.cumsum(factors)])
        given = running[questions.offsets[1:]] - running[questions.offsets[:-1]]
        ends = (self._states[questions.children] - 1) * (self._states[questions.parents[lasts]] - 1)
        whole: NDArray[np.float64] = ends * np.rint(np.exp(np.minimum(given, 700.0)))
        return whole


def select_questions(questions: Questions, kept: NDArray[np.intp]) -> Questions:
    """Some questions of a batch, by their places."""
    if len(kept) == len(questions):
        return questions
    sizes = np.diff(questions.offsets)
    offsets = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    mask = np.repeat(np.isin(np.arange(len(questions)), kept), sizes)
    return Questions(questions.children[kept], offsets, questions.parents[mask])
