"""Who is told how far the reading of data is, and may end it: a line of progress, the time limit of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watch = Callable[[str], None]

COLUMNS_PER_REPORT = 256
_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch | None) -> Iterator[None]:
    """Tell `watch` how far the reading is, in words; what it raises ends the reading.

    >>> with watched_by(print):
    ...     report_column("coding", 512, 20_000)
    coding, column 512 of 20,000
    """
    before = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(before)


def report(how_far: str) -> None:
    """Tell the watch, where there is one."""
    watch = _WATCH.get()
    if watch is not None:
        watch(how_far)


def report_column(work: str, column: int, columns: int) -> None:
    """The same for work that goes column by column: one report for every `COLUMNS_PER_REPORT` columns."""
    if column and column % COLUMNS_PER_REPORT == 0:
        report(f"{work}, column {column:,} of {columns:,}")
