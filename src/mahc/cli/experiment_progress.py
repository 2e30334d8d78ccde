"""How far an experiment is, on a terminal in one line that rewrites itself; and seeds as people write them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mahc.cli.printing import tell
from mahc.cli.progress import rewriting_line
from mahc.errors import SettingError
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.lab.running import Progress

SILENCE, LOG_WIDTH = 60.0, 100_000  # seconds between two lines of a log, which are not cut
MOST_SHOWN = 4  # running cells in one line
MOST_SEEDS, MOST_DIGITS = 10_000, 18  # SQLite holds numbers of 18 digits


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """A reporter for `run_plan`: on a terminal one line, elsewhere a line now and then; None where nobody listens."""
    if sys.stderr is None:
        yield None
        return
    if not sys.stderr.isatty():
        yield _now_and_then()
        return
    with rewriting_line(write_line) as report:
        yield report


def _now_and_then() -> Callable[[Progress], None]:
    printed = time.monotonic()

    def report(progress: Progress) -> None:
        nonlocal printed
        if time.monotonic() - printed >= SILENCE:
            printed = time.monotonic()
            tell(write_line(progress, LOG_WIDTH))

    return report


def write_line(progress: Progress, width: int) -> str:
    """Cells done of all, the time left, and what runs; never as long as the terminal is wide.

    >>> from mahc.lab.running import Estimate
    >>> from mahc.lab.running import Progress
    >>> write_line(Progress(12, 40, ("MAHC asia 100 clean",), Estimate(600, 700)), 80)
    '12/40 cells, about 11 min left, running MAHC asia 100 clean'
    """
    text = f"{progress.done:,}/{count(progress.total, 'cell')}, {progress.estimate}"
    if progress.running:
        more = len(progress.running) - MOST_SHOWN
        others = f" and {more:,} more" if more > 0 else ""
        text += f", running {'; '.join(progress.running[:MOST_SHOWN])}{others}"
    return text[: max(0, width - 1)]


def parse_seeds(text: str) -> tuple[int, ...]:
    """Seeds separated by commas, ranges with a dash.

    >>> parse_seeds("1-3, 7")
    (1, 2, 3, 7)
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise SettingError(f"--seeds '{text}' is not a list of whole numbers: write 1,2,3 or 1-5")
        if max(len(first), len(last)) > MOST_DIGITS:
            raise SettingError(f"--seeds: '{part.strip()[:40]}' has more than {MOST_DIGITS} digits: give a smaller one")
        span = range(int(first), int(last or first) + 1)
        if not span:
            raise SettingError(f"--seeds '{text}': the range {part.strip()} is empty: write {last}-{first}")
        if len(span) > MOST_SEEDS:
            raise SettingError(f"--seeds '{text}': '{part.strip()}' has more than {MOST_SEEDS:,} seeds: give fewer")
        if any(seed in seeds for seed in span):
            raise SettingError(f"--seeds '{text}': a seed of '{part.strip()}' is given twice: give it once")
        seeds += span
    return tuple(seeds)
