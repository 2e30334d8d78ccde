"""Time limit, memory limit, cancelling, Ctrl-C and progress of a long run."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from mahc.engine.control import CancelFlag, CancelToken, LinkedToken, Stopped
from mahc.errors import InvalidSettingError, Mention, SettingError, wrong_type
from mahc.learning.memory import MemoryLimit
from mahc.learning.stop_reason import StopReason

__all__ = ["CancelFlag", "Control", "Progress", "Stopped", "check_time_limit"]

# How long the work may take that makes the best of a run that was stopped: half of what a limit may be overrun by.
ENDING_SECONDS, ENDING_SHARE = 0.5, 0.05


@dataclass(frozen=True)
class Progress:
    """The state of a run: its phase, steps taken, score of the graph so far, seconds passed.

    `detail` says how far a pass over data in pieces is; it is empty for rows in memory.
    """

    phase: str
    steps: int
    score: float
    seconds: float
    detail: str = ""


def check_time_limit(time_limit: float | None) -> None:
    """Seconds above 0, or None for no limit."""
    if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit > 0):
        raise InvalidSettingError("time_limit", time_limit, "give seconds above 0, or leave it out")


def take_token(cancel: object) -> CancelToken:
    """The token of a run: the caller's, one that follows the caller's flag, or a new one."""
    if cancel is None:
        return CancelToken()
    if isinstance(cancel, CancelToken):
        return cancel
    if isinstance(cancel, type) or not callable(getattr(cancel, "is_set", None)):
        raise wrong_type("cancel", cancel, "give a mahc.CancelToken or a threading.Event")
    return LinkedToken(cancel)  # type: ignore[arg-type]  # it has is_set


class Control:
    """Knows when a run has to stop; long work checks it regularly, the core through `mahc.engine.RunControl`.

    `token` stops the run when any thread cancels it; Ctrl-C cancels it too.

    >>> control = Control(time_limit=60)
    >>> control.should_stop(0, 0.0), control.stop_reason()
    (False, None)
    >>> control.token.cancel()
    >>> control.should_stop(0, 0.0), control.stop_reason()
    (True, 'interrupted')
    """

    def __init__(
        self,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        token: CancelToken | CancelFlag | None = None,
        memory: MemoryLimit | None = None,
    ) -> None:
        check_time_limit(time_limit)
        if on_progress is not None and not callable(on_progress):
            raise wrong_type("progress", on_progress, "give a function that takes one argument, or leave it out")
        self.memory = memory
        self.phase = "start"
        self.token = take_token(token)
        self._start = time.perf_counter()
        self._limit = time_limit
        self._on_progress = on_progress
        self._last_report = -math.inf
        self._stopped_at: float | None = None
        self._steps, self._score, self._detail = 0, math.nan, ""

    def watch_reading(self, how_far: str) -> None:
        """Report how far the reading of data is; a SettingError where the time limit is reached in it.

        There is no graph yet that could be the best so far. A run that is cancelled ends after the reading.
        """
        self.phase = "reading"
        self.note(how_far.removeprefix("reading, "))
        if self.seconds_left() <= 0:
            raise SettingError(
                Mention("time_limit", self._limit),
                f" was reached while the data were read ({how_far}): raise it, or read fewer columns or rows",
            )
        self._detail, self.phase = "", "start"

    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._start

    def seconds_left(self) -> float:
        """Seconds until the time limit; a very large number where there is none."""
        return 1e18 if self._limit is None else max(0.0, self._limit - self.seconds())

    def should_stop(self, steps: int, score: float) -> bool:
        """Report the progress, at most twenty times a second, and say whether to stop."""
        self._steps, self._score = steps, score
        if self.seconds() - self._last_report >= 0.05:
            self._last_report = self.seconds()
            self.report(steps, score)
        return self.stop_reason() is not None

    def check(self) -> None:
        """Raise Stopped when the run is to stop; loops in Python that may take long call this once a round."""
        if self.should_stop(self._steps, self._score):
            raise Stopped

    def check_ending(self) -> None:
        """Raise Stopped when what is done after the stop takes too long as well: half a second and 5 % of the run."""
        if self.stop_reason() is None:
            return
        now = self.seconds()
        if self._stopped_at is None:
            self._stopped_at = now
        if now - self._stopped_at > ENDING_SECONDS + ENDING_SHARE * self._stopped_at:
            raise Stopped

    def note(self, detail: str) -> bool:
        """Report what the present step does, in the progress after the phase, and say whether to stop."""
        self._detail = detail
        return self.should_stop(self._steps, self._score)

    def report(self, steps: int, score: float) -> None:
        """Report the progress to the caller's function."""
        if self._on_progress is not None:
            self._on_progress(Progress(self.phase, steps, score, self.seconds(), self._detail))

    def stop_reason(self) -> str | None:
        """`interrupted`, `time_limit`, `memory_limit`, or None to continue."""
        if self.token.cancelled:
            return "interrupted"
        if self.seconds_left() <= 0:
            return "time_limit"
        return "memory_limit" if self.memory is not None and self.memory.exceeded() else None

    def why_stopped(self) -> StopReason:
        """Why a run that was stopped ended: by the user if neither a limit nor the token says so any more."""
        return StopReason(self.stop_reason() or "interrupted")

    @contextmanager
    def catching_interrupts(self, raising: bool = False) -> Iterator[None]:
        """The first Ctrl-C ends the run with what it has; a second one raises KeyboardInterrupt, as `raising` does.

        So does SIGTERM where the command line handles it (`Termination` in cli/main.py); other programs decide
        themselves what it does. The core stops at the token, without the interpreter's lock, so that every algorithm
        ends in the same way.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        interrupted = False

        def interrupt(number: int, _frame: FrameType | None) -> None:
            nonlocal interrupted
            first, interrupted = not interrupted, True
            self.token.cancel()
            ending = handlers[signal.Signals(number)]
            if getattr(ending, "ends_runs", False):
                ending.received = ending.received or number  # type: ignore[union-attr]
            if not first:
                raise KeyboardInterrupt

        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        replaced = []
        if handlers[signal.SIGINT] not in (None, signal.SIG_IGN):  # set outside Python, or a job in the background
            replaced.append(signal.SIGINT)
        if getattr(handlers[signal.SIGTERM], "ends_runs", False):
            replaced.append(signal.SIGTERM)
        for number in replaced:
            signal.signal(number, interrupt)
        try:
            yield
        finally:
            for number in replaced:
                signal.signal(number, handlers[number])
        if interrupted and raising:
            raise KeyboardInterrupt
