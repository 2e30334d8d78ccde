"""Local scores and tests of independence from a count source; the numbers are computed in the core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.control import RunControl, Stopped
from mahc.engine.count_requests import CountRequests
from mahc.engine.counts import CountSource, FamilyCounts, PassSource, units_of
from mahc.engine.families import Families
from mahc.engine.scoring import BatchScorer, CountFormula, penalty_divisors_for


class CountScorer(BatchScorer):
    """Local scores from a count source, with the same bits as `RowScorer` gives on the rows themselves.

    Parameters
    ----------
    source : CountSource
        Where the counts come from.
    score : CountScore
        The score.
    penalty_divisors : list of float, optional
        What the penalty of each variable is divided by.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.engine.rows import EngineRows
    >>> from mahc.scores import BIC
    >>> rows = EngineRows(read({"a": ["x", "y", "x", "y"], "b": ["u", "v", "u", "v"]}))
    >>> CountScorer(rows, BIC()).score_families(Families.of([(0, []), (0, [1])])).tolist()
    [-5.0, -2.0]
    """

    def __init__(
        self, source: CountSource, score: CountFormula, penalty_divisors: Sequence[float] | None = None
    ) -> None:
        divisors = penalty_divisors_for(score, penalty_divisors)
        self.source = source
        self.score = score
        self._requests = CountRequests(source)
        states = self._requests.states.tolist()
        total, unit = units_of(source)
        formula = score.formula(source.size, unit=unit)
        self._scores = _native.CountScores(states, total, formula, score.base, divisors)

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self.source.names)

    def score_families(self, families: Families) -> NDArray[np.float64]:
        """One local score per family."""
        scores = np.empty(len(families))
        for place, part in self._requests.split(families):
            scores[place] = self._requests.compute(part, self._score_counts)
        return scores

    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None:
        """All single-parent families: one table serves both directions of a pair."""
        n = self.variables
        pairs = np.diag(self.score_families(Families.of((v, []) for v in range(n))))
        for _, part in self._requests.split(Families.of((v, [u]) for v in range(n) for u in range(v + 1, n))):
            if control is not None and control.should_stop(0, np.nan):
                return None
            both = self._requests.compute(part, self._score_both_directions)
            pairs[part.parents, part.children] = both[:, 0]
            pairs[part.children, part.parents] = both[:, 1]
        return pairs

    def focus(self, candidates: Sequence[Sequence[int]]) -> None:
        """Pass the hint on to a source that can use it."""
        focus = getattr(self.source, "focus", None)
        if focus is not None:
            focus(candidates)

    def _score_counts(self, families: Families, counts: FamilyCounts) -> NDArray[np.float64]:
        return self._scores.score_counts(
            families.children, families.offsets, families.parents, counts.cells, counts.offsets
        )

    def _score_both_directions(self, families: Families, counts: FamilyCounts) -> NDArray[np.float64]:
        return self._scores.score_both_directions(
            families.children, families.offsets, families.parents, counts.cells, counts.offsets
        )


class CountTester:
    """Tests of independence from a count source; takes the place of the tester that counts rows."""

    def __init__(self, source: CountSource) -> None:
        self._source = source
        self._requests = CountRequests(source)
        incomplete = bool(getattr(source, "incomplete", False))  # then a test is made on the rows complete in it
        self._tests = _native.CountTests(self._requests.states.tolist(), source.size, incomplete)

    def test_families(
        self, questions: Families, pearson: bool, adjusted: bool, control: RunControl | None = None
    ) -> tuple[NDArray[np.float64], ...] | None:
        """Statistics, degrees of freedom and log p-values; None when the control stops the run."""
        found = np.empty((3, len(questions)))

        def test_counts(part: Families, counts: FamilyCounts) -> tuple[NDArray[np.float64], ...]:
            return self._tests.test_counts(
                part.children, part.offsets, part.parents, counts.cells, counts.offsets, pearson, adjusted
            )

        if isinstance(self._source, PassSource):
            self._source.watch(control)
        for place, part in self._requests.split(questions):
            if control is not None and control.should_stop(0, np.nan):
                return None
            try:
                found[:, place] = self._requests.compute(part, test_counts)
            except Stopped:
                return None
        return tuple(found)

    def measure_excess(self, questions: Families) -> NDArray[np.float64]:
        """For each x with the parents (Z, y): the information of x about y beyond chance, given Z and alone, in nats.

        It is the log-likelihood ratio less its expectation when y is permuted within the configurations of Z.
        """
        found = np.empty((len(questions), 2))

        def measure(part: Families, counts: FamilyCounts) -> NDArray[np.float64]:
            return self._tests.measure_excess(part.children, part.offsets, part.parents, counts.cells, counts.offsets)

        for place, part in self._requests.split(questions):
            found[place] = self._requests.compute(part, measure)
        return found
