"""The score of a given DAG on data, in total and family by family."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from mahc.cluster import is_sharded
from mahc.data import Dataset
from mahc.engine import Families
from mahc.engine.counts import units_of
from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG
from mahc.graphs.taking import take_directed
from mahc.learn import split_settings
from mahc.learning.settings import choose_score
from mahc.opening import open_counts
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
        Number of rows, or the sum of their weights.
    families : tuple of FamilyScore
        The local scores, in the order of the data's columns.
    unit : int
        What a row counts; more than 1 where weights have fractions.

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
    unit: int = 1

    @property
    def total(self) -> float:
        """The sum of the local scores, rounded once, so that it does not depend on the order of the columns."""
        return math.fsum(family.local_score for family in self.families)


def score_graph(
    graph: DAG | Learned | str | PathLike[str],
    data: object,
    objective: str | Score = "bic",
    *,
    on: object = None,
    memory_mebibytes: int | None = None,
    **settings: Any,
) -> ScoredGraph:
    """Score a DAG on data.

    Parameters
    ----------
    graph : DAG, str or path
        The graph, or whatever `mahc.find_graph` takes. Variables of the data that it does not name have no parents.
    data : object
        Whatever `mahc.learn` takes, or the name of a shipped sample. The families of data in pieces whose distinct rows
        do not fit into memory are counted in one pass.
    objective : str or Score
        The score: its name, or a score made already.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    memory_mebibytes : int, optional
        Memory for reading; files that do not fit are read in pieces.
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
    found = find_data(data) if isinstance(data, str | Path) and not (on or is_sharded(data)) else data
    how: dict[str, Any] = {"on": on, "memory_mebibytes": memory_mebibytes, "counts_only": True}
    with open_counts(found, reading, kinds=chosen.columns, **how) as table:
        names, size, unit = table.names, table.size, units_of(table)[1]
        parents = find_parents(dag, names)
        held = chosen.hold(table) if isinstance(table, Dataset) else chosen.hold_pieces(table)
        local = chosen.scorer(held).score_families(Families.of(enumerate(parents))).tolist()
    families = (
        FamilyScore(name, tuple(names[p] for p in mine), value)
        for name, mine, value in zip(names, parents, local, strict=True)
    )
    return ScoredGraph(chosen, size, tuple(families), unit)


def find_parents(dag: DAG, names: Sequence[str]) -> list[list[int]]:
    """The parents of each variable of the data, sorted by name."""
    lacking = next((name for name in dag.names if name not in names), None)
    if lacking is not None:
        raise UnknownNameError("variable", lacking, names)
    positions = [names.index(name) for name in dag.names]
    parents: list[list[int]] = [[] for _ in names]
    for v, chosen in zip(positions, dag.parent_sets, strict=True):
        parents[v] = sorted((positions[p] for p in chosen), key=lambda p: names[p])
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
