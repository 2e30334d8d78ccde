"""One graph from the counts of many: which edges, which directions, no cycle, knowledge obeyed.

1. An edge is in if its share of the graphs is above the threshold; required edges and arcs are in anyway.
2. Required edges are taken first, then the others by falling count, ties by name. An edge gets a direction if more
   than half of the graphs that have the edge have this direction, and if the arc is legal: no directed cycle, no
   violated knowledge.
3. All others are left undirected. For a DAG they are directed in the same order: the more frequent direction if that
   is legal, else the other. Where neither is legal the edge is left out, and the result says why.

Graphs with the marks of PAGs follow the rules of `consensus_pag.py` instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mahc.confidence.consensus_pag import has_pag_marks, mark_edges
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts, turn_around
from mahc.knowledge.constraints import ARC, Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.legality import Legality

Pair = tuple[int, int]


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
