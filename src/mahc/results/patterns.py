"""The pattern of a learned DAG: which of its directions the data and the knowledge determine."""

from __future__ import annotations

from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.knowledge.knowledge import Knowledge


def find_pattern(dag: DAG, known: Knowledge) -> MixedGraph:
    """The CPDAG: all DAGs that the data cannot distinguish from this one, given the knowledge.

    >>> find_pattern(DAG(["a", "b"], [("a", "b")]), Knowledge(forbidden_arcs=[("b", "a")])).edges
    (Edge(left='a', mark='-->', right='b'),)
    """
    forbidden = [*known.forbidden_arcs, *known.forbidden_edges, *((b, a) for a, b in known.forbidden_edges)]
    required = [arc for arc in known.required_arcs if arc in dag.arcs]
    return dag_to_cpdag(dag, required=required, forbidden=forbidden, tiers=known.tiers)
