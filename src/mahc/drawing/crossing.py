"""The order of points in each row: few crossings, by barycentres and swaps of neighbours."""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Sequence

Rows = list[list[int]]
Links = dict[int, list[int]]

SWEEPS = 24
SWAPPED = 900  # up to this many points, neighbours are also swapped, one pair at a time


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
