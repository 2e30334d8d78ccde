"""Passes on Dask workers: they hold the coded pieces, and make lost ones again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from mahc._version import __version__
from mahc.cluster.coding import Coding
from mahc.cluster.engines import need
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.meter import PassMeter, PassProgress
from mahc.cluster.passes import Pass, contribute
from mahc.cluster.pieces import Piece
from mahc.cluster.shard import Shard
from mahc.engine.control import RunControl
from mahc.errors import MahcError

T = TypeVar("T")
RETRIES = 5
BRANCHES = 8  # contributions that one task adds up
WAIT = 0.2  # seconds between two looks at the control
TIMEOUT = 10  # seconds for a scheduler to answer
NO_WORKERS = 300  # seconds to wait for workers where all are gone: a cluster may be starting new ones
SECONDS_BETWEEN_CHECKS = 2
_GONE = "the Dask scheduler does not answer any more ({}): start it again"


def connect_dask(on: object) -> Any:
    """The client: the one given, or a new one for the address dask://host:8786."""
    need("distributed", "dask")
    import distributed

    if isinstance(on, distributed.Client):
        return on
    if on is None:
        try:
            return distributed.get_client()
        except ValueError:
            raise MahcError(
                "the data are a Dask data frame and no client is connected: make a distributed.Client first"
            ) from None
    address = str(on).replace("dask://", "tcp://", 1)
    try:
        return distributed.Client(address, timeout=TIMEOUT)
    except (OSError, TimeoutError):
        raise MahcError(f"no Dask scheduler answers at {on}: start one there, or correct the address") from None


def frame_pieces(frame: Any, client: Any) -> list[Any]:
    """The partitions of a Dask data frame, as futures of pieces."""
    parts = client.compute(frame.to_delayed())
    return [client.submit(FramePiece, part, f"partition {i}", pure=False) for i, part in enumerate(parts)]


class DaskRunner:
    """Runs passes on the workers of a client; contributions are added in a tree.

    Each piece has one task for each pass, and its result is used once: a worker that is lost and whose tasks run
    again elsewhere cannot count rows twice.

    Parameters
    ----------
    client : distributed.Client
        The connection to the cluster.
    pieces : sequence of Piece
        Where the rows are; or futures of pieces.
    owned : bool
        Whether `close` closes the client.
    progress : callable, optional
        Called with a `PassProgress` when pieces are done.
    """

    speculation = 16

    def __init__(
        self,
        client: Any,
        pieces: Sequence[Piece],
        owned: bool = False,
        progress: Callable[[PassProgress], None] | None = None,
    ) -> None:
        self._client, self._pieces, self._owned, self._progress = client, list(pieces), owned, progress
        self._sizes = [getattr(piece, "size", 0) if not hasattr(piece, "key") else 0 for piece in self._pieces]
        self._shards: list[Any] = []
        self._passes = 0
        try:
            self._check_versions()
        except BaseException:
            self.close()
            raise

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self._pieces)

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        return self._passes

    def open(self, coding: Coding) -> None:
        """Let the workers code the pieces; they keep them."""
        # The coding is an argument of each task: scattered data would be lost with the workers that hold them.
        self._shards = [self._submit(_code, piece, coding) for piece in self._pieces]

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all pieces; None when the control stops the run."""
        self._passes += 1
        parts = self._shards if question.coded else self._pieces
        asked = [self._submit(_contribute, question, part, place) for place, part in enumerate(parts)]
        level, made = asked, list(asked)
        while len(level) > 1:
            groups = [level[i : i + BRANCHES] for i in range(0, len(level), BRANCHES)]
            level = [self._submit(_add_up, question, group) for group in groups]
            made += level
        meter = PassMeter(self._passes, question.name, self._sizes, control, self._progress)
        found = None
        try:
            found = self._wait(level[0], asked, meter)
        finally:
            if found is None:  # stopped, or failed: nothing may go on running
                self._cancel(made)
        meter.end()
        return found  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the workers forget the coded pieces."""
        self._shards, self._pieces = [], []
        if self._owned:
            self._client.close()

    def _submit(self, function: Any, *arguments: Any) -> Any:
        return self._client.submit(function, __version__, *arguments, pure=False, retries=RETRIES)

    def _cancel(self, tasks: Sequence[Any]) -> None:
        with contextlib.suppress(Exception):  # a cluster that is gone runs nothing
            self._client.cancel(tasks, force=True)

    def _wait(self, future: Any, asked: Sequence[Any], meter: PassMeter) -> Any:
        import distributed

        workers = _Workers(self._client)
        done = threading.Event()  # `result` with a timeout is no way to look now and then: distributed fails at times
        future.add_done_callback(lambda _: done.set())
        while not meter.finish(sum(one.status == "finished" for one in asked)):
            if not done.wait(WAIT):
                workers.check()
                continue
            try:
                return future.result()
            except distributed.KilledWorker:
                raise MahcError(
                    "the Dask workers that counted one of the pieces died, one after the other: give workers more "
                    "memory, cut the files into smaller ones, or raise distributed.scheduler.allowed-failures"
                ) from None
            except MemoryError:
                raise MahcError(
                    "a Dask worker has too little memory for a piece: "
                    "give workers more memory, or cut the files into smaller ones"
                ) from None
            except ImportError as problem:
                raise _no_mahc(problem) from None
            except (distributed.client.FutureCancelledError, OSError) as problem:
                raise MahcError(f"the Dask cluster failed ({type(problem).__name__}): start it again") from None
        return None

    def _check_versions(self) -> None:
        try:
            found = self._client.run(_version, on_error="return")
        except Exception as problem:  # a lost connection shows in many ways
            raise MahcError(_GONE.format(type(problem).__name__)) from None
        for address, version in sorted(found.items()):
            if isinstance(version, OSError):
                continue  # a worker that has just been lost
            if isinstance(version, BaseException):
                raise _no_mahc(version)
            _check_version(version, __version__, f"the worker {address}")


class _Workers:
    """Notices that a cluster has lost its scheduler, or all its workers for too long."""

    def __init__(self, client: Any) -> None:
        self._client, self._checked, self._seen = client, time.monotonic(), time.monotonic()

    def check(self) -> None:
        now = time.monotonic()
        if now - self._checked < SECONDS_BETWEEN_CHECKS:
            return
        self._checked = now
        try:
            found = self._client.nthreads()
        except Exception as problem:  # a lost connection shows in many ways
            raise MahcError(_GONE.format(type(problem).__name__)) from None
        if found:
            self._seen = now
        elif now - self._seen > NO_WORKERS:
            raise MahcError(f"the Dask cluster has had no workers for {NO_WORKERS} s: start some, or a new cluster")


def _version() -> str:
    return __version__


def _no_mahc(problem: BaseException) -> MahcError:
    return MahcError(f"the Dask workers cannot import mahc ({problem}): install mahc {__version__} there")


def _check_version(there: str, here: str, who: str) -> None:
    if there != here:
        raise MahcError(f"{who} has mahc {there}, this process {here}: install one version")


# What workers run. Each task knows the version of the client: a worker may join in the middle of a run.


def _code(version: str, piece: Piece, coding: Coding) -> Shard:
    _check_version(__version__, version, "a worker")
    return Shard(piece, coding)


def _contribute(version: str, question: Pass[T], part: Any, place: int) -> T:
    _check_version(__version__, version, "a worker")
    return contribute(question, part, place)


def _add_up(version: str, question: Pass[T], parts: Sequence[T]) -> T:
    _check_version(__version__, version, "a worker")
    total = parts[0]
    for part in parts[1:]:
        total = question.add(total, part)
    return total
