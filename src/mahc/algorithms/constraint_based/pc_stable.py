"""PC-Stable: a CPDAG from tests of independence, assuming that there are no hidden common causes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mahc.algorithms.constraint_based.separations import ConstraintOutcome, Separations, unshielded_colliders
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.bitset import unpack
from mahc.graphs.conversions.cpdag import Orientation
from mahc.graphs.walks import Check, never_stop
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import check_alpha, check_max_conditions
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import Legality
from mahc.learning.control import Control, Stopped
from mahc.learning.stop_reason import StopReason


def pc_stable(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.01,
    max_conditions: int | None = None,
    only_needed: bool = True,
    control: Control | None = None,
) -> ConstraintOutcome:
    """Remove edges from the complete graph by tests of independence, then orient colliders and what follows.

    `max_conditions` limits the size of the separating sets. `only_needed` draws them from the neighbours that can be
    needed, where there are very many (`Skeleton.separate_by_neighbours`); with true independences the result is the
    same. Required edges are not tested; forbidden edges are absent. When the oracle stops, the tests of a level that
    was not completed are ignored, and only knowledge directs edges. When `control` stops the orientation, the edges
    that are not directed by then stay undirected.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("c", "d")])
    >>> pc_stable(SeparationOracle(truth), no_constraints(truth.names)).graph
    MixedGraph(4 variables, 3 edges: a --> c, b --> c, c --> d)
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    check = never_stop if control is None else control.check
    skeleton = Skeleton(oracle, constraints, alpha, check)
    complete = skeleton.separate_by_neighbours(max_conditions, only_needed)
    if complete:
        graph, complete = orient(skeleton.adjacent, skeleton.separations, constraints, check)
    else:  # with untested edges left, most colliders are not what they seem
        graph = orient_by_knowledge(skeleton.adjacent, constraints)
    return ConstraintOutcome(graph, skeleton.separations, stop_reason(complete, control))


def stop_reason(complete: bool, control: Control | None) -> StopReason:
    """Why the tests ended."""
    if complete:
        return StopReason.CONVERGED
    return StopReason.INTERRUPTED if control is None else control.why_stopped()


class LegalOrientation(Orientation):
    """Meek's rules that add no arc that knowledge forbids or that closes a cycle.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> known = Knowledge(forbidden_arcs=[("a", "b")]).check(["a", "b"], 8)
    >>> state = LegalOrientation([0b10, 0b01], known)
    >>> state.close([(0, 1)])
    >>> state.parents
    [0, 0]
    """

    def __init__(self, adjacent: Sequence[int], constraints: Constraints) -> None:
        super().__init__(adjacent)
        self._legality = Legality(constraints)

    def point(self, tail: int, head: int) -> None:
        """Turn the undirected edge between the two into an arc where that is legal."""
        if self.may_point((tail,), head):
            super().point(tail, head)
            self._legality.add(tail, head)

    def may_point(self, tails: Sequence[int], head: int) -> bool:
        """Whether all of these may become parents of `head` together."""
        new = [tail for tail in tails if not self.parents[head] >> tail & 1]
        if any(not self.lines[tail] >> head & 1 for tail in new):
            return False
        return self._legality.may_add_parents(new, head)


def orient(
    adjacent: Sequence[int], separations: Separations, constraints: Constraints, check: Check = never_stop
) -> tuple[MixedGraph, bool]:
    """The graph with the arcs that follow from knowledge, the colliders and Meek's rules; False where it was stopped.

    Then edges that could have been directed are left undirected. `check` is called in each round.

    Colliders found in data may contradict each other. They are taken in the order of the p-value that separated their
    ends, highest first; a collider that would reverse an arc, close a directed cycle, violate a tier or give a variable
    too many parents is dropped, with both its arcs. Only between exactly equal p-values does the order of the variables
    decide, which `mahc.learn` takes from the data.
    """
    state = LegalOrientation(adjacent, constraints)
    finished = True
    try:
        _direct(state, separations, constraints, check)
    except Stopped:
        finished = False
    return MixedGraph.from_arcs(constraints.names, state.parents, state.lines), finished


def orient_by_knowledge(adjacent: Sequence[int], constraints: Constraints) -> MixedGraph:
    """The graph with the directions that knowledge gives to single edges, for a skeleton that is not tested to the end.

    Nothing follows from the arcs of such a graph. It may be almost complete, so the edges are directed all at once.
    """
    joined = unpack(adjacent)
    marks = joined.view(np.int8) * np.int8(Mark.TAIL)
    if constraints.one_way is not None:
        marks[constraints.one_way & joined] = Mark.ARROW
    for tail, head in constraints.required_arcs:
        marks[tail, head], marks[head, tail] = Mark.ARROW, Mark.TAIL
    return MixedGraph.from_valid(constraints.names, marks)


def _direct(state: LegalOrientation, separations: Separations, constraints: Constraints, check: Check) -> None:
    for tail, head in constraints.required_arcs:
        state.point(tail, head)
    one_way = constraints.one_way
    for tail, head in [] if one_way is None else np.argwhere(one_way & unpack(state.adjacent)).tolist():
        check()
        state.point(tail, head)
    colliders = unshielded_colliders(state.adjacent, separations, check=check)
    for _, x, z, y in sorted((-found.log_p, *triple) for triple, found in colliders):
        check()
        if state.may_point((x, y), z):
            state.point(x, z)
            state.point(y, z)
    state.close([], check)
