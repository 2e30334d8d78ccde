"""Structural intervention distances: how many effects a learned graph gets wrong (Henckel, Würtzen, Weichwald 2024).

For each ordered pair of variables the learned graph says what to adjust for, that there is no effect, or that it is not
identified. The distance counts the pairs for which that is wrong in the true graph. `gadjid` computes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, Mark, MixedGraph, cpdag_to_dag, dag_to_cpdag
from mahc.graphs.taking import take_graph

NAMES = ("parent", "ancestor", "optimal")


@dataclass(frozen=True)
class InterventionDistances:
    """Numbers of pairs whose effect a learned graph gets wrong, by the sets that are adjusted for.

    Parameters
    ----------
    parent : int
        By the parents of the cause; between DAGs this is the structural intervention distance (SID).
    ancestor : int
        By the ancestors of the cause.
    optimal : int
        By the optimal adjustment set.
    pairs : int
        Number of ordered pairs of variables.

    Examples
    --------
    >>> InterventionDistances(parent=4, ancestor=2, optimal=2, pairs=20).share("parent")
    0.2
    """

    parent: int
    ancestor: int
    optimal: int
    pairs: int

    def share(self, name: str) -> float:
        """One of the distances divided by the number of pairs.

        Parameters
        ----------
        name : str
            "parent", "ancestor" or "optimal".

        Returns
        -------
        float
            From 0, all effects are right, to 1.

        Examples
        --------
        >>> InterventionDistances(parent=4, ancestor=2, optimal=2, pairs=20).share("optimal")
        0.1
        """
        return float(getattr(self, name)) / self.pairs if self.pairs else 0.0


def intervention_distances(learned: DAG | MixedGraph, true: DAG | MixedGraph) -> InterventionDistances:
    """How many effects a learned graph gets wrong.

    Parameters
    ----------
    learned, true : DAG, MixedGraph or Learned
        DAGs or CPDAGs with the same variables.

    Returns
    -------
    InterventionDistances
        The three distances.

    Raises
    ------
    MahcError
        If a graph is neither a DAG nor a CPDAG, the variables differ, or gadjid is not installed.

    Examples
    --------
    >>> chain, fork = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")]), DAG(["a", "b", "c"], [("b", "a"), ("b", "c")])
    >>> intervention_distances(fork, chain)
    InterventionDistances(parent=3, ancestor=3, optimal=3, pairs=6)
    """
    ours, truth = take_graph(learned), take_graph(true)
    names = sorted(truth.names)
    if sorted(ours.names) != names:
        raise GraphError("the graphs have different variables: distances compare graphs of the same variables")
    matrices = [_matrix(role, graph, names) for role, graph in (("learned", ours), ("true", truth))]
    gadjid = load_gadjid()
    parent, ancestor, optimal = (
        int(measure(matrices[1], matrices[0], edge_direction="from row to column")[1])
        for measure in (gadjid.parent_aid, gadjid.ancestor_aid, gadjid.oset_aid)
    )
    return InterventionDistances(parent, ancestor, optimal, pairs=len(names) * (len(names) - 1))


def load_gadjid() -> Any:
    """Import gadjid; raise a MahcError with the command that installs it if it is missing.

    >>> load_gadjid().__name__
    'gadjid'
    """
    try:
        import gadjid
    except ImportError:
        message = 'intervention distances need gadjid, which is not installed: pip install "mahc[distances]"'
        raise MahcError(message) from None
    return gadjid


def _matrix(role: str, graph: DAG | MixedGraph, names: list[str]) -> NDArray[np.int8]:
    """gadjid's matrix: 1 at [i, j] for i -> j, 2 at one of the two places for an undirected edge."""
    if isinstance(graph, DAG):
        return graph.reorder(names).adjacency().astype(np.int8)
    odd = next((edge for edge in graph.edges if edge.mark not in ("-->", "---")), None)
    if odd is not None:
        raise GraphError(
            f"the {role} graph has the edge {' '.join(odd)}: intervention distances are for DAGs and CPDAGs"
        )
    marks = graph.reorder(names).marks
    arcs = (marks == Mark.ARROW) & (marks.T == Mark.TAIL)
    lines = (marks == Mark.TAIL) & (marks.T == Mark.TAIL)
    if lines.any() and dag_to_cpdag(cpdag_to_dag(graph)) != graph:
        raise GraphError(
            f"the {role} graph is neither a DAG nor a CPDAG, as with knowledge: intervention distances need one of them"
        )
    matrix: NDArray[np.int8] = arcs.astype(np.int8)
    matrix[np.triu(lines)] = 2
    return matrix
