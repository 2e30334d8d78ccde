"""Assignment of variables to rows: arrows point downwards, rows stay short."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

Pair = tuple[int, int]


def direct_downwards(nodes: Sequence[int], arcs: Sequence[Pair], lines: Sequence[Pair]) -> list[Pair]:
    """All edges as (upper, lower) without a cycle: arcs keep their direction unless they close one.

    Of the nodes that are ready, the one with most placed neighbours comes next, then the smallest number.
    """
    children: dict[int, list[int]] = {v: [] for v in nodes}
    waiting = dict.fromkeys(nodes, 0)
    around: dict[int, list[int]] = {v: [] for v in nodes}
    for a, b in arcs:
        children[a].append(b)
        waiting[b] += 1
    for a, b in (*arcs, *lines):
        around[a].append(b)
        around[b].append(a)
    place: dict[int, int] = {}
    placed_neighbours = dict.fromkeys(nodes, 0)
    heap = [(waiting[v], 0, v) for v in nodes]
    heapq.heapify(heap)
    while heap:
        count, near, v = heapq.heappop(heap)
        if v in place or (count, -near) != (waiting[v], placed_neighbours[v]):
            continue  # an outdated entry of the heap
        place[v] = len(place)
        for child in children[v]:
            waiting[child] -= 1
        for other in around[v]:
            placed_neighbours[other] += 1
            if other not in place:
                heapq.heappush(heap, (waiting[other], -placed_neighbours[other], other))
    return [(a, b) if place[a] < place[b] else (b, a) for a, b in (*arcs, *lines)]


def assign_rows(nodes: Sequence[int], edges: Sequence[Pair]) -> dict[int, int]:
    """A row for each node such that every edge leads down by at least one row; edges short, rows not too full."""
    above: dict[int, list[int]] = {v: [] for v in nodes}
    below: dict[int, list[int]] = {v: [] for v in nodes}
    for a, b in edges:
        above[b].append(a)
        below[a].append(b)
    order = _sort(nodes, above, below)
    row: dict[int, int] = {}
    for v in order:
        row[v] = max((row[u] + 1 for u in above[v]), default=0)
    _shorten(order, above, below, row)
    _spread(order, above, below, row)
    _shorten(order, above, below, row, limit=_row_capacity(len(nodes)))
    used = {r: place for place, r in enumerate(sorted(set(row.values())))}
    return {v: used[r] for v, r in row.items()}


def _sort(nodes: Sequence[int], above: dict[int, list[int]], below: dict[int, list[int]]) -> list[int]:
    waiting = {v: len(above[v]) for v in nodes}
    order = sorted(v for v in nodes if not waiting[v])
    for v in order:
        for u in below[v]:
            waiting[u] -= 1
            if not waiting[u]:
                order.append(u)
    return order


def _row_capacity(count: int) -> int:
    # Nodes per row, such that the picture is a little wider than high.
    return max(6, math.ceil(1.3 * math.sqrt(count)))


def _shorten(
    order: Sequence[int],
    above: dict[int, list[int]],
    below: dict[int, list[int]],
    row: dict[int, int],
    limit: int | None = None,
) -> None:
    # Each node moves to the end of its free range where the total length of its edges is smaller.
    filled: dict[int, int] = {}
    for r in row.values():
        filled[r] = filled.get(r, 0) + 1
    for _ in range(8):
        moved = False
        for v in (*reversed(order), *order):
            low = max((row[u] + 1 for u in above[v]), default=None)
            high = min((row[u] - 1 for u in below[v]), default=None)
            pull = len(below[v]) - len(above[v])
            goal = high if pull > 0 else low if pull < 0 else None
            if goal is None or goal == row[v] or (limit and filled.get(goal, 0) >= limit):
                continue
            filled[row[v]] -= 1
            filled[goal] = filled.get(goal, 0) + 1
            row[v] = goal
            moved = True
        if not moved:
            return


def _spread(
    order: Sequence[int], above: dict[int, list[int]], below: dict[int, list[int]], row: dict[int, int]
) -> None:
    # From the top down, nodes that exceed the capacity of a row move to the next one: leaves first.
    height: dict[int, int] = {}
    for v in reversed(order):
        height[v] = max((height[u] + 1 for u in below[v]), default=0)
    capacity = _row_capacity(len(order))
    current = 0
    while current <= max(row.values(), default=0):
        for v in order:
            if row[v] >= current:
                row[v] = max(row[v], max((row[u] + 1 for u in above[v]), default=0))
        here = sorted((v for v in order if row[v] == current), key=lambda v: (-height[v], len(below[v]) == 0, v))
        for v in here[capacity:]:
            row[v] += 1
        current += 1
