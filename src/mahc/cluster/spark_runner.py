"""Passes on Spark executors, by `mapInArrow`: a partition of the data frame is a piece."""

from __future__ import annotations

import contextlib
import glob
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import polars as pl

from mahc._version import __version__
from mahc.cluster.coding import Coding
from mahc.cluster.engines import need
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.meter import PassMeter, PassProgress
from mahc.cluster.passes import Pass, contribute
from mahc.cluster.pieces import Piece, find_pieces
from mahc.cluster.shard import Shard
from mahc.cluster.spark_job import SparkJob
from mahc.data.settings import ReadSettings
from mahc.data.sources.frames import is_table
from mahc.engine.control import RunControl
from mahc.errors import DataError, MahcError
from mahc.files import find_address

T = TypeVar("T")
ANSWER, PIECE = "answer", "mahc piece"
CODED = "kind string, codes binary, mistake string"  # columns of coded rows: their type, their bytes
BRANCHES = 16  # contributions that one task adds up


def open_with_spark(
    on: object, data: Any, settings: ReadSettings, *, ordered: bool = False
) -> tuple[Any, Sequence[Piece] | None]:
    """A session, and the pieces of files that executors read themselves; or a Spark data frame of Parquet files.

    `on` is a session or an address such as spark://host:7077 or spark://local[2]. Files that this machine does not see,
    such as those of HDFS, are read by Spark; so are all files where a session has no context (Spark Connect). With
    `ordered` their rows are in the order of files and of places in them, not as Spark packs the files.
    """
    need("pyspark", "spark")
    from pyspark.sql import SparkSession

    listed = data if isinstance(data, list | tuple) else [data]
    session = on if isinstance(on, SparkSession) else open_session(str(on))
    here = all(find_address(each) is not None or is_table(each) or _is_here(each) for each in listed)
    if here and _context(session) is not None:
        return session, find_pieces(data, settings)
    odd = next((each for each in listed if is_table(each)), None)
    if odd is not None:
        name = find_address(odd) or odd
        raise DataError(f"{name} is a Delta or Iceberg table: read it with Spark, and pass the data frame")
    paths = [str(path) if (address := find_address(path)) is None else address.url for path in listed]
    frame = session.read.parquet(*paths)
    return frame.orderBy("_metadata.file_path", "_metadata.row_index") if ordered else frame, None


def _is_here(path: Any) -> bool:
    return os.path.exists(path) or (isinstance(path, str | os.PathLike) and bool(glob.glob(os.fspath(path))))


def _context(session: Any) -> Any:
    try:
        return session.sparkContext
    except Exception:  # Spark Connect has none
        return None


def frame_of_pieces(session: Any, pieces: Sequence[Piece]) -> Any:
    """A data frame with one partition for each piece, in which the piece is the only value."""
    rows = [(bytearray(pickle.dumps(piece)),) for piece in pieces]
    return session.createDataFrame(session.sparkContext.parallelize(rows, len(rows)), f"`{PIECE}` binary")


def open_session(address: str) -> Any:
    from pyspark.sql import SparkSession

    master = address if not address.startswith("spark://local") else address.removeprefix("spark://")
    try:
        return SparkSession.builder.master(master).appName("mahc").getOrCreate()
    except Exception as problem:  # Py4J and Java errors have no common type
        said = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise MahcError(f"no Spark answers at {address} ({said}): start it, or correct the address") from None


