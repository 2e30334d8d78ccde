"""boss-pag: the PAG of the graph that order search learns, less the edges that hidden common causes explain.

    search     order search (boss): the best DAG if there were no hidden common causes
    tests      an edge that a hidden cause explains has a common neighbour that is a collider: x -> z <- (hidden) -> y
               makes x and y dependent given z. Test x and y given the parents of y without such neighbours
    marks      colliders of the DAG and of the tests that removed an edge, then Zhang's rules R1 to R10

Without a removed edge the result is the PAG of the DAG's equivalence class ("LV-Dumb" of Ramsey, Andrews and Spirtes
2025). Removing edges by few, chosen tests is the idea of their FCIT; which sets are tested is our own choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from mahc.algorithms.constraint_based.extension import fit_pag
from mahc.algorithms.constraint_based.fci import mark_contexts, mark_knowledge, refuse_path_to_earlier_tier
from mahc.algorithms.constraint_based.separations import Separation
from mahc.algorithms.constraint_based.testing import MakesTests
from mahc.algorithms.score_based.boss import BestOrderScoreSearch
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.graphs.mixed import Marks
from mahc.graphs.walks import Check, never_stop
from mahc.independence import CachedOracle, IndependenceOracle, Questions
from mahc.independence.oracle import (
    declare_alpha,
    declare_degrees_of_freedom,
    declare_min_rows_per_df,
    declare_test,
)
from mahc.knowledge.constraints import Constraints
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.connecting import parents_of
from mahc.learning.control import Stopped
from mahc.learning.found import FoundDag, FoundPattern, TestRecord, UnchosenArc
from mahc.learning.problem import Problem
from mahc.learning.stop_reason import StopReason

Pair = tuple[int, int]
RECORDED_PAIR_BYTES = 30  # of an ordered pair: its marks, and copies made on the way, about
MAX_LEFT_OUT = 3  # common neighbours that a set may leave out


@ALGORITHMS.register("boss-pag")
@dataclass(frozen=True)
class BossPag(MakesTests, BestOrderScoreSearch):
    """A PAG by order search and few tests, with hidden common causes allowed.

    The search has the settings of `boss`, the tests have those of `fci`.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, BossPag()).graph.edges
    (Edge(left='a', mark='o-o', right='b'),)
    """

    alpha: float = declare_alpha(0.01)
    test: str = declare_test()
    degrees_of_freedom: str = declare_degrees_of_freedom("adjusted")
    min_rows_per_df: float = declare_min_rows_per_df()

    name: ClassVar[str] = "boss-pag"
    estimator: ClassVar[str] = "BossPAG"
    ending: ClassVar[str] = "no move in the order, no kick and no single arc is better, and all tests were made"
    missing_methods: ClassVar[tuple[str, ...]] = ("pairwise",)
    idle: ClassVar[tuple[str, ...]] = ("all_relevant", "max_parents")

    def memory_needed(self, variables: int) -> float:
        """The memory of the search, and of the record of every pair."""
        return super().memory_needed(variables) + RECORDED_PAIR_BYTES * variables**2

    def search(self, problem: Problem) -> FoundPattern:
        """Search the orders, test the edges with common neighbours, and orient."""
        found = self.search_orders(problem)
        parents = [to_bitset(mine) for mine in parents_of(problem.variables, found.arcs)]
        reason = StopReason(found.stop_reason)
        state = PagFromDag(parents, problem.constraints)
        if not reason.early:
            problem.control.phase = "testing"
            oracle = CachedOracle(self.make_oracle(problem))
            if not separate_covered(state, oracle, self.alpha, problem.control.check):
                reason = problem.control.why_stopped()
        marks, finished = state.orient(problem.control.check_ending if reason.early else problem.control.check)
        if not finished and not reason.early:
            reason = problem.control.why_stopped()
        graph = MixedGraph.from_valid(problem.constraints.names, marks)
        refuse_path_to_earlier_tier(self.name, graph, problem.constraints)
        arcs, reason = self._fit(found, state, graph, problem, reason)
        record = _record(state, found, problem, self.alpha)
        return FoundPattern("PAG", graph.marks, record, arcs, reason, found.error_signs)

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
            return None, problem.control.why_stopped()


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


class PagFromDag:
    """The edges of a DAG that are left, and the sets that separated the others; variables are numbers.

    If x -> z <- h -> y with h hidden, no DAG over x, y, z has exactly the independences of the data. The best one has z
    and y adjacent and, so that x and y are dependent given z, also an edge between x and y, which covers the collider.
    Such an edge has a common neighbour z in the DAG, and x and y are independent given a set without z.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> PagFromDag([0, 0, 0b011], no_constraints(["a", "b", "c"])).orient()[0].tolist()
    [[0, 0, 2], [0, 0, 2], [3, 3, 0]]
    """

    def __init__(self, parents: Sequence[int], constraints: Constraints) -> None:
        self.parents = tuple(parents)
        self.adjacent = list(self.parents)
        for v, above in enumerate(self.parents):
            for u in members(above):
                self.adjacent[u] |= 1 << v
        self.separations: dict[tuple[int, int], Separation] = {}
        self._constraints = constraints

    def questions(self, check: Check = never_stop) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Each arc x -> y with common neighbours among the parents of y: the parents without some of those."""
        for y, parents in enumerate(self.parents):
            check()
            for x in members(parents & self.adjacent[y]):
                if self._constraints.hold[x, y] or self._constraints.hold[y, x]:
                    continue
                given = parents & self.adjacent[y] & ~(1 << x)
                common = [*members(given & self.adjacent[x])]
                for size in range(1, min(MAX_LEFT_OUT, len(common)) + 1):
                    for left_out in combinations(common, size):
                        yield x, (*members(given & ~to_bitset(left_out)), y)

    def remove(self, x: int, y: int, separation: Separation) -> None:
        """Take the edge away."""
        self.separations[min(x, y), max(x, y)] = separation
        self.adjacent[x] &= ~(1 << y)
        self.adjacent[y] &= ~(1 << x)

    def orient(self, check: Check = never_stop) -> tuple[Marks, bool]:
        """Marks from knowledge, from unshielded colliders, and from Zhang's rules; False where `check` stopped it.

        Then the marks found so far are there, and circles at the other ends.
        """
        state = PagMarks(self.adjacent, check=check)
        mark_knowledge(state, self._constraints)
        mark_contexts(state, self._constraints, unconfounded=True)
        finished = True
        try:
            self._mark_colliders(state)
            apply_zhang_rules(state, self._separates)
        except Stopped:
            finished = False
        return state.matrix(), finished

    def _mark_colliders(self, state: PagMarks) -> None:
        for z, near in enumerate(self.adjacent):
            for x, y in combinations(members(near), 2):
                state.check()
                if not self.adjacent[x] >> y & 1 and self._collide(x, z, y):
                    state.set_mark(x, z, Mark.ARROW)
                    state.set_mark(y, z, Mark.ARROW)

    def _collide(self, x: int, z: int, y: int) -> bool:
        known = self.separations.get((min(x, y), max(x, y)))
        if known is not None:
            return z not in known.given
        return bool(self.parents[z] >> x & self.parents[z] >> y & 1)

    def _separates(self, start: int, middle: int, end: int) -> bool:
        # On a discriminating path `middle` is a collider unless it separates; in the DAG: unless it is a parent of end.
        known = self.separations.get((min(start, end), max(start, end)))
        return middle in known.given if known is not None else bool(self.parents[end] >> middle & 1)


