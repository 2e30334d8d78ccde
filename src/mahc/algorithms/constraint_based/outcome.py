"""What a constraint-based algorithm returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.algorithms.constraint_based.separations import Separations
from mahc.graphs import MixedGraph
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.stop_reason import StopReason


@dataclass(frozen=True)
class ConstraintOutcome:
    """The graph and, for each non-adjacent pair u < v of variable numbers, the set that separated it.

    A pair that only knowledge separates has the set with the highest p-value. `stop_reason` is `converged`,
    `time_limit` or `interrupted`.
    """

    graph: MixedGraph
    separations: Separations
    stop_reason: StopReason


def no_constraints(names: Sequence[str]) -> Constraints:
    """Constraints that allow every arc.

    >>> no_constraints(["a", "b"])
    Constraints(2 variables, 0 arcs forbidden, 0 arcs required)
    """
    return Knowledge().check(names, max(1, len(names)))
