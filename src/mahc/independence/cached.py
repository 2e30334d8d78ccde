"""A cache of test results, for algorithms that repeat tests."""

from __future__ import annotations

import numpy as np

from mahc.engine import Families
from mahc.independence.oracle import IndependenceOracle, LogP, Questions

Key = tuple[int, int, frozenset[int]]
MAX_CACHED = 1_000_000  # answers: some hundreds of megabytes; later ones are not cached


class CachedOracle:
    """An oracle that passes each question on to another one only once, in either order of x and y.

    Parameters
    ----------
    oracle : IndependenceOracle
        The oracle that answers.

    Examples
    --------
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> oracle = CachedOracle(SeparationOracle(DAG(["a", "b"], [("a", "b")])))
    >>> both = [oracle.log_p_values(Questions.of([pair])) for pair in [(0, [1]), (1, [0])]]
    >>> oracle.tests_made
    1
    """

    def __init__(self, oracle: IndependenceOracle) -> None:
        self._oracle = oracle
        self._cache: dict[Key, float] = {}
        self._tests_made = 0

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._oracle.variables

    @property
    def tests_made(self) -> int:
        """The number of tests passed on to the other oracle."""
        return self._tests_made

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question; None when it was stopped."""
        keys = [_key(x, parents) for x, parents in questions]
        new: dict[Key, tuple[int, tuple[int, ...]]] = {}
        for key, question in zip(keys, questions, strict=True):
            if key not in self._cache:
                new.setdefault(key, question)
        if new:
            found = self._oracle.log_p_values(Families.of(new.values()))
            if found is None:
                return None
            self._tests_made += len(new)
            answers = dict(zip(new, found.tolist(), strict=True))
            if len(self._cache) >= MAX_CACHED:
                return np.array([answers.get(key, self._cache.get(key)) for key in keys], np.float64)
            self._cache.update(answers)
        return np.array([self._cache[key] for key in keys], np.float64)


def _key(x: int, parents: tuple[int, ...]) -> Key:
    y = parents[-1]
    return min(x, y), max(x, y), frozenset(parents[:-1])
