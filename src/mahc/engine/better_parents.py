"""The single parents with which a variable scores higher than alone: all that is left of the pairs after level 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.errors import SettingError


@dataclass(frozen=True)
class BetterParents:
    """Those of variable v are `parents[first[v]:first[v + 1]]`, ascending, with the scores of v beside them.

    `alone` are the scores without parents. Scores of single parents are less the price per arc.
    """

    alone: NDArray[np.float64]
    first: NDArray[np.int64]
    parents: NDArray[np.int32]
    scores: NDArray[np.float64]

    def of(self, child: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The parents of one variable and their scores."""
        place = slice(self.first[child], self.first[child + 1])
        return self.parents[place], self.scores[place]

    def less(self, extra_prices: Mapping[tuple[int, int], float], tolerance: float) -> BetterParents:
        """Subtract the extra price of each (parent, child), and keep the parents that are still better."""
        if not extra_prices:
            return self
        children = np.repeat(np.arange(len(self.alone)), np.diff(self.first))
        arcs = zip(self.parents.tolist(), children.tolist(), strict=True)
        scores = self.scores - np.array([extra_prices.get(arc, 0.0) for arc in arcs])
        kept = scores > self.alone[children] + tolerance
        first = np.concatenate([[0], np.cumsum(np.bincount(children[kept], minlength=len(self.alone)))])
        return BetterParents(self.alone, first.astype(np.int64), self.parents[kept], scores[kept])

    def adding(self, arcs: Sequence[tuple[int, int]], scores: NDArray[np.float64], tolerance: float) -> BetterParents:
        """The same with those of these (parent, child) that are better too, by their scores."""
        children = np.repeat(np.arange(len(self.alone)), np.diff(self.first))
        known = dict(zip(zip(children.tolist(), self.parents.tolist(), strict=True), self.scores.tolist(), strict=True))
        for (u, v), score in zip(arcs, scores.tolist(), strict=True):
            if score > self.alone[v] + tolerance:
                known[v, u] = score
        ordered = sorted(known)
        first = np.searchsorted([v for v, _ in ordered], np.arange(len(self.alone) + 1)).astype(np.int64)
        parents = np.array([u for _, u in ordered], np.int32)
        return BetterParents(self.alone, first, parents, np.array([known[each] for each in ordered]))


def choose_better_parents(pairs: NDArray[np.float64], tolerance: float) -> BetterParents:
    """Those in a table of all pairs: [u, v] is the score of v with the one parent u, [v, v] that of v alone.

    >>> choose_better_parents(np.array([[-5.0, -2.0], [-6.0, -4.0]]), 1e-9).parents
    array([0], dtype=int32)
    """
    alone = pairs.diagonal().copy()
    children, parents = np.nonzero((pairs > alone[None, :] + tolerance).T)
    first = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum(np.bincount(children, minlength=len(pairs)), out=first[1:])
    return BetterParents(alone, first, parents.astype(np.int32), pairs[parents, children])


def refuse_so_many(most: int) -> SettingError:
    """The error where more than `most` arcs are worth having by themselves."""
    return SettingError(
        f"of all single arcs more than {most:,} raise the score, too many for the memory limit: raise it, raise "
        "the price per arc, or give fewer variables"
    )
