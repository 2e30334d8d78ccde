"""Tiers of variables, early to late: which undirected edges they direct, and which graphs violate them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.meek_rules import Orientation
from mahc.graphs.dag import DAG
from mahc.graphs.tier_order import TierOrder


class Tiers:
    """Groups of variables such that no directed path leads from a later group to an earlier one.

    A variable in no group may be anywhere. `later[v]` are the variables in later tiers than v.

    >>> Tiers(DAG(["a", "b", "c"], [("a", "c")]), [["a"], ["b", "c"]]).later
    (6, 0, 0)
    """

    def __init__(self, dag: DAG, groups: Sequence[Iterable[str]]) -> None:
        self.dag = dag
        tiers = [0] * len(dag.names)
        for number, group in enumerate(groups, 1):
            for name in group:
                if tiers[dag.index(name)] not in (0, number):
                    raise GraphError(f"the variable '{name}' is in two tiers")
                tiers[dag.index(name)] = number
        self._complete = all(tiers)
        order = TierOrder(tiers)
        self.later = order.later
        _refuse_path_back(dag, order)

    def direct(self, state: Orientation) -> None:
        """Direct the edges that all DAGs of the class which respect the tiers direct the same way.

        If a variable is in no tier, a path through it may lead to an earlier tier, which no rule about single arcs
        detects: each edge is reversed against the DAG, and stays undirected if a DAG of the class has it so.
        """
        dag = self.dag
        state.close((v, child) for v, later in enumerate(self.later) for child in members(dag.child_bitsets[v] & later))
        if self._complete or not any(self.later):
            return
        # Prefer the first variables of the DAG as sinks: one extension then shows that many edges can be reversed.
        rank = [0] * len(dag.order)
        for place, v in enumerate(reversed(dag.order)):
            rank[v] = place
        possible: set[tuple[int, int]] = set()
        for head, tails in enumerate(dag.parent_bitsets):
            for tail in members(tails):
                if (head, tail) in possible or not state.lines[head] >> tail & 1:
                    continue
                parents = extend(*_reverse(state, head, tail), rank, self.later)
                if parents is None:
                    state.close([(tail, head)])
                else:
                    possible |= {(p, v) for v, chosen in enumerate(parents) for p in members(chosen & state.lines[v])}


def _refuse_path_back(dag: DAG, order: TierOrder) -> None:
    path = order.find_path_back(dag.parent_bitsets)
    if path is None:
        return
    late, early = dag.names[path[0]], dag.names[path[-1]]
    if len(path) == 2:
        raise GraphError(f"the arc {late} -> {early} leads from a later tier to an earlier one")
    raise GraphError(f"a path leads from {late} in a later tier to {early} in an earlier one")


def _reverse(state: Orientation, tail: int, head: int) -> tuple[list[int], list[int], list[int]]:
    lines, parents, children = list(state.lines), list(state.parents), list(state.children)
    lines[tail] ^= 1 << head
    lines[head] ^= 1 << tail
    parents[head] |= 1 << tail
    children[tail] |= 1 << head
    return lines, parents, children
