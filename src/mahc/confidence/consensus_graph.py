"""One graph from the counts of many: which edges, which directions, no cycle, knowledge obeyed.

1. An edge is in if its share of the graphs is above the threshold; required edges and arcs are in anyway.
2. Required edges are taken first, then the others by falling count, ties by name. An edge gets a direction if more
   than half of the graphs that have the edge have this direction, and if the arc is legal: no directed cycle, no
   violated knowledge.
3. All others are left undirected. For a DAG they are directed in the same order: the more frequent direction if that
   is legal, else the other. Where neither is legal the edge is left out, and the result says why.

Of PAGs:

1. An edge is in if its share of the graphs is above the threshold. Required edges and arcs are in anyway.
2. Required arcs are taken first, then required edges, then the others by falling count, ties by name. Each end gets
   the arrowhead or the tail that more than half of the graphs with this edge have there, otherwise a circle. An
   undirected edge of a CPDAG counts as `o-o`: it says nothing of either end.
3. An edge whose marks contradict those taken before gets circles at both ends: its arrowheads or its arc would say of
   a variable that it is an ancestor of another and that it is not, or knowledge forbids the arc.

By a rule (f1, shd, median) the result is a DAG and its CPDAG:

1. Each pair has the shares of its marks in the CPDAGs: ->, <- and undirected. As in Table 3, the right mark is worth 1
   and another mark 1/2, so an edge in the graph is worth the share of its best mark and half of that of the others.
   f1: pairs by falling worth, as many as give the highest expected F1 (2 * worth / (edges there + edges expected)).
   shd: a pair is in if it is expected to add less to the SHD than it saves. median: it is in more than half.
2. Required arcs and edges are in. Then the pair comes first whose two directions differ most in the DAGs, equal ones by
   share and name. It takes the more frequent direction if that is legal, else the other. Where neither is, it is left
   out. The CPDAG is that of this DAG, given the knowledge.

The marks of a PAG are those of most graphs. The result need not be the PAG of any MAG, and it has no DAG to be fitted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.errors import GraphError
from mahc.graphs import DAG, Mark, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts, turn_around
from mahc.graphs.marks import EDGE_MARKS, join_marks
from mahc.knowledge.constraints import ARC, Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.legality import Legality
from mahc.learning.experiments import ExperimentsRecord
from mahc.results.outcomes.dag import find_pattern

Pair = tuple[int, int]
Ends = tuple[Mark, Mark]  # the marks of an edge at its two variables
UNKNOWN: Ends = (Mark.CIRCLE, Mark.CIRCLE)


@dataclass(frozen=True)
class Built:
    """The graph, a DAG that fits it (PAGs have none), and the edges left out although frequent, with the reason."""

    graph: MixedGraph
    dag: DAG | None
    left_out: tuple[tuple[str, str, str], ...]


def build_graph(edges: EdgeCounts, directions: EdgeCounts, threshold: float, knowledge: Knowledge) -> Built:
    """The consensus graph; `edges` says how often each edge was there, `directions` how often each direction."""
    names = edges.names
    constraints = knowledge.check(names, max(1, len(names)))
    state = Legality(constraints)
    directed: list[Pair] = []
    for u, v in _required(constraints):
        state.add(u, v)
        directed.append((u, v))
    if has_pag_marks(edges):
        return _build_pag(directions, _frequent(edges, threshold, knowledge), state)
    open_pairs: list[Pair] = []
    for pair in _frequent(edges, threshold, knowledge):
        if state.has(*pair) or state.has(*pair[::-1]):
            continue
        arc = _supported(pair, directions)
        if arc is not None and state.may_add(*arc):
            state.add(*arc)
            directed.append(arc)
        else:
            open_pairs.append(pair)
    undirected, left_out = [], []
    for pair in open_pairs:
        chosen = next((arc for arc in _by_frequency(pair, edges) if state.may_add(*arc)), None)
        if chosen is None:
            reason = state.why_not_add(*_by_frequency(pair, edges)[0])
            left_out.append((names[pair[0]], names[pair[1]], reason.text if reason else "it is not legal"))
        else:
            state.add(*chosen)
            undirected.append(pair)
    arcs = [(names[u], names[v]) for v in range(len(names)) for u in range(len(names)) if state.has(u, v)]
    lines = [(names[i], "---", names[j]) for i, j in undirected]
    graph = MixedGraph(names, [*((names[u], "-->", names[v]) for u, v in directed), *lines])
    return Built(graph, DAG(names, arcs), tuple(left_out))


def choose_pairs(edges: EdgeCounts, directions: EdgeCounts, rule: str) -> list[Pair]:
    """The pairs that a rule takes; nothing depends on their order, so that names do not matter.

    >>> from mahc.graphs.edge_counts import count_edges
    >>> graphs = count_edges([DAG("abc", [("a", "b")]), DAG("abc", [("a", "b"), ("b", "c")]), DAG("abc", [])])
    >>> choose_pairs(graphs, graphs, "median")
    [(0, 1)]
    """
    if has_pag_marks(edges):
        raise GraphError(
            "the rules f1, shd and median are for DAGs and CPDAGs, and the graphs are PAGs: give a threshold"
        )
    pairs = list(edges.counts)
    share = np.array([sum(edges.counts[pair].values()) for pair in pairs]) / max(1, edges.graphs)
    best = np.array([max(directions.counts.get(pair, {"": 0}).values()) for pair in pairs]) / max(1, edges.graphs)
    worth = best + (share - best) / 2
    if rule == "median":
        taken = share > 0.5
    elif rule == "shd":
        taken = (1 - share) + (share - best) / 2 < share
    else:
        levels, number = np.unique(-worth, return_counts=True)  # the most valuable first; equal ones come together
        expected = 2 * np.cumsum(-levels * number) / (share.sum() + np.cumsum(number))
        taken = worth >= -levels[int(np.argmax(expected))] if len(levels) else np.zeros(0, np.bool_)
    return [pair for pair, there in zip(pairs, taken.tolist(), strict=True) if there]


def build_dag(
    edges: EdgeCounts, pairs: list[Pair], knowledge: Knowledge, experiments: ExperimentsRecord | None = None
) -> Built:
    """A DAG with these pairs and what is required, and its CPDAG."""
    names = edges.names
    constraints = knowledge.check(names, max(1, len(names)))
    state, left_out = Legality(constraints), []
    for u, v in _required(constraints):
        state.add(u, v)
    required = set(_frequent(edges, 1.0, knowledge))

    def rank(pair: Pair) -> tuple[bool, int, int, list[str]]:
        found = edges.counts.get(pair, {})
        sure = abs(found.get("-->", 0) - found.get("<--", 0))
        return pair not in required, -sure, -sum(found.values()), sorted(names[v] for v in pair)

    for pair in sorted(required.union(pairs), key=rank):
        if state.has(*pair) or state.has(*pair[::-1]):
            continue
        both = _by_frequency(pair, edges)
        chosen = next((arc for arc in both if state.may_add(*arc)), None)
        if chosen is None:
            reason = state.why_not_add(*both[0])
            left_out.append((names[pair[0]], names[pair[1]], reason.text if reason else "it is not legal"))
        else:
            state.add(*chosen)
    dag = DAG(names, [(names[u], names[v]) for v in range(len(names)) for u in range(len(names)) if state.has(u, v)])
    return Built(find_pattern(dag, knowledge, experiments), dag, tuple(left_out))


def _build_pag(marks: EdgeCounts, pairs: list[Pair], state: Legality) -> Built:
    left_out: list[tuple[str, str, str]] = []

    def say_why(pair: Pair, reason: str) -> None:
        left_out.append((marks.names[pair[0]], marks.names[pair[1]], reason))

    graph = mark_edges(pairs, marks, state, say_why)
    return Built(graph, None, tuple(left_out))


def _required(constraints: Constraints) -> list[Pair]:
    return [(u, v) for u, v in np.argwhere(constraints.hold == ARC).tolist()]


def _frequent(edges: EdgeCounts, threshold: float, knowledge: Knowledge) -> list[Pair]:
    """The pairs that are in: required ones, then the most frequent; equal ones by name, in any order of variables."""
    names = edges.names
    place = {name: i for i, name in enumerate(names)}
    required = {(min(place[a], place[b]), max(place[a], place[b])) for a, b in knowledge.required_edges}
    totals = {pair: sum(found.values()) for pair, found in edges.counts.items()}
    chosen = {pair for pair, total in totals.items() if total / edges.graphs > threshold} | required

    def rank(pair: Pair) -> tuple[bool, int, list[str]]:
        return pair not in required, -totals.get(pair, 0), sorted(names[v] for v in pair)

    return sorted(chosen, key=rank)


def _supported(pair: Pair, directions: EdgeCounts) -> Pair | None:
    """The direction that more than half of the graphs with this edge have; None where there is none."""
    found = directions.counts.get(pair, {})
    joined = sum(found.values())
    for arc, text in ((pair, "-->"), (pair[::-1], "<--")):
        if 2 * found.get(text, 0) > joined:
            return arc[0], arc[1]
    return None


def _by_frequency(pair: Pair, edges: EdgeCounts) -> tuple[Pair, Pair]:
    """Both directions, the more frequent first; equal ones by name."""
    found = edges.counts.get(pair, {})
    there, back = found.get("-->", 0), found.get(turn_around("-->"), 0)
    i, j = pair
    ahead = there > back or (there == back and edges.names[i] < edges.names[j])
    return ((i, j), (j, i)) if ahead else ((j, i), (i, j))


def has_pag_marks(counts: EdgeCounts) -> bool:
    """Whether a graph has a circle or an edge with two arrowheads, which DAGs and CPDAGs do not have.

    >>> from mahc.graphs.edge_counts import count_edges
    >>> has_pag_marks(count_edges([MixedGraph("ab", [("a", "o->", "b")])]))
    True
    """
    return any(text not in ("-->", "<--", "---") for found in counts.counts.values() for text in found)


def mark_edges(
    pairs: list[Pair], counts: EdgeCounts, state: Legality, say_why: Callable[[Pair, str], None]
) -> MixedGraph:
    """The graph of these pairs, taken in their order; `state` holds the required arcs, and `say_why` what is left out.

    A pair of which knowledge allows neither direction is left out.
    """
    names, ancestry = counts.names, _Ancestry(state)
    edges = [(names[u], "-->", names[v]) for u, v in ancestry.arcs()]
    for pair in pairs:
        i, j = pair
        if state.has(i, j) or state.has(j, i):
            continue
        if not (state.constraints.allowed[i, j] or state.constraints.allowed[j, i]):
            reason = state.why_not_add(i, j)
            say_why(pair, reason.text if reason else "it is not legal")
            continue
        ends = majority_marks(counts.counts.get(pair, {}))
        taken = ends if ancestry.take(pair, ends) else UNKNOWN
        edges.append((names[i], join_marks(*taken), names[j]))
    return MixedGraph(names, edges)


def majority_marks(found: dict[str, int]) -> Ends:
    """The mark at each end that more than half of these edges have, or a circle.

    >>> majority_marks({"-->": 3, "<->": 2, "---": 1}) == (Mark.CIRCLE, Mark.ARROW)
    True
    """
    total = sum(found.values())
    chosen = []
    for end in (0, 1):
        votes = dict.fromkeys((Mark.TAIL, Mark.ARROW), 0)
        for text, count in found.items():
            mark = EDGE_MARKS[text][end]
            if text != "---" and mark in votes:
                votes[mark] += count
        chosen.append(next((mark for mark, count in votes.items() if 2 * count > total), Mark.CIRCLE))
    return chosen[0], chosen[1]


class _Ancestry:
    """Arcs and arrowheads taken so far; an arrowhead at a variable says that it is no ancestor of the other end."""

    def __init__(self, state: Legality) -> None:
        n = len(state.limit)
        self._state = state
        self._reaches: NDArray[np.bool_] = np.eye(n, dtype=np.bool_)
        self._heads: NDArray[np.bool_] = np.zeros((n, n), np.bool_)  # [u, v]: an arrowhead at v of the edge u, v
        for u, v in self.arcs():
            self._reaches |= np.outer(self._reaches[:, u], self._reaches[v])
            self._heads[u, v] = True

    def arcs(self) -> list[Pair]:
        """The arcs of the state."""
        n = len(self._state.limit)
        return [(u, v) for v in range(n) for u in range(n) if self._state.has(u, v)]

    def take(self, pair: Pair, ends: Ends) -> bool:
        """Add an edge with these marks; False, and nothing added, where they contradict what was taken before."""
        i, j = pair
        heads = [(u, v) for u, v, mark in ((i, j, ends[1]), (j, i, ends[0])) if mark == Mark.ARROW]
        arc = next(
            ((u, v) for u, v, marks in ((i, j, ends), (j, i, ends[::-1])) if marks == (Mark.TAIL, Mark.ARROW)), None
        )
        if arc is not None and not self._state.may_add(*arc):
            return False
        reaches = (
            self._reaches if arc is None else self._reaches | np.outer(self._reaches[:, arc[0]], self._reaches[arc[1]])
        )
        if bool((self._heads & reaches.T).any()) or any(reaches[v, u] for u, v in heads):
            return False
        if arc is not None:
            self._state.add(*arc)
        self._reaches = reaches
        for u, v in heads:
            self._heads[u, v] = True
        return True
