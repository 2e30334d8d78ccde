"""The records that results, graph samples and their files share: of the data, and of the run."""

from __future__ import annotations

from abc import ABC
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import msgspec

from mahc._version import __version__
from mahc.algorithms import ALGORITHMS
from mahc.cluster.pass_log import PassesRecord
from mahc.data import Dataset, ReadSettings
from mahc.data.reading_record import ReadingRecord, record_reading
from mahc.documents import Document, Number, Whole, from_plain, make_schema, to_plain
from mahc.engine import CountSource
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import Algorithm
from mahc.learning.experiments import ExperimentsRecord
from mahc.learning.measurement_error import MeasurementErrorRecord
from mahc.learning.numbers.record import NumbersRecord
from mahc.learning.request import Request
from mahc.learning.stop_reason import StopReason
from mahc.results.explanation import unit_of
from mahc.scores import Score, make_score

if TYPE_CHECKING:
    SavedReading = ReadingRecord
    SavedScore = Score
else:

    class SavedReading(ABC):  # noqa: B024 - the record is registered as its subclass
        """How data were read, with every field: one that is missing was lost."""

        @staticmethod
        def from_plain(found: Any) -> ReadingRecord:
            for each in fields(ReadingRecord):
                if each.name not in from_plain(found, dict[str, Any]):
                    raise ValueError(f"reading: the field {each.name} is missing")
            return from_plain(found, ReadingRecord)

        @staticmethod
        def schema() -> dict[str, Any]:
            return make_schema(ReadingRecord)

    class SavedScore(ABC):  # noqa: B024 - scores are registered as its subclasses
        """Any score, saved as its name and settings."""

        @staticmethod
        def from_plain(found: Any) -> Score:
            settings = from_plain(found, dict[str, str | int | Number | None])
            name = settings.pop("name", None)
            settings.pop("value", None)  # that of the graph
            return make_score(str(name), **settings)

        @staticmethod
        def schema() -> dict[str, Any]:
            named = {"name": {"type": "string"}, "base": {"type": "number"}}
            return {"type": "object", "properties": named, "description": "the score: its name and settings"}

    SavedReading.register(ReadingRecord)
    SavedScore.register(Score)


class DataRecord(Document, frozen=True, kw_only=False, eq=False):
    """The data that a graph was learned from: a fingerprint, number of rows, total weight, how they were read.

    `reading` is None where mahc did not read the data itself. `passes` is None where they were one table. Both are no
    part of equality: the same rows in one table and in pieces give equal results.
    """

    fingerprint: str
    rows: Whole
    size: Whole
    reading: SavedReading | None = None
    passes: PassesRecord | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataRecord):
            return NotImplemented
        return (self.fingerprint, self.rows, self.size) == (other.fingerprint, other.rows, other.size)

    def __hash__(self) -> int:
        return hash((self.fingerprint, self.rows, self.size))


def record_data(data: Dataset | CountSource) -> DataRecord:
    """The record of data that are learned from."""
    reading: ReadSettings | None = getattr(data, "reading", None)
    record = None if reading is None else record_reading(reading, getattr(data, "notes", ()))
    fingerprint = data.fingerprint()  # may be a pass
    return DataRecord(fingerprint, data.rows, data.size, record, getattr(data, "pass_record", None))


@to_plain.register
def _(passes: PassesRecord) -> dict[str, Any]:
    phases = {name: {"passes": p.passes, "bytes": p.bytes, "seconds": p.seconds} for name, p in passes.phases.items()}
    size = {"pieces": passes.pieces, "bytes": passes.bytes, "spool_bytes": passes.spool_bytes}
    return {"total": passes.total, **size, "phases": phases}


@to_plain.register
def _(score: Score) -> dict[str, Any]:
    return {"name": score.name, **{each.name: to_plain(getattr(score, each.name)) for each in fields(score)}}


class RunRecord(Document, frozen=True):
    """One run of an algorithm: everything that is needed to repeat it, and how it ended."""

    algorithm: str
    settings: dict[str, Any]
    score: SavedScore
    knowledge: Knowledge
    start: tuple[tuple[str, str], ...]
    ties: str
    stop_reason: StopReason
    seconds: Number
    version: str = __version__
    missing: str | None = None  # how missing values were treated, where they stayed missing: see MISSING_METHODS
    numbers: NumbersRecord | None = None  # how columns of numbers were treated, where that was decided
    measurement_error: MeasurementErrorRecord | None = None  # its signs in the graph, where they were measured
    experiments: ExperimentsRecord | None = None  # which variables were set in how many rows, where some were
    timings: dict[str, Number] = msgspec.field(default_factory=dict)  # seconds of each part of the whole run, in order

    @property
    def total_seconds(self) -> float:
        """How long the whole run took, with the reading of the data; `seconds` is the search alone."""
        return sum(self.timings.values()) if self.timings else self.seconds

    def timed(self, **seconds: float) -> RunRecord:
        """The record with more seconds of parts: "reading", "search", "description", ...

        >>> import mahc
        >>> run = mahc.learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}).run
        >>> list(run.timings)
        ['reading', 'search', 'description']
        >>> run.timed(reading=100.0).total_seconds > 100
        True
        """
        added = {name: self.timings.get(name, 0.0) + seconds.get(name, 0.0) for name in {**self.timings, **seconds}}
        return msgspec.structs.replace(self, timings=added)

    @property
    def score_settings(self) -> dict[str, float | None]:
        """The score's settings besides its base."""
        return {each.name: getattr(self.score, each.name) for each in fields(self.score) if each.name != "base"}

    @property
    def unit(self) -> str:
        """The unit of the scores: bits for base 2."""
        return unit_of(self.score.base)

    def describe_end(self) -> str:
        """How the run ended, in words: the algorithm's own where it was finished."""
        known = self.algorithm in ALGORITHMS
        return self.stop_reason.describe(ALGORITHMS[self.algorithm].ending if known else Algorithm.ending)


def record_run(
    request: Request, stop_reason: StopReason, seconds: float, error: MeasurementErrorRecord | None = None
) -> RunRecord:
    """Everything that is needed to repeat a run, and how it ended."""
    return RunRecord(
        algorithm=request.algorithm.name,
        settings=request.algorithm.settings(),
        score=request.score,
        knowledge=request.knowledge,
        start=request.start,
        ties=request.ties,
        stop_reason=stop_reason,
        seconds=seconds,
        missing=request.missing if request.incomplete else None,
        numbers=request.numbers,
        measurement_error=error,
        experiments=request.experiments,
    )
