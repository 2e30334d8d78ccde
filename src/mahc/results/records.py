"""The records that a result keeps: of the data, of the run, of its steps, of pruning and of constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from mahc.algorithms import ALGORITHMS
from mahc.cluster.pass_log import PassesRecord
from mahc.data import Dataset, ReadSettings
from mahc.data.reading_record import ReadingRecord, record_reading
from mahc.engine import CountSource
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import Algorithm
from mahc.learning.stop_reason import StopReason
from mahc.results.phrases import unit_of
from mahc.scores import Score


@dataclass(frozen=True)
class DataRecord:
    """The data that a graph was learned from: a fingerprint, number of rows, total weight, how they were read.

    `reading` is None where mahc did not read the data itself. `passes` is None where they were one table. Both are no
    part of equality: the same rows in one table and in pieces give equal results.
    """

    fingerprint: str
    rows: int
    size: int
    reading: ReadingRecord | None = field(default=None, compare=False)
    passes: PassesRecord | None = field(default=None, compare=False)


def record_data(data: Dataset | CountSource) -> DataRecord:
    """The record of data that are learned from."""
    reading: ReadSettings | None = getattr(data, "reading", None)
    record = None if reading is None else record_reading(reading, getattr(data, "notes", ()))
    fingerprint = data.fingerprint()  # may be a pass
    return DataRecord(fingerprint, data.rows, data.size, record, getattr(data, "pass_record", None))


@dataclass(frozen=True)
class RunRecord:
    """One run of an algorithm: everything that is needed to repeat it, and how it ended."""

    algorithm: str
    settings: Mapping[str, Any]
    score: Score
    knowledge: Knowledge
    start: tuple[tuple[str, str], ...]
    ties: str
    stop_reason: StopReason
    seconds: float
    version: str
    missing: str | None = None  # how missing values were treated, where they stayed missing: see MISSING_METHODS

    @property
    def score_settings(self) -> dict[str, float]:
        """The score's settings beside its base."""
        return {f.name: float(getattr(self.score, f.name)) for f in fields(self.score) if f.name != "base"}

    @property
    def unit(self) -> str:
        """The unit of the scores: bits for base 2."""
        return unit_of(self.score.base)

    def describe_end(self) -> str:
        """How the run ended, in words: the algorithm's own where it was finished."""
        known = self.algorithm in ALGORITHMS
        return self.stop_reason.describe(ALGORITHMS[self.algorithm].ending if known else Algorithm.ending)


@dataclass(frozen=True)
class TakenStep:
    """One move of the search, with the scores of the graph after it."""

    move: str
    tail: str
    head: str
    score: float
    averaged_score: float | None
    seconds: float


@dataclass(frozen=True)
class PruningSummary:
    """The arcs pruned at each level, the candidate parent sets of each level, and the arcs still allowed."""

    pruned_per_level: tuple[int, ...]
    valid_sets_per_level: tuple[int, ...]
    allowed_arcs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ConstraintCost:
    """The most that a single move which one constraint alone forbids would have added to the score."""

    constraint: str
    cost: float
