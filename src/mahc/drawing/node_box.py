"""The box of a variable: its size, the lines of its name, and which points it covers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mahc.drawing.text_width import SIZE, measure, wrap

PADDING = 10.0
LINE = 1.2 * SIZE
ONE_LINE = 26.0  # height of a box with one line
NARROWEST = 44.0


@dataclass(frozen=True)
class NodeBox:
    """A box with round corners around (x, y); `tierless` if there are tiers and the variable is in none.

    >>> NodeBox.of("a", 30.0, 20.0).holds((30.0, 8.0))
    True
    """

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    tierless: bool = False

    @classmethod
    def of(cls, name: str, x: float, y: float, tierless: bool = False) -> NodeBox:
        """The box of a variable around a point."""
        return cls(x, y, *node_size(name), wrap(name), tierless)

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return min(ONE_LINE, self.height) / 2

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether a point is inside."""
        across = max(abs(point[0] - self.x) - (self.width / 2 - self.radius), 0.0)
        along = max(abs(point[1] - self.y) - (self.height / 2 - self.radius), 0.0)
        return math.hypot(across, along) < self.radius


def node_size(name: str) -> tuple[float, float]:
    """The width and height of the box of a variable.

    >>> node_size("a")
    (44.0, 26.0)
    """
    lines = wrap(name)
    return max(NARROWEST, max(map(measure, lines)) + 2 * PADDING), ONE_LINE + LINE * (len(lines) - 1)
