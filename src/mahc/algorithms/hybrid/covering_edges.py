"""Edges of a learned DAG that a hidden common cause may explain: found by tests, and removed from its PAG.

If x -> z <- h -> y with h hidden, no DAG over x, y, z has exactly the independences of the data. The best one has z and
y adjacent and, so that x and y are dependent given z, also an edge between x and y, which covers the collider.
Such an edge has a common neighbour z in the DAG, and x and y are independent given a set without z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from mahc.algorithms.constraint_based.separations import Separation
from mahc.graphs import Mark
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.graphs.mixed import Marks
from mahc.graphs.stopping import Check, never_stop
from mahc.independence import IndependenceOracle, Questions
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Stopped

MAX_LEFT_OUT = 3  # common neighbours that a set may leave out


class PagFromDag:
    """The edges of a DAG that are left, and the sets that separated the others; variables are numbers.

    >>> from mahc.algorithms.constraint_based.outcome import no_constraints
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
        self._mark_knowledge(state)
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

    def _mark_knowledge(self, state: PagMarks) -> None:
        for tail, head in self._constraints.required_arcs:
            state.set_mark(tail, head, Mark.ARROW)
            state.set_mark(head, tail, Mark.TAIL)
        if self._constraints.one_way is not None:
            state.set_marks(self._constraints.one_way, Mark.ARROW)

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

    >>> from mahc.algorithms.constraint_based.outcome import no_constraints
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
