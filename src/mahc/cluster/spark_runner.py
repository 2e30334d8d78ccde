"""Passes on Spark executors, by `mapInArrow`: a partition of the data frame is a piece."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from typing import Any, TypeVar

from mahc._version import __version__
from mahc.cluster.coding import Coding
from mahc.cluster.engines import need
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.passes import Pass
from mahc.cluster.shard import Shard
from mahc.engine.control import RunControl
from mahc.errors import MahcError

T = TypeVar("T")
ANSWER = "answer"


def read_with_spark(on: object, data: Any) -> Any:
    """A Spark data frame of Parquet files, from a session or an address such as spark://host:7077 or spark://local[2]."""
    need("pyspark", "spark")
    from pyspark.sql import SparkSession

    session = on if isinstance(on, SparkSession) else _session(str(on))
    paths = [str(path) for path in data] if isinstance(data, list | tuple) else [str(data)]
    return session.read.parquet(*paths)


def _session(address: str) -> Any:
    from pyspark.sql import SparkSession

    master = address if not address.startswith("spark://local") else address.removeprefix("spark://")
    try:
        return SparkSession.builder.master(master).appName("mahc").getOrCreate()
    except Exception as problem:  # Py4J and Java errors have no common type
        said = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise MahcError(f"no Spark answers at {address} ({said}): start it, or correct the address") from None


class SparkRunner:
    """Runs a pass as a Spark job; each partition gives one row with its contribution.

    What travels between Spark's processes is written and read by this module alone, never from a user's file.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The data.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame.persist()
        self._coding: Coding | None = None
        self._passes = 0

    @property
    def pieces(self) -> int:
        """How many partitions there are."""
        return int(self._frame.rdd.getNumPartitions())

    @property
    def passes(self) -> int:
        """How many passes have been run."""
        return self._passes

    def open(self, coding: Coding) -> None:
        """Send the codes with every later pass; executors code their partitions for each of them."""
        self._coding = coding

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """The sum over all partitions."""
        self._passes += 1
        sent = pickle.dumps((__version__, question, self._coding if question.coded else None))
        answers = self._frame.mapInArrow(_Job(sent), f"{ANSWER} binary")
        total: Any = None
        try:
            rows = answers.toLocalIterator()
            for row in rows:
                found = pickle.loads(bytes(row[ANSWER]))
                if isinstance(found, str):
                    raise MahcError(found)
                total = found if total is None else question.add(total, found)
        except MahcError:
            raise
        except Exception as problem:  # Py4J and Java errors have no common type
            said = (str(problem).splitlines() or [type(problem).__name__])[0][:200]
            raise MahcError(f"the Spark job failed ({said}): see Spark's log") from None
        return total  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let Spark forget the data frame."""
        self._frame.unpersist()


class _Job:
    """What an executor does with a partition: all its batches together are one piece."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        version, question, coding = pickle.loads(self._sent)
        held = [batch for batch in batches if batch.num_rows]
        if not held and version == __version__:
            return
        answer: Any
        if version != __version__:
            answer = f"an executor has mahc {__version__}, the driver {version}: install one version"
        else:
            piece = FramePiece(pa.Table.from_batches(held), "a partition")
            try:
                answer = question.of(Shard(piece, coding) if coding is not None else piece)
            except MahcError as mistake:
                answer = str(mistake)
        buffer = io.BytesIO()
        pickle.dump(answer, buffer)
        yield pa.RecordBatch.from_arrays([pa.array([buffer.getvalue()], pa.binary())], names=[ANSWER])
