"""Passes on Spark executors, by `mapInArrow`: a partition of the data frame is a piece."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from mahc._version import __version__
from mahc.cluster.coding import Coding
from mahc.cluster.engines import need
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.meter import PassMeter, PassProgress
from mahc.cluster.passes import Pass, contribute
from mahc.cluster.shard import Shard
from mahc.cluster.spark_job import SparkJob
from mahc.engine.control import RunControl
from mahc.errors import MahcError

T = TypeVar("T")
ANSWER = "answer"
BRANCHES = 16  # contributions that one task adds up


def read_with_spark(on: object, data: Any, *, ordered: bool = False) -> Any:
    """A Spark data frame of Parquet files, from a session or an address such as spark://host:7077 or spark://local[2].

    With `ordered` the rows are in the order of files and of places in them, not as Spark packs the files.
    """
    need("pyspark", "spark")
    from pyspark.sql import SparkSession

    session = on if isinstance(on, SparkSession) else _session(str(on))
    paths = [str(path) for path in data] if isinstance(data, list | tuple) else [str(data)]
    frame = session.read.parquet(*paths)
    return frame.orderBy("_metadata.file_path", "_metadata.row_index") if ordered else frame


def _session(address: str) -> Any:
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
    """

    speculation = 16

    def __init__(self, frame: Any, progress: Callable[[PassProgress], None] | None = None) -> None:
        self._frame, self._progress = frame.persist(), progress
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
        """Send the codes with every later pass; executors code their partitions for each of them."""
        self._coding = coding

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all partitions; None when the control stops the run."""
        self._passes += 1
        sent = pickle.dumps((__version__, question, self._coding if question.coded else None))
        answers = self._frame.mapInArrow(_Count(sent), f"{ANSWER} binary")
        if self._partitions > BRANCHES:
            answers = answers.repartition(-(-self._partitions // BRANCHES)).mapInArrow(_Add(sent), f"{ANSWER} binary")
        meter = PassMeter(self._passes, question.name, [0] * self._partitions, control, self._progress)
        job = SparkJob(self._context, answers.collect)
        rows = job.wait(meter)
        meter.end()
        return None if rows is None else _add_up(question, (pickle.loads(bytes(row[ANSWER])) for row in rows))

    def close(self) -> None:
        """Let Spark forget the data frame."""
        with contextlib.suppress(Exception):  # a session that is gone holds nothing
            self._frame.unpersist()


def _add_up(question: Pass[T], parts: Iterable[Any]) -> T:
    total: Any = None
    for part in parts:
        if isinstance(part, str):
            raise MahcError(part)
        total = part if total is None else question.add(total, part)
    return total  # type: ignore[no-any-return]


class _Count:
    """What an executor does with a partition: all its batches together are one piece."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        version, question, coding = pickle.loads(self._sent)
        held = [batch for batch in batches if batch.num_rows]
        if version != __version__:
            yield _write(f"an executor has mahc {__version__}, the driver {version}: install one version")
        elif held:
            piece = FramePiece(pa.Table.from_batches(held), "a partition")
            try:
                part = Shard(piece, coding) if coding is not None else piece
                yield _write(contribute(question, part, _partition()))
            except MahcError as mistake:
                yield _write(str(mistake))


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
