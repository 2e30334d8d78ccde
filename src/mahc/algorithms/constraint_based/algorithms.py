"""PC-Stable and FCI as algorithms among the others."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.constraint_based.extension import fit_cpdag, fit_pag
from mahc.algorithms.constraint_based.fci import fci
from mahc.algorithms.constraint_based.finding import Finding
from mahc.algorithms.constraint_based.pc_stable import pc_stable
from mahc.algorithms.constraint_based.rows import make_oracle
from mahc.errors import KnowledgeError
from mahc.graphs import Mark
from mahc.independence import IndependenceOracle, IndependenceTest
from mahc.independence.declarations import (
    declare_alpha,
    declare_degrees_of_freedom,
    declare_max_conditions,
    declare_min_rows_per_df,
    declare_statistic,
)
from mahc.knowledge.constraints import Constraints
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.found import Found
from mahc.learning.problem import Problem
from mahc.learning.tested_graph import TestedGraph, TestRecord
from mahc.setting_checks import Flag
from mahc.settings import setting

Arc = tuple[int, int]


@dataclass(frozen=True)
class ConstraintAlgorithm(Algorithm):
    """What the two share: the test of independence, and how an answer is handed over."""

    alpha: float = declare_alpha(0.01)
    test: str = declare_statistic("g2")
    degrees_of_freedom: str = declare_degrees_of_freedom("adjusted")
    min_rows_per_df: float = declare_min_rows_per_df()
    max_conditions: int | None = declare_max_conditions()

    answer: ClassVar[str]  # what kind of graph it puts out
    ending: ClassVar[str] = "every edge left is dependent given each set tested"
    idle: ClassVar[tuple[str, ...]] = ("start", "targets", "all_relevant")

    def _make_test(self) -> IndependenceTest:
        return IndependenceTest(self.test, self.degrees_of_freedom, self.min_rows_per_df)

    def search(self, problem: Problem) -> Found:
        """Test, orient, and look for a DAG that fits; stopped early, edges not tested are still there."""
        problem.watch.phase = "testing"
        finding = self._find(make_oracle(problem, self._make_test()), problem)
        # Of a graph that still has its untested edges no DAG is made: it would be nearly complete.
        arcs = self._fit(finding, problem.constraints) if finding.stop_reason == "converged" else None
        record = _record_tests(finding, problem.constraints, self.alpha)
        tested = TestedGraph(self.answer, finding.graph.marks, record, has_dag=arcs is not None)
        return Found(arcs or (), (), finding.stop_reason, tested=tested)

    @abstractmethod
    def _find(self, oracle: IndependenceOracle, problem: Problem) -> Finding:
        """The graph and what separated."""

    @abstractmethod
    def _fit(self, finding: Finding, constraints: Constraints) -> tuple[Arc, ...] | None:
        """The arcs of a DAG that fits the graph, where there is one."""


@ALGORITHMS.register("pc-stable")
@dataclass(frozen=True)
class PCStable(ConstraintAlgorithm):
    """A CPDAG from tests of independence, assuming that no common cause is hidden.

    `test` is g2, x2 or mi, at the level `alpha`; `degrees_of_freedom` (adjusted, plain) says how degrees of freedom are
    counted and `min_rows_per_df` how many rows each takes for a test to be made. `max_conditions` limits the
    conditions of a test.

    >>> import mahc
    >>> learned = mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, PCStable())
    >>> learned.graph.edges, learned.dag.arcs
    ((Edge(left='a', mark='---', right='b'),), (('a', 'b'),))
    """

    name: ClassVar[str] = "pc-stable"
    estimator: ClassVar[str] = "PCStable"
    answer: ClassVar[str] = "CPDAG"

    def _find(self, oracle: IndependenceOracle, problem: Problem) -> Finding:
        return pc_stable(
            oracle, problem.constraints, alpha=self.alpha, max_conditions=self.max_conditions, watch=problem.watch
        )

    def _fit(self, finding: Finding, constraints: Constraints) -> tuple[Arc, ...] | None:
        return fit_cpdag(finding.graph, constraints)


@ALGORITHMS.register("fci")
@dataclass(frozen=True)
class FCI(ConstraintAlgorithm):
    """A PAG from tests of independence, whatever common causes are hidden; settings as those of PC-Stable.

    With `max_conditions` it is the anytime FCI: what it says of tails and arrows is still sound, edges may be left that
    larger sets would remove. `only_needed` looks for the sets beyond neighbours only among variables on paths between
    the two that may be ancestors of one of them: nothing else can be needed, and there are far fewer of them.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, FCI()).graph.edges
    (Edge(left='a', mark='o-o', right='b'),)
    """

    test: str = declare_statistic("x2")
    only_needed: bool = setting(
        True, help="Search separating sets only among variables on paths that can matter (same result).", check=Flag()
    )

    name: ClassVar[str] = "fci"
    estimator: ClassVar[str] = "FCI"
    answer: ClassVar[str] = "PAG"
    idle: ClassVar[tuple[str, ...]] = (*ConstraintAlgorithm.idle, "max_parents")

    def _find(self, oracle: IndependenceOracle, problem: Problem) -> Finding:
        finding = fci(
            oracle,
            problem.constraints,
            alpha=self.alpha,
            max_conditions=self.max_conditions,
            only_needed=self.only_needed,
            watch=problem.watch,
        )
        back = problem.constraints.tier_order.find_path_back(finding.graph.where(Mark.ARROW, Mark.TAIL))
        if back is not None:
            # FCI's rules check single arcs; a path through variables in no tier may still lead back.
            late, early = problem.constraints.names[back[0]], problem.constraints.names[back[-1]]
            raise KnowledgeError(
                f"fci found a directed path from {late} to {early}, which is in an earlier tier, through variables "
                "that are in none: name all variables in the tiers"
            )
        return finding

    def _fit(self, finding: Finding, constraints: Constraints) -> tuple[Arc, ...] | None:
        return fit_pag(finding.graph, constraints)


def _record_tests(finding: Finding, constraints: Constraints, alpha: float) -> TestRecord:
    separations = {
        pair: (tuple(sorted(found.given)), found.log_p) for pair, found in sorted(finding.separations.items())
    }
    return TestRecord(alpha, separations, *constraints.forbidden_and_required())
