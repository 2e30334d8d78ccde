"""Walks through a graph: shortest paths, connected components, topological order."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence

from mahc.errors import GraphError
from mahc.graphs.names import rank_by_name

Check = Callable[[], None]
SHOWN = 12  # variables of a cycle in the error message


def never_stop() -> None:
    """Nothing stops the work."""


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


def sort_topologically(names: tuple[str, ...], parents: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Indices with parents first; among the variables that are ready, the first by name."""
    children: list[list[int]] = [[] for _ in names]
    waiting = [len(chosen) for chosen in parents]
    for child, chosen in enumerate(parents):
        for parent in chosen:
            children[parent].append(child)
    rank = rank_by_name(names)
    unrank = sorted(range(len(names)), key=rank.__getitem__)
    ready = sorted(rank[i] for i, count in enumerate(waiting) if count == 0)
    order: list[int] = []
    while ready:
        node = unrank[heapq.heappop(ready)]
        order.append(node)
        for child in children[node]:
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, rank[child])
    if len(order) < len(names):
        raise GraphError(f"the arcs form a cycle: {_describe_cycle(names, parents, waiting, rank)}")
    return tuple(order)


def _describe_cycle(
    names: tuple[str, ...], parents: Sequence[Sequence[int]], waiting: Sequence[int], rank: Sequence[int]
) -> str:
    # Every variable that still waits has a parent that still waits, so a walk upwards must close a cycle.
    node = min((i for i, count in enumerate(waiting) if count), key=rank.__getitem__)
    trail: list[int] = []
    place: dict[int, int] = {}
    while node not in place:
        place[node] = len(trail)
        trail.append(node)
        node = min((p for p in parents[node] if waiting[p]), key=rank.__getitem__)
    cycle = trail[place[node] :][::-1]
    first = cycle.index(min(cycle, key=rank.__getitem__))
    cycle = cycle[first:] + cycle[:first]
    shown = [names[i] for i in cycle]
    if len(shown) > SHOWN:
        shown = [*shown[: SHOWN - 1], f"({len(shown) - SHOWN} more)", shown[-1]]
    return " -> ".join([*shown, shown[0]])
