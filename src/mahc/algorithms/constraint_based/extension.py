"""A DAG for a learned CPDAG or PAG, where one fits it and obeys the knowledge.

Where several fit, the order of the variables decides, which comes from the data, and not their names.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mahc.errors import GraphError
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.bitset import members
from mahc.graphs.conversions.extension import extend, find_extension
from mahc.graphs.conversions.pag import find_mag
from mahc.graphs.walks import Check, never_stop
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import find_violation

Arc = tuple[int, int]


def fit_cpdag(graph: MixedGraph, constraints: Constraints, check: Check = never_stop) -> tuple[Arc, ...] | None:
    """The arcs of a DAG with the edges, arcs and colliders of the graph; None where there is none.

    `check` is called in each round.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> line = MixedGraph(["a", "b"], [("a", "---", "b")])
    >>> fit_cpdag(line, Knowledge().check(line.names, 8))
    ((0, 1),)
    """
    parents = extend(
        graph.where(Mark.TAIL, Mark.TAIL),
        graph.where(Mark.ARROW, Mark.TAIL),
        graph.where(Mark.TAIL, Mark.ARROW),
        range(len(graph.names)),
        constraints.tier_order.later,
        check,
    )
    return None if parents is None else _if_legal(parents, constraints, check)


def fit_pag(graph: MixedGraph, constraints: Constraints, check: Check = never_stop) -> tuple[Arc, ...] | None:
    """The arcs of a DAG of the PAG's class; None if the class needs hidden common causes.

    `check` is called in each round.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> hidden = MixedGraph(["a", "b"], [("a", "<->", "b")])
    >>> fit_pag(hidden, Knowledge().check(hidden.names, 8)) is None
    True
    """
    try:
        numbered = MixedGraph.from_valid([f"{v:09d}" for v in range(len(graph.names))], graph.marks)
        parents = find_extension(find_mag(numbered, check), check)
    except GraphError:
        return None
    found = _if_legal(parents, constraints, check)
    # That DAG was made without regard to the knowledge; another one may obey it.
    return fit_cpdag(_decide_circles(graph), constraints, check) if found is None else found


def _decide_circles(graph: MixedGraph) -> MixedGraph:
    """The PAG with `o->` as arcs and `o-o` as lines."""
    marks = np.where(graph.marks == Mark.CIRCLE, Mark.TAIL, graph.marks)
    marks[(graph.marks == Mark.CIRCLE) & (graph.marks.T == Mark.TAIL)] = Mark.ARROW
    return MixedGraph.from_marks(graph.names, marks)


def _if_legal(parents: Sequence[int], constraints: Constraints, check: Check) -> tuple[Arc, ...] | None:
    arcs = tuple(sorted((u, v) for v, mine in enumerate(parents) for u in members(mine)))
    return arcs if find_violation(constraints, arcs, check) is None else None
