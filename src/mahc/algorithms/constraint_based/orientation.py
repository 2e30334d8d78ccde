"""Colliders, knowledge and what follows from them, on the skeleton of a CPDAG.

Colliders found in data may contradict each other. The rule: the collider whose ends are the most plausibly
independent (the highest p-value of their separation) comes first; one that would turn an arc round, close a
directed cycle, break a tier or give a variable too many parents is dropped whole. Only between exactly equal
p-values does the order of the variables decide, which `mahc.learn` takes from the data.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mahc.algorithms.constraint_based.separations import Separations, meeting_points
from mahc.graphs import MixedGraph
from mahc.graphs.conversions.meek_rules import Orientation
from mahc.knowledge.constraints import ARC, Constraints
from mahc.knowledge.legality import Legality


class GuardedOrientation(Orientation):
    """Meek's rules that point no arc against knowledge or into a cycle.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> known = Knowledge(forbidden_arcs=[("a", "b")]).check(["a", "b"], 8)
    >>> state = GuardedOrientation([0b10, 0b01], known)
    >>> state.close([(0, 1)])
    >>> state.parents
    [0, 0]
    """

    def __init__(self, adjacent: Sequence[int], constraints: Constraints) -> None:
        super().__init__(adjacent)
        self._legality = Legality(constraints)

    def point(self, tail: int, head: int) -> None:
        """Turn the line between the two into an arc where that is legal."""
        if self.may_point((tail,), head):
            super().point(tail, head)
            self._legality.add(tail, head)

    def may_point(self, tails: Sequence[int], head: int) -> bool:
        """Whether all of these may be parents of `head` together."""
        fresh = [tail for tail in tails if not self.parents[head] >> tail & 1]
        if any(not self.lines[tail] >> head & 1 for tail in fresh):
            return False
        return self._legality.may_add_parents(fresh, head)


def orient(adjacent: Sequence[int], separations: Separations, constraints: Constraints) -> MixedGraph:
    """The graph with the arcs that knowledge, the colliders and Meek's rules give."""
    state = GuardedOrientation(adjacent, constraints)
    required = np.argwhere(constraints.hold == ARC).tolist()
    one_way = np.argwhere(constraints.allowed & ~constraints.allowed.T).tolist()
    for tail, head in (*required, *one_way):
        state.point(tail, head)
    for _, x, z, y in sorted((-found.log_p, *place) for place, found in meeting_points(adjacent, separations)):
        if state.may_point((x, y), z):
            state.point(x, z)
            state.point(y, z)
    state.close([])
    return MixedGraph.from_arcs(constraints.names, state.parents, state.lines)
