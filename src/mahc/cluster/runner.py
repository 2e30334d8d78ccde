"""Who runs passes over all pieces: here, this process, one piece at a time."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np

from mahc.cluster.choosing import SPOOL
from mahc.cluster.coding import Coding
from mahc.cluster.meter import PassMeter, PassProgress
from mahc.cluster.passes import Pass, contribute
from mahc.cluster.piece_column import PieceColumn
from mahc.cluster.pieces import Piece, ReadablePiece
from mahc.cluster.shard import Shard
from mahc.engine.control import RunControl
from mahc.errors import DataError
from mahc.files.temporary import temporary_folder

if TYPE_CHECKING:
    import polars as pl

    from mahc.data.settings import ReadSettings
    from mahc.data.source_table import SourceTable

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


class RememberedPiece:
    """A piece whose columns stay in memory after they were read once, as long as they fit.

    Parameters
    ----------
    piece : Piece
        Where the rows are.
    take : callable
        Asks for so many bytes of memory; False where there are not so many.
    """

    def __init__(self, piece: Piece, take: Callable[[int], bool]) -> None:
        self._piece, self._take = piece, take
        self._kept: dict[str, PieceColumn] = {}
        self.name, self.size = piece.name, piece.size
        self.bytes, self.bytes_read = 0, 0  # in memory, and those of the file since it was last asked

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns and their types."""
        return self._piece.column_types()

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names; those that are not in memory are read."""
        missing = [name for name in names if name not in self._kept]
        self.bytes_read = self.size if missing else 0
        fresh = self._piece.columns(missing) if missing else iter(())
        for name in names:
            found = self._kept.get(name)
            if found is None:
                found = next(fresh)
                size = found.codes.nbytes + int(found.values.estimated_size())
                if self._take(size):
                    self._kept[name], self.bytes = found, self.bytes + size
            yield found
        for _ in fresh:
            pass  # a piece may look at its file once more at the end

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns, which are read and not kept."""
        self.bytes_read = self.size
        return cast("ReadablePiece", self._piece).table(settings)


class LocalRunner:
    """This process, one piece at a time; coded rows are kept in memory while they fit, otherwise on disk.

    Until a piece is coded, the columns that were read of it are kept as far as they fit into the same memory.

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
        self._remembered: dict[int, RememberedPiece] = {}
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
            part: Any = self._shard(i) if question.coded else self._remember(i, piece)
            found = contribute(question, part, i)
            if not question.coded:
                self.bytes_read += part.bytes_read
            total = found if i == 0 else question.add(total, found)
            if is_settled(question, total):
                break
        meter.finish(len(self._pieces))
        meter.end()
        return total  # type: ignore[no-any-return]

    def close(self) -> None:
        """Remove the temporary files."""
        self._kept, self._remembered = [None] * len(self._pieces), {}
        if self._remove_pieces is not None:
            self._remove_pieces()
        if self._spool is not None:
            shutil.rmtree(self._spool, ignore_errors=True)
            self._spool = None

    def _remember(self, i: int, piece: Piece) -> RememberedPiece:
        if i not in self._remembered:
            self._remembered[i] = RememberedPiece(piece, self._take)
        return self._remembered[i]

    def _take(self, size: int) -> bool:
        """Take memory, where there is so much."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def _shard(self, i: int) -> Shard:
        assert self._coding is not None
        kept = self._kept[i]
        if isinstance(kept, Shard):
            return kept
        if isinstance(kept, Path):
            self.bytes_read += kept.stat().st_size
            return _load(kept, self._pieces[i], self._coding, self._threads)
        remembered = self._remember(i, self._pieces[i])
        shard = Shard(remembered, self._coding, self._threads)
        self.bytes_read += remembered.bytes_read
        shard.piece = self._remembered.pop(i)._piece
        self._left += remembered.bytes
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
