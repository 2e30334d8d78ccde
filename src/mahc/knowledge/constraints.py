"""Knowledge as arrays for the search: which arcs are allowed, required and forbidden, for variables 0..n-1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from mahc.graphs.tier_order import TierOrder
from mahc.plurals import noun

Arc = tuple[int, int]
Pair = tuple[str, str]
FREE, EDGE, ARC = 0, 1, 2  # the values of `hold`


def list_virtual_arcs(tiers: Mapping[int, int], variables: int) -> tuple[tuple[Arc, ...], int]:
    """Virtual arcs for the tiers of some of the variables 0..n-1, and the number of nodes with the virtual ones.

    A graph has a cycle with these arcs exactly if it has a cycle without them or a path from a later tier to an
    earlier one. Between two tiers there is one virtual node: every variable of the earlier tier points to it, and it
    points to every variable of the later tier and to the next virtual node.

    >>> list_virtual_arcs({0: 1, 2: 5}, 3)
    (((0, 3), (3, 2)), 4)
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for v in sorted(tiers):
        members[tiers[v]].append(v)
    levels = [members[tier] for tier in sorted(members)]
    arcs: list[Arc] = []
    for step, (earlier, later) in enumerate(pairwise(levels)):
        between = variables + step
        arcs += [(v, between) for v in earlier]
        arcs += [(between, v) for v in later]
        if step + 2 < len(levels):
            arcs.append((between, between + 1))
    return tuple(arcs), variables + max(0, len(levels) - 1)


