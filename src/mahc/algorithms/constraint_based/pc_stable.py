"""PC-Stable: a CPDAG from tests of independence, assuming that there are no hidden common causes."""

from __future__ import annotations

from mahc.algorithms.constraint_based.orientation import orient, orient_by_knowledge
from mahc.algorithms.constraint_based.outcome import ConstraintOutcome
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.graphs.stopping import never_stop
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import check_alpha, check_max_conditions
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Control
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

    >>> from mahc.algorithms.constraint_based.outcome import no_constraints
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
    return StopReason((control.stop_reason() if control is not None else None) or "interrupted")
