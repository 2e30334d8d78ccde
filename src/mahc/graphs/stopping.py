"""How long work on a graph is stopped: it calls a function once in each round, which raises when the time is up."""

from __future__ import annotations

from collections.abc import Callable

Check = Callable[[], None]


def never_stop() -> None:
    """Nothing stops the work."""
