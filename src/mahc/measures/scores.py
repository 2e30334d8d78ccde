"""Scores beside the truth: how far a score lies from the true graph's, and the score of a true MAG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, prod

from mahc.errors import GraphError, SettingError
from mahc.graphs import DAG, MixedGraph

# 2^12 graphs: seconds with a remembered local score. Pathfinder's MAG has 2^31, and the paper gave up too.
MAX_GRAPHS = 4096


@dataclass(frozen=True)
class MagScore:
    """The mean score of the DAGs of a MAG, how many they are, and how many orientations were cyclic.

    >>> MagScore(-10.0, 3, 1).graphs
    3
    """

    value: float
    graphs: int
    cyclic: int


def score_mag(mag: MixedGraph, score: Callable[[DAG], float], max_graphs: int = MAX_GRAPHS) -> MagScore:
    """The paper's score of a MAG (section 3.3): the mean over all ways to direct its two-headed edges.

    Orientations with a cycle are left out; more than `max_graphs` orientations are refused.

    >>> mag = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "<->", "c")])
    >>> score_mag(mag, lambda dag: -float(len(dag.parents("b"))))
    MagScore(value=-1.5, graphs=2, cyclic=0)
    """
    arcs, double = _split(mag)
    if 2 ** len(double) > max_graphs:
        raise SettingError(
            f"the MAG has {len(double)} two-headed edges, so 2^{len(double)} ways to direct them: "
            f"more than the {max_graphs:,} that are averaged at most"
        )
    scores, cyclic = [], 0
    for turned in product((False, True), repeat=len(double)):
        chosen = [(b, a) if back else (a, b) for (a, b), back in zip(double, turned, strict=True)]
        try:
            dag = DAG(mag.names, [*arcs, *chosen])
        except GraphError:
            cyclic += 1
        else:
            scores.append(score(dag))
    if not scores:
        raise GraphError("every way to direct the two-headed edges of the MAG has a cycle: it has no score")
    return MagScore(fsum(scores) / len(scores), len(scores), cyclic)


def discrepancy(score: float, true_score: float) -> float:
    """How far a score lies above the truth's, in percent of its size (Figures 4 and 5); negative is worse.

    >>> discrepancy(-110.0, -100.0)
    -10.0
    """
    if true_score == 0:
        raise SettingError("the true graph's score is 0: a relative discrepancy is not defined")
    return 100 * (score - true_score) / abs(true_score)


def free_parameters(dag: DAG, state_counts: Sequence[int]) -> int:
    """Equation 2: the numbers that the tables of a DAG need, with this many states per variable.

    >>> free_parameters(DAG(["a", "b"], [("a", "b")]), [3, 2])
    5
    """
    if len(state_counts) != len(dag.names):
        raise SettingError(f"{len(state_counts)} numbers of states are given for {len(dag.names)} variables")
    counts = [int(count) for count in state_counts]
    return sum(
        (own - 1) * prod(counts[parent] for parent in parents)
        for own, parents in zip(counts, dag.parent_sets, strict=True)
    )


def _split(mag: MixedGraph) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    arcs, double = [], []
    for left, mark, right in mag.edges:
        if mark == "-->":
            arcs.append((left, right))
        elif mark == "<->":
            double.append((left, right))
        else:
            raise GraphError(f"the edge {left} {mark} {right} stands in no MAG of a DAG: only --> and <-> do")
    return arcs, double
