"""all_relevant: connect the components that learning left apart, at the least cost in score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.graphs.components import label_components
from mahc.knowledge.legality import Legality
from mahc.learning.problem import Problem

Arc = tuple[int, int]


def connect(problem: Problem, arcs: Sequence[Arc], names: Sequence[str]) -> tuple[list[Arc], float]:
    """The arcs with those added to make one connected graph, and the score that they cost.

    While there are two components, the legal arc between two of them that costs the least is added; knowledge binds,
    pruning does not. Ties go by the order of the variables.
    """
    joined = list(arcs)
    cost = 0.0
    gains = np.full((problem.variables, problem.variables), np.nan)
    outdated: Sequence[int] = range(problem.variables)
    while len(set(part := label_components(problem.variables, joined))) > 1:
        parents = parents_of(problem.variables, joined)
        for v in outdated:
            gains[:, v] = _gains(problem, v, parents[v])
        choice = _choose(problem, gains, part, joined)
        if choice is None:
            apart = sorted({part.index(label) for label in set(part)})
            shown = ", ".join(names[v] for v in apart[:4])
            raise KnowledgeError(
                f"all_relevant cannot be met: no legal arc joins the components of {shown}; forbid fewer arcs, "
                "raise an in-degree, or switch all_relevant off"
            )
        joined.append(choice)
        cost -= float(gains[choice])
        outdated = choice[1:]
    return sorted(joined), cost


def parents_of(variables: int, arcs: Sequence[Arc]) -> list[list[int]]:
    """Sorted parents of every variable."""
    parents: list[list[int]] = [[] for _ in range(variables)]
    for u, v in sorted(arcs):
        parents[v].append(u)
    return parents


def _gains(problem: Problem, v: int, parents: Sequence[int]) -> NDArray[np.float64]:
    """What each variable as one more parent would add to the score of v; NaN for v and its parents."""
    others = np.array([u for u in range(problem.variables) if u != v and u not in parents], np.int32)
    batch = Families.joined([Families.of([(v, parents)]), Families.extending(v, parents, others)])
    scores = problem.scorer.score_families(batch)
    column = np.full(problem.variables, np.nan)
    column[others] = scores[1:] - scores[0]
    return column


def _choose(problem: Problem, gains: NDArray[np.float64], part: Sequence[int], joined: Sequence[Arc]) -> Arc | None:
    """The legal arc between two components that costs the least; None where there is none."""
    label = np.array(part)
    usable = Legality(problem.constraints, joined).legal_additions() & (label[:, None] != label[None, :])
    if not usable.any():
        return None
    rank = np.where(usable, np.round(gains / problem.tolerance), -np.inf)
    u, v = np.argwhere(rank == rank.max())[0].tolist()
    return u, v
