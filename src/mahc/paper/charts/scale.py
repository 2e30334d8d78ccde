"""From a number to a position on an axis: linear, logarithmic, or logarithmic on both sides of zero."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A monotone map from numbers to 0..1, with the marks to draw on the axis.

    >>> scale = linear([0.0, 9.0])
    >>> scale.place(5.0), scale.marks
    (0.5, (0.0, 2.0, 4.0, 6.0, 8.0, 10.0))
    """

    transform: Callable[[float], float]
    low: float
    high: float
    marks: tuple[float, ...]

    def place(self, value: float) -> float:
        """The position of a number between the ends, 0 to 1; outside numbers are at the end."""
        start, end = self.transform(self.low), self.transform(self.high)
        return min(max((self.transform(value) - start) / (end - start), 0.0), 1.0)


def linear(values: Iterable[float]) -> Scale:
    """A linear scale over the values and zero."""
    known = [*values, 0.0]
    low, high = min(known), max(known)
    if high == low:
        high = low + 1.0
    step = _step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(round(step * k, 10) for k in range(first, last + 1))
    return Scale(lambda value: value, marks[0], marks[-1], marks)


def logarithmic(values: Iterable[float]) -> Scale:
    """A scale of powers of ten over positive values; other values are at the lower end."""
    known = [value for value in values if value > 0] or [1.0]
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    last = max(last, first + 1)
    floor = 10.0**first
    step = max(1, (last - first + 5) // 6)
    marks = tuple(10.0**k for k in range(first, last + 1, step))
    return Scale(lambda value: math.log10(max(value, floor)), floor, 10.0**last, marks)


def two_sided(values: Iterable[float], threshold: float = 1.0) -> Scale:
    """Linear within the threshold of zero and logarithmic beyond, for numbers of any sign and size."""
    known = [*values, 0.0]
    low, high = _end(min(known), threshold), _end(max(known), threshold)
    if low == high:
        high = threshold
    marks = [0.0]
    mark = threshold
    while mark <= max(-low, high) * (1 + 1e-9):
        marks += [side * mark for side in (-1, 1) if low * (1 + 1e-9) <= side * mark <= high * (1 + 1e-9)]
        mark *= 10

    def transform(value: float) -> float:
        size = abs(value) / threshold
        return math.copysign(size if size <= 1 else 1 + math.log10(size), value)

    return Scale(transform, low, high, tuple(sorted(marks)))


def _end(value: float, threshold: float) -> float:
    if value == 0:
        return 0.0
    size = max(abs(value) / threshold, 1.0)
    return math.copysign(threshold * 10.0 ** math.ceil(math.log10(size) - 1e-9), value)


def _step(span: float) -> float:
    rough = span / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= rough * (1 - 1e-9))


def tick(value: float) -> str:
    """A mark's label.

    >>> tick(1000.0), tick(-0.5), tick(1e7), tick(0.01)
    ('1,000', '−0.5', '10⁷', '0.01')
    """
    if abs(value) >= 1_000_000 and math.log10(abs(value)).is_integer():
        power = round(math.log10(abs(value)))
        shown = "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    else:
        shown = f"{abs(value):,.6f}".rstrip("0").rstrip(".")
    return ("−" if value < 0 else "") + shown
