"""The arguments of one call of `learn`, after their checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mahc.data import Dataset
from mahc.engine import CountSource
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import Algorithm
from mahc.learning.experiments import ExperimentsRecord, record_experiments
from mahc.learning.numbers.record import NumbersRecord
from mahc.scores import Score


@dataclass(frozen=True)
class Request:
    """What to learn from, how, and under which constraints; variables in the order of the data's columns."""

    data: Dataset | CountSource
    algorithm: Algorithm
    score: Score
    knowledge: Knowledge
    constraints: Constraints
    start: tuple[tuple[str, str], ...]
    ties: str
    threads: int | None
    missing: str | None = None  # how missing values are treated, where they stayed missing: one of MISSING_METHODS
    numbers: NumbersRecord | None = None  # how columns of numbers are treated, where that was decided

    @cached_property
    def experiments(self) -> ExperimentsRecord | None:
        """The experiments of the rows; None where there are none."""
        return record_experiments(self.data)

    @property
    def incomplete(self) -> bool:
        """Whether values are missing."""
        return isinstance(self.data, Dataset) and not self.data.complete
