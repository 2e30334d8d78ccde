"""How far a pass over the pieces is, and whether it is to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mahc.engine.control import RunControl
from mahc.plurals import count

UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


@dataclass(frozen=True)
class PassProgress:
    """The state of a pass: its number and name, pieces and bytes done and in all, seconds since it began.

    >>> PassProgress(3, "pairs", 12, 200, 600_000_000, 10_000_000_000, 9.0).text()
    'pass 3 (pairs), 12 of 200 pieces, 600 MB of 10 GB, 141 s left'
    """

    number: int
    name: str
    done: int
    pieces: int
    bytes_done: int
    bytes: int
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """How long the pass may still take, by its bytes or else its pieces; None where nothing is done yet."""
        share = self.bytes_done / self.bytes if self.bytes else self.done / max(1, self.pieces)
        return None if share <= 0 else self.seconds * (1 - share) / share

    def text(self) -> str:
        """The state in words."""
        parts = [f"pass {self.number} ({self.name})", f"{self.done:,} of {count(self.pieces, 'piece')}"]
        if self.bytes:
            parts.append(f"{format_bytes(self.bytes_done)} of {format_bytes(self.bytes)}")
        left = self.seconds_left
        if left is not None:
            parts.append(f"{left:,.0f} s left")
        return ", ".join(parts)


class PassMeter:
    """Reports a pass to the control of the run and to a function, and says whether it is to stop.

    Parameters
    ----------
    number, name : int, str
        The pass.
    sizes : sequence of int
        The bytes of each piece; 0 where they are not known.
    control : RunControl, optional
        The control of the run.
    progress : callable, optional
        Called with a `PassProgress` after each piece.

    Examples
    --------
    >>> meter = PassMeter(1, "values", [10, 30], progress=lambda state: print(state.bytes_done))
    >>> meter.finish(1), meter.finish(2)
    10
    40
    (False, False)
    """

    def __init__(
        self,
        number: int,
        name: str,
        sizes: Sequence[int],
        control: RunControl | None = None,
        progress: Callable[[PassProgress], None] | None = None,
    ) -> None:
        self._number, self._name, self._control, self._progress = number, name, control, progress
        self._sizes, self._total, self._began = sizes, sum(sizes), time.perf_counter()
        self._done = -1

    def finish(self, done: int) -> bool:
        """Take note of how many pieces are done; whether to stop."""
        if done != self._done:
            self._done = done
            state = self._state(done)
            if self._progress is not None:
                self._progress(state)
            self._text = state.text()
        return self._control is not None and self._control.note(self._text)

    def end(self) -> None:
        """The pass is over: the control does not speak of it any more."""
        if self._control is not None:
            self._control.note("")

    def _state(self, done: int) -> PassProgress:
        seconds = time.perf_counter() - self._began
        return PassProgress(
            self._number, self._name, done, len(self._sizes), sum(self._sizes[:done]), self._total, seconds
        )


def format_bytes(count: int) -> str:
    """Bytes in the largest unit that keeps the number at 1 or more.

    >>> format_bytes(999), format_bytes(1_500_000_000)
    ('999 bytes', '1.5 GB')
    """
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.{1 if unit and value < 9.95 else 0}f} {UNITS[unit]}"
