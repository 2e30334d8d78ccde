"""Answers given before, for algorithms that come back to the same question."""

from __future__ import annotations

import numpy as np

from mahc.engine import Families
from mahc.independence.oracle import IndependenceOracle, LogP, Questions

Key = tuple[int, int, frozenset[int]]
MOST_KEPT = 1_000_000  # answers: some hundreds of megabytes; later ones are asked for again


class RememberedOracle:
    """An oracle that asks another one only what it has not been asked yet, in either order of x and y.

    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> oracle = RememberedOracle(SeparationOracle(DAG(["a", "b"], [("a", "b")])))
    >>> both = [oracle.log_p_values(Questions.of([pair])) for pair in [(0, [1]), (1, [0])]]
    >>> oracle.asked
    1
    """

    def __init__(self, oracle: IndependenceOracle) -> None:
        self._oracle = oracle
        self._known: dict[Key, float] = {}
        self._asked = 0

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._oracle.variables

    @property
    def asked(self) -> int:
        """How many questions went on to the other oracle."""
        return self._asked

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question; None when the work is to stop."""
        keys = [_key(x, parents) for x, parents in questions]
        fresh: dict[Key, tuple[int, tuple[int, ...]]] = {}
        for key, question in zip(keys, questions, strict=True):
            if key not in self._known:
                fresh.setdefault(key, question)
        if fresh:
            found = self._oracle.log_p_values(Families.of(fresh.values()))
            if found is None:
                return None
            self._asked += len(fresh)
            answers = dict(zip(fresh, found.tolist(), strict=True))
            if len(self._known) >= MOST_KEPT:
                return np.array([answers.get(key, self._known.get(key)) for key in keys], np.float64)
            self._known.update(answers)
        return np.array([self._known[key] for key in keys], np.float64)


def _key(x: int, parents: tuple[int, ...]) -> Key:
    y = parents[-1]
    return min(x, y), max(x, y), frozenset(parents[:-1])
