"""Tests of independence on the data that the scores of a search are computed from."""

from __future__ import annotations

from mahc.independence.table import IndependenceTest, TableOracle
from mahc.learning.problem import Problem


def make_oracle(problem: Problem, test: IndependenceTest) -> TableOracle:
    """Tests on the counts behind the problem's scores."""
    return TableOracle(problem.source, test, problem.control)
