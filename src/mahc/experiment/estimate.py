"""How long a run will still take: a range, from what the same contestants took on other sizes, and the limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mahc.experiment.cells import Cell
from mahc.experiment.limits import Limits
from mahc.experiment.row import TRUTH, Row

OVERHEAD = 1.0  # seconds of a cell beside learning, until a cell has shown how many
STEEPEST = 1.5  # with ten times the rows a learner takes as long at the least, and 10^1.5 times as long at the most


@dataclass(frozen=True)
class Estimate:
    """Seconds that are left, at the least and at the most.

    >>> str(Estimate(70, 80)), str(Estimate(70, 8000)), str(Estimate(0, 30))
    ('about 1 min left', '1 min to 2.2 h left', 'less than a minute left')
    """

    low: float
    high: float

    def __str__(self) -> str:
        if self.high < 60:
            return "less than a minute left"
        if self.high <= 1.5 * self.low:
            return f"about {_spell((self.low + self.high) / 2)} left"
        return f"{_spell(self.low)} to {_spell(self.high)} left"


class Estimator:
    """Learns from every row how long its like will take."""

    def __init__(self, limits: Limits, jobs: int, rows: Iterable[Row] = ()) -> None:
        self._most = limits.seconds + OVERHEAD
        self._jobs = jobs
        self._seen: dict[tuple[str, str], list[tuple[int, float]]] = {}
        self._ranges: dict[tuple[str, str, int], tuple[float, float]] = {}
        for row in rows:
            self.learn(row, OVERHEAD + (row.seconds if row.seconds is not None else limits.seconds))

    def learn(self, row: Row, seconds: float) -> None:
        """Take note that this row took so long; one that could not run at all says nothing."""
        if row.outcome != "unavailable":
            self._seen.setdefault((row.contestant, row.case), []).append((row.rows, min(seconds, self._most)))
            self._ranges.clear()

    def estimate(self, waiting: Iterable[Cell], running: Iterable[tuple[Cell, float]]) -> Estimate:
        """The time for the cells that wait and the rest of those that run."""
        low = high = longest = last = 0.0
        for cell, gone in (*((cell, 0.0) for cell in waiting if cell.lacking is None), *running):
            least, most = self._range(cell)
            low += max(0.0, least - gone)
            high += max(0.0, most - gone)
            longest = max(longest, least - gone)
            last = max(last, most - gone)
        # At the most, the longest cell starts when all others are done.
        return Estimate(max(low / self._jobs, longest), high / self._jobs + last * (1 - 1 / self._jobs))

    def _range(self, cell: Cell) -> tuple[float, float]:
        like = (cell.contestant.label, cell.case.name, cell.rows)
        if like not in self._ranges:
            self._ranges[like] = self._work_out(*like)
        return self._ranges[like]

    def _work_out(self, label: str, case: str, rows: int) -> tuple[float, float]:
        seen = self._seen.get((label, case), [])
        if not seen:
            return OVERHEAD, 10 * OVERHEAD if label == TRUTH else self._most  # the truth is scored, not learnt
        near = min({size for size, _ in seen}, key=lambda size: max(size / rows, rows / size))
        took = [seconds for size, seconds in seen if size == near]
        low, high = min(took), max(took)
        if near < rows:
            high *= (rows / near) ** STEEPEST
        elif near > rows:
            low = min(low, OVERHEAD)
        return min(low, self._most), min(high, self._most)


def _spell(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
