"""DAG -> CPDAG: arcs that all equivalent DAGs share stay arcs, the others become undirected edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.taking import take_directed
from mahc.graphs.tier_order import TierOrder
from mahc.graphs.walks import Check, never_stop

Arcs = Collection[tuple[str, str]]


def dag_to_cpdag(
    dag: DAG,
    required: Arcs = (),
    forbidden: Arcs = (),
    tiers: Sequence[Iterable[str]] | None = None,
) -> MixedGraph:
    """Convert a DAG to its CPDAG.

    Edges that knowledge directs, and all edges that follow from these, are arcs as well.

    Parameters
    ----------
    dag : DAG
        The graph.
    required : iterable of (from, to)
        Arcs of the DAG that keep their direction.
    forbidden : iterable of (from, to)
        Arcs that are not in the DAG; each fixes the opposite arc.
    tiers : list of groups of names, optional
        Groups from early to late. No directed path leads from a later group to an earlier one, nor through variables
        in no group.

    Returns
    -------
    MixedGraph
        The CPDAG: arcs that have the same direction in all DAGs of the class, and undirected edges.

    Raises
    ------
    GraphError
        If the DAG contradicts the knowledge.

    Examples
    --------
    >>> chain = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> dag_to_cpdag(chain).edges
    (Edge(left='a', mark='---', right='b'), Edge(left='b', mark='---', right='c'))
    >>> dag_to_cpdag(chain, required=[("a", "b")]).edges
    (Edge(left='a', mark='-->', right='b'), Edge(left='b', mark='-->', right='c'))
    """
    dag = take_directed(dag)
    parents = dag.parent_bitsets
    adjacent = [parents[v] | dag.child_bitsets[v] for v in range(len(dag.names))]
    state = Orientation(adjacent)
    state.close([*_unshielded_collider_arcs(parents, adjacent), *_known_directions(dag, required, forbidden)])
    if tiers:
        Tiers(dag, tiers).direct(state)
    return MixedGraph.from_arcs(dag.names, state.parents, state.lines)


def _unshielded_collider_arcs(parents: Sequence[int], adjacent: Sequence[int]) -> Iterator[tuple[int, int]]:
    # The arcs of all a -> v <- b with a, b not adjacent.
    for v, into in enumerate(parents):
        for a in members(into):
            if into & ~adjacent[a] & ~(1 << a):
                yield a, v


def _known_directions(dag: DAG, required: Arcs, forbidden: Arcs) -> Iterator[tuple[int, int]]:
    for tail, head in required:
        i, j = dag.index(tail), dag.index(head)
        if not dag.parent_bitsets[j] >> i & 1:
            raise GraphError(f"the required arc {tail} -> {head} is not in the graph")
        yield i, j
    for tail, head in forbidden:
        i, j = dag.index(tail), dag.index(head)
        if dag.parent_bitsets[j] >> i & 1:
            raise GraphError(f"the forbidden arc {tail} -> {head} is in the graph")
        if dag.parent_bitsets[i] >> j & 1:
            yield j, i


class Orientation:
    """A partly directed graph while its undirected edges (`lines`) become arcs; adjacencies never change.

    >>> chain = Orientation([0b010, 0b101, 0b010])
    >>> chain.close([(0, 1)])
    >>> chain.parents
    [0, 1, 2]
    """

    def __init__(self, adjacent: Sequence[int]) -> None:
        self.adjacent = list(adjacent)
        self.lines = list(adjacent)
        self.parents = [0] * len(self.adjacent)
        self.children = [0] * len(self.adjacent)
        self._new_arcs: list[tuple[int, int]] = []

    def point(self, tail: int, head: int) -> None:
        """Turn the undirected edge between the two into an arc; an arc stays as it is."""
        if not self.lines[tail] >> head & 1:
            return
        self.lines[tail] ^= 1 << head
        self.lines[head] ^= 1 << tail
        self.children[tail] |= 1 << head
        self.parents[head] |= 1 << tail
        self._new_arcs.append((tail, head))

    def close(self, arcs: Iterable[tuple[int, int]], check: Check = never_stop) -> None:
        """Direct these edges, then apply the rules until none applies; `check` is called for each new arc."""
        for tail, head in arcs:
            self.point(tail, head)
        while self._new_arcs:
            check()
            tail, head = self._new_arcs.pop()
            self._apply_r1(tail, head)
            self._apply_r2(tail, head)
            self._apply_r3(tail, head)
            self._apply_r4(tail, head)

    def _apply_r1(self, tail: int, head: int) -> None:
        # R1: tail -> head - c with tail, c not adjacent: head -> c
        for c in members(self.lines[head] & ~self.adjacent[tail] & ~(1 << tail)):
            self.point(head, c)

    def _apply_r2(self, tail: int, head: int) -> None:
        # R2: a -> b -> c with a - c: a -> c; the new arc may be either of the two
        for c in members(self.children[head] & self.lines[tail]):
            self.point(tail, c)
        for a in members(self.parents[tail] & self.lines[head]):
            self.point(a, head)

    def _apply_r3(self, tail: int, head: int) -> None:
        # R3: a - head, with lines a - tail, a - d, where tail -> head <- d are not adjacent: a -> head
        for a in members(self.lines[head] & self.lines[tail]):
            if self.parents[head] & self.lines[a] & ~self.adjacent[tail] & ~(1 << tail):
                self.point(a, head)

    def _apply_r4(self, tail: int, head: int) -> None:
        # R4: a - b and a - c -> d -> b with c, b not adjacent and a, d adjacent: a -> b.
        # The new arc as c -> d:
        for b in members(self.children[head] & ~self.adjacent[tail]):
            for a in members(self.lines[b] & self.lines[tail] & self.adjacent[head]):
                self.point(a, b)
        # The new arc as d -> b:
        for c in members(self.parents[tail] & ~self.adjacent[head]):
            for a in members(self.lines[head] & self.lines[c] & self.adjacent[tail]):
                self.point(a, head)


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
