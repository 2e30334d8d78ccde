"""DAG -> CPDAG: arcs that all equivalent DAGs share stay arcs, the others become undirected edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from mahc.errors import GraphError
from mahc.graphs.bitset import members
from mahc.graphs.conversions.meek_rules import Orientation
from mahc.graphs.conversions.tiers import Tiers
from mahc.graphs.dag import DAG
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.taking import take_directed

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
