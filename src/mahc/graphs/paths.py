"""Directed paths in a graph that is given as lists of parents."""

from __future__ import annotations

from collections.abc import Sequence


def find_path(parents: Sequence[Sequence[int]], start: int, goal: int) -> list[int] | None:
    """A shortest directed path from start to goal, or None.

    >>> find_path([[], [0], [1], [2, 0]], 0, 3)
    [0, 3]
    """
    before = {goal: goal}
    layer = [goal]
    while layer and start not in before:
        following = []
        for node in layer:
            for parent in parents[node]:
                if parent not in before:
                    before[parent] = node
                    following.append(parent)
        layer = following
    if start not in before or start == goal:
        return None
    path = [start]
    while path[-1] != goal:
        path.append(before[path[-1]])
    return path
