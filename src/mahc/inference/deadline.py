"""The time limit of a question: long work looks at the clock between its steps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from mahc.errors import Mention, SettingError

_DEADLINE: ContextVar[tuple[float, float] | None] = ContextVar("deadline", default=None)


@contextmanager
def limited_to(seconds: float | None) -> Iterator[None]:
    """Work within this context ends after so many seconds; within an outer limit that ends later.

    >>> with limited_to(1e-9):
    ...     check_deadline()
    Traceback (most recent call last):
        ...
    mahc.errors.SettingError: time_limit=1e-09 was reached before the answer was there: raise it, or use \
method="weighting" for an estimate
    """
    outer = _DEADLINE.get()
    if seconds is None or (outer is not None and outer[0] <= time.perf_counter() + seconds):
        yield
        return
    before = _DEADLINE.set((time.perf_counter() + seconds, seconds))
    try:
        yield
    finally:
        _DEADLINE.reset(before)


def is_over() -> bool:
    """Whether the time is up."""
    limit = _DEADLINE.get()
    return limit is not None and time.perf_counter() >= limit[0]


def check_deadline() -> None:
    """Refuse to go on when the time is up."""
    limit = _DEADLINE.get()
    if limit is not None and time.perf_counter() >= limit[0]:
        raise SettingError(
            Mention("time_limit", limit[1]),
            " was reached before the answer was there: raise it, or use ",
            Mention("method", "weighting"),
            " for an estimate",
        )
