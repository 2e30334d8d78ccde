"""The connected components of a graph."""

from __future__ import annotations

from collections.abc import Iterable


def label_components(nodes: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """For each node the smallest node of its component; directions do not matter.

    >>> label_components(5, [(3, 1), (4, 0)])
    [0, 1, 2, 1, 0]
    """
    label = list(range(nodes))

    def root(v: int) -> int:
        while label[v] != v:
            label[v] = label[label[v]]
            v = label[v]
        return v

    for u, v in edges:
        smaller, larger = sorted((root(u), root(v)))
        label[larger] = smaller
    return [root(v) for v in range(nodes)]
