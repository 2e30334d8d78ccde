"""Conditional independence: tests on data, an oracle that knows the true graph, and their common interface."""

from mahc.independence.columns import ColumnOracle
from mahc.independence.oracle import CachedOracle, IndependenceOracle, Questions, SeparationOracle, independent
from mahc.independence.table import IndependenceTest, TableOracle, TestResult

__all__ = [
    "ColumnOracle",
    "IndependenceOracle",
    "IndependenceTest",
    "Questions",
    "CachedOracle",
    "SeparationOracle",
    "TableOracle",
    "TestResult",
    "independent",
]
