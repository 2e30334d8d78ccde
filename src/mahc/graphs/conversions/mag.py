"""DAG with latent variables -> MAG; MAG -> canonical DAG; the conditions of a MAG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.errors import GraphError
from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import as_group
from mahc.graphs.taking import take_directed
from mahc.graphs.walks import Check, never_stop, sort_topologically


def dag_to_mag(dag: DAG, latent: str | Iterable[str]) -> MixedGraph:
    """Convert a DAG with latent variables to the MAG over the observed ones.

    Parameters
    ----------
    dag : DAG
        The graph.
    latent : str or iterable of str
        The latent variables.

    Returns
    -------
    MixedGraph
        The MAG.

    Raises
    ------
    GraphError
        If a latent variable is not in the DAG.

    Examples
    --------
    >>> fork = DAG(["a", "hidden", "b"], [("hidden", "a"), ("hidden", "b")])
    >>> dag_to_mag(fork, "hidden").edges
    (Edge(left='a', mark='<->', right='b'),)
    """
    dag = take_directed(dag)
    hidden = to_bitset(dag.index(name) for name in as_group(latent))
    children, spouses = _project(dag, hidden)
    ancestors = ancestor_bitsets(dag.order, dag.parent_bitsets)
    n = len(dag.names)
    marks = np.zeros((n, n), dtype=np.int8)
    direct = ((i, j) for i in range(n) for j in members(children[i] | spouses[i]))
    for i, j in (*direct, *inducing_path_pairs(ancestors, children, spouses)):
        marks[i, j] = Mark.TAIL if ancestors[i] >> j & 1 else Mark.ARROW
        marks[j, i] = Mark.TAIL if ancestors[j] >> i & 1 else Mark.ARROW
    kept = [i for i in range(n) if not hidden >> i & 1]
    return MixedGraph.from_marks([dag.names[i] for i in kept], marks[np.ix_(kept, kept)])


def _project(dag: DAG, hidden: int) -> tuple[list[int], list[int]]:
    # For each variable: the observed variables that a directed path through latent variables leads to (children),
    # and the observed variables with which it shares a latent ancestor through such paths (spouses).
    seen = [0] * len(dag.names)
    spouses = [0] * len(dag.names)
    for v in reversed(dag.order):
        for child in members(dag.child_bitsets[v]):
            seen[v] |= seen[child] if hidden >> child & 1 else 1 << child
        if hidden >> v & 1:
            for i in members(seen[v]):
                spouses[i] |= seen[v] & ~(1 << i)
    return [0 if hidden >> v & 1 else found for v, found in enumerate(seen)], spouses


def ancestor_bitsets(order: Iterable[int], parents: tuple[int, ...]) -> list[int]:
    """The ancestors of each variable, including itself, as bitsets."""
    found = [0] * len(parents)
    for v in order:
        found[v] = 1 << v
        for parent in members(parents[v]):
            found[v] |= found[parent]
    return found


def check_mag(graph: MixedGraph) -> None:
    """Check that a graph is a MAG: ancestral (no cycle and no almost directed cycle) and maximal.

    Parameters
    ----------
    graph : MixedGraph
        The graph.

    Returns
    -------
    None
        The graph is a MAG.

    Raises
    ------
    GraphError
        If it is not; the message names the cycle or the pair.

    Examples
    --------
    >>> check_mag(MixedGraph(["a", "b"], [("a", "<->", "b")]))
    """
    check_mag_with(graph, never_stop)


def check_mag_with(graph: MixedGraph, check: Check) -> None:
    """`check_mag` that can be stopped: `check` is called in each round."""
    _refuse_edges(graph, graph.marks == Mark.CIRCLE, "a MAG has no circles")
    parents = graph.where(Mark.ARROW, Mark.TAIL)
    order = sort_topologically(graph.names, [list(members(bitset)) for bitset in parents])
    ancestors = ancestor_bitsets(order, parents)
    above = np.zeros(graph.marks.shape, dtype=np.bool_)
    for v, bitset in enumerate(ancestors):
        above[list(members(bitset)), v] = True
    both = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW)
    _refuse_edges(graph, both & above, "one end is an ancestor of the other, which a MAG does not allow")
    pointed = (graph.marks == Mark.ARROW).any(axis=0)
    lines = (graph.marks == Mark.TAIL) & (graph.marks.T == Mark.TAIL)
    _refuse_edges(graph, lines & pointed, "an arrow points at an end of it, which a MAG does not allow")
    children, spouses = graph.where(Mark.TAIL, Mark.ARROW), graph.where(Mark.ARROW, Mark.ARROW)
    for i, j in inducing_path_pairs(ancestors, children, spouses, check):
        if not graph.marks[i, j]:
            a, b = sorted((graph.names[i], graph.names[j]))
            raise GraphError(f"the graph is not maximal: {a} and {b} are not adjacent, but nothing separates them")


def _refuse_edges(graph: MixedGraph, where: NDArray[np.bool_], why: str) -> None:
    if where.any():
        i, j = np.argwhere(where)[0].tolist()
        raise GraphError(f"the edge {graph.edge_text(i, j)}: {why}")


def mag_to_dag(mag: MixedGraph) -> tuple[DAG, tuple[str, ...]]:
    """Convert a MAG to its canonical DAG, with one latent parent for every bidirected edge.

    Parameters
    ----------
    mag : MixedGraph
        The MAG.

    Returns
    -------
    tuple of DAG and tuple of str
        The DAG, and the names of its latent variables.

    Raises
    ------
    GraphError
        If the graph is not a MAG.

    Examples
    --------
    >>> dag, latent = mag_to_dag(MixedGraph(["a", "b"], [("a", "<->", "b")]))
    >>> dag.arcs, latent
    ((('latent(a, b)', 'a'), ('latent(a, b)', 'b')), ('latent(a, b)',))
    """
    check_mag(mag)
    lines = (mag.marks == Mark.TAIL) & (mag.marks.T == Mark.TAIL)
    _refuse_edges(mag, lines, "an undirected edge means selection, which a DAG with latent variables cannot express")
    arcs = [(edge.left, edge.right) for edge in mag.edges if edge.mark == "-->"]
    hidden = [edge for edge in mag.edges if edge.mark == "<->"]
    latent = tuple(f"latent({edge.left}, {edge.right})" for edge in hidden)
    for name, edge in zip(latent, hidden, strict=True):
        arcs += [(name, edge.left), (name, edge.right)]
    return DAG([*mag.names, *latent], arcs), latent


def inducing_path_pairs(
    ancestors: Sequence[int], children: Sequence[int], spouses: Sequence[int], check: Check = never_stop
) -> Iterator[tuple[int, int]]:
    """Pairs i < j that an inducing path with at least one inner variable connects.

    `ancestors[v]` includes v. All inner variables are colliders, so they form a chain of bidirected edges: only
    the variables around one district (a set connected by bidirected edges) need to be considered. `check` is called
    for each of them.
    """
    found: set[tuple[int, int]] = set()
    for district in _districts(spouses):
        around = _around(district, children)
        for i in members(around):
            check()
            enter_i = (children[i] | spouses[i]) & district
            for j in members(around >> (i + 1) << (i + 1)):
                enter_j = (children[j] | spouses[j]) & district
                allowed = (ancestors[i] | ancestors[j]) & ~(1 << i) & ~(1 << j)
                if enter_i and _connected(enter_i & allowed, enter_j & allowed, spouses, allowed):
                    found.add((i, j))
    yield from sorted(found)


def _districts(spouses: Sequence[int]) -> Iterator[int]:
    seen = 0
    for v, others in enumerate(spouses):
        if others and not seen >> v & 1:
            district = transitive_closure(1 << v, spouses)
            seen |= district
            yield district


def _around(district: int, children: Sequence[int]) -> int:
    around = district
    for v, below in enumerate(children):
        if below & district:
            around |= 1 << v
    return around


def _connected(start: int, goal: int, spouses: Sequence[int], allowed: int) -> bool:
    found = frontier = start
    while frontier and not found & goal:
        low = frontier & -frontier
        fresh = spouses[low.bit_length() - 1] & allowed & ~found
        found |= fresh
        frontier = (frontier ^ low) | fresh
    return bool(found & goal)
