"""How long a run will still take: a range, from the seconds of the same contestants on other sizes, and the limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mahc.experiment.cells import Cell
from mahc.experiment.limits import Limits
from mahc.experiment.row import TRUTH, Row

OVERHEAD = 1.0  # seconds of a cell apart from learning, until a cell has been timed
STEEPEST = 1.5  # with ten times the rows a learner takes between once and 10^1.5 times as long


@dataclass(frozen=True)
class Estimate:
    """The least and the most seconds that are left.

    >>> str(Estimate(70, 80)), str(Estimate(70, 8000)), str(Estimate(0, 30))
    ('about 1 min left', '1 min to 2.2 h left', 'less than a minute left')
    """

    low: float
    high: float

    def __str__(self) -> str:
        if self.high < 60:
            return "less than a minute left"
        if self.high <= 1.5 * self.low:
            return f"about {_duration((self.low + self.high) / 2)} left"
        return f"{_duration(self.low)} to {_duration(self.high)} left"


class Estimator:
    """Estimates the time of a cell from the rows of similar cells."""

    def __init__(self, limits: Limits, jobs: int, rows: Iterable[Row] = ()) -> None:
        self._most = limits.seconds + OVERHEAD
        self._jobs = jobs
        self._seen: dict[tuple[str, str], list[tuple[int, float]]] = {}
        self._ranges: dict[tuple[str, str, int], tuple[float, float]] = {}
        for row in rows:
            self.record(row, OVERHEAD + (row.seconds if row.seconds is not None else limits.seconds))

    def record(self, row: Row, seconds: float) -> None:
        """Record the seconds of a row; a cell that could not run is ignored."""
        if row.outcome != "unavailable":
            self._seen.setdefault((row.contestant, row.case), []).append((row.rows, min(seconds, self._most)))
            self._ranges.clear()

    def estimate(self, waiting: Iterable[Cell], running: Iterable[tuple[Cell, float]]) -> Estimate:
        """The time for the waiting cells and the rest of the running ones."""
        low = high = longest = last = 0.0
        for cell, elapsed in (*((cell, 0.0) for cell in waiting if cell.unavailable_reason is None), *running):
            least, most = self._range(cell)
            low += max(0.0, least - elapsed)
            high += max(0.0, most - elapsed)
            longest = max(longest, least - elapsed)
            last = max(last, most - elapsed)
        # In the worst case the longest cell starts when all others are done.
        return Estimate(max(low / self._jobs, longest), high / self._jobs + last * (1 - 1 / self._jobs))

    def _range(self, cell: Cell) -> tuple[float, float]:
        like = (cell.contestant.label, cell.case.name, cell.rows)
        if like not in self._ranges:
            self._ranges[like] = self._compute_range(*like)
        return self._ranges[like]

    def _compute_range(self, label: str, case: str, rows: int) -> tuple[float, float]:
        seen = self._seen.get((label, case), [])
        if not seen:
            return OVERHEAD, 10 * OVERHEAD if label == TRUTH else self._most  # the true graph is scored, not learned
        near = min({size for size, _ in seen}, key=lambda size: max(size / rows, rows / size))
        took = [seconds for size, seconds in seen if size == near]
        low, high = min(took), max(took)
        if near < rows:
            high *= (rows / near) ** STEEPEST
        elif near > rows:
            low = min(low, OVERHEAD)
        return min(low, self._most), min(high, self._most)


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
