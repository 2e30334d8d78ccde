"""What a problem passes on to the same problem with another start graph."""

from __future__ import annotations

import mahc
from mahc.engine import EngineRows, RowScorer
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.scores import BIC


def test_another_start_graph_shares_pairs_tolerance_and_cache() -> None:
    data = mahc.read({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20, "c": ["p", "p", "q", "q"] * 10})
    rows = EngineRows(data, threads=1)
    problem = Problem(RowScorer(rows, BIC()), Knowledge().check(data.names, 2), (), Control())
    first = problem.pairs, problem.tolerance, problem.score_cache
    other = problem.starting([(0, 1)])
    assert other.pairs is first[0]
    assert other.tolerance == first[1]
    assert other.score_cache is first[2]
