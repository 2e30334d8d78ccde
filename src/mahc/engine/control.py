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


class CancelFlag(Protocol):
    """Anything that a run can be ended with by setting it, such as a `threading.Event`.

    Examples
    --------
    >>> import threading, mahc
    >>> event = threading.Event()
    >>> event.set()
    >>> mahc.learn({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, cancel=event).stop_reason
    'interrupted'
    """

    def is_set(self) -> bool:
        """Whether the run shall end."""
        ...


class LinkedToken(CancelToken):
    """A token that is cancelled when a flag of the caller is set; asked at most twenty times a second.

    >>> import threading
    >>> event = threading.Event()
    >>> token = LinkedToken(event)
    >>> event.set()
    >>> token.cancelled
    True
    """

    def __init__(self, flag: CancelFlag) -> None:
        super().__init__()
        self._flag = flag

    @property
    def cancelled(self) -> bool:
        """Whether the flag was set or `cancel` was called."""
        if self._flag.is_set():
            self.cancel()  # the core reads only its own flag
        return bool(super().cancelled)


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
