"""Tests of independence on the rows that a search has its scores from."""

from __future__ import annotations

from mahc.engine import RowScorer
from mahc.errors import MahcError
from mahc.independence.table import IndependenceTest, TableOracle
from mahc.learning.problem import Problem


def make_oracle(problem: Problem, test: IndependenceTest) -> TableOracle:
    """Tests on the rows behind the problem's scores."""
    if not isinstance(problem.scorer, RowScorer):
        raise MahcError("tests of independence need the rows in this process: use an algorithm that only scores")
    return TableOracle(problem.scorer.rows, test, problem.watch)
