"""A DAG for a learnt CPDAG or PAG, where one fits it and obeys all knowledge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mahc.errors import GraphError
from mahc.graphs import Mark, MixedGraph, cpdag_to_dag, pag_to_mag
from mahc.graphs.bitset import gather, members, reach
from mahc.graphs.conversions.extension import extend
from mahc.graphs.names import by_name
from mahc.knowledge.constraints import ARC, EDGE, Constraints

Arc = tuple[int, int]


def fit_cpdag(graph: MixedGraph, constraints: Constraints) -> tuple[Arc, ...] | None:
    """The arcs of a DAG with the edges, arcs and colliders of the graph; None where there is none.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> line = MixedGraph(["a", "b"], [("a", "---", "b")])
    >>> fit_cpdag(line, Knowledge().check(line.names, 8))
    ((0, 1),)
    """
    parents = extend(
        graph.where(Mark.TAIL, Mark.TAIL),
        graph.where(Mark.ARROW, Mark.TAIL),
        graph.where(Mark.TAIL, Mark.ARROW),
        by_name(graph.names),
        _later(constraints),
    )
    return None if parents is None else _if_obeyed(parents, constraints)


def fit_pag(graph: MixedGraph, constraints: Constraints) -> tuple[Arc, ...] | None:
    """The arcs of a DAG of the PAG's class, if that can do without hidden common causes; None where it cannot.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> hidden = MixedGraph(["a", "b"], [("a", "<->", "b")])
    >>> fit_pag(hidden, Knowledge().check(hidden.names, 8)) is None
    True
    """
    try:
        dag = cpdag_to_dag(pag_to_mag(graph, strict=False))
    except GraphError:
        return None
    found = _if_obeyed(dag.parent_bits, constraints)
    # That DAG was made without a thought of knowledge; another one may obey.
    return fit_cpdag(_decide_circles(graph), constraints) if found is None else found


def _decide_circles(graph: MixedGraph) -> MixedGraph:
    """The PAG with `o->` as arcs and `o-o` as lines."""
    marks = np.where(graph.marks == Mark.CIRCLE, Mark.TAIL, graph.marks)
    marks[(graph.marks == Mark.CIRCLE) & (graph.marks.T == Mark.TAIL)] = Mark.ARROW
    return MixedGraph.from_marks(graph.names, marks)


def find_way_back(parents: Sequence[int], constraints: Constraints) -> Arc | None:
    """A variable and one of an earlier tier that a directed path leads to from it, where there are such."""
    for v, later in enumerate(_later(constraints)):
        for above in members(reach(1 << v, parents) & later if later else 0):
            return above, v
    return None


def _later(constraints: Constraints) -> list[int]:
    """For each variable those of later tiers, as bits."""
    tiers = [constraints.tier_of.get(name) for name in constraints.names]
    of = {tier: gather(u for u, other in enumerate(tiers) if other and other > tier) for tier in set(tiers) if tier}
    return [of.get(tier, 0) if tier else 0 for tier in tiers]


def _if_obeyed(parents: Sequence[int], constraints: Constraints) -> tuple[Arc, ...] | None:
    arcs = tuple(sorted((u, v) for v, mine in enumerate(parents) for u in members(mine)))
    chosen = np.zeros_like(constraints.allowed)
    if arcs:
        chosen[tuple(np.array(arcs).T)] = True
    lacking = ((constraints.hold == ARC) & ~chosen) | ((constraints.hold == EDGE) & ~(chosen | chosen.T))
    beyond = (chosen & ~constraints.allowed).any() or (chosen.sum(0) > constraints.limit).any()
    return None if lacking.any() or beyond or find_way_back(parents, constraints) else arcs
