"""Conditional independence: tests on data, an oracle for the truth, and what both answer."""

from mahc.independence.oracle import IndependenceOracle, Questions, independent
from mahc.independence.remembered import RememberedOracle
from mahc.independence.separation import SeparationOracle
from mahc.independence.table import IndependenceTest, TableOracle, TestResult

__all__ = [
    "IndependenceOracle",
    "IndependenceTest",
    "Questions",
    "RememberedOracle",
    "SeparationOracle",
    "TableOracle",
    "TestResult",
    "independent",
]
