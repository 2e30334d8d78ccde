"""Walks through a graph: shortest paths, connected components, topological order, m-separation."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mahc.errors import GraphError
from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.names import rank_by_name

Check = Callable[[], None]  # long work calls it once in each round; it raises when the time is up
SHOWN = 12  # variables of a cycle in the error message


@dataclass(frozen=True)
class MSeparation:
    """The edges of a graph without circles: for each kind of edge, one bitset per variable.

    >>> chain = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> chain.connected(0b001, 0b100, 0), chain.connected(0b001, 0b100, 0b010)
    (True, False)
    """

    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: tuple[int, ...]
    lines: tuple[int, ...]

    def connected(self, first: int, second: int, given: int) -> bool:
        """Whether a path that `given` leaves open connects the two sets; variables in `given` do not count."""
        return bool(self.reached(first & ~given, given) & second & ~given)

    def reached(self, start: int, given: int) -> int:
        """All variables that an open path from `start` reaches, including `start`."""
        opened = transitive_closure(given, self.parents)  # colliders with a descendant in `given` are open
        by_tail, by_arrow = start, 0  # reached at a tail or at an arrow; from a start any edge may follow
        todo_tail, todo_arrow = start, 0
        while todo_tail or todo_arrow:
            by_arrow_now = not todo_tail
            low = (todo_arrow & -todo_arrow) if by_arrow_now else (todo_tail & -todo_tail)
            if by_arrow_now:
                todo_arrow ^= low
            else:
                todo_tail ^= low
            v = low.bit_length() - 1
            free = not given & low
            on_arrow = self.children[v] if free else 0
            on_tail = self.lines[v] if free else 0
            if (opened & low) if by_arrow_now else free:
                on_arrow |= self.spouses[v]
                on_tail |= self.parents[v]
            todo_arrow |= on_arrow & ~by_arrow
            todo_tail |= on_tail & ~by_tail
            by_arrow |= on_arrow
            by_tail |= on_tail
        return by_tail | by_arrow

    def open_path(self, start: int, goal: int, given: int) -> list[int] | None:
        """A shortest path between two variables (indices) that `given` leaves open, or None.

        >>> chain = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
        >>> chain.open_path(0, 2, 0), chain.open_path(0, 2, 0b010)
        ([0, 1, 2], None)
        """
        opened = transitive_closure(given, self.parents)
        first = (start, False)  # a variable, and whether an arrow leads to it
        before: dict[tuple[int, bool], tuple[int, bool] | None] = {first: None}
        layer = [first]
        while layer:
            following = []
            for state in layer:
                v, by_arrow = state
                if v == goal:
                    path, step = [v], before[state]
                    while step is not None:
                        path.append(step[0])
                        step = before[step]
                    return path[::-1]
                free = not given >> v & 1
                on_arrow, on_tail = (self.children[v], self.lines[v]) if free else (0, 0)
                if (opened >> v & 1) if by_arrow else free:
                    on_arrow, on_tail = on_arrow | self.spouses[v], on_tail | self.parents[v]
                fresh = [(w, arrow) for group, arrow in ((on_tail, False), (on_arrow, True)) for w in members(group)]
                for other in fresh:
                    if other not in before:
                        before[other] = state
                        following.append(other)
            layer = following
        return None


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
