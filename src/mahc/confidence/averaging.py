"""`mahc.average`: one graph from many, with the share of each edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mahc.confidence.consensus_graph import build_dag, build_graph, choose_pairs
from mahc.confidence.settings import ConsensusSettings
from mahc.errors import GraphError, InvalidSettingError
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts, count_edges
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import take_knowledge
from mahc.learning.experiments import ExperimentsRecord
from mahc.plurals import noun
from mahc.results.graph_sample import GraphSample
from mahc.results.learned import Learned

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Consensus:
    """One graph from many over the same variables; `mahc.average` and `mahc.consensus` make it.

    Parameters
    ----------
    graph : MixedGraph
        The consensus: arcs where a direction is supported, undirected edges elsewhere. Of PAGs: at each end the mark
        that most of them have.
    dag : DAG, optional
        A DAG that fits it, to be scored and fitted; None for PAGs.
    threshold : float
        Edges with a larger share of the graphs are in. With a rule: the smallest share of an edge that it chose.
    counts : EdgeCounts
        How often each edge and direction was counted.
    left_out : tuple of (str, str, str)
        Frequent edges that no legal direction was left for, with the reason.
    rule : str, optional
        The rule that chose the edges: "f1", "shd" or "median"; None where the threshold did.

    Examples
    --------
    >>> import mahc
    >>> graphs = [mahc.DAG("abc", [("a", "b"), ("c", "b")]), mahc.DAG("abc", [("a", "b")])]
    >>> consensus = mahc.average(graphs, least=2)
    >>> consensus.graph.edges, consensus.share("c", "b")
    ((Edge(left='a', mark='-->', right='b'),), 0.5)
    """

    graph: MixedGraph
    dag: DAG | None
    threshold: float
    counts: EdgeCounts
    left_out: tuple[tuple[str, str, str], ...] = ()
    rule: str | None = None

    @property
    def graphs(self) -> int:
        """The number of graphs."""
        return self.counts.graphs

    def share(self, left: str, right: str) -> float:
        """The share of the graphs that join the two variables."""
        return self.counts.edge(left, right) / self.graphs

    def direction(self, tail: str, head: str) -> float:
        """The share of the graphs that have the arc `tail` -> `head`."""
        return self.counts.arc(tail, head) / self.graphs

    @cached_property
    def attributes(self) -> dict[frozenset[str], dict[str, Any]]:
        """For each edge of the consensus its share, as graph files hold it."""
        return {
            frozenset((edge.left, edge.right)): {"confidence": self.share(edge.left, edge.right)}
            for edge in self.graph.edges
        }

    def to_frame(self) -> pl.DataFrame:
        """All pairs that any graph joins: their shares, and the edge of the consensus (empty where there is none)."""
        import polars as pl

        names = self.counts.names
        held = {frozenset((edge.left, edge.right)): " ".join(edge) for edge in self.graph.edges}
        rows = [
            (
                names[i],
                names[j],
                self.share(names[i], names[j]),
                self.direction(names[i], names[j]),
                self.direction(names[j], names[i]),
                held.get(frozenset((names[i], names[j])), ""),
            )
            for i, j in sorted(self.counts.counts)
        ]
        columns = ("left", "right", "share", "left_to_right", "right_to_left", "consensus")
        types = dict(zip(columns, (pl.String, pl.String, pl.Float64, pl.Float64, pl.Float64, pl.String), strict=True))
        return pl.DataFrame(rows, schema=types, orient="row").sort("share", descending=True, maintain_order=True)

    def write_graph(self, path: str | PathLike[str]) -> None:
        """Write the consensus to a graph file, with the shares where the format (CSV, DOT, GraphML) holds them."""
        from mahc.graphs.files import write_graph

        write_graph(self.graph, Path(path), attributes=self.attributes)

    def _repr_svg_(self) -> str | None:
        return self.graph._repr_svg_()

    def __repr__(self) -> str:
        return f"Consensus({self.graphs} {noun(self.graphs, 'graph')}, threshold {self.threshold:.3g}: {self.graph!r})"


def average(
    graphs: GraphSample | Iterable[DAG | MixedGraph | Learned | GraphSample],
    *,
    least: int | None = None,
    threshold: float | None = None,
    rule: str | None = None,
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
) -> Consensus:
    """Make one graph from many over the same variables.

    An edge is in if its share of the graphs is above a threshold, and has a direction if more than half of the graphs
    with this edge have it. Arcs are taken by falling frequency and never close a directed cycle; what cannot be
    directed so stays undirected.

    Of PAGs each end of an edge gets the arrowhead or the tail that more than half of the graphs with this edge have
    there, otherwise a circle. An edge whose marks contradict more frequent ones gets two circles.

    Parameters
    ----------
    graphs : GraphSample or iterable of DAG, MixedGraph, Learned and GraphSample
        A bootstrap or another sample, whose directions are those of its CPDAGs or PAGs; or DAGs, CPDAGs and PAGs, whose
        marks are taken as given; or several samples, which are pooled.
    least : int, optional
        An edge is in if at least this many graphs have it.
    threshold : float, optional
        An edge is in if a larger share of the graphs has it, from 0 to below 1. Where neither this nor `least` is
        given, the threshold comes from the shares (Scutari and Nagarajan 2013).
    rule : str, optional
        Choose the edges by what the graph is for: "f1" (the highest expected F1), "shd" (the lowest expected structural
        Hamming distance) or "median" (edges in more than half of the graphs). The result is then a DAG and its CPDAG:
        of the chosen edges the one whose direction is surest comes first, each takes its more frequent direction that
        closes no cycle and violates no knowledge. For DAGs and CPDAGs.
    knowledge : Knowledge, dict, str or path, optional
        Constraints that the consensus obeys; of a bootstrap its own by default.

    Returns
    -------
    Consensus
        The graph, a DAG that fits it, and the shares.

    Raises
    ------
    MahcError
        Where the graphs are over different variables, or a setting is wrong.

    Examples
    --------
    >>> one, two = DAG("abc", [("a", "b"), ("b", "c")]), DAG("abc", [("a", "b"), ("c", "b")])
    >>> average([one, two, two], threshold=0.5).graph.edges
    (Edge(left='a', mark='-->', right='b'), Edge(left='c', mark='-->', right='b'))
    """
    ConsensusSettings(least=least, threshold=threshold, rule=rule)
    if isinstance(graphs, GraphSample):
        known = graphs.run.knowledge if knowledge is None else take_knowledge(knowledge)
        told = graphs.run.experiments
        return average_counts(graphs.edge_counts, graphs.pattern_counts, least, threshold, known, rule, told)
    parts = [_counts(each) for each in graphs]
    if not parts:
        raise GraphError("there are no graphs to count: give one or more")
    edges, directions = (sum_counts(counts) for counts in zip(*parts, strict=True))
    return average_counts(edges, directions, least, threshold, take_knowledge(knowledge), rule)


def _counts(given: DAG | MixedGraph | Learned | GraphSample) -> tuple[EdgeCounts, EdgeCounts]:
    """The counts of the edges and of the directions of one graph, or of a sample."""
    if isinstance(given, GraphSample):
        return given.edge_counts, given.pattern_counts
    found = count_edges([given.graph if isinstance(given, Learned) else given])
    return found, found


def sum_counts(parts: Iterable[EdgeCounts]) -> EdgeCounts:
    """All counts together; what has more graphs counts for more."""
    first, *others = parts
    total = first.copy()
    for counts in others:
        total.merge(counts)
    return total


def average_counts(
    edges: EdgeCounts,
    directions: EdgeCounts,
    least: int | None,
    threshold: float | None,
    knowledge: Knowledge,
    rule: str | None = None,
    experiments: ExperimentsRecord | None = None,
) -> Consensus:
    """The consensus of graphs that were counted already."""
    if rule is not None:
        chosen_pairs = choose_pairs(edges, directions, rule)
        built = build_dag(edges, chosen_pairs, knowledge, experiments)
        shares = [sum(edges.counts[pair].values()) / edges.graphs for pair in chosen_pairs]
        return Consensus(built.graph, built.dag, min(shares, default=1.0), edges, built.left_out, rule)
    if least is not None and least > edges.graphs:
        raise InvalidSettingError("least", least, f"give at most the number of graphs, {edges.graphs}")
    if least is not None:
        chosen = (least - 0.5) / edges.graphs
    else:
        chosen = find_threshold(edges) if threshold is None else float(threshold)
    built = build_graph(edges, directions, chosen, knowledge)
    return Consensus(built.graph, built.dag, chosen, edges, built.left_out)


def find_threshold(counts: EdgeCounts) -> float:
    """The threshold of Scutari and Nagarajan (2013): edges with a larger share are significant.

    In the ideal case every share is 0 or 1. Of all such cases the one is taken whose distribution of shares is
    nearest (least absolute difference) to the one found, over all pairs of variables. Their t is a weighted median,
    computed exactly here; the threshold is the quantile of the shares at t.

    >>> always = DAG(["a", "b", "c"], [("a", "b")])
    >>> find_threshold(count_edges([always] * 9 + [DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])]))
    0.1
    """
    n = len(counts.names)
    pairs = n * (n - 1) // 2
    if pairs == 0:
        return 0.0
    shares = np.zeros(pairs)
    shares[: len(counts.counts)] = [sum(found.values()) / counts.graphs for found in counts.counts.values()]
    knots, times = np.unique(np.append(shares, 0.0), return_counts=True)
    times[0] -= 1  # the zero that was added, so that 0 is a knot
    below = np.cumsum(times) / pairs  # the distribution function at the knots, constant up to the next one
    lengths = np.diff(np.append(knots, 1.0))
    order = np.argsort(below, kind="stable")
    total = np.cumsum(lengths[order])
    middle = order[int(np.searchsorted(total, total[-1] / 2))]
    return float(knots[middle])
