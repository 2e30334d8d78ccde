"""Table 3 of the paper: the rule that applies to each pair of variables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mahc.errors import GraphError
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.marks import canonical_edge
from mahc.graphs.mixed import Marks

CONVENTION = "Table 3 of the MAHC paper: wrong mark 0.5, missing or extra edge 1; a circle is read as a tail"


@dataclass(frozen=True)
class EdgeMatch:
    """One edge of a comparison.

    Parameters
    ----------
    first : str
        One variable.
    second : str
        The other variable.
    true : str or None
        The edge in the true graph, as text; None if there is none.
    learned : str or None
        The edge in the learned graph.
    rule : int
        The rule of Table 3 that applies.
    penalty : float
        The penalty of that rule.

    Examples
    --------
    >>> EdgeMatch("a", "b", "a --> b", "a --- b", 2, 0.5).kind
    'partial'
    """

    first: str
    second: str
    true: str | None
    learned: str | None
    rule: int
    penalty: float

    @property
    def kind(self) -> str:
        """`matched`, `partial`, `missing` or `extra`."""
        return {3: "missing", 9: "extra"}.get(self.rule, "partial" if self.penalty else "matched")

    @property
    def difference(self) -> str:
        """As `kind`, but a partial match is `reversed` (an arc the other way round) or has other `marks`."""
        if self.kind != "partial":
            return self.kind
        ends = ((self.first, self.second), (self.second, self.first))
        arcs = {f"{tail} {mark} {head}" for tail, head in ends for mark in ("-->", "o->")}  # a circle is read as a tail
        return "reversed" if {self.true, self.learned} <= arcs else "marks"


def match_edges(learned: MixedGraph, true: MixedGraph) -> tuple[EdgeMatch, ...]:
    """All pairs of variables that are adjacent in at least one of the graphs, sorted by name.

    Table 3 has no circles. The printed numbers show how the paper read them: on noisy Asia (dysp latent, six true
    edges of which five have a circle) the CPDAG of MAHC scores 4.5 of 6; if a circle matched only a circle, 3.5
    would be the maximum. So a circle is read as a tail: o-> as -->, o-o as an undirected edge.

    Parameters
    ----------
    learned : MixedGraph
        The learned graph.
    true : MixedGraph
        The true graph.

    Returns
    -------
    tuple of EdgeMatch
        One for each pair.

    Examples
    --------
    >>> true = MixedGraph(["a", "b", "c"], [("a", "o->", "b"), ("b", "<->", "c")])
    >>> [(m.learned, m.rule) for m in match_edges(MixedGraph(["a", "b", "c"], [("a", "-->", "b")]), true)]
    [('a --> b', 1), (None, 3)]
    """
    _check_variables(learned, true)
    names = sorted(true.names)
    ordered = (learned.reorder(names), true.reorder(names))
    learned_marks, true_marks = (_circles_as_tails(graph.marks) for graph in ordered)
    adjacent = np.triu((learned_marks != Mark.NONE) | (true_marks != Mark.NONE), k=1)
    found = []
    for i, j in np.argwhere(adjacent).tolist():
        rule = _rule((true_marks[j, i], true_marks[i, j]), (learned_marks[j, i], learned_marks[i, j]))
        texts = [_edge_text(graph, i, j) for graph in ordered]
        found.append(EdgeMatch(names[i], names[j], texts[1], texts[0], rule, PENALTIES[rule]))
    return tuple(found)


PENALTIES = {1: 0.0, 2: 0.5, 3: 1.0, 4: 0.0, 5: 0.5, 6: 0.0, 7: 0.5, 8: 0.0, 9: 1.0}


def _rule(true: tuple[int, int], learned: tuple[int, int]) -> int:
    if not any(true):
        return 9 if any(learned) else 8
    if not any(learned):
        return 3
    complete = {(Mark.ARROW, Mark.ARROW): 4, (Mark.TAIL, Mark.TAIL): 6}.get((Mark(true[0]), Mark(true[1])), 1)
    return complete if true == learned else complete + 1


def _circles_as_tails(marks: Marks) -> Marks:
    return np.where(marks == Mark.CIRCLE, np.int8(Mark.TAIL), marks).astype(np.int8)


def _edge_text(graph: MixedGraph, i: int, j: int) -> str | None:
    near, far = Mark(int(graph.marks[j, i])), Mark(int(graph.marks[i, j]))
    return " ".join(canonical_edge(graph.names[i], near, far, graph.names[j])) if near else None


def _check_variables(learned: MixedGraph, true: MixedGraph) -> None:
    absent = sorted(set(true.names) - set(learned.names))
    surplus = sorted(set(learned.names) - set(true.names))
    if absent or surplus:
        parts = [f"does not have {_list_some(absent)}"] if absent else []
        parts += [f"has {_list_some(surplus)}, which the true graph does not have"] if surplus else []
        raise GraphError(
            f"the learned graph {' and '.join(parts)}: both must have the same variables "
            "(name latent variables to remove them from a true DAG)"
        )


def _list_some(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
