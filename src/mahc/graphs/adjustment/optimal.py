"""The optimal adjustment set of a DAG (Henckel, Perković and Maathuis 2022)."""

from __future__ import annotations

from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.dag import DAG


def optimal_set(dag: DAG, cause: str, target: str) -> tuple[str, ...] | None:
    """The parents of the variables between cause and target, sorted; None where no path leads there.

    >>> optimal_set(DAG(["x", "m", "y", "c"], [("x", "m"), ("m", "y"), ("c", "x"), ("c", "y")]), "x", "y")
    ('c',)
    """
    x, y = dag.index(cause), dag.index(target)
    below = transitive_closure(1 << x, dag.child_bitsets)
    if not below >> y & 1 or x == y:
        return None
    between = below & transitive_closure(1 << y, dag.parent_bitsets) & ~(1 << x)
    chosen = 0
    for v in members(between):
        chosen |= dag.parent_bitsets[v]
    return tuple(sorted(dag.names[p] for p in members(chosen & ~between & ~(1 << x))))
