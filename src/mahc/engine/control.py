"""The control of a long run, as the core uses it."""

from __future__ import annotations

from typing import Protocol

from mahc.engine import _native


class CancelToken(_native.CancelToken):
    """Ends the runs that it is given to; any thread may call `cancel()`, and the result is the best graph so far.

    A token stays cancelled: make a new one for the next run. Ctrl-C cancels it too.

    >>> import mahc
    >>> token = mahc.CancelToken()
    >>> token.cancel()
    >>> mahc.learn({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, cancel=token).stop_reason
    'interrupted'
    """


class Stopped(Exception):  # noqa: N818 - not an error
    """The run was stopped before the numbers that were asked for were there; raised by count sources that take long."""


class RunControl(Protocol):
    """Time limit, cancelling and progress of a run; `mahc.learning.control.Control` is one.

    Examples
    --------
    >>> from mahc.learning.control import Control
    >>> Control(time_limit=None).should_stop(steps=0, score=0.0)
    False
    """

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

    def note(self, detail: str) -> bool:
        """Report what the present step does, and say whether to stop."""
        ...
