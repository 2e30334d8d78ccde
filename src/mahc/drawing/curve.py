"""The curve of an edge: smooth, through its points, and cut at the borders of its nodes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Segment = tuple[Point, Point, Point, Point]  # a cubic Bezier curve


@dataclass(frozen=True)
class Curve:
    """Cubic Bezier segments in sequence.

    >>> Curve.through([(0, 0), (0, 60)]).path()
    'M0 0C0 20 0 40 0 60'
    """

    segments: tuple[Segment, ...]

    @classmethod
    def through(cls, points: Sequence[Point]) -> Curve:
        """A curve through points of distinct heights that stays between neighbouring points."""
        slopes = _slopes(points)
        segments = []
        for i, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(points)):
            third = (y1 - y0) / 3
            first = (x0 + slopes[i] * third, y0 + third)
            second = (x1 - slopes[i + 1] * third, y1 - third)
            segments.append(((x0, y0), first, second, (x1, y1)))
        return cls(tuple(segments))

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
                return Curve((_tail(segment, high), *self.segments[i + 1 :]))
        return self

    def shorten(self, length: float) -> Curve:
        """The curve without the part within `length` of its start."""
        begin = self.start
        return self.leave(lambda point: math.dist(point, begin) < length)

    @property
    def start(self) -> Point:
        """Where the curve begins."""
        return self.segments[0][0]

    def path(self) -> str:
        """The curve as the `d` of an SVG path."""
        x, y = self.start
        steps = ("".join(f" {_short(x)} {_short(y)}" for x, y in segment[1:])[1:] for segment in self.segments)
        return f"M{_short(x)} {_short(y)}" + "".join(f"C{step}" for step in steps)


def _slopes(points: Sequence[Point]) -> list[float]:
    # dx/dy at each point, limited so that x stays between its neighbours (Fritsch and Carlson).
    steps = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(points)]
    slopes = [steps[0]]
    for before, after in itertools.pairwise(steps):
        slopes.append(0.0 if before * after <= 0 else 2 * before * after / (before + after))
    return [*slopes, steps[-1]]


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
