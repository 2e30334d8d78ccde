"""The score of a given DAG on data, in total and family by family."""

from __future__ import annotations

import math
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from mahc.data import Dataset
from mahc.engine import Families
from mahc.errors import GraphError
from mahc.graphs import DAG
from mahc.graphs.taking import take_directed
from mahc.learn import split_settings
from mahc.learning.settings import choose_score
from mahc.opening import open_rows
from mahc.results.learned import Learned
from mahc.scores import Score
from mahc.sources import find_data, find_directed


@dataclass(frozen=True)
class FamilyScore:
    """The local score of one variable given its parents.

    Parameters
    ----------
    variable : str
        The variable.
    parents : tuple of str
        Its parents.
    local_score : float
        The score.

    Examples
    --------
    >>> import mahc
    >>> data = mahc.read({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8})
    >>> mahc.score_graph(mahc.DAG(["a", "b"], [("a", "b")]), data).families[1]
    FamilyScore(variable='b', parents=('a',), local_score=-4.0)
    """

    variable: str
    parents: tuple[str, ...]
    local_score: float


@dataclass(frozen=True)
class ScoredGraph:
    """The score of a DAG on data.

    Parameters
    ----------
    score : Score
        The score that was used.
    size : int
        Number of rows.
    families : tuple of FamilyScore
        The local scores, in the order of the data's columns.

    Examples
    --------
    >>> import mahc
    >>> data = mahc.read({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8})
    >>> mahc.score_graph(mahc.DAG(["a", "b"], [("a", "b")]), data).total
    -22.0
    """

    score: Score
    size: int
    families: tuple[FamilyScore, ...]

    @property
    def total(self) -> float:
        """The sum of the local scores, rounded once, so that it does not depend on the order of the columns."""
        return math.fsum(family.local_score for family in self.families)


def score_graph(
    graph: DAG | Learned | str | PathLike[str], data: object, objective: str | Score = "bic", **settings: Any
) -> ScoredGraph:
    """Score a DAG on data.

    Parameters
    ----------
    graph : DAG, str or path
        The graph, or whatever `mahc.find_graph` takes. Variables of the data that it does not name have no parents.
    data : object
        Whatever `mahc.read` takes, or the name of a shipped sample.
    objective : str or Score
        The score: its name, or a score made already.
    **settings
        Settings of the score, such as `base` and `equivalent_sample_size`, and those of `mahc.read`.

    Returns
    -------
    ScoredGraph
        The total, and the local score of every variable.

    Raises
    ------
    MahcError
        Where the graph is not a DAG or names a variable that the data do not have.

    Examples
    --------
    >>> round(score_graph("asia", "asia").total, 1)
    -3308.9
    """
    reading, own = split_settings(settings)
    chosen = choose_score(objective, own)
    dag = _take_dag(graph)
    dataset = open_rows(find_data(data) if isinstance(data, str | Path) else data, reading, kinds=chosen.columns)
    parents = find_parents(dag, dataset)
    scorer = chosen.scorer(chosen.hold(dataset))
    local = scorer.score_families(Families.of(enumerate(parents))).tolist()
    families = (
        FamilyScore(name, tuple(dataset.names[p] for p in mine), value)
        for name, mine, value in zip(dataset.names, parents, local, strict=True)
    )
    return ScoredGraph(chosen, dataset.size, tuple(families))


def find_parents(dag: DAG, data: Dataset) -> list[list[int]]:
    """The parents of each variable of the data, sorted by name."""
    positions = [data.index(name) for name in dag.names]
    parents: list[list[int]] = [[] for _ in data.names]
    for v, chosen in zip(positions, dag.parent_sets, strict=True):
        parents[v] = sorted((positions[p] for p in chosen), key=lambda p: data.names[p])
    return parents


def _take_dag(graph: object) -> DAG:
    found = take_directed(graph) if not isinstance(graph, str | PathLike) else find_directed(str(graph))[0]
    return require_dag(found, str(graph) if isinstance(graph, str | PathLike) else "the graph")


def require_dag(graph: object, name: str) -> DAG:
    """Refuse a graph with edges that are not arcs."""
    if isinstance(graph, DAG):
        return graph
    odd = next((edge for edge in getattr(graph, "edges", ()) if edge.mark != "-->"), None)
    what = f"the edge {' '.join(odd)} is not an arc" if odd else f"this is of type {type(graph).__name__}"
    raise GraphError(f"{name}: a score needs a DAG, and {what}")
