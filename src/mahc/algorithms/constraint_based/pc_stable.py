"""PC-Stable: a CPDAG from independences, assuming that no common cause is hidden."""

from __future__ import annotations

from mahc.algorithms.constraint_based.finding import Finding
from mahc.algorithms.constraint_based.orientation import orient
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import check_alpha, check_max_conditions
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Watch


def pc_stable(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.01,
    max_conditions: int | None = None,
    watch: Watch | None = None,
) -> Finding:
    """Thin the complete graph by independences, then direct colliders and what follows from them.

    `max_conditions` limits the size of the separating sets. What is required is never asked about; what is forbidden
    is no edge. When the oracle stops, levels that were not completed count for nothing.

    >>> from mahc.algorithms.constraint_based.finding import know_nothing
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("c", "d")])
    >>> pc_stable(SeparationOracle(truth), know_nothing(truth.names)).graph
    MixedGraph(4 variables, 3 edges: a --> c, b --> c, c --> d)
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    skeleton = Skeleton(oracle, constraints, alpha)
    complete = skeleton.thin_by_neighbours(max_conditions)
    graph = orient(skeleton.adjacent, skeleton.separations, constraints)
    return Finding(graph, skeleton.separations, stop_reason(complete, watch))


def stop_reason(complete: bool, watch: Watch | None) -> str:
    """Why the work ended."""
    if complete:
        return "converged"
    return (watch.stopped_because() if watch is not None else None) or "interrupted"
