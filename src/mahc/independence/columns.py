"""Tests of independence for columns of numbers, alone or beside discrete ones.

- `smooth`: x and y are regressed on functions of the conditions, and the residuals are tested for correlation. A number
  has as its functions its normal score and Legendre polynomials of its rank: 2 as x or y, up to 10 as a condition. A
  discrete column has indicators of its states. Only ranks matter. Questions about discrete columns alone are left to
  the tests on tables.
- `fisher-z`: Fisher's z of the partial correlation of the numbers as they are, which holds for linear Gaussian data.

Where values are missing, each test is made of the rows that are complete in its variables.

docs/explanation/number-tests.md has the formulas, and how often the tests reject.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Discrete, Kind
from mahc.data.prepare.types import name_column
from mahc.engine import CountSource, Families
from mahc.engine.column_testing import ColumnTester, PairwiseTester, fisher_tester, smooth_tester
from mahc.engine.counts import RowHolder
from mahc.engine.incomplete import IncompleteRows
from mahc.errors import DataError, Mention
from mahc.independence.oracle import AUTO, FISHER, SMOOTH, IndependenceOracle, LogP, Questions
from mahc.independence.table import IndependenceTest, TableOracle, TestResult, select_questions

if TYPE_CHECKING:
    from mahc.learning.control import Control

TESTERS: dict[str, Callable[..., ColumnTester]] = {SMOOTH: smooth_tester, FISHER: fisher_tester}


class ColumnOracle:
    """Answers from rows that have columns of numbers. Variables are numbered as in the source.

    Parameters
    ----------
    source : SmoothRows or MomentRows
        Rows in this process.
    test : str
        "smooth" or "fisher-z".
    tables : IndependenceTest, optional
        The test of discrete columns given discrete columns; G2 if left out.
    control : Control, optional
        Time limit and cancelling.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.engine.smooth_rows import SmoothRows
    >>> x = [row * 37 % 101 / 7 for row in range(300)]
    >>> rows = SmoothRows(read({"x": x, "y": [(value - 7) ** 2 for value in x]}), 31)
    >>> result = ColumnOracle(rows, "smooth").test(Questions.of([(0, [1])]))
    >>> result.degrees_of_freedom.tolist(), (result.p_value < 0.01).tolist()
    ([4.0], [True])
    """

    def __init__(
        self, source: Any, test: str, tables: IndependenceTest | None = None, control: Control | None = None
    ) -> None:
        self._names, self._size, self._control = source.names, source.size, control
        self._test = tables or IndependenceTest()
        data = source.data.select(source.names)
        self._discrete = np.array([column.kind is Kind.DISCRETE for column in data.columns])
        if test not in source.testers:
            of_rows = data, source.weights
            make = TESTERS[test]
            source.testers[test] = (
                make(*of_rows, source.threads) if data.complete else PairwiseTester(*of_rows, make, source.threads)
            )
        self._tester: ColumnTester | PairwiseTester = source.testers[test]
        self._tables = None
        if self._discrete.sum() > 1:
            counted = source if data.complete else _states_of(data, source)
            self._tables = TableOracle(counted, self._test, control)

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._names)

    def test(self, questions: Questions) -> TestResult | None:
        """Statistics, degrees of freedom and p-values; None when it was stopped."""
        if self._control is not None and self._control.should_stop(0, np.nan):
            return None
        of_tables = self._only_discrete(questions)
        found = np.empty((3, len(questions)))
        here = self._tester.test_families(select_questions(questions, np.flatnonzero(~of_tables)), self._control)
        if here is None:
            return None
        found[:, ~of_tables] = here
        if self._tables is not None and of_tables.any():
            there = self._tables.test(select_questions(questions, np.flatnonzero(of_tables)))
            if there is None:
                return None
            found[:, of_tables] = there.statistic, there.degrees_of_freedom, there.log_p
        return TestResult(*found)

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question; None when it was stopped."""
        result = self.test(questions)
        if result is None:
            return None
        sizes = self._tester.sizes(questions) if isinstance(self._tester, PairwiseTester) else self._size
        enough = result.degrees_of_freedom * self._test.min_rows_per_df <= sizes
        return np.where(enough, result.log_p, 0.0)

    def _only_discrete(self, questions: Families) -> NDArray[np.bool_]:
        """Which questions are about discrete columns alone."""
        numbers = np.concatenate([[0], np.cumsum(~self._discrete[questions.parents])])
        given = numbers[questions.offsets[1:]] == numbers[questions.offsets[:-1]]
        found: NDArray[np.bool_] = given & self._discrete[questions.children]
        return found


def make_oracle(
    source: CountSource, test: str, tables: IndependenceTest, control: Control | None = None
) -> IndependenceOracle:
    """The oracle of a test by its name; "auto" is `tables` for discrete data, and "smooth" where there are numbers."""
    if test not in (AUTO, SMOOTH, FISHER) or not _has_numbers(source):
        return TableOracle(source, tables, control)
    return ColumnOracle(source, SMOOTH if test == AUTO else test, tables, control)


def refuse_columns(test: str, data: Dataset | CountSource) -> None:
    """Refuse columns that a test, given by its name, does not take, and numbers whose rows are not in this process."""
    found: frozenset[Kind] = getattr(data, "kinds", frozenset([Kind.DISCRETE]))
    if test == FISHER and Kind.DISCRETE in found:
        name = name_column(data, [Kind.DISCRETE])
        raise DataError(
            f"{test} is a test of numbers, and {name} is discrete: leave it out, or use ", Mention("test", SMOOTH)
        )
    if test not in (AUTO, SMOOTH, FISHER) and Kind.CONTINUOUS in found:
        name = name_column(data, [Kind.CONTINUOUS])
        raise DataError(
            f"{test} is a test of discrete columns, and {name} is continuous: use ",
            Mention("test", SMOOTH),
            ", or cut it with ",
            Mention("discretise", "quantile:4"),
        )
    if Kind.CONTINUOUS in found and not isinstance(data, Dataset | RowHolder):
        raise DataError(
            "tests of numbers need rows, and these data are counted in passes: use an algorithm that searches by "
            "score, a sample of the rows, or cut the numbers with ",
            Mention("discretise", "quantile:4"),
        )


def _states_of(data: Dataset, source: Any) -> IncompleteRows:
    """The discrete columns for tests on tables; a column of numbers is a constant in its place."""
    none = Discrete((0,), np.zeros(data.rows, np.uint8))
    columns = tuple(column if column.kind is Kind.DISCRETE else none for column in data.columns)
    return IncompleteRows(replace(data, columns=columns, weights=source.weights), threads=source.threads)


def _has_numbers(source: CountSource) -> bool:
    data = getattr(source, "data", source)
    return Kind.CONTINUOUS in getattr(data, "kinds", frozenset())
