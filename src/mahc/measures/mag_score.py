"""The score of a MAG: the mean over the DAGs that directing its bidirected edges gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import fsum

from mahc.errors import GraphError, SettingError
from mahc.graphs import DAG, MixedGraph
from mahc.plurals import count

# 2^12 DAGs take seconds with cached local scores. The MAG of Pathfinder has 2^31; the paper leaves it out too.
MAX_GRAPHS = 4096


@dataclass(frozen=True)
class MagScore:
    """The mean score over the DAGs of a MAG.

    Parameters
    ----------
    value : float
        The mean.
    graphs : int
        Number of DAGs.
    cyclic : int
        Number of orientations that were left out because of a cycle.

    Examples
    --------
    >>> MagScore(-10.0, 3, 1).graphs
    3
    """

    value: float
    graphs: int
    cyclic: int


def score_mag(mag: MixedGraph, score: Callable[[DAG], float], max_graphs: int = MAX_GRAPHS) -> MagScore:
    """The paper's score of a MAG (section 3.3): the mean over all directions of its bidirected edges.

    Orientations with a cycle are left out.

    Parameters
    ----------
    mag : MixedGraph
        The MAG.
    score : callable
        The score of a DAG.
    max_graphs : int
        The most orientations.

    Returns
    -------
    MagScore
        The mean, and the number of DAGs.

    Raises
    ------
    MahcError
        If there are more than `max_graphs` orientations.

    Examples
    --------
    >>> mag = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "<->", "c")])
    >>> score_mag(mag, lambda dag: -float(len(dag.parents("b"))))
    MagScore(value=-1.5, graphs=2, cyclic=0)
    """
    arcs, bidirected = _split(mag)
    if 2 ** len(bidirected) > max_graphs:
        raise SettingError(
            f"the MAG has {count(len(bidirected), 'bidirected edge')}, so 2^{len(bidirected)} orientations: "
            f"at most {max_graphs:,} are averaged"
        )
    scores, cyclic = [], 0
    for reversed_edges in product((False, True), repeat=len(bidirected)):
        chosen = [(b, a) if back else (a, b) for (a, b), back in zip(bidirected, reversed_edges, strict=True)]
        try:
            dag = DAG(mag.names, [*arcs, *chosen])
        except GraphError:
            cyclic += 1
        else:
            scores.append(score(dag))
    if not scores:
        raise GraphError("every orientation of the bidirected edges of the MAG has a cycle: it has no score")
    return MagScore(fsum(scores) / len(scores), len(scores), cyclic)


def _split(mag: MixedGraph) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    arcs, bidirected = [], []
    for left, mark, right in mag.edges:
        if mark == "-->":
            arcs.append((left, right))
        elif mark == "<->":
            bidirected.append((left, right))
        else:
            raise GraphError(f"the edge {left} {mark} {right} is not in the MAG of any DAG: only --> and <-> are")
    return arcs, bidirected
