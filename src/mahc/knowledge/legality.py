"""Whether an arc may be added to a graph, removed or reversed, and if not, why.

This is the only place in Python that decides it: under acyclicity, in-degrees, what is forbidden and required, and the
tiers. Its twin in the compiled search is `engine/cpp/search/legality.hpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.graphs.bitset import members, to_bitset, transitive_closure, unpack
from mahc.graphs.walks import Check, never_stop, sort_topologically
from mahc.knowledge.constraints import ARC, EDGE, Constraints
from mahc.knowledge.obstacles import Obstacle, ObstacleKind, explain_addition, explain_presence

Arc = tuple[int, int]


class Legality:
    """A graph under constraints: which arcs may be added, removed and reversed, and if not, why.

    The graph itself obeys the constraints, except that required arcs and edges may still be missing. `add` and
    `remove` change it and check nothing. `parents` and `children` are bit sets.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> known = Knowledge(tiers=[["a"], ["c"]], required_arcs=[("c", "d")])
    >>> graph = Legality(known.check(["a", "b", "c", "d"], search_in_degree=1), [(2, 1), (2, 3)])
    >>> graph.may_add(0, 3), graph.may_remove(2, 1), graph.may_reverse(2, 1)
    (False, True, True)
    >>> graph.why_not_add(0, 3).text
    'd already has 1 parent, the most allowed'
    >>> graph.why_not_add(1, 0).text
    'tiers: it would lead from c (tier 2) to a (tier 1), c -> b -> a'
    >>> graph.why_not_remove(2, 3).text
    'required arc c -> d'
    """

    def __init__(self, constraints: Constraints, arcs: Iterable[Arc] = ()) -> None:
        self.constraints = constraints
        self.limit: list[int] = constraints.limit.tolist()
        self.parents = [0] * len(self.limit)
        self.children = [0] * len(self.limit)
        for u, v in arcs:
            self.add(u, v)

    def has(self, u: int, v: int) -> bool:
        """Whether u -> v is in the graph."""
        return bool(self.parents[v] >> u & 1)

    def add(self, u: int, v: int) -> None:
        """Add u -> v, which must be legal."""
        self.parents[v] |= 1 << u
        self.children[u] |= 1 << v

    def remove(self, u: int, v: int) -> None:
        """Remove u -> v."""
        self.parents[v] &= ~(1 << u)
        self.children[u] &= ~(1 << v)

    def ancestors(self, v: int) -> int:
        """The variable itself and all from which a directed path leads to it."""
        return transitive_closure(1 << v, self.parents)

    def descendants(self, v: int) -> int:
        """The variable itself and all to which a directed path leads from it."""
        return transitive_closure(1 << v, self.children)

    def may_add(self, u: int, v: int) -> bool:
        """Whether u -> v may be added."""
        return self.may_add_parents((u,), v)

    def may_add_parents(self, tails: Sequence[int], head: int) -> bool:
        """Whether all these variables together may become parents of `head`."""
        return next(self.against_adding(tails, head), None) is None

    def may_remove(self, u: int, v: int) -> bool:
        """Whether u -> v may be removed."""
        return next(self.against_removing(u, v), None) is None

    def may_reverse(self, u: int, v: int) -> bool:
        """Whether u -> v may be turned into v -> u."""
        return next(self.against_reversing(u, v), None) is None

    def against_adding(self, tails: Sequence[int], head: int) -> Iterator[ObstacleKind]:
        """The obstacles to adding these parents of `head`; for an arc that is present, only that."""
        if any(self.has(u, head) for u in tails):
            yield ObstacleKind.PRESENT
            return
        if not all(self.constraints.allowed[u, head] for u in tails):
            yield ObstacleKind.FORBIDDEN
        yield from self._against_paths(to_bitset(tails), self.descendants(head))
        if self.parents[head].bit_count() + len(tails) > self.limit[head]:
            yield ObstacleKind.IN_DEGREE

    def against_removing(self, u: int, v: int) -> Iterator[ObstacleKind]:
        """The obstacles to removing u -> v."""
        if not self.has(u, v):
            yield ObstacleKind.ABSENT
        elif self.constraints.hold[u, v] == ARC:
            yield ObstacleKind.REQUIRED
        elif self.constraints.hold[u, v] == EDGE:
            yield ObstacleKind.REQUIRED_EDGE

    def against_reversing(self, u: int, v: int) -> Iterator[ObstacleKind]:
        """The obstacles to reversing u -> v."""
        if not self.has(u, v):
            yield ObstacleKind.ABSENT
            return
        if self.constraints.hold[u, v] == ARC:
            yield ObstacleKind.REQUIRED
        self.remove(u, v)
        found = list(self.against_adding((v,), u))
        self.add(u, v)
        yield from found

    def _against_paths(self, tails: int, below: int) -> Iterator[ObstacleKind]:
        """The obstacles on paths to arcs from the tails to a variable with these descendants, itself included."""
        if tails & below:
            yield ObstacleKind.CYCLE
        if self.constraints.tier_order.leads_back(transitive_closure(tails, self.parents), below):
            yield ObstacleKind.TIERS

    def why_not_add(self, u: int, v: int) -> Obstacle | None:
        """The first obstacle to adding u -> v; None: it is legal."""
        kind = next(self.against_adding((u,), v), None)
        return None if kind is None else explain_addition(self, kind, u, v)

    def why_not_remove(self, u: int, v: int) -> Obstacle | None:
        """The first obstacle to removing u -> v; None: it is legal."""
        kind = next(self.against_removing(u, v), None)
        return None if kind is None else explain_presence(self, kind, u, v)

    def why_not_reverse(self, u: int, v: int) -> Obstacle | None:
        """The first obstacle to turning u -> v into v -> u; None: it is legal."""
        kind = next(self.against_reversing(u, v), None)
        if kind is None:
            return None
        if kind in (ObstacleKind.ABSENT, ObstacleKind.REQUIRED):
            return explain_presence(self, kind, u, v)
        self.remove(u, v)
        found = explain_addition(self, kind, v, u)
        self.add(u, v)
        return found

    def addition_obstacles(self) -> dict[ObstacleKind, NDArray[np.bool_]]:
        """For every kind of obstacle to an addition: [u, v], whether it prevents adding u -> v.

        Where the arc is present already, the other tables mean nothing.
        """
        n = len(self.limit)
        below = self._all_descendants()
        degrees = np.array([bits.bit_count() for bits in self.parents])
        return {
            ObstacleKind.PRESENT: unpack(self.children),
            ObstacleKind.FORBIDDEN: ~self.constraints.allowed,
            ObstacleKind.CYCLE: unpack(below).T,
            ObstacleKind.TIERS: unpack(self._tails_against_tiers(below)).T,
            ObstacleKind.IN_DEGREE: np.broadcast_to((degrees >= self.constraints.limit)[None, :], (n, n)),
        }

    def legal_additions(self) -> NDArray[np.bool_]:
        """[u, v]: whether u -> v may be added, for all pairs at once."""
        found = np.ones_like(self.constraints.allowed)
        for stands_against in self.addition_obstacles().values():
            found &= ~stands_against
        return found

    def find_missing(self) -> Obstacle | None:
        """A required arc or edge that is not in the graph; None where all are."""
        hold = self.constraints.hold
        for u, v in np.argwhere(hold > 0).tolist():
            kind = ObstacleKind.REQUIRED if hold[u, v] == ARC else ObstacleKind.REQUIRED_EDGE
            if not self.has(u, v) and not (kind is ObstacleKind.REQUIRED_EDGE and self.has(v, u)):
                return Obstacle(kind, f"{self.constraints.reason(u, v)} is missing")
        return None

    def _all_descendants(self) -> list[int]:
        below = [1 << v for v in range(len(self.children))]
        parents = [list(members(bits)) for bits in self.parents]
        for v in reversed(sort_topologically(self.constraints.names, parents)):
            for child in members(self.children[v]):
                below[v] |= below[child]
        return below

    def _tails_against_tiers(self, below: Sequence[int]) -> list[int]:
        """For each head, the tails of all arcs to it that would complete a path from a later tier to an earlier one."""
        order = self.constraints.tier_order
        under: dict[int, int] = {}  # by a set of variables: these and all their descendants
        found = []
        for targets in below:
            late = order.too_late_for(targets)
            if late not in under:
                under[late] = 0
                for v in members(late):
                    under[late] |= below[v]
            found.append(under[late])
        return found


def find_violation(constraints: Constraints, arcs: Iterable[Arc], check: Check = never_stop) -> Obstacle | None:
    """What the constraints have against a whole graph, missing arcs and edges included; None: the graph is legal.

    `check` is called for each arc.
    """
    graph = Legality(constraints)
    for u, v in arcs:
        check()
        obstacle = graph.why_not_add(u, v)
        if obstacle is not None:
            return obstacle
        graph.add(u, v)
    return graph.find_missing()
