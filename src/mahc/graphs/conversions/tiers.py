"""Tiers of variables, early to late: which lines they direct, and the graphs that break them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mahc.errors import GraphError
from mahc.graphs.bitset import gather, members, reach
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.meek_rules import Orientation
from mahc.graphs.dag import DAG


class Tiers:
    """Groups of variables such that no directed path leads from a later group to an earlier one.

    A variable in no group may stand anywhere. `later[v]` are the variables of later tiers than that of v.

    >>> Tiers(DAG(["a", "b", "c"], [("a", "c")]), [["a"], ["b", "c"]]).later
    [6, 0, 0]
    """

    def __init__(self, dag: DAG, groups: Sequence[Iterable[str]]) -> None:
        self.dag = dag
        self._tier: dict[int, int] = {}
        for place, group in enumerate(groups):
            for name in group:
                if self._tier.setdefault(dag.index(name), place) != place:
                    raise GraphError(f"the variable '{name}' stands in two tiers")
        tiers = [gather(v for v, at in self._tier.items() if at == place) for place in range(len(groups))]
        self.later = [0] * len(dag.names)
        for v, at in self._tier.items():
            for bits in tiers[at + 1 :]:
                self.later[v] |= bits
        self._refuse_ways_back()

    def _refuse_ways_back(self) -> None:
        names = self.dag.names
        for v, later in enumerate(self.later):
            for parent in members(self.dag.parent_bits[v] & later):
                message = f"the arc {names[parent]} -> {names[v]} leads from a later tier to an earlier one"
                raise GraphError(message)
        for v, later in enumerate(self.later):
            for above in members(reach(1 << v, self.dag.parent_bits) & later):
                message = f"a path leads from {names[above]} in a later tier to {names[v]} in an earlier one"
                raise GraphError(message)

    def direct(self, state: Orientation) -> None:
        """Direct the lines that every member of the class without a path back directs alike.

        Where a variable is in no tier, a path through it may lead back, which no rule about single arcs sees:
        each line is turned against the DAG, and stays a line where some member allows that.
        """
        dag = self.dag
        state.close((v, child) for v, later in enumerate(self.later) for child in members(dag.child_bits[v] & later))
        if len(self._tier) in (0, len(dag.names)):
            return
        # First to be last is who comes first in the DAG: then one member shows that many lines can be turned.
        rank = [0] * len(dag.order)
        for place, v in enumerate(reversed(dag.order)):
            rank[v] = place
        possible: set[tuple[int, int]] = set()
        for head, bits in enumerate(dag.parent_bits):
            for tail in members(bits):
                if (head, tail) in possible or not state.lines[head] >> tail & 1:
                    continue
                parents = extend(*_turned(state, head, tail), rank, self.later)
                if parents is None:
                    state.close([(tail, head)])
                else:
                    possible |= {(p, v) for v, chosen in enumerate(parents) for p in members(chosen & state.lines[v])}


def _turned(state: Orientation, tail: int, head: int) -> tuple[list[int], list[int], list[int]]:
    lines, parents, children = list(state.lines), list(state.parents), list(state.children)
    lines[tail] ^= 1 << head
    lines[head] ^= 1 << tail
    parents[head] |= 1 << tail
    children[tail] |= 1 << head
    return lines, parents, children
