"""How often each edge, and each direction of it, occurs in many graphs over the same variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mahc.errors import GraphError
from mahc.graphs.dag import DAG
from mahc.graphs.marks import EDGE_MARKS, Mark, join_marks
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import look_up

Pair = tuple[int, int]


@dataclass
class EdgeCounts:
    """Counts of edges over `graphs` graphs; `counts[i, j][text]` for i < j, the left end of `text` at variable i.

    Only pairs that occur are kept, so that memory grows with the edges found and not with the pairs of variables.

    >>> counts = EdgeCounts(("a", "b", "c"))
    >>> counts.add(DAG(["a", "b", "c"], [("b", "a"), ("b", "c")]))
    >>> counts.add(DAG(["a", "b", "c"], [("a", "b")]))
    >>> counts.edge("a", "b"), counts.arc("b", "a"), counts.arc("b", "c"), counts.edge("a", "c")
    (2, 1, 1, 0)
    """

    names: tuple[str, ...]
    graphs: int = 0
    counts: dict[Pair, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._positions = {name: i for i, name in enumerate(self.names)}

    def add(self, graph: DAG | MixedGraph, times: int = 1) -> None:
        """Count the edges of a graph so often; its variables may be in another order, but must be the same."""
        if graph.names != self.names and set(graph.names) != set(self.names):
            raise GraphError(_difference(self.names, graph.names))
        place = [self._positions[name] for name in graph.names]
        if isinstance(graph, DAG):
            for head, parents in enumerate(graph.parent_sets):
                for tail in parents:
                    self._count(place[tail], "-->", place[head], times)
        else:
            rows, columns = np.nonzero(np.triu(graph.marks))
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
                text = join_marks(Mark(int(graph.marks[j, i])), Mark(int(graph.marks[i, j])))
                self._count(place[i], text, place[j], times)
        self.graphs += times

    def _count(self, left: int, text: str, right: int, times: int) -> None:
        if left > right:
            left, right, text = right, left, turn_around(text)
        of_pair = self.counts.setdefault((left, right), {})
        of_pair[text] = of_pair.get(text, 0) + times

    def merge(self, other: EdgeCounts) -> None:
        """Add the counts of more graphs over the same variables."""
        if set(other.names) != set(self.names):
            raise GraphError(_difference(self.names, other.names))
        place = [self._positions[name] for name in other.names]
        for (i, j), found in other.counts.items():
            for text, times in found.items():
                self._count(place[i], text, place[j], times)
        self.graphs += other.graphs

    def copy(self) -> EdgeCounts:
        """Counts of their own, to which more can be added."""
        return EdgeCounts(self.names, self.graphs, {pair: dict(found) for pair, found in self.counts.items()})

    def repeated(self, times: int) -> EdgeCounts:
        """The counts of so many copies of the graphs."""
        counts = {pair: {text: times * n for text, n in found.items()} for pair, found in self.counts.items()}
        return EdgeCounts(self.names, times * self.graphs, counts)

    def marks(self, left: str, right: str) -> Mapping[str, int]:
        """How often each kind of edge stands between the two, the left end of each text at `left`."""
        i, j = look_up(left, self._positions), look_up(right, self._positions)
        found = self.counts.get((min(i, j), max(i, j)), {})
        return found if i < j else {turn_around(text): count for text, count in found.items()}

    def edge(self, left: str, right: str) -> int:
        """How many graphs join the two."""
        return sum(self.marks(left, right).values())

    def arc(self, tail: str, head: str) -> int:
        """How many graphs have the arc `tail` -> `head`."""
        return self.marks(tail, head).get("-->", 0)

    def edge_matrix(self) -> NDArray[np.int64]:
        """[i, j]: how many graphs join i and j."""
        return self._matrix(lambda _: True)

    def text_matrix(self, *texts: str) -> NDArray[np.int64]:
        """[i, j]: how many graphs have one of these kinds of edge, left end at i."""
        wanted = frozenset(texts)
        return self._matrix(wanted.__contains__)

    def mark_matrix(self, mark: Mark) -> NDArray[np.int64]:
        """[i, j]: how many graphs have this mark at j of the edge between i and j."""
        return self._matrix(lambda text: EDGE_MARKS[text][1] == mark)

    def _matrix(self, counts_if: object) -> NDArray[np.int64]:
        assert callable(counts_if)
        found = np.zeros((len(self.names),) * 2, np.int64)
        for (i, j), of_pair in self.counts.items():
            for text, count in of_pair.items():
                if counts_if(text):
                    found[i, j] += count
                if counts_if(turn_around(text)):
                    found[j, i] += count
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EdgeCounts):
            return NotImplemented
        return (self.names, self.graphs, self.counts) == (other.names, other.graphs, other.counts)


def count_edges(graphs: Iterable[DAG | MixedGraph]) -> EdgeCounts:
    """The counts over all these graphs; a GraphError where there is none, or where their variables differ.

    >>> count_edges([DAG(["a", "b"], [("a", "b")]), DAG(["b", "a"], [])]).counts
    {(0, 1): {'-->': 1}}
    """
    found: EdgeCounts | None = None
    for graph in graphs:
        found = found or EdgeCounts(graph.names)
        found.add(graph)
    if found is None:
        raise GraphError("there are no graphs to count: give one or more")
    return found


def count_arcs(
    names: tuple[str, ...],
    graphs: int,
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    weights: NDArray[np.int64],
    undirected: NDArray[np.bool_] | None = None,
) -> EdgeCounts:
    """The counts over so many graphs, all their arcs in one list; `undirected` marks edges without a direction.

    >>> count_arcs(("a", "b"), 3, np.array([0, 1]), np.array([1, 0]), np.array([2, 1])).counts
    {(0, 1): {'-->': 2, '<--': 1}}
    """
    n, texts = len(names), ("-->", "<--", "---")
    kind = np.where(tails < heads, 0, 1)
    if undirected is not None:
        kind = np.where(undirected, 2, kind)
    keys = (np.minimum(tails, heads) * n + np.maximum(tails, heads)) * len(texts) + kind
    found, which = np.unique(keys, return_inverse=True)
    totals = np.zeros(len(found), np.int64)
    np.add.at(totals, which, weights)
    counts: dict[Pair, dict[str, int]] = {}
    for key, total in zip(found.tolist(), totals.tolist(), strict=True):
        pair, text = divmod(key, len(texts))
        counts.setdefault(divmod(pair, n), {})[texts[text]] = total
    return EdgeCounts(names, graphs, counts)


def turn_around(text: str) -> str:
    """The same edge read from its other end.

    >>> turn_around("o->"), turn_around("---")
    ('<-o', '---')
    """
    near, far = EDGE_MARKS[text]
    return join_marks(far, near)


def _difference(expected: tuple[str, ...], found: tuple[str, ...]) -> str:
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    which = f"lacks '{missing[0]}'" if missing else f"has '{extra[0]}' in addition"
    return f"the graphs are over different variables: one {which}; give graphs over the same variables"