class SparkRunner:
    """Runs a pass as a Spark job; each partition gives one row with its contribution, and executors add them up.

    What travels between Spark's processes is written and read by this module alone, never from a user's file.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The data.
    progress : callable, optional
        Called with a `PassProgress` when partitions are done.
    pieces : sequence of Piece, optional
        The pieces of which the data are a `frame_of_pieces`.
    """

    speculation = 16

    def __init__(
        self,
        frame: Any,
        progress: Callable[[PassProgress], None] | None = None,
        pieces: Sequence[Piece] | None = None,
    ) -> None:
        self._frame, self._progress = frame.persist() if pieces is None else frame, progress
        self._read_here = pieces is not None
        self._sizes = [piece.size for piece in pieces or ()]
        self._coded: Any = None
        self._coding: Coding | None = None
        self._passes = 0
        try:
            self._context, self._partitions = frame.sparkSession.sparkContext, int(frame.rdd.getNumPartitions())
        except Exception:  # Spark Connect has no context
            self._context, self._partitions = None, 1

    @property
    def pieces(self) -> int:
        """How many partitions there are."""
        return self._partitions

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        return self._passes

    def open(self, coding: Coding) -> None:
        """Let the executors code their partitions in the first pass that needs it; Spark keeps the coded rows."""
        self._coding = coding
        names = [*coding.names, *([coding.weights] if coding.weights is not None else [])]
        names += [coding.experiments.column] if coding.experiments is not None else []
        chosen = (
            self._frame
            if self._read_here
            else self._frame.select(*(f"`{name.replace('`', '``')}`" for name in dict.fromkeys(names)))
        )
        self._coded = chosen.mapInArrow(_Code(pickle.dumps((__version__, coding))), CODED).persist()

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all partitions; None when the control stops the run."""
        self._passes += 1
        sent = pickle.dumps((__version__, question, self._coding if question.coded else None))
        frame = self._coded if question.coded else self._frame
        answers = frame.mapInArrow(_Count(sent), f"{ANSWER} binary")
        if self._partitions > BRANCHES:
            answers = answers.repartition(-(-self._partitions // BRANCHES)).mapInArrow(_Add(sent), f"{ANSWER} binary")
        sizes = self._sizes or [0] * self._partitions
        meter = PassMeter(self._passes, question.name, sizes, control, self._progress)
        job = SparkJob(self._context, answers.collect)
        rows = job.wait(meter)
        meter.end()
        return None if rows is None else _add_up(question, (pickle.loads(bytes(row[ANSWER])) for row in rows))

    def close(self) -> None:
        """Let Spark forget the data frame and the coded rows."""
        with contextlib.suppress(Exception):  # a session that is gone holds nothing
            if self._coded is not None:
                self._coded.unpersist()
            self._frame.unpersist()


def _add_up(question: Pass[T], parts: Iterable[Any]) -> T:
    total: Any = None
    for part in parts:
        if isinstance(part, str):
            raise MahcError(part)
        total = part if total is None else question.add(total, part)
    return total  # type: ignore[no-any-return]


class _Code:
    """What an executor does with a partition first: it codes the rows; each column is one row of what Spark keeps."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        version, coding = pickle.loads(self._sent)
        held = [batch for batch in batches if batch.num_rows]
        if version != __version__:
            yield _coded_row("", b"", _other_version(version))
        elif held:
            try:
                stored = Shard(_piece(held), coding).stored()
            except MahcError as mistake:
                yield _coded_row("", b"", str(mistake))
                return
            for column in stored:
                yield _coded_row(column.dtype.str, np.ascontiguousarray(column).tobytes(), "")


class _Count:
    """What an executor does with a partition, raw or coded: all its batches together are one piece."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        version, question, coding = pickle.loads(self._sent)
        held = [batch for batch in batches if batch.num_rows]
        if version != __version__:
            yield _write(_other_version(version))
        elif held:
            try:
                part = _piece(held) if coding is None else _shard(held, coding)
                yield _write(contribute(question, part, _partition()))
            except MahcError as mistake:
                yield _write(str(mistake))


def _piece(batches: Sequence[Any]) -> Piece:
    import pyarrow as pa

    if batches[0].schema.names == [PIECE]:
        found: Piece = pickle.loads(batches[0].column(0)[0].as_py())
        return found
    return FramePiece(pa.Table.from_batches(batches), "a partition")


def _shard(batches: Sequence[Any], coding: Coding) -> Shard:
    """The rows that `_Code` coded."""
    stored: list[Any] = []
    for batch in batches:
        for kind, codes, mistake in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if mistake:
                raise MahcError(mistake)
            stored.append(np.frombuffer(codes, np.dtype(kind)))
    weights = stored.pop(0) if coding.weights is not None else None
    return Shard(FramePiece(pl.DataFrame(), "a partition"), coding, stored=(stored, weights))


def _coded_row(kind: str, codes: bytes, mistake: str) -> Any:
    import pyarrow as pa

    columns = [pa.array([kind], pa.string()), pa.array([codes], pa.binary()), pa.array([mistake], pa.string())]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "codes", "mistake"])


def _other_version(version: str) -> str:
    return f"an executor has mahc {__version__}, the driver {version}: install one version"


def _partition() -> int:
    """The number of the partition that this task works on."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else int(context.partitionId())


class _Add:
    """What an executor does with contributions: it adds them up."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        _, question, _ = pickle.loads(self._sent)
        parts = [pickle.loads(found) for batch in batches for found in batch.column(0).to_pylist()]
        if parts:
            try:
                yield _write(_add_up(question, parts))
            except MahcError as mistake:
                yield _write(str(mistake))


def _write(answer: Any) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([pickle.dumps(answer)], pa.binary())], names=[ANSWER])
