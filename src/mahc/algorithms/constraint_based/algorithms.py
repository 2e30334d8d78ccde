"""PC-Stable and FCI as registered algorithms."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from mahc.algorithms.constraint_based.extension import fit_cpdag, fit_pag
from mahc.algorithms.constraint_based.fci import fci, refuse_path_to_earlier_tier
from mahc.algorithms.constraint_based.pc_stable import pc_stable
from mahc.algorithms.constraint_based.separations import ConstraintOutcome, Separation
from mahc.algorithms.constraint_based.testing import MakesTests
from mahc.graphs import MixedGraph
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import (
    declare_alpha,
    declare_degrees_of_freedom,
    declare_max_conditions,
    declare_min_rows_per_df,
    declare_test,
)
from mahc.knowledge.constraints import Constraints
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.control import Stopped
from mahc.learning.declarations import declare_memory_limit
from mahc.learning.found import FoundPattern, TestRecord
from mahc.learning.pair_views import PairView
from mahc.learning.problem import Problem
from mahc.setting_checks import Flag, OneOf
from mahc.settings import setting

Arc = tuple[int, int]
PAIR_BYTES = 30  # of an ordered pair: its p-value and marks, and copies made on the way, about


@dataclass(frozen=True)
class ConstraintAlgorithm(MakesTests, Algorithm):
    """What the two share: the settings of the tests, and the conversion of their outcome."""

    alpha: float = declare_alpha(0.01)
    test: str = declare_test()
    degrees_of_freedom: str = declare_degrees_of_freedom("adjusted")
    min_rows_per_df: float = declare_min_rows_per_df()
    max_conditions: int | None = declare_max_conditions()
    only_needed: bool = setting(
        True,
        help="Draw separating sets only from variables that can be needed to separate the two.",
        check=Flag(),
    )
    memory_mebibytes: int | None = declare_memory_limit()

    graph_kind: ClassVar[str]  # CPDAG or PAG
    searches_by_score: ClassVar[bool] = False
    ending: ClassVar[str] = "all tests were made"
    missing_methods: ClassVar[tuple[str, ...]] = ("pairwise",)  # each test on the rows complete in it
    idle: ClassVar[tuple[str, ...]] = ("start", "targets", "all_relevant", "beliefs")

    def memory_needed(self, variables: int) -> float:
        """The p-value and the marks of each pair."""
        return PAIR_BYTES * variables**2

    def search(self, problem: Problem) -> FoundPattern:
        """Test, orient, and look for a DAG that fits; when stopped early, untested edges remain."""
        problem.control.phase = "testing"
        constraints = problem.constraints
        outcome = self._find(self.make_oracle(problem), replace(problem, constraints=self.for_tests(constraints)))
        if constraints.contexts:  # the edges between contexts are assumed, and no part of the graph
            outcome = replace(outcome, graph=leave_out_contexts(outcome.graph, constraints))
        arcs, reason = None, outcome.stop_reason
        if not reason.early:  # no DAG is built from a graph with untested edges: it would be almost complete
            try:
                arcs = self._fit(outcome, problem)
            except Stopped:
                reason = problem.control.why_stopped()
        record = _record_tests(outcome, problem, self.alpha)
        return FoundPattern(self.graph_kind, outcome.graph.marks, record, arcs, reason)

    def for_tests(self, constraints: Constraints) -> Constraints:
        """The constraints with what is assumed of contexts."""
        return constraints.joining_contexts()

    @abstractmethod
    def _find(self, oracle: IndependenceOracle, problem: Problem) -> ConstraintOutcome:
        """The graph and the separating sets."""

    @abstractmethod
    def _fit(self, outcome: ConstraintOutcome, problem: Problem) -> tuple[Arc, ...] | None:
        """The arcs of a DAG that fits the graph; None where there is none; Stopped when the run is to stop."""


@ALGORITHMS.register("pc-stable")
@dataclass(frozen=True)
class PCStable(ConstraintAlgorithm):
    """A CPDAG from tests of independence, assuming that there are no hidden common causes.

    `test` is g2, x2 or mi for discrete columns, smooth or fisher-z for numbers, or auto; the significance level is
    `alpha`; `degrees_of_freedom` (adjusted, plain) says how they are
    counted, and `min_rows_per_df` how many rows per degree of freedom a test needs. `max_conditions` limits the size
    of the conditioning sets. `only_needed` draws them only from variables that can be needed, where there are
    very many sets; False is the textbook PC-Stable (docs/explanation/constraint.md).

    >>> import mahc
    >>> learned = mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, PCStable())
    >>> learned.graph.edges, learned.dag.arcs
    ((Edge(left='a', mark='---', right='b'),), (('a', 'b'),))
    """

    name: ClassVar[str] = "pc-stable"
    estimator: ClassVar[str] = "PCStable"
    graph_kind: ClassVar[str] = "CPDAG"

    def _find(self, oracle: IndependenceOracle, problem: Problem) -> ConstraintOutcome:
        return pc_stable(
            oracle,
            problem.constraints,
            alpha=self.alpha,
            max_conditions=self.max_conditions,
            only_needed=self.only_needed,
            control=problem.control,
        )

    def _fit(self, outcome: ConstraintOutcome, problem: Problem) -> tuple[Arc, ...] | None:
        return fit_cpdag(outcome.graph, problem.constraints, problem.control.check)


@ALGORITHMS.register("fci")
@dataclass(frozen=True)
class FCI(ConstraintAlgorithm):
    """A PAG from tests of independence, with hidden common causes allowed; settings as those of PC-Stable.

    With `max_conditions` it is the anytime FCI: its tails and arrowheads are still sound, but edges may remain that
    larger sets would remove.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, FCI()).graph.edges
    (Edge(left='a', mark='o-o', right='b'),)
    """

    name: ClassVar[str] = "fci"
    estimator: ClassVar[str] = "FCI"
    table_statistic: ClassVar[str] = "x2"
    graph_kind: ClassVar[str] = "PAG"
    idle: ClassVar[tuple[str, ...]] = (*ConstraintAlgorithm.idle, "max_parents")

    jci: str = setting(
        "123",
        help=(
            "Assumptions about contexts: 1 (nothing causes them), 2 (no hidden common cause of a context and another "
            "variable), 3 (their dependence on each other is given and not tested)."
        ),
        check=OneOf("123", "12", "13", "1"),
        metavar="N",
    )

    def for_tests(self, constraints: Constraints) -> Constraints:
        """The constraints with what is assumed of contexts."""
        return super().for_tests(constraints) if "3" in self.jci else constraints.testing_contexts()

    def _find(self, oracle: IndependenceOracle, problem: Problem) -> ConstraintOutcome:
        outcome = fci(
            oracle,
            problem.constraints,
            unconfounded="2" in self.jci,
            alpha=self.alpha,
            max_conditions=self.max_conditions,
            only_needed=self.only_needed,
            control=problem.control,
        )
        refuse_path_to_earlier_tier(self.name, outcome.graph, problem.constraints)
        return outcome

    def _fit(self, outcome: ConstraintOutcome, problem: Problem) -> tuple[Arc, ...] | None:
        return fit_pag(outcome.graph, problem.constraints, problem.control.check)


def leave_out_contexts(graph: MixedGraph, constraints: Constraints) -> MixedGraph:
    """The graph without the edges between contexts."""
    marks = graph.marks.copy()
    marks[np.ix_(constraints.context_places, constraints.context_places)] = 0
    return MixedGraph.from_marks(graph.names, marks)


def _describe_separation(found: Separation) -> tuple[tuple[int, ...], float]:
    return tuple(sorted(found.given)), found.log_p


def _record_tests(outcome: ConstraintOutcome, problem: Problem, alpha: float) -> TestRecord:
    if not problem.details:  # the result does not keep them
        return TestRecord(alpha, {}, {}, {})
    separations = PairView(outcome.separations, _describe_separation)
    return TestRecord(alpha, separations, *problem.constraints.forbidden_and_required())
