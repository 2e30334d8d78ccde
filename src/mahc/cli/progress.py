"""One line of progress that rewrites itself, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mahc.search.watch import Progress


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """A reporter for `learn`, or None where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = 0

    def report(progress: Progress) -> None:
        nonlocal shown
        score = "" if progress.score != progress.score else f", score {progress.score:,.1f}"
        steps = f", step {progress.steps}" if progress.phase == "climbing" else ""
        text = f"{progress.phase}{steps}{score}, {progress.seconds:.1f} s (Ctrl-C stops with the best graph so far)"
        sys.stderr.write("\r" + text.ljust(shown))
        sys.stderr.flush()
        shown = len(text)

    try:
        yield report
    finally:
        if shown:
            sys.stderr.write("\r" + " " * shown + "\r")
            sys.stderr.flush()
