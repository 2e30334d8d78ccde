"""Which sets of variables the effect of one variable on another is adjusted for, in each of many graphs.

A posterior has DAGs, and each is used as it was drawn. In the graphs of a bootstrap, directions that the data do not
determine are arbitrary: each stands for its class, in which the possible sets of parents of the cause count equally.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.graphs.adjustment.optimal import optimal_set
from mahc.inference.adjustment_sets import dags_by_parents
from mahc.plurals import count
from mahc.results.graph_sample import GraphSample
from mahc.results.outcomes.dag import find_pattern

MOST_LEFT_OUT = 0.25  # share of the graphs in which the cause changes a variable of the condition
AdjustmentSet = tuple[str, ...] | None  # None: the target is no descendant of the cause


@dataclass(frozen=True)
class WeightedSets:
    """The adjustment sets of many graphs.

    Parameters
    ----------
    shares : mapping
        The share of the graphs that have each set; None stands for no effect.
    reversed : float
        The share in which the cause is a descendant of the target.
    left_out : float
        The share of all graphs that were left out: a variable of the condition is a descendant of the cause there.
    graphs : int
        Number of graphs.
    """

    shares: Mapping[AdjustmentSet, float]
    reversed: float
    left_out: float
    graphs: int

    @property
    def absent(self) -> float:
        """The share of the graphs without an effect."""
        return self.shares.get(None, 0.0)

    def apportion(self, draws: int) -> list[tuple[AdjustmentSet, int]]:
        """How many draws each set gets, all together: by largest remainder, the first of equals.

        >>> WeightedSets({("a",): 0.5, None: 0.5}, 0.0, 0.0, 2).apportion(3)
        [(('a',), 2), (None, 1)]
        """
        sets = sorted(self.shares, key=lambda given: (given is None, given or ()))
        shares = [self.shares[each] for each in sets]
        sizes = [math.floor(share * draws) for share in shares]
        rests = sorted(range(len(shares)), key=lambda i: (sizes[i] - shares[i] * draws, i))
        for i in rests[: draws - sum(sizes)]:
            sizes[i] += 1
        return list(zip(sets, sizes, strict=True))


def weigh_sets(
    sample: GraphSample, cause: str, target: str, condition: Sequence[str], states: Mapping[str, int], rows: int
) -> WeightedSets:
    """The adjustment sets of a sample for the effect of `cause` on `target` where the `condition` holds.

    `states` has the number of states of each variable that has states. A set whose table would have more cells than
    there are rows gives way to the parents of the cause.
    """
    shares: dict[AdjustmentSet, float] = {}
    total = turned = left_out = 0.0
    for dag, weight in possible_dags(sample, cause):
        total += weight
        below = set(dag.descendants(cause))
        if not below.isdisjoint(condition):
            left_out += weight
            continue
        given = None if target not in below else choose_set(dag, cause, target, condition, states, rows)
        turned += weight * (given is None and cause in dag.descendants(target))
        shares[given] = shares.get(given, 0.0) + weight
    if left_out > MOST_LEFT_OUT * total:
        raise MahcError(
            f"the condition names {', '.join(condition)}, on which {cause} has an effect in "
            f"{100 * left_out / total:.0f} % of the {count(sample.size, 'graph')}: name variables that {cause} does "
            "not change"
        )
    used = total - left_out
    return WeightedSets(
        {given: weight / used for given, weight in shares.items()}, turned / used, left_out / total, sample.size
    )


def possible_dags(sample: GraphSample, cause: str) -> Iterator[tuple[DAG, float]]:
    """The DAGs of a sample with their weights: as drawn, or one for each possible parent set of the cause."""
    for member, dag in zip(sample.members, sample.dags, strict=True):
        if sample.origin == "posterior":
            yield dag, float(member.weight)
            continue
        possible = dags_by_parents(find_pattern(dag, sample.run.knowledge), cause)
        for each in possible:
            yield each, member.weight / len(possible)


def choose_set(
    dag: DAG, cause: str, target: str, condition: Sequence[str], states: Mapping[str, int], rows: int
) -> tuple[str, ...]:
    """The optimal set where it is valid together with the condition and has rows for its table, or the parents."""
    parents = tuple(sorted(set(dag.parents(cause)) - set(condition)))
    best = optimal_set(dag, cause, target)
    assert best is not None, "the target is a descendant of the cause"
    best = tuple(name for name in best if name not in condition)
    ends = states.get(cause, 1) * states.get(target, 1)
    if ends * math.prod(states.get(z, 1) for z in best) > rows:
        return parents
    if condition:  # may open a path that the set blocked
        cut = DAG(dag.names, [arc for arc in dag.arcs if arc[0] != cause])
        if not cut.d_separated(cause, target, given=[*best, *condition]):
            return parents
    return best
