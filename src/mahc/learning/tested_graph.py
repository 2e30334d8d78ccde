"""The graph that tests of independence give, and what the tests said of every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


@dataclass(frozen=True)
class TestRecord:
    """For each separated pair u < v, the separating set with the highest p-value and the logarithm of that p-value.

    A pair that only knowledge separates has the set with the highest p-value, though that is not above `alpha`.
    `forbidden`, `required`: the constraint, in words, that forbids or requires the arc (u, v).

    >>> TestRecord(0.01, {(0, 1): ((2,), -0.5)}, {}, {}).reordered([2, 1, 0]).separations
    {(1, 2): ((0,), -0.5)}
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test

    alpha: float
    separations: Mapping[Pair, tuple[tuple[int, ...], float]]
    forbidden: Mapping[Pair, str]
    required: Mapping[Pair, str]

    def reordered(self, position: Sequence[int]) -> TestRecord:
        """The same record with variable i renumbered to `position[i]`."""
        separations = {}
        for (u, v), (conditions, log_p) in self.separations.items():
            a, b = sorted((position[u], position[v]))
            separations[a, b] = tuple(sorted(position[w] for w in conditions)), log_p
        return TestRecord(
            self.alpha,
            dict(sorted(separations.items())),
            {(position[u], position[v]): text for (u, v), text in self.forbidden.items()},
            {(position[u], position[v]): text for (u, v), text in self.required.items()},
        )


@dataclass(frozen=True)
class TestedGraph:
    """A CPDAG or PAG: its marks (as in `MixedGraph.marks`), the tests behind it, and whether a DAG fits it."""

    __test__: ClassVar[bool] = False

    kind: str
    marks: NDArray[np.int8]
    tests: TestRecord
    has_dag: bool
