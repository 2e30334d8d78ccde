"""boss-pag: the PAG of the graph that order search learns, less the edges that hidden common causes explain.

    search     order search (boss): the best DAG if there were no hidden common causes
    tests      an edge that a hidden cause explains has a common neighbour that is a collider: x -> z <- (hidden) -> y
               makes x and y dependent given z. Test x and y given the parents of y without such neighbours
    marks      colliders of the DAG and of the tests that removed an edge, then Zhang's rules R1 to R10

Without a removed edge the result is the PAG of the DAG's equivalence class ("LV-Dumb" of Ramsey, Andrews and Spirtes
2025). Removing edges by few, chosen tests is the idea of their FCIT; which sets are tested is our own choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.constraint_based.data_oracle import make_oracle
from mahc.algorithms.constraint_based.extension import fit_pag
from mahc.algorithms.constraint_based.knowledge_checks import refuse_path_to_earlier_tier
from mahc.algorithms.hybrid.covering_edges import PagFromDag, separate_covered
from mahc.algorithms.score_based.boss import BestOrderScoreSearch
from mahc.graphs import MixedGraph
from mahc.graphs.bitset import to_bitset
from mahc.independence import CachedOracle, IndependenceTest
from mahc.independence.declarations import (
    declare_alpha,
    declare_degrees_of_freedom,
    declare_min_rows_per_df,
    declare_statistic,
)
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.connecting import parents_of
from mahc.learning.control import Stopped
from mahc.learning.found import FoundDag, FoundPattern, TestRecord, UnchosenArc
from mahc.learning.problem import Problem
from mahc.learning.stop_reason import StopReason

Pair = tuple[int, int]
RECORDED_PAIR_BYTES = 30  # of an ordered pair: its marks, and copies made on the way, about


@ALGORITHMS.register("boss-pag")
@dataclass(frozen=True)
class BossPag(BestOrderScoreSearch):
    """A PAG by order search and few tests, with hidden common causes allowed.

    The settings of the search are those of `boss`, those of the tests those of `fci`.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, BossPag()).graph.edges
    (Edge(left='a', mark='o-o', right='b'),)
    """

    alpha: float = declare_alpha(0.01)
    test: str = declare_statistic("g2")
    degrees_of_freedom: str = declare_degrees_of_freedom("adjusted")
    min_rows_per_df: float = declare_min_rows_per_df()

    name: ClassVar[str] = "boss-pag"
    counts_states: ClassVar[bool] = True
    estimator: ClassVar[str] = "BossPAG"
    ending: ClassVar[str] = "no move in the order, no kick and no single arc is better, and all tests were made"
    missing_methods: ClassVar[tuple[str, ...]] = ("pairwise",)
    idle: ClassVar[tuple[str, ...]] = ("all_relevant", "max_parents")

    def memory_needed(self, variables: int) -> float:
        """That of the search, and what is recorded of every pair."""
        return super().memory_needed(variables) + RECORDED_PAIR_BYTES * variables**2

    def search(self, problem: Problem) -> FoundPattern:
        """Search the orders, test the edges with common neighbours, and orient."""
        found = self.search_orders(problem)
        parents = [to_bitset(mine) for mine in parents_of(problem.variables, found.arcs)]
        reason = StopReason(found.stop_reason)
        state = PagFromDag(parents, problem.constraints)
        if not reason.early:
            problem.control.phase = "testing"
            test = IndependenceTest(self.test, self.degrees_of_freedom, self.min_rows_per_df)
            oracle = CachedOracle(make_oracle(problem, test))
            if not separate_covered(state, oracle, self.alpha, problem.control.check):
                reason = StopReason(problem.control.stop_reason() or "interrupted")
        marks, finished = state.orient(problem.control.check_ending if reason.early else problem.control.check)
        if not finished and not reason.early:
            reason = StopReason(problem.control.stop_reason() or "interrupted")
        graph = MixedGraph.from_valid(problem.constraints.names, marks)
        refuse_path_to_earlier_tier(self.name, graph, problem.constraints)
        arcs, reason = self._fit(found, state, graph, problem, reason)
        record = _record(state, found, problem, self.alpha)
        return FoundPattern("PAG", graph.marks, record, arcs, reason)

    def _fit(
        self, found: FoundDag, state: PagFromDag, graph: MixedGraph, problem: Problem, reason: StopReason
    ) -> tuple[tuple[Pair, ...] | None, StopReason]:
        if reason.early:
            return None, reason
        if not state.separations:  # while no edge is removed, the DAG that was searched for is in the class of the PAG
            return found.arcs, reason
        try:
            return fit_pag(graph, problem.constraints, problem.control.check), reason
        except Stopped:
            return None, StopReason(problem.control.stop_reason() or "interrupted")


def _record(state: PagFromDag, found: FoundDag, problem: Problem, alpha: float) -> TestRecord:
    """The tests that removed edges and, of the pairs that the search left unconnected, what an arc would change."""
    if not problem.details:  # the result does not keep them
        return TestRecord(alpha, {}, {}, {})
    separations = {pair: (tuple(sorted(known.given)), known.log_p) for pair, known in sorted(state.separations.items())}
    unchosen = UnchosenPairs(state.parents, found)
    return TestRecord(alpha, separations, *problem.constraints.forbidden_and_required(), unchosen)


class UnchosenPairs(Mapping[Pair, UnchosenArc]):
    """The pairs that a search left unconnected; what an arc would change is looked up when it is asked for."""

    def __init__(self, parents: Sequence[int], found: FoundDag) -> None:
        self._parents, self._found = tuple(parents), found

    def __getitem__(self, pair: Pair) -> UnchosenArc:
        u, v = pair
        if not 0 <= u < v < len(self._parents) or (self._parents[u] >> v | self._parents[v] >> u) & 1:
            raise KeyError(pair)
        return _price_unchosen(self._found, u, v)

    def __iter__(self) -> Iterator[Pair]:
        for u, mine in enumerate(self._parents):
            for v in range(u + 1, len(self._parents)):
                if not (mine >> v | self._parents[v] >> u) & 1:
                    yield u, v

    def __len__(self) -> int:
        n = len(self._parents)
        return n * (n - 1) // 2 - sum(mine.bit_count() for mine in self._parents)


def _price_unchosen(found: FoundDag, u: int, v: int) -> UnchosenArc:
    """What the better arc between the two would change: in the graph or, where both were pruned, alone."""
    if found.gains is not None:
        gains = [gain for gain in (float(found.gains[u, v]), float(found.gains[v, u])) if gain == gain]
        if gains:
            return UnchosenArc(max(gains))
    pruned = None if found.pruning is None else found.pruning.details
    if pruned is not None and pruned.bases:
        base = pruned.bases[0]
        alone = [float(pruned.score[a, b]) - base[b].score for a, b in ((u, v), (v, u)) if pruned.level[a, b] == 1]
        if alone:
            return UnchosenArc(max(alone), alone=True)
    return UnchosenArc(None)
