"""Tests of many independences on data, in parts, so that a run that is stopped keeps those that are made."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import prod

import numpy as np

from mahc.confidence.implied import Question
from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.independence import IndependenceTest, Questions, TableOracle
from mahc.learning.control import Control

FIRST_PART = 64  # questions; the next part is larger while a part takes less than PART_SECONDS
PART_SECONDS = 0.2


@dataclass
class TestedQuestions:
    """The questions that were tested, each with the logarithm of its p-value; and how many had too few rows."""

    __test__ = False  # pytest would take it for a test

    found: list[tuple[Question, float]] = field(default_factory=list)
    too_few_rows: int = 0

    @property
    def asked(self) -> int:
        """How many questions there were."""
        return len(self.found) + self.too_few_rows


class QuestionTesting:
    """Tests questions of the variables of a data set by G2."""

    def __init__(self, data: Dataset, rows: EngineRows, min_rows_per_df: float, control: Control) -> None:
        self._data, self._least, self._control = data, min_rows_per_df, control
        self._oracle = TableOracle(rows, IndependenceTest(), control)
        self._states: list[int] = data.state_counts.tolist()

    def run(self, questions: Iterator[Question], what: str, total: int) -> TestedQuestions:
        """Test the questions part by part, until all are answered or the control stops the run."""
        tested, size = TestedQuestions(), FIRST_PART
        while part := self._take(questions, size, tested, f"{what} {{:,}} of {total:,}"):
            began = time.perf_counter()
            possible = [question for question in part if self._has_rows(question)]
            if possible:
                asked = Questions.of([(second, [*given, first]) for first, second, given in possible])
                result = self._oracle.test(asked)
                if result is None:
                    break
                tested.found += zip(possible, result.log_p.tolist(), strict=True)
            tested.too_few_rows += len(part) - len(possible)
            if time.perf_counter() - began < PART_SECONDS:
                size *= 2
        return tested

    def _take(self, questions: Iterator[Question], size: int, tested: TestedQuestions, phase: str) -> list[Question]:
        """The next questions; none where the run is to stop. Finding a separating set takes time too."""
        taken: list[Question] = []
        for question in islice(questions, size):
            self._control.phase = phase.format(tested.asked + 1)
            if self._control.should_stop(0, np.nan):
                return []
            taken.append(question)
        return taken

    def _has_rows(self, question: Question) -> bool:
        first, second, given = question
        freedom = (self._states[first] - 1) * (self._states[second] - 1) * prod(self._states[v] for v in given)
        return freedom > 0 and self._data.size >= self._least * freedom
