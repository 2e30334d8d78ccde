"""What tests of independence said of every pair, kept for those who ask why an edge is there or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


@dataclass(frozen=True)
class Evidence:
    """For each separated pair u < v the conditions that separated it best and the logarithm of their p-value.

    A pair that knowledge keeps apart has the conditions that came closest. `barred`, `required`: the constraint that
    rules an arc (u, v) out or in.

    >>> Evidence(0.01, {(0, 1): ((2,), -0.5)}, {}, {}).reordered([2, 1, 0]).separations
    {(1, 2): ((0,), -0.5)}
    """

    alpha: float
    separations: Mapping[Pair, tuple[tuple[int, ...], float]]
    barred: Mapping[Pair, str]
    required: Mapping[Pair, str]

    def reordered(self, place: Sequence[int]) -> Evidence:
        """The same with variable i of the search standing at `place[i]`."""
        separations = {}
        for (u, v), (given, log_p) in self.separations.items():
            a, b = sorted((place[u], place[v]))
            separations[a, b] = tuple(sorted(place[w] for w in given)), log_p
        return Evidence(
            self.alpha,
            dict(sorted(separations.items())),
            {(place[u], place[v]): text for (u, v), text in self.barred.items()},
            {(place[u], place[v]): text for (u, v), text in self.required.items()},
        )


@dataclass(frozen=True)
class Tested:
    """A graph that tests made, a CPDAG or PAG: its marks (as in `MixedGraph.marks`), why, whether a DAG fits it."""

    kind: str
    marks: NDArray[np.int8]
    evidence: Evidence
    fits: bool
