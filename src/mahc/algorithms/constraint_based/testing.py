"""What algorithms that make tests of independence share."""

from __future__ import annotations

from typing import ClassVar

from mahc.data import Dataset
from mahc.engine import CountSource
from mahc.independence import IndependenceOracle, IndependenceTest
from mahc.independence.columns import make_oracle, refuse_columns
from mahc.learning.problem import Problem


class MakesTests:
    """An algorithm whose settings `test` and `degrees_of_freedom` say how it tests; a base class beside `Algorithm`.

    >>> from mahc.algorithms import make_algorithm
    >>> make_algorithm("fci").table_statistic
    'x2'
    """

    test: str
    degrees_of_freedom: str
    min_rows_per_df: float = 0.0

    table_statistic: ClassVar[str] = "g2"  # of discrete columns, where `test` leaves the choice
    counts_states: ClassVar[bool] = True

    def refuse_columns(self, data: Dataset | CountSource) -> None:
        """Refuse columns that the chosen test does not take."""
        refuse_columns(self.test, data)

    def make_oracle(self, problem: Problem) -> IndependenceOracle:
        """The tests on the problem's data."""
        statistic = self.test if self.test in ("g2", "x2", "mi") else self.table_statistic
        tables = IndependenceTest(statistic, self.degrees_of_freedom, self.min_rows_per_df)
        return make_oracle(problem.source, self.test, tables, problem.control)
