"""The rows of a layered picture: the row of each node, the order in a row, the place of each point."""

from __future__ import annotations

import heapq
import itertools
import math
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence

Pair = tuple[int, int]
Rows = list[list[int]]
Links = dict[int, list[int]]
SWEEPS = 24
SWAPPED = 900  # up to this many points, neighbours are also swapped, one pair at a time
PASSES = 30


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


def order_rows(rows: Rows, up: Links, down: Links) -> Rows:
    """The best order found; `up` and `down` link every point to those in the rows next to its own."""
    current = _begin(rows, down)
    best, fewest = current, count_crossings(current, down)
    swaps = sum(map(len, rows)) <= SWAPPED
    idle = 0
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        current = _sweep([list(row) for row in current], up if downwards else down, downwards, sweep % 4 >= 2)
        if swaps:
            _swap(current, up, down)
        crossings = count_crossings(current, down)
        idle = 0 if crossings < fewest else idle + 1
        if crossings < fewest:
            best, fewest = [list(row) for row in current], crossings
        if fewest == 0 or idle >= 8:
            break
    return best


def count_crossings(rows: Rows, down: Links) -> int:
    """The number of crossing links between neighbouring rows.

    >>> count_crossings([[0, 1], [2, 3]], {0: [3], 1: [2], 2: [], 3: []})
    1
    """
    total = 0
    for upper, lower in itertools.pairwise(rows):
        place = {v: i for i, v in enumerate(lower)}
        seen: list[int] = []
        for v in upper:
            ends = sorted(place[u] for u in down[v])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _begin(rows: Rows, down: Links) -> Rows:
    # Depth first from the top, so that connected points start close together.
    height = {v: r for r, row in enumerate(rows) for v in row}
    ordered: Rows = [[] for _ in rows]
    seen: set[int] = set()
    for row in rows:
        for root in row:
            stack = [root]
            while stack:
                v = stack.pop()
                if v not in seen:
                    seen.add(v)
                    ordered[height[v]].append(v)
                    stack.extend(reversed(down[v]))
    return ordered


def _sweep(rows: Rows, links: Links, downwards: bool, reverse_ties: bool) -> Rows:
    # Sorts each row by the mean position of its links in the previous row; every other time ties are reversed.
    indices = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
    for r in indices:
        fixed = rows[r - 1] if downwards else rows[r + 1]
        place = {v: i / max(1, len(fixed)) for i, v in enumerate(fixed)}
        row = rows[r][::-1] if reverse_ties else rows[r]
        aim: dict[int, float] = {}
        for i, v in enumerate(rows[r]):
            ends = [place[u] for u in links[v]]
            aim[v] = sum(ends) / len(ends) if ends else i / max(1, len(row))
        rows[r] = sorted(row, key=aim.__getitem__)
    return rows


def _swap(rows: Rows, up: Links, down: Links) -> None:
    place = {v: i for row in rows for i, v in enumerate(row)}
    for _ in range(6):
        moved = False
        for row in rows:
            for i in range(len(row) - 1):
                v, u = row[i], row[i + 1]
                gain = sum(_gain(links[v], links[u], place) for links in (up, down))
                if gain > 0:
                    row[i], row[i + 1] = u, v
                    place[v], place[u] = i + 1, i
                    moved = True
        if not moved:
            return


def _gain(left: Sequence[int], right: Sequence[int], place: dict[int, int]) -> int:
    # Crossings with `left` on the left, less those with it on the right.
    gain = 0
    for u in left:
        for w in right:
            gain += (place[u] > place[w]) - (place[u] < place[w])
    return gain


def place_points(rows: Rows, up: Links, down: Links, widths: Mapping[int, float], bends: set[int]) -> dict[int, float]:
    """The centre of each point; `bends` are points of long edges, which are kept straight with priority."""
    x: dict[int, float] = {}
    offsets = [_offsets(row, widths, bends) for row in rows]
    for row, shift in zip(rows, offsets, strict=True):
        for v, s in zip(row, shift, strict=True):
            x[v] = s - shift[-1] / 2
    for turn in range(PASSES):
        indices = range(len(rows)) if turn % 2 == 0 else range(len(rows) - 1, -1, -1)
        # The first passes use one side only, which spreads the shape over the whole picture.
        sides = (up if turn % 2 == 0 else down,) if turn < 6 else (up, down)
        for r in indices:
            _settle(rows[r], offsets[r], sides, x, bends)
    return x


def _offsets(row: Sequence[int], widths: Mapping[int, float], bends: set[int]) -> list[float]:
    shift = [0.0] * len(row)
    for i in range(1, len(row)):
        a, b = row[i - 1], row[i]
        gap = 10.0 if a in bends and b in bends else 16.0 if a in bends or b in bends else 22.0
        shift[i] = shift[i - 1] + (widths[a] + widths[b]) / 2 + gap
    return shift


def _settle(
    row: Sequence[int], shift: Sequence[float], sides: Sequence[Links], x: dict[int, float], bends: set[int]
) -> None:
    # Least squares to the preferred positions under the constraints of order and distance: isotonic regression.
    blocks: list[tuple[float, float, int]] = []  # mean preferred position, weight, members
    for v, s in zip(row, shift, strict=True):
        preferred, weight = _preferred_position(v, sides, x, bends)
        block = (preferred - s, weight, 1)
        while blocks and blocks[-1][0] >= block[0]:
            mean, heavy, count = blocks.pop()
            total = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / total, total, count + block[2])
        blocks.append(block)
    i = 0
    for mean, _, count in blocks:
        for _ in range(count):
            x[row[i]] = mean + shift[i]
            i += 1


def _preferred_position(v: int, sides: Sequence[Links], x: Mapping[int, float], bends: set[int]) -> tuple[float, float]:
    total = weight = 0.0
    for links in sides:
        for u in links[v]:
            pull = (1.0, 2.0, 8.0)[(u in bends) + (v in bends)]
            total += pull * x[u]
            weight += pull
    if not weight:
        return x[v], 0.01
    return total / weight, weight
