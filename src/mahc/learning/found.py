"""What an algorithm returns: a DAG, a CPDAG or PAG, or a sample of graphs, with the records of how it was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from msgspec import field
from numpy.typing import NDArray

from mahc.documents import ByPair, Document, Index, Number, check_below
from mahc.learning.arc_prices import NO_PRICES, ArcPrices
from mahc.learning.pair_views import PairView

if TYPE_CHECKING:
    from mahc.learning.measurement_error import ErrorSigns

ALLOWED = 0
FORBIDDEN = 255  # forbidden by knowledge before pruning began


class Base(Document, frozen=True, array_like=True, kw_only=False):
    """The best parent set of its size among a child's parents not yet pruned, and its local score."""

    parents: tuple[Index, ...]
    score: Number


@dataclass(frozen=True)
class Pruning:
    """The record of pruning: `parents[v]` are the parents of v that are still allowed, ascending; none before level 1.

    `pruned_per_level` is the number of arcs pruned at each level, `valid_sets` that of candidate parent sets of each
    size that the paper pre-processes; it is computed without scoring them. Why each arc was pruned is in `details`.
    """

    parents: tuple[NDArray[np.int32], ...]
    pruned_per_level: tuple[int, ...]
    valid_sets: tuple[int, ...]
    complete: bool
    details: PruningDetails | None

    def plain(self, prices: ArcPrices) -> Pruning:
        """Add back the prices of the arcs, which the search subtracted from its scores."""
        return self if self.details is None else replace(self, details=self.details.plain(prices))


@dataclass(frozen=True)
class PruningDetails:
    """`level[u, v]` is the level at which u -> v was pruned, 0 if it is still allowed.

    `score[u, v]` is the local score of v with the base of that level and u, `bases[m - 1][v]` that base: the
    arc was pruned because its score is not higher than the base's.
    """

    level: NDArray[np.uint8]
    score: NDArray[np.float64]
    bases: tuple[dict[int, Base], ...]

    def plain(self, prices: ArcPrices) -> PruningDetails:
        """The same with plain scores."""
        if not prices:
            return self
        bases = tuple(
            {v: Base(base.parents, base.score + prices.of_family(v, base.parents)) for v, base in level.items()}
            for level in self.bases
        )
        score = self.score + prices.constant * self.level
        if prices.extra:
            extra = ArcPrices(0.0, prices.extra)
            score += extra.matrix(len(score))
            for m, level in enumerate(self.bases, 1):
                for v, base in level.items():
                    score[self.level[:, v] == m, v] += extra.of_family(v, base.parents)
        return replace(self, score=score, bases=bases)


@dataclass(frozen=True)
class Step:
    """One move of a climb and the scores of the graph after it; variables are numbers."""

    move: str  # add, delete or reverse
    tail: int
    head: int
    score: float
    averaged: float | None
    seconds: float


Separation = tuple[tuple[Index, ...], Number]  # a set and the logarithm of a p-value


class UnchosenArc(Document, frozen=True, array_like=True, kw_only=False):
    """The change of the score by the better arc between two variables; None where it was not computed.

    `alone`: the arc was pruned, and the change is that of making it the only arc into its head.
    """

    gain: Number | None
    alone: bool = False


