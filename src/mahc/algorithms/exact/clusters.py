"""Clusters: sets of nodes of which at least one must have all its parents outside. Finds the violated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEAST_VIOLATION = 1e-4
LONGEST_GROWTH = 20  # nodes; larger clusters are left to the search for the worst one


@dataclass(frozen=True)
class Weights:
    """A solution, possibly fractional: to the amount `value[k]`, `child[k]` has the parents of bit mask `mask[k]`."""

    nodes: int
    child: tuple[int, ...]
    mask: tuple[int, ...]
    value: tuple[float, ...]

    def violation(self, cluster: int) -> float:
        """By how much the members with a parent inside exceed the members less one; above 0 the cluster is cyclic.

        >>> Weights(2, (0, 1), (2, 1), (1.0, 1.0)).violation(0b11)
        1.0
        """
        inside = sum(
            x
            for v, mask, x in zip(self.child, self.mask, self.value, strict=True)
            if cluster >> v & 1 and mask & cluster
        )
        return inside - cluster.bit_count() + 1


def find_short_cycles(weights: Weights) -> list[int]:
    """Violated clusters that are cycles: through each pair of nodes the heaviest, if heavy enough.

    >>> find_short_cycles(Weights(3, (0, 1, 2), (4, 1, 2), (1.0, 0.9, 0.9)))
    [7]
    """
    length = np.ones((weights.nodes, weights.nodes))
    for v, mask, x in zip(weights.child, weights.mask, weights.value, strict=True):
        for u in members(mask):
            length[u, v] -= x
    direct = np.maximum(length, 0.0)
    np.fill_diagonal(direct, np.inf)
    distance, following = _shortest_paths(direct)
    around = direct + distance.T
    found = set()
    for u, v in np.argwhere(around < 1 - LEAST_VIOLATION).tolist():
        cluster = 1 << u
        while v != u:
            cluster |= 1 << v
            v = int(following[v, u])
        found.add(cluster)
    return sorted(found)


def _shortest_paths(direct: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distances between all nodes, and the first step of the path."""
    distance = direct.copy()
    following = np.broadcast_to(np.arange(len(direct)), direct.shape).copy()
    for k in range(len(direct)):
        through = distance[:, k, None] + distance[None, k, :]
        shorter = through < distance - 1e-12
        distance[shorter] = through[shorter]
        following[shorter] = np.broadcast_to(following[:, k, None], direct.shape)[shorter]
    return distance, following


def grow_clusters(weights: Weights) -> list[int]:
    """Violated clusters grown from each arc in use, one node at a time, always the best node, even if it is a loss."""
    if not weights.child:
        return []
    child = np.array(weights.child)
    value = np.array(weights.value)
    inside = np.zeros((len(child), weights.nodes), bool)
    for k, mask in enumerate(weights.mask):
        inside[k, members(mask)] = True
    found = set()
    starts = {(u, v) for v, mask in zip(weights.child, weights.mask, strict=True) for u in members(mask)}
    for u, v in sorted(starts):
        chosen = np.zeros(weights.nodes, bool)
        chosen[[u, v]] = True
        cluster = 1 << u | 1 << v
        violation = weights.violation(cluster)
        for _ in range(min(weights.nodes - 2, LONGEST_GROWTH)):
            gain = _gains(chosen, child, value, inside)
            best = int(gain.argmax())
            if violation > LEAST_VIOLATION and gain[best] <= 0:
                break
            chosen[best] = True
            cluster |= 1 << best
            violation += float(gain[best])
        if violation > LEAST_VIOLATION:
            found.add(cluster)
    return sorted(found)


def _gains(
    chosen: NDArray[np.bool_], child: NDArray[np.int64], value: NDArray[np.float64], inside: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """What one more node adds: its parents inside, and the members that get their first one through it."""
    hit = inside[:, chosen].any(axis=1)
    own = np.bincount(child[hit], value[hit], len(chosen))
    waiting = chosen[child] & ~hit
    gain: NDArray[np.float64] = own + value[waiting] @ inside[waiting] - 1.0
    gain[chosen] = -np.inf
    return gain


def members(mask: int) -> list[int]:
    """The positions of the bits that are set.

    >>> members(0b1011)
    [0, 1, 3]
    """
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def find_cyclic_parts(nodes: int, parents: Sequence[int]) -> list[int]:
    """Of a graph (parents as bit masks), the nodes that are left in each part when sources and sinks are taken away.

    >>> find_cyclic_parts(4, [0b10, 0b01, 0b01, 0])
    [3]
    """
    reach = np.zeros((nodes, nodes), bool)
    for v, mask in enumerate(parents):
        reach[members(mask), v] = True
    for k in range(nodes):
        reach |= reach[:, k, None] & reach[None, k, :]
    both = reach & reach.T
    found = {sum(1 << int(w) for w in np.flatnonzero(both[v])) for v in range(nodes) if both[v, v]}
    return sorted(found)
