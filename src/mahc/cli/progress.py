"""One line of progress that rewrites itself, on a terminal only."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

from mahc.cli.printing import overwrite
from mahc.cluster.meter import PassProgress
from mahc.learning.control import Control, Progress

State = TypeVar("State")
HINT = "best graph so far"


def is_terminal() -> bool:
    """Whether stderr is there and a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress_line(kept: str = HINT) -> Iterator[Callable[[Progress], None] | None]:
    """A reporter for `learn`, or None where stderr is not a terminal; `kept` is what Ctrl-C leaves."""
    if not is_terminal():
        yield None
        return

    def write(progress: Progress, width: int) -> str:
        return write_line(progress, width, kept)

    with rewriting_line(write) as report:
        yield report


@contextmanager
def rewriting_line(write: Callable[[State, int], str]) -> Iterator[Callable[[State], None]]:
    """A reporter that writes each text over the one before, and leaves the line empty in the end."""
    shown = 0

    def report(state: State) -> None:
        nonlocal shown
        text = write(state, shutil.get_terminal_size().columns)
        overwrite(text.ljust(shown))
        shown = len(text)

    try:
        yield report
    finally:
        if shown:
            overwrite(" " * shown)
            overwrite("")


def write_line(progress: Progress, width: int, kept: str = HINT) -> str:
    """Phase, step, score and seconds; never as long as the terminal is wide, where it would start a new line.

    >>> write_line(Progress("climbing", 12, -3252.1, 0.5), width=50)
    'climbing, step 12, score -3,252.1, 0.5 s'
    >>> write_line(Progress("climbing", 12, -3252.1, 0.5), width=100)
    'climbing, step 12, score -3,252.1, 0.5 s (Ctrl-C: best graph so far)'
    """
    parts = [progress.phase, progress.detail] if progress.detail else [progress.phase]
    if progress.steps and not progress.phase.startswith(("resample", "graph")):
        parts.append(f"step {progress.steps:,}")
    if not math.isnan(progress.score):
        parts.append(f"score {progress.score:,.1f}")
    parts.append(f"{progress.seconds:.1f} s")
    text = ", ".join(parts)
    hint = f" (Ctrl-C: {kept})"
    if progress.phase != "finishing" and len(text + hint) < width:
        text += hint
    return text[: max(0, width - 1)]


@contextmanager
def drawing_line() -> Iterator[Callable[[int], bool]]:
    """A reporter of draws, which returns True after Ctrl-C; it writes a line where stderr is a terminal."""
    control = Control()
    with control.catching_interrupts():
        if not is_terminal():
            yield lambda _: control.stop_reason() is not None
            return
        with rewriting_line(lambda done, width: f"draws: {done:,} (Ctrl-C: answer from these)"[: width - 1]) as report:

            def proceed(done: int) -> bool:
                report(done)
                return control.stop_reason() is not None

            yield proceed


def passes_line() -> AbstractContextManager[Callable[[PassProgress], None] | None]:
    """A line on the terminal that shows how far a pass over the pieces is; nothing where stderr is no terminal."""
    return rewriting_line(_write_pieces) if is_terminal() else nullcontext()


def _write_pieces(state: PassProgress, width: int) -> str:
    return f"reading, {state.text()}"[: max(0, width - 1)]
