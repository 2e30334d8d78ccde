"""The parents that a variable has in the DAGs of a class: what IDA adjusts for (Maathuis, Kalisch, Bühlmann 2009)."""

from __future__ import annotations

from collections.abc import Iterator

from mahc.errors import GraphError, SettingError
from mahc.graphs import DAG, Mark, MixedGraph
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.conversions.extension import extend
from mahc.graphs.names import rank_by_name

MAX_SETS = 4096


def possible_parents(pattern: MixedGraph, variable: str) -> tuple[tuple[str, ...], ...]:
    """Every set of parents of the variable in a DAG of the class, each sorted, the sets sorted.

    `pattern` is a CPDAG, or one with more arcs directed by knowledge. A set of its neighbours along undirected edges
    joins the parents where that makes no new unshielded collider and a DAG of the class has it so.

    >>> possible_parents(MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c")]), "b")
    ((), ('a',), ('c',))
    """
    return tuple(dag.parents(variable) for dag in dags_by_parents(pattern, variable))


def dags_by_parents(pattern: MixedGraph, variable: str) -> list[DAG]:
    """One DAG of the class for each set of parents that the variable can have, sorted by these sets.

    >>> pattern = MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c")])
    >>> [dag.arcs for dag in dags_by_parents(pattern, "c")]
    [(('b', 'a'), ('c', 'b')), (('a', 'b'), ('b', 'c'))]
    """
    _refuse_other_marks(pattern)
    v = pattern.index(variable)
    lines, parents = pattern.where(Mark.TAIL, Mark.TAIL), pattern.where(Mark.ARROW, Mark.TAIL)
    children = pattern.where(Mark.TAIL, Mark.ARROW)
    adjacent = [lines[i] | parents[i] | children[i] for i in range(len(pattern.names))]
    found = []
    for chosen in _cliques(lines[v], adjacent, parents[v], pattern, variable):
        extended = _extend_with(pattern, v, chosen, (lines, parents, children))
        if extended is not None:
            found.append(DAG.from_parents(pattern.names, [list(members(bitset)) for bitset in extended]))
    return sorted(found, key=lambda dag: dag.parents(variable))


def _cliques(neighbours: int, adjacent: list[int], parents: int, pattern: MixedGraph, variable: str) -> Iterator[int]:
    """Sets of neighbours that are adjacent to each other and to all parents: others would make a new collider."""
    candidates = [u for u in members(neighbours) if not parents & ~adjacent[u]]
    stack, tried = [(0, to_bitset(candidates))], 0
    while stack:
        chosen, left = stack.pop()
        yield chosen
        tried += 1
        if tried > MAX_SETS:
            raise SettingError(
                f"'{variable}' has more than {MAX_SETS:,} possible parent sets in the DAGs of the class: direct some "
                "of its edges by knowledge, or ask for the effect in one DAG"
            )
        for u in members(left):
            left &= ~(1 << u)
            stack.append((chosen | 1 << u, left & adjacent[u]))


def _extend_with(
    pattern: MixedGraph, v: int, chosen: int, sets: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
) -> list[int] | None:
    """The parents in a DAG of the class that has exactly these neighbours as parents of v, the others as children."""
    lines, parents, children = (list(each) for each in sets)
    for u in members(lines[v]):
        tail, head = (u, v) if chosen >> u & 1 else (v, u)
        children[tail] |= 1 << head
        parents[head] |= 1 << tail
        lines[u] &= ~(1 << v)
    outside = [u for u in members(lines[v]) if not chosen >> u & 1]
    lines[v] = 0
    adjacent = [lines[i] | parents[i] | children[i] for i in range(len(lines))]
    for u in outside:  # v -> u must not meet another parent of u that is not adjacent to v
        if sets[1][u] & ~adjacent[v] & ~(1 << v):
            return None
    return extend(lines, parents, children, rank_by_name(pattern.names))


def _refuse_other_marks(pattern: MixedGraph) -> None:
    odd = next((edge for edge in pattern.edges if edge.mark not in ("-->", "---")), None)
    if odd is not None:
        raise GraphError(
            f"the graph has the edge {' '.join(odd)}, so hidden common causes are possible: effects are computed for "
            "DAGs and CPDAGs"
        )
