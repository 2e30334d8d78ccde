"""The curve of an edge through the rows that it passes: sideways between rows, through a free gap within a row."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from mahc.drawing.curve import Curve, Point, Segment

CLEAR = 5.0  # distance of an edge from nodes and other edges beside it in a row
MOST_FREE = 12.0


def free_space(
    rows: Sequence[Sequence[int]], x: Mapping[int, float], widths: Mapping[int, float], bends: set[int]
) -> dict[int, float]:
    """How far an edge may move to either side while it passes a row at one of the bends.

    >>> free_space([[0, 2, 1]], {0: 0.0, 2: 40.0, 1: 80.0}, {0: 60.0, 1: 60.0, 2: 2.0}, {2})
    {2: 5.0}
    """
    free: dict[int, float] = {}
    for row in rows:
        for i, v in enumerate(row):
            if v in bends:
                beside = [row[j] for j in (i - 1, i + 1) if 0 <= j < len(row)]
                gaps = [abs(x[u] - x[v]) - widths[u] / 2 - CLEAR for u in beside]
                free[v] = max(0.0, min([MOST_FREE, *gaps]))
    return free


def route_chain(
    points: Sequence[Point], halves: Sequence[float], free: Sequence[float], filled: tuple[bool, bool]
) -> Curve:
    """A smooth curve from the first point to the last, downwards.

    Parameters
    ----------
    points : sequence of (x, y)
        Where the edge passes the middle of each row, its two ends included.
    halves : sequence of float
        Half the height of each of these rows.
    free : sequence of float
        How far the edge may move to either side within each row.
    filled : (bool, bool)
        Whether the first and the last node are as high as their rows; otherwise the edge leaves the row vertically.

    >>> route_chain([(0, 10), (0, 74)], [10, 10], [0, 0], (True, True)).path()
    'M0 10C0 13.3 0 16.7 0 20C0 34.7 0 49.3 0 64C0 67.3 0 70.7 0 74'
    """
    slopes = _slopes(points, halves, free)
    lean = [slope * half for slope, half in zip(slopes, halves, strict=True)]
    segments: list[Segment] = []
    last = len(points) - 1
    for i, (x, y) in enumerate(points):
        above, below = (x - lean[i], y - halves[i]), (x + lean[i], y + halves[i])
        segments.append(_line((x, y) if i == 0 else above, (x, y) if i == last else below))
        if i == last:
            break
        following = points[i + 1]
        enter = (following[0] - lean[i + 1], following[1] - halves[i + 1])
        high = enter[1] - below[1]
        chord = (enter[0] - below[0]) / high
        first = chord if i == 0 and filled[0] else slopes[i]
        second = chord if i + 1 == last and filled[1] else slopes[i + 1]
        third = high / 3
        segments.append(
            (below, (below[0] + first * third, below[1] + third), (enter[0] - second * third, enter[1] - third), enter)
        )
    return Curve(tuple(segments))


def _slopes(points: Sequence[Point], halves: Sequence[float], free: Sequence[float]) -> list[float]:
    # dx/dy within each row: that of a smooth curve (Fritsch and Carlson), limited by the free space; 0 at the ends.
    steps = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(points)]
    slopes = [0.0]
    for i, (before, after) in enumerate(itertools.pairwise(steps), 1):
        smooth = 0.0 if before * after <= 0 else 2 * before * after / (before + after)
        limit = free[i] / halves[i]
        slopes.append(max(-limit, min(limit, smooth)))
    return [*slopes, 0.0]


def _line(start: Point, end: Point) -> Segment:
    (x0, y0), (x1, y1) = start, end
    across, down = (x1 - x0) / 3, (y1 - y0) / 3
    return start, (x0 + across, y0 + down), (x1 - across, y1 - down), end
