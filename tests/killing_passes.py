"""Passes during which a Dask worker or a Spark executor is killed, once for each marker file; passes that wait."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.meter import PassProgress
from mahc.cluster.passes import contribute


def mark(file: Path) -> bool:
    """Make a file; whether it was not there before."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def ancestor(generations: int) -> int:
    """This process, its parent, the parent of that, ..."""
    found = os.getpid()
    for _ in range(generations):
        found = int(Path(f"/proc/{found}/stat").read_text().rpartition(")")[2].split()[1])
    return found


@dataclass(frozen=True)
class WrappedPass:
    """A pass that does what another one does; its tasks leave marks in a folder."""

    inner: Any
    folder: Path

    @property
    def name(self) -> str:
        return str(self.inner.name)

    @property
    def coded(self) -> bool:
        return bool(self.inner.coded)

    def of(self, part: Any) -> Any:
        return self.of_piece(part, 0)

    def of_piece(self, part: Any, place: int) -> Any:
        return contribute(self.inner, part, place)

    def add(self, first: Any, second: Any) -> Any:
        return self.inner.add(first, second)


@dataclass(frozen=True)
class KillingPass(WrappedPass):
    """A pass whose first tasks kill the process that they run in, or one of its ancestors, and run again elsewhere."""

    number: int
    kills: int
    generations: int = 0

    def of_piece(self, part: Any, place: int) -> Any:
        for kill in range(self.kills):
            if mark(self.folder / f"pass-{self.number}-kill-{kill}"):
                os.kill(ancestor(self.generations), signal.SIGKILL)
                time.sleep(600)  # where an ancestor is killed, this process ends with it
        return super().of_piece(part, place)


@dataclass(frozen=True)
class WaitingPass(WrappedPass):
    """A pass whose tasks say that they began, and then wait until a file is there."""

    def of_piece(self, part: Any, place: int) -> Any:
        mark(self.folder / "began")
        while not (self.folder / "go").exists():
            time.sleep(0.05)
        return super().of_piece(part, place)


class KillingRunner(DaskRunner):
    """A runner on a cluster whose workers die in every pass."""

    def __init__(self, client: Any, pieces: Any, folder: Path, kills: int = 1) -> None:
        super().__init__(client, pieces)
        self._folder, self._kills = folder, kills

    def run(self, question: Any, control: Any = None) -> Any:
        return super().run(KillingPass(question, self._folder, self.passes + 1, self._kills), control)


class WaitingRunner(DaskRunner):
    """A runner whose tasks wait in one pass; when the first of them has begun, a function is called."""

    def __init__(
        self, client: Any, pieces: Any, folder: Path, number: int, then: Callable[[], None], owned: bool = False
    ) -> None:
        super().__init__(client, pieces, owned, self._look)
        self._folder, self._number, self._then = folder, number, then

    def run(self, question: Any, control: Any = None) -> Any:
        waits = self.passes + 1 == self._number
        return super().run(WaitingPass(question, self._folder) if waits else question, control)

    def _look(self, state: PassProgress) -> None:
        if state.number == self._number and state.done == 0:
            wait_for(lambda: (self._folder / "began").exists())
            self._then()


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Return when something is true; fail if it is not after a time that no machine needs."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
