"""Comparison of a learned graph with the true one: counts, measures, and the edges that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG, Mark, MixedGraph, dag_to_cpdag, dag_to_pag
from mahc.graphs.pictures import PICTURES, Picture
from mahc.graphs.taking import take_graph
from mahc.measures.counts import MEASURES, Counts
from mahc.measures.intervention_distances import InterventionDistances, intervention_distances
from mahc.measures.matching import CONVENTION, EdgeMatch, match_edges
from mahc.results.learned import Learned

KINDS = ("cpdag", "dag", "pag")


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    Parameters
    ----------
    compared_as : str
        The kind of comparison: "cpdag", "dag" or "pag".
    counts : Counts
        Numbers of matched, partial, missing and extra edges, and the measures.
    edges : tuple of EdgeMatch
        All edges of either graph.
    learned, true : MixedGraph
        The two graphs as they were compared.
    convention : str
        How edges are matched, in words.

    Examples
    --------
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> result = compare(DAG(["a", "b", "c"], [("a", "c")]), truth)
    >>> result
    Comparison(as cpdag: F1 0.333, SHD 1.5, BSF 0.250, precision 0.500, recall 0.250)
    >>> [(edge.true, edge.learned, edge.rule) for edge in result.differing]
    [('a --> c', 'a --- c', 2), ('b --> c', None, 3)]
    """

    compared_as: str
    counts: Counts
    edges: tuple[EdgeMatch, ...]
    learned: MixedGraph = field(repr=False, compare=False)
    true: MixedGraph = field(repr=False, compare=False)
    convention: str = CONVENTION

    def plot(self, title: str = "") -> Picture:
        """Draw both graphs in one picture: common, missing, extra and differently marked edges.

        Parameters
        ----------
        title : str
            The line above the picture.

        Returns
        -------
        Picture
            Notebooks display it; `svg` is its text, `save` writes it.

        Examples
        --------
        >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
        >>> picture = compare(DAG(["a", "b", "c"], [("a", "c")]), truth).plot()
        >>> "1 missing" in picture.svg
        True
        """
        drawn: Picture = PICTURES["comparison"](self, title=title)
        return drawn

    def distances(self) -> InterventionDistances:
        """How many effects the learned graph gets wrong, as a DAG or CPDAG (needs the extra `distances`).

        Returns
        -------
        InterventionDistances
            The structural intervention distances.

        Raises
        ------
        MahcError
            If PAGs are compared, or gadjid is not installed.

        Examples
        --------
        >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
        >>> compare(DAG(["a", "b", "c"], [("a", "c")]), truth).distances().parent
        3
        """
        return intervention_distances(self.learned, self.true)

    @property
    def differing(self) -> tuple[EdgeMatch, ...]:
        """The edges with a penalty, sorted by name."""
        return tuple(edge for edge in self.edges if edge.penalty)

    @property
    def measures(self) -> dict[str, float]:
        """The values of all registered measures, by name."""
        return {name: self.counts.measure(name) for name in MEASURES}

    def __getitem__(self, name: str) -> float:
        return self.counts.measure(name)

    def __repr__(self) -> str:
        return (
            f"Comparison(as {self.compared_as}: F1 {self['f1']:.3f}, SHD {self['shd']:g}, "
            f"BSF {self['bsf']:.3f}, precision {self['precision']:.3f}, recall {self['recall']:.3f})"
        )


def compare(
    learned: DAG | MixedGraph | Learned,
    true: DAG | MixedGraph | Learned,
    as_: str | None = None,
    latents: Sequence[str] = (),
) -> Comparison:
    """Compare a learned graph with the true one.

    A DAG is first converted to its CPDAG (except as "dag"). As "pag", the true DAG is converted to its PAG without
    `latents`. Mixed graphs are compared as they are.

    Parameters
    ----------
    learned : DAG, MixedGraph or Learned
        The learned graph.
    true : DAG, MixedGraph or Learned
        The true graph; it has the same variables.
    as_ : str, optional
        "cpdag", "dag" or "pag"; the kind of the true graph if left out.
    latents : list of str
        Variables of the true DAG that were not observed.

    Returns
    -------
    Comparison
        The measures, and all edges.

    Raises
    ------
    MahcError
        If the graphs have different variables, or cannot be compared in that way.

    Examples
    --------
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> compare(DAG(["a", "b", "c"], [("a", "c")]), truth).counts.measure("shd")
    1.5
    """
    learned_graph: DAG | MixedGraph = take_graph(learned)
    true_graph: DAG | MixedGraph = take_graph(true)
    kind = as_ if as_ is not None else _kind_of(true_graph, latents)
    if kind not in KINDS:
        raise UnknownNameError("kind of comparison", kind, KINDS)
    if latents and (kind != "pag" or not isinstance(true_graph, DAG)):
        raise GraphError("latent variables can be removed only from a true DAG that is compared as 'pag'")
    graphs = _learned_as(kind, learned_graph), _true_as(kind, true_graph, latents)
    edges = match_edges(*graphs)
    tally = Counter(edge.kind for edge in edges)
    counts = Counts(
        variables=len(true_graph.names) - len(set(latents)),
        matched=tally["matched"],
        partial=tally["partial"],
        extra=tally["extra"],
        missing=tally["missing"],
    )
    return Comparison(kind, counts, edges, *graphs)


def _kind_of(true: DAG | MixedGraph, latents: Sequence[str]) -> str:
    if latents or (isinstance(true, MixedGraph) and _beyond_cpdag(true)):
        return "pag"
    return "cpdag"


def _beyond_cpdag(graph: MixedGraph) -> bool:
    both_arrows = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW)
    return bool((graph.marks == Mark.CIRCLE).any() or both_arrows.any())


def _learned_as(kind: str, graph: DAG | MixedGraph) -> MixedGraph:
    if kind == "dag":
        return _directed("learned", graph)
    return dag_to_cpdag(graph) if isinstance(graph, DAG) else graph


def _true_as(kind: str, graph: DAG | MixedGraph, latents: Sequence[str]) -> MixedGraph:
    if kind == "dag":
        return _directed("true", graph)
    if kind == "pag":
        return dag_to_pag(graph, latents) if isinstance(graph, DAG) else graph
    if isinstance(graph, MixedGraph) and _beyond_cpdag(graph):
        raise GraphError("the true graph has circles or two-headed edges and is not a CPDAG: compare as 'pag'")
    return dag_to_cpdag(graph) if isinstance(graph, DAG) else graph


def _directed(role: str, graph: DAG | MixedGraph) -> MixedGraph:
    if isinstance(graph, DAG):
        return graph.to_mixed()
    arcs = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.TAIL)
    if bool(np.any((graph.marks != Mark.NONE) & ~(arcs | arcs.T))):
        raise GraphError(f"the {role} graph has edges that are not arcs: compare as 'cpdag' or 'pag'")
    return graph
