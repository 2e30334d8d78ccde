"""What a DAG implies of its data, and the tests of it: an independence for each pair apart, a dependence for each arc.

The tests are made in parts, so that a run that is stopped keeps those that are made.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

import numpy as np

from mahc.engine import CountSource
from mahc.engine.counts import PassSource
from mahc.graphs import DAG
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.names import rank_by_name
from mahc.graphs.walks import MSeparation
from mahc.independence import IndependenceTest, Questions, TableOracle
from mahc.learning.control import Control

Question = tuple[int, int, tuple[int, ...]]  # two variables, and the conditions
FIRST_PART = 64  # questions; the next part is larger while a part takes less than PART_SECONDS
PART_SECONDS = 0.2
FIRST_PART_OF_PASSES = 4096  # each part is a pass over all rows
MOST_CELLS = 1 << 24  # of the tables of one part


def implied_independences(dag: DAG, basis: str) -> Iterator[Question]:
    """For each pair that is not adjacent, the earlier one, the later one, and a set that separates them."""
    separation = MSeparation(dag.parent_bitsets, dag.child_bitsets, (0,) * len(dag.names), (0,) * len(dag.names))
    rank = rank_by_name(dag.names)
    for place, later in enumerate(dag.order):
        parents = dag.parent_bitsets[later]
        for earlier in dag.order[:place]:
            if parents >> earlier & 1:
                continue
            given = parents
            if basis == "separators":
                for v in sorted(members(parents), key=rank.__getitem__):
                    if not separation.connected(1 << earlier, 1 << later, given & ~(1 << v)):
                        given &= ~(1 << v)
            yield earlier, later, tuple(sorted(members(given), key=rank.__getitem__))


def needed_arcs(dag: DAG) -> Iterator[Question]:
    """Each arc, given the other parents of its head."""
    rank = rank_by_name(dag.names)
    for child in dag.order:
        parents = sorted(dag.parent_sets[child], key=rank.__getitem__)
        for parent in parents:
            others = to_bitset(parents) & ~(1 << parent)
            yield parent, child, tuple(sorted(members(others), key=rank.__getitem__))


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
    """Tests questions of the variables of rows, or of counts over pieces, by G2."""

    def __init__(self, rows: CountSource, min_rows_per_df: float, control: Control) -> None:
        self._size, self._least, self._control = rows.size, min_rows_per_df, control
        self._oracle = TableOracle(rows, IndependenceTest(), control)
        self._states = [len(counts) for counts in rows.marginals]
        self._first_part = FIRST_PART_OF_PASSES if isinstance(rows, PassSource) else FIRST_PART

    def run(self, questions: Iterator[Question], what: str, total: int) -> TestedQuestions:
        """Test the questions part by part, until all are answered or the control stops the run."""
        tested, size = TestedQuestions(), self._first_part
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
        cells = 0
        while len(taken) < size and cells < MOST_CELLS and (question := next(questions, None)) is not None:
            self._control.phase = phase.format(tested.asked + 1)
            if self._control.should_stop(0, np.nan):
                return []
            taken.append(question)
            cells += self._cells(question)
        return taken

    def _cells(self, question: Question) -> int:
        first, second, given = question
        return prod(self._states[v] for v in (first, second, *given)) if self._has_rows(question) else 0

    def _has_rows(self, question: Question) -> bool:
        first, second, given = question
        freedom = (self._states[first] - 1) * (self._states[second] - 1) * prod(self._states[v] for v in given)
        return freedom > 0 and self._size >= self._least * freedom
