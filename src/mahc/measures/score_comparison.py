"""The scores of the learned and the true graph on the same data, for graphs of any kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mahc.data import Dataset
from mahc.errors import DataError, GraphError, SettingError, UnknownNameError
from mahc.graphs import DAG, Mark, MixedGraph, cpdag_to_dag, pag_to_mag
from mahc.graphs.taking import take_graph
from mahc.measures.mag_score import MAX_GRAPHS, score_mag
from mahc.plurals import noun
from mahc.results.learned import Learned
from mahc.scores import BIC, Score


@dataclass(frozen=True)
class GraphScore:
    """The score of a graph in a comparison, and what it was computed from.

    Parameters
    ----------
    value : float or None
        The score; None if the graph has none.
    free_parameters : int or None
        Number of free parameters; None if it is not defined.
    taken_from : str
        What was scored, for instance "the DAG"; or why there is no score.

    Examples
    --------
    >>> GraphScore(-22.0, 3, "the DAG").value
    -22.0
    """

    value: float | None
    free_parameters: int | None
    taken_from: str


@dataclass(frozen=True)
class ScoreComparison:
    """Scores of a learned and a true graph on the same data; larger is better, a negative difference worse.

    Parameters
    ----------
    score : Score
        The score that was used.
    learned : GraphScore
        The score of the learned graph.
    true : GraphScore
        The score of the true graph.

    Examples
    --------
    >>> from mahc.data import read
    >>> data = read({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8})
    >>> apart, joined = DAG(["a", "b"]), DAG(["a", "b"], [("a", "b")])
    >>> result = compare_scores(apart, joined, data)
    >>> result.learned.value, result.true.value, result.difference, result.percent
    (-36.0, -22.0, -14.0, -63.63636363636363)
    >>> result.true
    GraphScore(value=-22.0, free_parameters=3, taken_from='the DAG')
    """

    score: Score
    learned: GraphScore
    true: GraphScore

    @property
    def difference(self) -> float | None:
        """Learned minus true."""
        if self.learned.value is None or self.true.value is None:
            return None
        return self.learned.value - self.true.value

    @property
    def percent(self) -> float | None:
        """The discrepancy of Figures 4 and 5: the difference in percent of the true score."""
        if self.learned.value is None or not self.true.value:
            return None
        return discrepancy(self.learned.value, self.true.value)


def compare_scores(
    learned: DAG | MixedGraph | Learned,
    true: DAG | MixedGraph | Learned,
    data: Dataset,
    objective: Score | None = None,
    max_graphs: int = MAX_GRAPHS,
) -> ScoreComparison:
    """Score a learned and the true graph on the same data, as in section 3.3 of the paper.

    A CPDAG is scored by a DAG of its class, a PAG by a MAG of its class, a MAG by the mean over its DAGs. If that
    is not possible, the graph has no score, and `taken_from` gives the reason.

    Parameters
    ----------
    learned : DAG or MixedGraph
        The learned graph.
    true : DAG or MixedGraph
        The true graph.
    data : Dataset
        The data.
    objective : Score, optional
        The score; BIC if left out.
    max_graphs : int
        The most DAGs of a MAG to average over.

    Returns
    -------
    ScoreComparison
        Both scores and their difference.

    Raises
    ------
    MahcError
        If the data lack a variable of a graph.

    Examples
    --------
    >>> from mahc.data import read
    >>> data = read({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8})
    >>> compare_scores(DAG(["a", "b"]), DAG(["a", "b"], [("a", "b")]), data).difference
    -14.0
    """
    learned_graph: DAG | MixedGraph = take_graph(learned)
    true_graph: DAG | MixedGraph = take_graph(true)
    chosen = BIC() if objective is None else objective
    scorer = _cached_scorer(data, chosen)
    found = [_score_graph(graph, data, scorer, max_graphs) for graph in (learned_graph, true_graph)]
    return ScoreComparison(chosen, found[0], found[1])


def discrepancy(score: float, true_score: float) -> float:
    """The difference to the true graph's score in percent of its absolute value (Figures 4 and 5 of the paper).

    Parameters
    ----------
    score : float
        The score of the learned graph.
    true_score : float
        The score of the true graph.

    Returns
    -------
    float
        The percentage; negative is worse.

    Examples
    --------
    >>> discrepancy(-110.0, -100.0)
    -10.0
    """
    if true_score == 0:
        raise SettingError("the true graph's score is 0: a relative discrepancy is not defined")
    return 100 * (score - true_score) / abs(true_score)


def free_parameters(dag: DAG, state_counts: Sequence[int]) -> int:
    """The number of free parameters of a DAG (equation 2 of the paper).

    Parameters
    ----------
    dag : DAG
        The graph.
    state_counts : list of int
        Number of states of each variable.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> free_parameters(DAG(["a", "b"], [("a", "b")]), [3, 2])
    5
    """
    if len(state_counts) != len(dag.names):
        given = f"{len(state_counts)} {noun(len(state_counts), 'number')} of states"
        raise SettingError(f"{given} for {len(dag.names)} {noun(len(dag.names), 'variable')}: give one for each")
    counts = [int(count) for count in state_counts]
    return sum(
        (own - 1) * math.prod(counts[parent] for parent in parents)
        for own, parents in zip(counts, dag.parent_sets, strict=True)
    )


def _cached_scorer(data: Dataset, score: Score) -> Callable[[DAG], float]:
    from mahc.engine import Families

    scorer = score.scorer(score.hold(data))
    cache: dict[tuple[int, tuple[int, ...]], float] = {}

    def total(dag: DAG) -> float:
        place = [data.index(name) for name in dag.names]
        families = [
            (place[child], tuple(sorted((place[p] for p in chosen), key=data.names.__getitem__)))
            for child, chosen in enumerate(dag.parent_sets)
        ]
        new = [family for family in families if family not in cache]
        cache.update(zip(new, scorer.score_families(Families.of(new)).tolist(), strict=True))
        return math.fsum(cache[family] for family in families)  # rounded once: independent of the column order

    return total


def _score_graph(graph: DAG | MixedGraph, data: Dataset, score: Callable[[DAG], float], max_graphs: int) -> GraphScore:
    absent = next((name for name in graph.names if name not in data.names), None)
    if absent is not None:
        raise DataError(f"the data have no column '{absent}', which both graphs have: add it")
    try:
        if isinstance(graph, DAG):
            return _score_dag(graph, data, score, "the DAG")
        if not _has_mag_marks(graph):
            return _score_dag(cpdag_to_dag(graph), data, score, "a DAG of its class")
        circles = bool((graph.marks == Mark.CIRCLE).any())
        mag = pag_to_mag(graph, strict=False) if circles else graph
        if not _has_mag_marks(mag):
            return _score_dag(cpdag_to_dag(mag), data, score, "a DAG of its class")
        found = score_mag(mag, score, max_graphs)
    except UnknownNameError:
        raise  # the data lack a variable of the graph
    except (GraphError, SettingError) as mistake:
        return GraphScore(None, None, f"no score: {mistake}")
    of = "a MAG of its class" if circles else "its MAG"
    cyclic = f", without {found.cyclic:,} that had a cycle" if found.cyclic else ""
    return GraphScore(found.value, None, f"mean over the {found.graphs:,} {noun(found.graphs, 'DAG')} of {of}{cyclic}")


def _score_dag(dag: DAG, data: Dataset, score: Callable[[DAG], float], taken_from: str) -> GraphScore:
    states = [len(data.labels[data.index(name)]) for name in dag.names]
    return GraphScore(score(dag), free_parameters(dag, states), taken_from)


def _has_mag_marks(graph: MixedGraph) -> bool:
    both = (graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW)
    return bool((graph.marks == Mark.CIRCLE).any() or both.any())
