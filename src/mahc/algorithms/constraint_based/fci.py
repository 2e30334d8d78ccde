"""FCI: a PAG from independences, whatever common causes are hidden."""

from __future__ import annotations

import numpy as np

from mahc.algorithms.constraint_based.finding import Finding
from mahc.algorithms.constraint_based.pc_stable import stop_reason
from mahc.algorithms.constraint_based.possible_d_sep import possible_d_sep
from mahc.algorithms.constraint_based.separations import meeting_points
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import check_alpha, check_max_conditions
from mahc.knowledge.constraints import ARC, Constraints
from mahc.learning.control import Watch


def fci(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.01,
    max_conditions: int | None = None,
    only_needed: bool = True,
    watch: Watch | None = None,
) -> Finding:
    """Thin the complete graph by neighbours, then by possible-d-sep sets; direct by the rules R0 to R10.

    `max_conditions` limits the size of the separating sets, which makes it the anytime FCI: what it then says of tails
    and arrows is still sound, edges may be left that larger sets would remove. `only_needed` draws the sets of
    the second round from the possible-d-sep variables that lie on some path between the pair and may be ancestors of
    one of them: where independences are true ones no other set is needed (`blocks.py`, `ancestry.py`); on
    data the many others remove edges by chance, and there may be more of them than can be asked about.

    A forbidden arc a -> b, and a tier of a after that of b, put an arrow at a; a required arc is an arc; rules
    complete without knowledge may miss marks with it. When the oracle stops, levels that were not completed count for
    nothing, and only R0 is applied.

    >>> from mahc.algorithms.constraint_based.finding import know_nothing
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c", "d", "h"], [("a", "b"), ("h", "b"), ("h", "c"), ("d", "c")])
    >>> fci(SeparationOracle(truth, latent="h"), know_nothing(["a", "b", "c", "d"])).graph
    MixedGraph(4 variables, 3 edges: a o-> b, b <-> c, d o-> c)
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    skeleton = Skeleton(oracle, constraints, alpha)
    complete = skeleton.thin_by_neighbours(max_conditions)
    if complete:
        first = meet_unmarried(skeleton, constraints)
        complete = skeleton.thin_by(possible_d_sep(first), max_conditions, only_needed)
    state = meet_unmarried(skeleton, constraints)
    separations = skeleton.separations

    def separates(start: int, middle: int, end: int) -> bool:
        return middle in separations[min(start, end), max(start, end)].given

    if complete:  # on a graph that is nearly complete still, the rules would take longer than the tests
        apply_zhang_rules(state, separates)
    graph = MixedGraph.from_marks(constraints.names, state.matrix())
    return Finding(graph, separations, stop_reason(complete, watch))


def meet_unmarried(skeleton: Skeleton, constraints: Constraints) -> PagMarks:
    """What is known, then R0: x *-> z <-* y for x, y not adjacent and z outside the set that separates them.

    >>> from mahc.algorithms.constraint_based.finding import know_nothing
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> skeleton = Skeleton(SeparationOracle(truth), know_nothing(truth.names), 0.01)
    >>> skeleton.thin_by_neighbours(None)
    True
    >>> meet_unmarried(skeleton, know_nothing(truth.names)).matrix()[0]
    array([0, 0, 2], dtype=int8)
    """
    state = PagMarks(skeleton.adjacent, skeleton.unsure)
    for tail, head in np.argwhere(constraints.hold == ARC).tolist():
        state.set_mark(tail, head, Mark.ARROW)
        state.set_mark(head, tail, Mark.TAIL)
    for tail, head in np.argwhere(constraints.allowed & ~constraints.allowed.T).tolist():
        state.set_mark(tail, head, Mark.ARROW)
    for (x, z, y), _ in meeting_points(skeleton.adjacent, skeleton.proven):
        state.set_mark(x, z, Mark.ARROW)
        state.set_mark(y, z, Mark.ARROW)
    return state
