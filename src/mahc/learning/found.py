"""What an algorithm returns: the graph, the steps to it, and what pruning and tests said; variables are numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.learning.test_details import Tested

ALIVE = 0
BARRED = 255  # ruled out by knowledge before pruning began


@dataclass(frozen=True)
class Base:
    """The best set of its size among a child's parents still alive, and its local score."""

    parents: tuple[int, ...]
    score: float


@dataclass(frozen=True)
class Pruning:
    """What pruning did: `level[u, v]` is the level at which u -> v went, 0 if it is still allowed.

    `score[u, v]` is the local score of v with the base of that level and u, `bases[m - 1][v]` that base: the
    arc went because its score is no higher than the base's. `valid_sets` counts the candidate parent sets of
    each size that the paper pre-processes; it is worked out, not scored.
    """

    level: NDArray[np.uint8]
    score: NDArray[np.float64]
    bases: tuple[dict[int, Base], ...]
    valid_sets: tuple[int, ...]
    complete: bool

    @property
    def pruned_per_level(self) -> tuple[int, ...]:
        """How many arcs went at each level."""
        return tuple(int((self.level == m).sum()) for m in range(1, len(self.bases) + 1))

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """[u, v]: may the search use u -> v?"""
        found: NDArray[np.bool_] = self.level == ALIVE
        return found


@dataclass(frozen=True)
class Step:
    """One move of a climb and the scores of the graph it led to; variables are numbers here."""

    move: str  # add, delete or reverse
    tail: int
    head: int
    score: float
    averaged: float | None
    seconds: float


@dataclass(frozen=True)
class Found:
    """What an algorithm brings back; variables are numbers in the problem's order.

    `gap` is how much higher than this graph's any score can be, where the algorithm has proven that. An algorithm
    whose answer is no DAG gives it as `tested`; `arcs` are then those of a DAG that fits it, if any does.
    """

    arcs: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    stop_reason: str
    averaged: float | None = None
    pruning: Pruning | None = None
    gains: NDArray[np.float64] | None = None
    gap: float | None = None
    tested: Tested | None = None
