"""The graph that tests of independence give, and what the tests said of every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.learning.pair_views import PairView

Pair = tuple[int, int]
Found = tuple[tuple[int, ...], float]  # a set and the logarithm of a p-value


@dataclass(frozen=True)
class UnchosenArc:
    """The change of the score by the better arc between two variables; None where it was not computed.

    `alone`: the arc was pruned, and the change is that of making it the only arc into its head.
    """

    gain: float | None
    alone: bool = False


@dataclass(frozen=True)
class TestRecord:
    """For each separated pair u < v, the separating set with the highest p-value and the logarithm of that p-value.

    A pair that only knowledge separates has the set with the highest p-value, though that is not above `alpha`.
    `forbidden`, `required`: the constraint, in words, that forbids or requires the arc (u, v). `unchosen` are the
    pairs that a search by score left unconnected, each with the highest change of the score by an arc between them.

    >>> TestRecord(0.01, {(0, 1): ((2,), -0.5)}, {}, {}).reordered([2, 1, 0]).separations
    {(1, 2): ((0,), -0.5)}
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test

    alpha: float
    separations: Mapping[Pair, Found]
    forbidden: Mapping[Pair, str]
    required: Mapping[Pair, str]
    unchosen: Mapping[Pair, UnchosenArc] = field(default_factory=dict)

    def reordered(self, position: Sequence[int]) -> TestRecord:
        """The same record with variable i renumbered to `position[i]`."""
        return TestRecord(
            self.alpha,
            PairView(self.separations, partial(_renumber, tuple(position)), position),
            {(position[u], position[v]): text for (u, v), text in self.forbidden.items()},
            {(position[u], position[v]): text for (u, v), text in self.required.items()},
            PairView(self.unchosen, _same, position),
        )


# Functions with names, so that a result can be pickled.
def _renumber(position: Sequence[int], found: Found) -> Found:
    return tuple(sorted(position[w] for w in found[0])), found[1]


def _same(arc: UnchosenArc) -> UnchosenArc:
    return arc


@dataclass(frozen=True)
class TestedGraph:
    """A CPDAG or PAG: its marks (as in `MixedGraph.marks`), the tests behind it, and whether a DAG fits it."""

    __test__: ClassVar[bool] = False

    kind: str
    marks: NDArray[np.int8]
    tests: TestRecord
    has_dag: bool
