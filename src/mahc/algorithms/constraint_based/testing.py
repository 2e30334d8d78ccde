"""What algorithms that make tests of independence share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine import CountSource, Families
from mahc.independence import IndependenceOracle, IndependenceTest, Questions
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
        oracle = make_oracle(problem.source, self.test, tables, problem.control)
        places = problem.constraints.context_places
        return ContextOracle(oracle, problem.source, places) if len(places) > 1 else oracle


class ContextOracle:
    """Answers of another oracle, but where other contexts determine a context: then nothing can separate it.

    A test of a context that is constant given the others says that it is independent, whatever it changes.
    """

    def __init__(self, oracle: IndependenceOracle, source: CountSource, contexts: Sequence[int]) -> None:
        self._oracle, self._source = oracle, source
        counted = source.marginals
        self._contexts = frozenset(v for v in contexts if len(counted[v]))  # numbers have no states to count
        self._determined: dict[tuple[int, frozenset[int]], bool] = {}

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._oracle.variables

    def log_p_values(self, questions: Questions) -> NDArray[np.float64] | None:
        """One answer per question, in their order; None when it was stopped."""
        found = self._oracle.log_p_values(questions)
        if found is None:
            return None
        for place, (x, others) in enumerate(questions):
            *given, y = others
            known = self._contexts.intersection(given)
            if known and any(v in self._contexts and self._determines(v, known) for v in (x, y)):
                found[place] = -np.inf
        return found

    def _determines(self, context: int, others: frozenset[int]) -> bool:
        """Whether each combination of the others' states occurs with one state of a context."""
        if (context, others) not in self._determined:
            cells = self._source.count_families(Families.of([(context, sorted(others))])).cells
            states = len(self._source.marginals[context])
            per_configuration = (np.asarray(cells).reshape(-1, states) > 0).sum(axis=1)
            self._determined[context, others] = bool((per_configuration <= 1).all())
        return self._determined[context, others]
