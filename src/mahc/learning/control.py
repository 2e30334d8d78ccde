"""Time limit, Ctrl-C and progress of a long piece of work."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from mahc.errors import SettingError


@dataclass(frozen=True)
class Progress:
    """Where a piece of work stands: its phase, steps taken, own score of the graph so far, seconds gone."""

    phase: str
    steps: int
    score: float
    seconds: float


def check_time_limit(time_limit: float | None) -> None:
    """Seconds above 0, or None for no limit."""
    if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit > 0):
        raise SettingError(f"time_limit is {time_limit!r}: give seconds above 0, or leave it out")


class Halted(Exception):  # noqa: N818 - a way out, no error
    """The watch said stop before there were scores to search with."""


class Watch:
    """Knows when to stop; whoever works long asks it now and then.

    >>> watch = Watch(time_limit=60)
    >>> watch.ask(0, 0.0), watch.stopped_because()
    (False, None)
    """

    def __init__(self, time_limit: float | None = None, report: Callable[[Progress], None] | None = None) -> None:
        check_time_limit(time_limit)
        self.phase = "start"
        self.interrupted = False
        self._start = time.perf_counter()
        self._limit = time_limit
        self._report = report
        self._asked = -math.inf

    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self._start

    def seconds_left(self) -> float:
        """Seconds until the time limit; enough for anything where there is none."""
        return 1e18 if self._limit is None else max(0.0, self._limit - self.seconds())

    def ask(self, steps: int, score: float) -> bool:
        """Tell the progress, at most twenty times a second, and say whether to stop."""
        if self.seconds() - self._asked >= 0.05:
            self._asked = self.seconds()
            self.tell(steps, score)
        return self.stopped_because() is not None

    def tell(self, steps: int, score: float) -> None:
        """Tell the progress to whoever wanted to know."""
        if self._report is not None:
            self._report(Progress(self.phase, steps, score, self.seconds()))

    def stopped_because(self) -> str | None:
        """`interrupted`, `time_limit`, or None to go on."""
        if self.interrupted:
            return "interrupted"
        return "time_limit" if self.seconds_left() <= 0 else None

    @contextmanager
    def catching_interrupts(self) -> Iterator[None]:
        """The first Ctrl-C asks the work to end with what it has; a second one aborts it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)
        if before in (None, signal.SIG_IGN):  # not ours to replace: set outside Python, or a job in the background
            yield
            return

        def note(_number: int, _frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
