"""Who runs passes over all pieces: here, this process, one piece at a time."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from mahc.cluster.choosing import SPOOL
from mahc.cluster.coding import Coding
from mahc.cluster.meter import PassMeter, PassProgress
from mahc.cluster.passes import Pass, contribute
from mahc.cluster.pieces import Piece
from mahc.cluster.shard import Shard
from mahc.engine.control import RunControl
from mahc.errors import DataError
from mahc.files.temporary import temporary_folder

T = TypeVar("T")


class Runner(Protocol):
    """Runs a pass over all pieces and adds the contributions.

    Examples
    --------
    >>> hasattr(LocalRunner, "run")  # one of the classes that do it
    True
    """

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        ...

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        ...

    @property
    def speculation(self) -> int:
        """For how many children a pass may count ahead of the search: more where a trip costs more."""
        ...

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all pieces; None when the control stops the run."""
        ...

    def open(self, coding: Coding) -> None:
        """Code the rows of all pieces, for the passes that need them coded."""
        ...

    def close(self) -> None:
        """Free what `open` holds."""
        ...


def is_settled(question: Pass[Any], total: Any) -> bool:
    """Whether the rest of the pieces cannot change a sum; few passes can tell."""
    settled = getattr(question, "settled", None)
    return settled is not None and bool(settled(total))


class LocalRunner:
    """This process, one piece at a time; coded rows are kept in memory while they fit, otherwise on disk.

    Parameters
    ----------
    pieces : sequence of Piece
        Where the rows are.
    threads : int
        Threads that count one piece.
    memory_bytes : int
        Memory for coded rows; what does not fit is written to a temporary folder, which `close` removes.
    folder : path, optional
        Where the temporary folder is made; the system's if left out.
    progress : callable, optional
        Called with a `PassProgress` after each piece.
    remove_pieces : callable, optional
        Called by `close`, where the pieces are temporary files.

    Examples
    --------
    >>> LocalRunner([], threads=1).passes
    0
    """

    speculation = 4

    def __init__(
        self,
        pieces: Sequence[Piece],
        threads: int = 1,
        memory_bytes: int = 1 << 30,
        folder: str | os.PathLike[str] | None = None,
        progress: Callable[[PassProgress], None] | None = None,
        remove_pieces: Callable[[], None] | None = None,
    ) -> None:
        self._pieces, self._threads, self._left = tuple(pieces), threads, memory_bytes
        self._base = Path(folder or tempfile.gettempdir())
        self._progress, self._remove_pieces = progress, remove_pieces
        self._coding: Coding | None = None
        self._kept: list[Shard | Path | None] = [None] * len(self._pieces)
        self._spool: Path | None = None
        self._passes = 0
        self.bytes_read = self.spool_bytes = 0  # of files and of coded rows on disk

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self._pieces)

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        return self._passes

    def open(self, coding: Coding) -> None:
        """Take note of the codes; pieces are coded when a pass first needs them."""
        self._coding = coding

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all pieces, in their order."""
        self._passes += 1
        meter = PassMeter(self._passes, question.name, [p.size for p in self._pieces], control, self._progress)
        total: Any = None
        for i, piece in enumerate(self._pieces):
            if meter.finish(i):
                return None
            part: Any = self._shard(i) if question.coded else self._raw(piece)
            found = contribute(question, part, i)
            total = found if i == 0 else question.add(total, found)
            if is_settled(question, total):
                break
        meter.finish(len(self._pieces))
        meter.end()
        return total  # type: ignore[no-any-return]

    def close(self) -> None:
        """Remove the temporary files."""
        self._kept = [None] * len(self._pieces)
        if self._remove_pieces is not None:
            self._remove_pieces()
        if self._spool is not None:
            shutil.rmtree(self._spool, ignore_errors=True)
            self._spool = None

    def _raw(self, piece: Piece) -> Piece:
        self.bytes_read += piece.size
        return piece

    def _shard(self, i: int) -> Shard:
        assert self._coding is not None
        kept = self._kept[i]
        if isinstance(kept, Shard):
            return kept
        if isinstance(kept, Path):
            self.bytes_read += kept.stat().st_size
            return _load(kept, self._pieces[i], self._coding, self._threads)
        shard = Shard(self._raw(self._pieces[i]), self._coding, self._threads)
        if shard.memory_bytes <= self._left:
            self._left -= shard.memory_bytes
            self._kept[i] = shard
        else:
            self._kept[i] = self._write(i, shard)
        return shard

    def _write(self, i: int, shard: Shard) -> Path:
        try:
            if self._spool is None:
                self._spool = temporary_folder(self._base / SPOOL)
            file = self._spool / f"{i}.codes"
            with file.open("wb") as stream:
                for column in shard.stored():
                    self.spool_bytes += stream.write(np.ascontiguousarray(column).data)
        except OSError as problem:
            self.close()
            raise DataError(
                f"coded rows cannot be written to {self._base}: {problem.strerror or problem}: free some space there, "
                "or set TMPDIR to another folder"
            ) from None
        return file


def _load(file: Path, piece: Piece, coding: Coding, threads: int) -> Shard:
    """The columns that were written, mapped into memory."""
    types = [np.dtype(np.int64)] * (coding.weights is not None) + [codes.dtype for codes in coding.codes]
    rows = file.stat().st_size // sum(kind.itemsize for kind in types)
    columns, start = [], 0
    for kind in types:
        columns.append(np.memmap(file, kind, "r", start, (rows,)) if rows else np.zeros(0, kind))
        start += rows * kind.itemsize
    weights = columns.pop(0) if coding.weights is not None else None
    return Shard(piece, coding, threads, (columns, weights))  # type: ignore[arg-type]
