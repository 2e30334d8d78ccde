"""The curve of an edge: smooth, through its points, and cut at the borders of its nodes."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

Point = tuple[float, float]
Segment = tuple[Point, Point, Point, Point]  # a cubic Bezier curve


@dataclass(frozen=True)
class Curve:
    """Cubic Bezier segments in sequence.

    >>> Curve((((0, 0), (0, 20), (0, 40), (0, 60)),)).path()
    'M0 0C0 20 0 40 0 60'
    """

    segments: tuple[Segment, ...]

    def reversed(self) -> Curve:
        """The same curve from its other end."""
        return Curve(tuple((d, c, b, a) for a, b, c, d in reversed(self.segments)))

    def leave(self, inside: Callable[[Point], bool]) -> Curve:
        """The curve from the point where it leaves the area of its first node."""
        for i, segment in enumerate(self.segments):
            if not inside(segment[3]):
                low, high = 0.0, 1.0
                for _ in range(30):
                    middle = (low + high) / 2
                    low, high = (middle, high) if inside(_at(segment, middle)) else (low, middle)
                rest, tail = self.segments[i + 1 :], _tail(segment, high)
                return Curve(rest if rest and math.dist(tail[0], tail[3]) < 0.01 else (tail, *rest))
        return self

    def shorten(self, length: float) -> Curve:
        """The curve without the part within `length` of its start."""
        begin = self.start
        return self.leave(lambda point: math.dist(point, begin) < length)

    def moved(self, right: float, down: float) -> Curve:
        """The same curve elsewhere."""

        def move(point: Point) -> Point:
            return point[0] + right, point[1] + down

        return Curve(tuple((move(a), move(b), move(c), move(d)) for a, b, c, d in self.segments))

    def along(self, share: float) -> Point:
        """The point after this share of the curve's length.

        >>> Curve((((0, 0), (0, 20), (0, 40), (0, 60)),)).along(0.5)
        (0.0, 30.0)
        """
        points = self.sample(16)
        lengths = list(itertools.accumulate((math.dist(p, q) for p, q in itertools.pairwise(points)), initial=0.0))
        at = max(1, bisect_left(lengths, share * lengths[-1]))
        step = lengths[at] - lengths[at - 1]
        return _mix(points[at - 1], points[at], (share * lengths[-1] - lengths[at - 1]) / step if step else 0.0)

    def sample(self, count: int) -> list[Point]:
        """The start, and `count` points of each segment."""
        return [self.start, *(_at(segment, i / count) for segment in self.segments for i in range(1, count + 1))]

    @property
    def start(self) -> Point:
        """Where the curve begins."""
        return self.segments[0][0]

    def path(self) -> str:
        """The curve as the `d` of an SVG path."""
        x, y = self.start
        steps = ("".join(f" {_short(x)} {_short(y)}" for x, y in segment[1:])[1:] for segment in self.segments)
        return f"M{_short(x)} {_short(y)}" + "".join(f"C{step}" for step in steps)


def _at(segment: Segment, t: float) -> Point:
    return _tail(segment, t)[0]


def _tail(segment: Segment, t: float) -> Segment:
    # De Casteljau: the part of the curve after t.
    a, b, c, d = segment
    ab, bc, cd = _mix(a, b, t), _mix(b, c, t), _mix(c, d, t)
    abc, bcd = _mix(ab, bc, t), _mix(bc, cd, t)
    return _mix(abc, bcd, t), bcd, cd, d


def _mix(p: Point, q: Point, t: float) -> Point:
    return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t


def _short(number: float) -> str:
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