def separate_covered(state: PagFromDag, oracle: IndependenceOracle, alpha: float, check: Check = never_stop) -> bool:
    """Remove every edge that a set without common neighbours separates, until none is left; False when stopped.

    In each round all edges are tested before any is removed, so that the order of the variables does not matter. Of
    the sets that separate a pair the one with the highest p-value is kept. `check` is called for each variable.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["x", "z", "y", "w", "h"], [("x", "z"), ("h", "z"), ("h", "y"), ("w", "y")])
    >>> covered = PagFromDag([0, 0b001, 0b1011, 0], no_constraints(["x", "z", "y", "w"]))
    >>> separate_covered(covered, SeparationOracle(truth, latent="h"), 0.01), [*covered.separations]
    (True, [(0, 2)])
    """
    while True:
        try:
            questions = [*state.questions(check)]
        except Stopped:
            return False
        if not questions:
            return True
        log_p = oracle.log_p_values(Questions.of(questions))
        if log_p is None:
            return False
        best: dict[tuple[int, int], Separation] = {}
        for (x, parents), value in zip(questions, log_p.tolist(), strict=True):
            pair = x, parents[-1]
            if value > math.log(alpha) and (pair not in best or value > best[pair].log_p):
                best[pair] = Separation(frozenset(parents[:-1]), value)
        if not best:
            return True
        for (x, y), separation in best.items():
            state.remove(x, y, separation)
