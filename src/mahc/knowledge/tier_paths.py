"""Who reaches whom in a graph, and what one more arc would mean for the tiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.graphs import DAG

NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Reach:
    """Paths of a graph ([u, v]: from u to v, u to itself included) and the tiers at their ends (0: none).

    >>> chain = Reach.of([[], [0], [1]], tiers=[2, 0, 0])
    >>> chain.paths.astype(int).tolist()
    [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    """

    parents: tuple[tuple[int, ...], ...]
    tiers: NDArray[np.int64]
    paths: NDArray[np.bool_]
    latest_above: NDArray[np.int64]
    earliest_below: NDArray[np.int64]

    @classmethod
    def of(cls, parents: Sequence[Sequence[int]], tiers: Sequence[int]) -> Reach:
        """What there is to say of the graph with these parents."""
        n = len(parents)
        tier = np.array(tiers, np.int64)
        order = DAG.from_parents([str(v) for v in range(n)], parents).order
        into = np.eye(n, dtype=bool)  # [v, u]: u reaches v
        for v in order:
            for u in parents[v]:
                into[v] |= into[u]
        latest = np.where(into, tier[None, :], 0).max(axis=1)
        earliest = np.where(into.T & (tier > 0)[None, :], tier[None, :], NEVER).min(axis=1)
        return cls(tuple(tuple(mine) for mine in parents), tier, into.T.copy(), latest, earliest)

    def leads_backwards(self) -> NDArray[np.bool_]:
        """[u, v]: would u -> v complete a path from a later tier to an earlier one?"""
        found: NDArray[np.bool_] = self.latest_above[:, None] > self.earliest_below[None, :]
        return found

    def same_tiers(self) -> NDArray[np.bool_]:
        """[u, v]: are both in one tier?"""
        found: NDArray[np.bool_] = (self.tiers[:, None] == self.tiers[None, :]) & (self.tiers > 0)[None, :]
        return found

    def same_tier(self, u: int, v: int) -> bool:
        """Are both in one tier?"""
        return bool(self.tiers[u] == self.tiers[v] > 0)

    def detours(self, u: int, v: int) -> bool:
        """Is there a path from u to v beside the arc u -> v?"""
        return any(bool(self.paths[u, p]) for p in self.parents[v] if p != u)

    def turns_backwards(self, u: int, v: int) -> bool:
        """Would turning u -> v, which has no detour, complete a path from a later tier to an earlier one?"""
        late = max([int(self.tiers[v]), *(int(self.latest_above[p]) for p in self.parents[v] if p != u)])
        children = [c for c, mine in enumerate(self.parents) if u in mine and c != v]
        early = min([int(self.tiers[u]) or NEVER, *(int(self.earliest_below[c]) for c in children)])
        return late > early
