"""all_relevant: connect the components that learning left apart, at the least cost in score."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.graphs.walks import label_components
from mahc.knowledge.legality import Legality
from mahc.learning.control import Stopped
from mahc.learning.problem import Problem

Arc = tuple[int, int]
PAIR_BYTES = 24  # of an ordered pair: its cost, and which arcs are legal, copies made on the way included
FEW = 8  # variables of each of two components between which arcs are tried


def connect(problem: Problem, arcs: Sequence[Arc], names: Sequence[str]) -> tuple[list[Arc], float]:
    """The arcs with those added to make one connected graph, and the score that they cost.

    While there are two components, the legal arc between two of them that costs the least is added; knowledge binds,
    pruning does not. Ties go by the order of the variables. Where the time is up, or the costs of all arcs do not fit
    into the memory limit, the first legal arcs in that order are added instead.
    """
    joined = list(arcs)
    try:
        if problem.memory.fits(PAIR_BYTES * problem.variables**2):
            _connect_cheaply(problem, joined, names)
        else:
            _connect_soon(problem, joined, names)
    except Stopped:
        _connect_soon(problem, joined, names)
    return sorted(joined), _cost(problem, arcs, joined)


def _connect_cheaply(problem: Problem, joined: list[Arc], names: Sequence[str]) -> None:
    """Add the cheapest legal arcs to `joined`; Stopped where that takes too long."""
    gains = np.full((problem.variables, problem.variables), np.nan)
    outdated: Sequence[int] = range(problem.variables)
    while len(set(part := label_components(problem.variables, joined))) > 1:
        parents = parents_of(problem.variables, joined)
        for v in outdated:
            problem.control.check_ending()
            gains[:, v] = _gains(problem, v, parents[v])
        usable = _usable(Legality(problem.constraints, joined), part, names)
        rank = np.where(usable, np.round(gains / problem.tolerance), -np.inf)
        u, v = np.argwhere(rank == rank.max())[0].tolist()
        joined.append((u, v))
        outdated = (v,)


def _connect_soon(problem: Problem, joined: list[Arc], names: Sequence[str]) -> None:
    """Add legal arcs between components to `joined`, without their scores: few are looked at for each component."""
    graph = Legality(problem.constraints, joined)
    parts: dict[int, list[int]] = {}
    for v, label in enumerate(label_components(problem.variables, joined)):
        parts.setdefault(label, []).append(v)
    whole, *others = parts.values()
    for part in others:
        tries = (arc for u in whole[:FEW] for v in part[:FEW] for arc in ((u, v), (v, u)))
        found = next((arc for arc in tries if graph.may_add(*arc)), None)
        if found is not None:
            graph.add(*found)
            joined.append(found)
            whole += part
    while len(set(part := label_components(problem.variables, joined))) > 1:  # what knowledge makes hard to join
        u, v = np.argwhere(_usable(graph, part, names))[0].tolist()
        graph.add(u, v)
        joined.append((u, v))


def _cost(problem: Problem, before: Sequence[Arc], after: Sequence[Arc]) -> float:
    """What the arcs that were added cost in score."""
    changed = sorted({v for _, v in set(after) - set(before)})
    old, new = parents_of(problem.variables, before), parents_of(problem.variables, after)
    families = Families.of([(v, parents[v]) for v in changed for parents in (old, new)])
    scores = problem.scorer.score_families(families).tolist()
    return math.fsum(scores[::2]) - math.fsum(scores[1::2])


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


def _usable(graph: Legality, part: Sequence[int], names: Sequence[str]) -> NDArray[np.bool_]:
    """[u, v]: whether u -> v is a legal arc between two components; KnowledgeError where there is none."""
    label = np.array(part)
    usable: NDArray[np.bool_] = graph.legal_additions() & (label[:, None] != label[None, :])
    if not usable.any():
        apart = sorted({part.index(label) for label in set(part)})
        shown = ", ".join(names[v] for v in apart[:4])
        raise KnowledgeError(
            f"all_relevant cannot be met: no legal arc joins the components of {shown}; forbid fewer arcs, "
            "raise an in-degree, or switch all_relevant off"
        )
    return usable