class TestRecord(Document, frozen=True, kw_only=False):
    """For each separated pair u < v, the separating set with the highest p-value and the logarithm of that p-value.

    A pair that only knowledge separates has the set with the highest p-value, though that is not above `alpha`.
    `forbidden`, `required`: the constraint, in words, that forbids or requires the arc (u, v). `unchosen` are the
    pairs that a search by score left unconnected, each with the highest change of the score by an arc between them.

    >>> TestRecord(0.01, {(0, 1): ((2,), -0.5)}, {}, {}).reordered([2, 1, 0]).separations
    {(1, 2): ((0,), -0.5)}
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test

    alpha: Number
    separations: ByPair[Separation]
    forbidden: ByPair[str]
    required: ByPair[str]
    unchosen: ByPair[UnchosenArc] = field(default_factory=dict)

    def reordered(self, position: Sequence[int]) -> TestRecord:
        """The same record with variable i renumbered to `position[i]`."""
        return TestRecord(
            self.alpha,
            PairView(self.separations, partial(_renumber, tuple(position)), position),
            {(position[u], position[v]): text for (u, v), text in self.forbidden.items()},
            {(position[u], position[v]): text for (u, v), text in self.required.items()},
            PairView(self.unchosen, _same, position),
        )

    def check(self, variables: int) -> None:
        """Refuse numbers of variables that there are not."""
        check_below(variables, self.separations, self.forbidden, self.required, self.unchosen)
        if any(w >= variables for given, _ in self.separations.values() for w in given):
            raise ValueError("the number of a variable is out of range")


# Functions with names, so that a result can be pickled.
def _renumber(position: Sequence[int], found: Separation) -> Separation:
    return tuple(sorted(position[w] for w in found[0])), found[1]


def _same(arc: UnchosenArc) -> UnchosenArc:
    return arc


@dataclass(frozen=True)
class FoundDag:
    """The DAG that a search by score found; variables are numbers in the problem's order.

    Parameters
    ----------
    arcs : tuple of (int, int)
        The arcs.
    steps : tuple of Step
        The steps of the search.
    stop_reason : str
        Why the search ended, for instance "converged" or "time_limit".
    averaged : float, optional
        The averaged score of the graph, less the prices of its arcs.
    pruning : Pruning, optional
        What was pruned, and at which level.
    gains : array of float, optional
        What each arc would add to the plain score.
    gap : float, optional
        A proven bound: no graph scores more than `gap` above this one.
    prices : ArcPrices
        What the search subtracted for each arc.
    error_signs : ErrorSigns, optional
        The signs of measurement error, where they were measured.

    Examples
    --------
    >>> FoundDag(((0, 1),), (), "converged").arcs
    ((0, 1),)
    """

    arcs: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    stop_reason: str
    averaged: float | None = None
    pruning: Pruning | None = None
    gains: NDArray[np.float64] | None = None
    gap: float | None = None
    prices: ArcPrices = NO_PRICES
    error_signs: ErrorSigns | None = None


@dataclass(frozen=True)
class FoundPattern:
    """The CPDAG or PAG that tests of independence gave; variables are numbers in the problem's order.

    Parameters
    ----------
    kind : str
        "CPDAG" or "PAG".
    marks : array of int8
        The marks, as in `MixedGraph.marks`.
    tests : TestRecord
        What the tests said of every pair.
    extension : tuple of (int, int), optional
        The arcs of a DAG that fits the graph; None where there is none, or none was looked for.
    stop_reason : str
        Why the tests ended.
    error_signs : ErrorSigns, optional
        The signs of measurement error in the search by score, where there was one and they were measured.

    Examples
    --------
    >>> none = np.zeros((2, 2), np.int8)
    >>> FoundPattern("CPDAG", none, TestRecord(0.01, {}, {}, {}), (), "converged").arcs
    ()
    """

    kind: str
    marks: NDArray[np.int8]
    tests: TestRecord
    extension: tuple[tuple[int, int], ...] | None
    stop_reason: str
    error_signs: ErrorSigns | None = None

    steps: ClassVar[tuple[Step, ...]] = ()

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs of the DAG that fits; none where there is no such DAG."""
        return self.extension or ()


@dataclass(frozen=True)
class FoundSample:
    """DAGs that a sampler drew; variables are numbers in the problem's order.

    Parameters
    ----------
    graphs : dict
        How often each graph was kept, by its sorted arcs, in the order of first visits.
    arcs : tuple of (int, int)
        The arcs of the graph with the highest score among those visited.
    requested : int
        How many graphs were asked for.
    seed : int
        The seed of the sampler.
    diagnostics : dict
        What the sampler says of its run, by name, such as the share of accepted proposals.
    stop_reason : str
        Why the sampling ended.

    Examples
    --------
    >>> FoundSample({((0, 1),): 3, (): 1}, ((0, 1),), 4, 1, {}, "converged").graphs[()]
    1
    """

    graphs: Mapping[tuple[tuple[int, int], ...], int]
    arcs: tuple[tuple[int, int], ...]
    requested: int
    seed: int
    diagnostics: Mapping[str, float]
    stop_reason: str

    steps: ClassVar[tuple[Step, ...]] = ()
    error_signs: ClassVar[None] = None


Found = FoundDag | FoundPattern | FoundSample
