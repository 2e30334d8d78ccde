"""How many passes over the pieces a run made, what for, and how many bytes they read."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mahc.cluster.meter import format_bytes
from mahc.engine.control import RunControl
from mahc.plurals import count

if TYPE_CHECKING:  # results keep records of passes, and most runs make none
    from mahc.cluster.coding import Coding
    from mahc.cluster.passes import Pass
    from mahc.cluster.runner import Runner

T = TypeVar("T")
PROJECTIONS, LATER_TABLES = "projections", "hub tables"


@dataclass(frozen=True)
class PhaseRecord:
    """The passes of one phase: their number, the bytes that they read, and their seconds.

    `bytes` is None where the rows are in a data frame of a cluster, whose size is not known.
    """

    passes: int
    bytes: int | None
    seconds: float


@dataclass(frozen=True)
class PassesRecord:
    """The passes of a run over data in pieces.

    Parameters
    ----------
    pieces : int
        How many pieces there are.
    phases : dict
        What the passes were for, in the order of their first pass, with a `PhaseRecord` each: "values", "complete
        rows", "distinct rows", "fingerprint", "ties", "tables", "projections", "hub tables".
    spool_bytes : int
        How many bytes of coded rows did not fit into memory and were written to disk.

    Examples
    --------
    >>> record = PassesRecord(4, {"values": PhaseRecord(1, 5000, 0.1), "tables": PhaseRecord(3, 0, 0.2)})
    >>> record.total, record.bytes
    (4, 5000)
    >>> record.text()
    '4 over 4 pieces (values 1, tables 3), 5.0 kB read'
    """

    pieces: int
    phases: Mapping[str, PhaseRecord]
    spool_bytes: int = 0

    @property
    def total(self) -> int:
        """How many passes there were."""
        return sum(phase.passes for phase in self.phases.values())

    @property
    def bytes(self) -> int | None:
        """How many bytes they read, of files and of coded rows on disk."""
        read = [phase.bytes for phase in self.phases.values() if phase.bytes is not None]
        return sum(read) if len(read) == len(self.phases) else None

    def text(self) -> str:
        """The record in words."""
        phases = ", ".join(f"{name} {phase.passes:,}" for name, phase in self.phases.items())
        text = f"{self.total:,} over {count(self.pieces, 'piece')} ({phases})"
        if self.bytes is not None:
            text += f", {format_bytes(self.bytes)} read"
        return text + (f", {format_bytes(self.spool_bytes)} of coded data written to disk" if self.spool_bytes else "")


class LoggedRunner:
    """A runner that records the passes of another one.

    Parameters
    ----------
    runner : Runner
        Who runs the passes. One that has `bytes_read` counts the bytes itself.
    source_bytes : int, optional
        The size of all pieces, from which the bytes follow otherwise: each pass over pieces reads all of them, and the
        first one over coded rows does.

    Examples
    --------
    >>> from mahc.cluster.runner import LocalRunner
    >>> LoggedRunner(LocalRunner([])).record.total
    0
    """

    def __init__(self, runner: Runner, source_bytes: int | None = None) -> None:
        self._runner, self._source_bytes = runner, source_bytes
        self._phases: dict[str, PhaseRecord] = {}
        self._pieces = runner.pieces
        self._coded = self._projected = False

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return self._runner.pieces

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        return self._runner.passes

    @property
    def speculation(self) -> int:
        """For how many children a pass may count ahead of the search."""
        return self._runner.speculation

    @property
    def record(self) -> PassesRecord:
        """The passes so far."""
        return PassesRecord(self._pieces, dict(self._phases), getattr(self._runner, "spool_bytes", 0))

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """Run a pass and record it."""
        before, began = getattr(self._runner, "bytes_read", None), time.perf_counter()
        found = self._runner.run(question, control)
        read = self._estimate(question.coded) if before is None else self._runner.bytes_read - before  # type: ignore[attr-defined]
        self._add(self._phase(question.name), read, time.perf_counter() - began)
        return found

    def open(self, coding: Coding) -> None:
        """Code the rows of all pieces, for the passes that need them coded."""
        self._runner.open(coding)

    def close(self) -> None:
        """Free what `open` holds."""
        self._runner.close()

    def _phase(self, name: str) -> str:
        """Tables that are counted after the projections are those of variables whose projection is not here."""
        if name == PROJECTIONS:
            self._projected = True
        return LATER_TABLES if name == "tables" and self._projected else name

    def _estimate(self, coded: bool) -> int | None:
        first, self._coded = not (coded and self._coded), self._coded or coded
        return self._source_bytes if first or self._source_bytes is None else 0

    def _add(self, phase: str, read: int | None, seconds: float) -> None:
        old = self._phases.get(phase, PhaseRecord(0, 0, 0.0))
        total = None if read is None or old.bytes is None else old.bytes + read
        self._phases[phase] = PhaseRecord(old.passes + 1, total, old.seconds + seconds)


def log_passes(runner: Runner, source_bytes: int | None = None) -> LoggedRunner:
    """The runner, recording its passes if it does not do so yet."""
    return runner if isinstance(runner, LoggedRunner) else LoggedRunner(runner, source_bytes)
