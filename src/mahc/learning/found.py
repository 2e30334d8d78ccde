"""What an algorithm returns: the graph, the steps to it, and the records of pruning and tests."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.learning.tested_graph import TestedGraph

ALLOWED = 0
FORBIDDEN = 255  # forbidden by knowledge before pruning began


@dataclass(frozen=True)
class Base:
    """The best parent set of its size among a child's parents not yet pruned, and its local score."""

    parents: tuple[int, ...]
    score: float


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

    def plain(self, arc_price: float) -> Pruning:
        """The same with plain scores, where those it was done with are less a price per arc."""
        return self if self.details is None else replace(self, details=self.details.plain(arc_price))


@dataclass(frozen=True)
class PruningDetails:
    """`level[u, v]` is the level at which u -> v was pruned, 0 if it is still allowed.

    `score[u, v]` is the local score of v with the base of that level and u, `bases[m - 1][v]` that base: the
    arc was pruned because its score is not higher than the base's.
    """

    level: NDArray[np.uint8]
    score: NDArray[np.float64]
    bases: tuple[dict[int, Base], ...]

    def plain(self, arc_price: float) -> PruningDetails:
        """The same with plain scores."""
        if not arc_price:
            return self
        bases = tuple(
            {v: Base(base.parents, base.score + arc_price * len(base.parents)) for v, base in level.items()}
            for level in self.bases
        )
        return replace(self, score=self.score + arc_price * self.level, bases=bases)


@dataclass(frozen=True)
class Step:
    """One move of a climb and the scores of the graph after it; variables are numbers."""

    move: str  # add, delete or reverse
    tail: int
    head: int
    score: float
    averaged: float | None
    seconds: float


@dataclass(frozen=True)
class Found:
    """What an algorithm found; variables are numbers in the problem's order.

    Parameters
    ----------
    arcs : tuple of (int, int)
        The arcs. If the algorithm learns a CPDAG or PAG, those of a DAG that fits it, if there is one.
    steps : tuple of Step
        The steps of the search.
    stop_reason : str
        Why the search ended, for instance "converged" or "time_limit".
    averaged : float, optional
        The averaged score of the graph, less `arc_price` per arc.
    pruning : Pruning, optional
        What was pruned, and at which level.
    gains : array of float, optional
        What each arc would add to the plain score.
    gap : float, optional
        A proven bound: no graph scores more than `gap` above this one.
    tested : TestedGraph, optional
        The CPDAG or PAG of an algorithm that tests independence.
    arc_price : float
        What the search subtracted per arc.

    Examples
    --------
    >>> Found(((0, 1),), (), "converged").arcs
    ((0, 1),)
    """

    arcs: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    stop_reason: str
    averaged: float | None = None
    pruning: Pruning | None = None
    gains: NDArray[np.float64] | None = None
    gap: float | None = None
    tested: TestedGraph | None = None
    arc_price: float = 0.0
