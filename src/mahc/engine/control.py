"""What the core asks of whoever controls a long run."""

from __future__ import annotations

from typing import Protocol

from mahc.engine._native import CancelToken

__all__ = ["CancelToken", "RunControl"]


class RunControl(Protocol):
    """Time limit, cancelling and progress of a run; `mahc.learning.control.Control` is one."""

    @property
    def token(self) -> CancelToken:
        """Looked at all the time, without the interpreter's lock."""
        ...

    def seconds_left(self) -> float:
        """Seconds until the time limit."""
        ...

    def should_stop(self, steps: int, score: float) -> bool:
        """Report the progress, and say whether to stop; called now and then."""
        ...
