"""Passes on Dask workers: they hold the coded pieces, and make lost ones again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from mahc._version import __version__
from mahc.cluster.coding import Coding
from mahc.cluster.engines import need
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.passes import Pass
from mahc.cluster.pieces import Piece
from mahc.cluster.shard import Shard
from mahc.engine.control import RunControl
from mahc.errors import MahcError

T = TypeVar("T")
RETRIES = 5
BRANCHES = 8  # contributions that one task adds up
WAIT = 0.2  # seconds between two looks at the control
TIMEOUT = 10  # seconds for a scheduler to answer


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
    """

    def __init__(self, client: Any, pieces: Sequence[Piece], owned: bool = False) -> None:
        self._client, self._pieces, self._owned = client, list(pieces), owned
        self._shards: list[Any] = []
        self._passes = 0
        self._check_versions()

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
        self._shards = [self._submit(Shard, piece, coding) for piece in self._pieces]

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all pieces; None when the control stops the run."""
        self._passes += 1
        parts = self._shards if question.coded else self._pieces
        level = [self._submit(_contribute, question, part) for part in parts]
        while len(level) > 1:
            groups = [level[i : i + BRANCHES] for i in range(0, len(level), BRANCHES)]
            level = [self._submit(_add_up, question, group) for group in groups]
        return self._wait(level[0], control)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the workers forget the coded pieces."""
        self._shards, self._pieces = [], []
        if self._owned:
            self._client.close()

    def _submit(self, function: Any, *arguments: Any) -> Any:
        return self._client.submit(function, *arguments, pure=False, retries=RETRIES)

    def _wait(self, future: Any, control: RunControl | None) -> Any:
        import distributed

        while True:
            if control is not None and control.should_stop(0, np.nan):
                future.cancel()
                return None
            try:
                return future.result(timeout=WAIT if control is not None else None)
            except (TimeoutError, distributed.TimeoutError):
                continue
            except (distributed.client.FutureCancelledError, distributed.KilledWorker, OSError) as problem:
                raise MahcError(f"the Dask cluster failed ({type(problem).__name__}): start it again") from None

    def _check_versions(self) -> None:
        try:
            found = self._client.run(_version)
        except Exception as problem:  # whatever a worker without mahc raises
            raise MahcError(
                f"the Dask workers cannot import mahc ({problem}): install mahc {__version__} there"
            ) from None
        wrong = {address: version for address, version in found.items() if version != __version__}
        if wrong:
            address, version = sorted(wrong.items())[0]
            raise MahcError(f"the worker {address} has mahc {version}, this process {__version__}: install one version")


def _version() -> str:
    return __version__


def _contribute(question: Pass[T], part: Any) -> T:
    return question.of(part)


def _add_up(question: Pass[T], parts: Sequence[T]) -> T:
    total = parts[0]
    for part in parts[1:]:
        total = question.add(total, part)
    return total