@dataclass(frozen=True, eq=False, repr=False)
class Constraints:
    """Checked knowledge for the variables in the order of `names`; arrays are read-only, [u, v] is u -> v.

    A graph obeys if its arcs are `allowed`; if what `hold` says exists (EDGE: the edge, in either direction; ARC: this
    arc); if no variable has more parents than its `limit`; and if it is acyclic together with the virtual arcs, which
    encode the tiers on extra nodes n, n + 1, ... (`virtual_arcs`). `divisors` divide the penalty of each child's
    families. `legality.py` decides on single moves. Beliefs (`log_odds`) constrain nothing.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> known = Knowledge(required_arcs=[("smoke", "lung")], tiers=[["smoke", "age"], ["lung"]])
    >>> constraints = known.check(["age", "lung", "smoke"], search_in_degree=8)
    >>> constraints.reason(2, 1)
    'required arc smoke -> lung'
    >>> constraints.reason(1, 0)
    'tiers: lung (tier 2) comes after age (tier 1)'
    >>> constraints.reason(0, 1) is None
    True
    """

    allowed: NDArray[np.bool_]
    hold: NDArray[np.uint8]
    limit: NDArray[np.int32]
    virtual_arcs: tuple[tuple[int, int], ...]
    nodes: int
    divisors: tuple[float, ...] | None
    all_relevant: bool
    names: tuple[str, ...] = ()  # default: the numbers
    tier_of: Mapping[str, int] = field(default_factory=dict)
    strict_tiers: bool = False
    reasons: Mapping[Pair, str] = field(default_factory=dict)  # of arcs that are not free, unless only tiers say so
    free: bool = False  # nothing is forbidden, nothing required
    log_odds: Mapping[Pair, float] = field(default_factory=dict)  # what beliefs add for an arc, in nats
    contexts: tuple[str, ...] = ()  # variables whose dependence on each other is taken as given

    @classmethod
    def of_tiers(cls, names: Sequence[str], tier_of: Mapping[str, int], limit: NDArray[np.int32]) -> Constraints:
        """Tiers and in-degrees and nothing else; single arcs against the tiers are not marked as forbidden."""
        n = len(names)
        virtual, nodes = list_virtual_arcs({v: tier_of[name] for v, name in enumerate(names) if name in tier_of}, n)
        allowed, hold = ~np.eye(n, dtype=bool), np.zeros((n, n), np.uint8)
        return cls(allowed, hold, limit, virtual, nodes, None, False, tuple(names), tier_of)

    def __post_init__(self) -> None:
        if not self.names:
            object.__setattr__(self, "names", tuple(str(v) for v in range(len(self.limit))))
        for array in (self.allowed, self.hold, self.limit):
            array.setflags(write=False)
        object.__setattr__(self, "tier_of", MappingProxyType(dict(self.tier_of)))
        object.__setattr__(self, "reasons", MappingProxyType(dict(self.reasons)))

    def __repr__(self) -> str:
        n = len(self.names)
        forbidden = n * (n - 1) - int(self.allowed.sum())
        required = int((self.hold == ARC).sum())
        arcs = f"{forbidden} {noun(forbidden, 'arc')} forbidden, {required} {noun(required, 'arc')} required"
        return f"Constraints({n} {noun(n, 'variable')}, {arcs})"

    def reason(self, u: int, v: int) -> str | None:
        """Which constraint forbids or requires u -> v, in words; None when the arc is free."""
        a, b = self.names[u], self.names[v]
        return self.reasons.get((a, b)) or explain_tiers(a, b, self.tier_of, self.strict_tiers)

    @cached_property
    def required_arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs that are required in this direction, sorted."""
        return () if self.free else tuple((int(u), int(v)) for u, v in np.argwhere(self.hold == ARC))

    @cached_property
    def required_edges(self) -> tuple[tuple[int, int], ...]:
        """The edges u < v that are required in either direction, sorted."""
        return () if self.free else tuple((int(u), int(v)) for u, v in np.argwhere(np.triu(self.hold == EDGE)))

    @cached_property
    def one_way(self) -> NDArray[np.bool_] | None:
        """[u, v]: whether the arc is allowed and its reversal forbidden; None where all arcs are free."""
        return None if self.free else self.allowed & ~self.allowed.T

    @cached_property
    def tier_order(self) -> TierOrder:
        """The tiers of the variables, in the order of `names`."""
        return TierOrder([self.tier_of.get(name, 0) for name in self.names])

    def forbidden_and_required(self) -> tuple[dict[tuple[int, int], str], dict[tuple[int, int], str]]:
        """The forbidden arcs and the required ones (of a required edge both), each with its reason."""
        forbidden: dict[tuple[int, int], str] = {}
        required: dict[tuple[int, int], str] = {}
        if self.free:
            return forbidden, required
        for u, v in np.argwhere(~self.allowed | (self.hold > 0)).tolist():
            reason = self.reason(u, v) if u != v else None
            if reason is not None:
                (required if self.hold[u, v] else forbidden)[u, v] = reason
        return forbidden, required

    @cached_property
    def context_places(self) -> list[int]:
        """The contexts as numbers."""
        return [self.names.index(name) for name in self.contexts]

    def joining_contexts(self) -> Constraints:
        """The same with an edge between each pair of contexts, as algorithms that test need it: it is not tested."""
        if len(self.contexts) < 2:
            return self
        allowed, hold = self.allowed.copy(), self.hold.copy()
        for u in self.context_places:
            for v in self.context_places:
                if u != v:
                    allowed[u, v], hold[u, v] = True, EDGE
        return replace(self, allowed=allowed, hold=hold)

    def testing_contexts(self) -> Constraints:
        """The same with an edge between each pair of contexts that tests may remove."""
        if len(self.contexts) < 2:
            return self
        allowed = self.allowed.copy()
        places = self.context_places
        allowed[np.ix_(places, places)] = True
        np.fill_diagonal(allowed, False)
        return replace(self, allowed=allowed)

    def reordered(self, order: Sequence[int]) -> Constraints:
        """The same constraints with variable `order[i]` at position i.

        >>> from mahc.knowledge.knowledge import Knowledge
        >>> constraints = Knowledge(required_arcs=[("a", "b")]).check(["a", "b", "c"], 8)
        >>> constraints.reordered([2, 1, 0]).reason(2, 1)
        'required arc a -> b'
        """
        old = np.asarray(order, dtype=np.intp)
        place = list(range(self.nodes))
        for new, v in enumerate(order):
            place[v] = new
        return replace(
            self,
            names=tuple(self.names[v] for v in order),
            allowed=self.allowed if self.free else self.allowed[np.ix_(old, old)],
            hold=self.hold if self.free else self.hold[np.ix_(old, old)],
            limit=self.limit[old],
            virtual_arcs=tuple(sorted((place[u], place[v]) for u, v in self.virtual_arcs)),
            divisors=None if self.divisors is None else tuple(self.divisors[v] for v in order),
        )


def all_arcs(variables: int) -> NDArray[np.bool_]:
    """True except for [v, v]; read-only, and of 2n bytes instead of n^2: every row is a window of one line.

    >>> all_arcs(3).tolist()
    [[False, True, True], [True, False, True], [True, True, False]]
    """
    line = np.ones(max(2 * variables - 1, 1), np.bool_)
    if variables == 0:
        return np.ones((0, 0), np.bool_)
    line[variables - 1] = False
    return as_strided(line[variables - 1 :], (variables, variables), (-1, 1), writeable=False)


def hold_nothing(variables: int) -> NDArray[np.uint8]:
    """All zeros, in one byte."""
    return np.broadcast_to(np.uint8(FREE), (variables, variables))


def explain_tiers(a: str, b: str, tier_of: Mapping[str, int], strict: bool) -> str | None:
    """Why the tiers forbid a -> b, or None.

    >>> explain_tiers("bronc", "asia", {"asia": 1, "bronc": 1}, strict=True)
    'strict tiers: bronc and asia are both in tier 1'
    """
    here, there = tier_of.get(a), tier_of.get(b)
    if here is None or there is None or here < there:
        return None
    if here > there:
        return f"tiers: {a} (tier {here}) comes after {b} (tier {there})"
    return f"strict tiers: {a} and {b} are both in tier {here}" if strict and a != b else None
