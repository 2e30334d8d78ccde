"""From the numbers of a search to the result that a user sees."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc._version import __version__
from mahc.algorithms.score_based.climb import make_space
from mahc.engine import Families, _native
from mahc.graphs import MixedGraph
from mahc.learning.connecting import parents_of
from mahc.learning.control import Halted
from mahc.results.arc_details import Ledger
from mahc.results.constraint_costs import constraint_costs
from mahc.results.learned import ConstraintCost, Learned, PruningSummary, TakenStep

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.knowledge.knowledge import Knowledge
    from mahc.learning.algorithm import Algorithm
    from mahc.learning.found import Found
    from mahc.learning.problem import Problem
    from mahc.scores import Score

Arc = tuple[int, int]
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """A search that has ended: what it was given, what it found, and the arcs after joining what was apart."""

    data: Dataset
    algorithm: Algorithm
    score: Score
    knowledge: Knowledge
    start: tuple[tuple[str, str], ...]
    ties: str
    order: tuple[int, ...]
    problem: Problem
    found: Found
    arcs: tuple[Arc, ...]
    cost_of_joining: float | None
    seconds: float


def describe(run: Run) -> Learned:
    """The result with the user's names, in the order of the data's columns."""
    data, found, names = run.data, run.found, [run.data.names[v] for v in run.order]
    tested = found.tested
    edges = None if tested is None else MixedGraph.from_marks(names, tested.marks).edges
    dag = tuple(sorted((names[u], names[v]) for u, v in run.arcs))
    averages = _average(run)
    local = None
    if tested is None or tested.fits:
        local = run.problem.local_scores(parents_of(len(names), run.arcs))
    return Learned(
        variables=data.names,
        arcs=dag if edges is None else tuple((e.left, e.right) for e in edges if e.mark == "-->"),
        kind="DAG" if tested is None else tested.kind,
        edges=edges,
        extension=dag if tested is not None and tested.fits else None,
        algorithm=run.algorithm.name,
        settings=run.algorithm.settings(),
        score_name=run.score.name,
        score_base=run.score.base,
        score_settings={f.name: float(getattr(run.score, f.name)) for f in fields(run.score) if f.name != "base"},
        local_scores=None if local is None else tuple(local[np.argsort(run.order)].tolist()),
        averaged_score=_averaged_score(run, averages),
        gap=found.gap,
        stop_reason=found.stop_reason,
        steps=tuple(
            TakenStep(s.move, names[s.tail], names[s.head], s.score, s.averaged, s.seconds) for s in found.steps
        ),
        pruning=_summarise(run, names),
        ledger=None if tested or local is None else _keep_ledger(run, local, averages).reordered(run.order),
        evidence=None if tested is None else tested.evidence.reordered(run.order),
        knowledge=run.knowledge,
        constraint_costs=tuple(_price(run)),
        start=run.start,
        ties=run.ties,
        fingerprint=data.fingerprint(),
        rows=data.rows,
        size=data.size,
        version=__version__,
        seconds=run.seconds,
    )


def _summarise(run: Run, names: Sequence[str]) -> PruningSummary | None:
    pruning = run.found.pruning
    if pruning is None:
        return None
    tails, heads = np.nonzero(pruning.allowed)
    allowed = sorted((names[u], names[v]) for u, v in zip(tails.tolist(), heads.tolist(), strict=True))
    return PruningSummary(pruning.pruned_per_level, pruning.valid_sets, tuple(allowed))


def _price(run: Run) -> list[ConstraintCost]:
    if run.knowledge.empty or run.found.tested is not None:
        return []
    costs = constraint_costs(run.problem, run.arcs, run.algorithm.in_degree)
    if run.cost_of_joining is not None:
        costs.append(ConstraintCost("all variables relevant", run.cost_of_joining))
    return sorted(costs, key=lambda cost: (-cost.cost, cost.constraint))


def _joined(run: Run) -> frozenset[Arc]:
    return frozenset(run.arcs) - frozenset(run.found.arcs)


def _average(run: Run) -> tuple[float, Matrix, Matrix] | None:
    """The averaged score of the final graph, and what each legal move would add to it (NaN: no legal move)."""
    found, problem = run.found, run.problem
    if found.averaged is None or found.stop_reason not in ("converged", "step_limit"):
        return None
    allowed = problem.constraints.allowed if found.pruning is None else found.pruning.allowed
    if _joined(run):
        allowed = allowed.copy()
        for u, v in _joined(run):
            allowed[u, v] = True
    _, average, _, neighbours = _native.neighbours(problem.memory, make_space(problem, allowed), list(run.arcs))
    gain, turn = np.full((2, problem.variables, problem.variables), np.nan)
    for kind, u, v, _own, averaged in neighbours:
        (turn if kind == "reverse" else gain)[u, v] = averaged - average
    return average, gain, turn


def _averaged_score(run: Run, averages: tuple[float, Matrix, Matrix] | None) -> float | None:
    if not _joined(run):
        return run.found.averaged
    return None if averages is None else averages[0]  # that of the climb's end was another graph's


def _keep_ledger(run: Run, local: Matrix, averages: tuple[float, Matrix, Matrix] | None) -> Ledger:
    constraints, pruning = run.problem.constraints, run.found.pruning
    gain = _gains(run, local)
    turn = np.full_like(gain, np.nan)
    for u, v in run.arcs:
        turn[u, v] = gain[u, v] + gain[v, u]
    barred, required = constraints.forbidden_and_required()
    return Ledger(
        gain,
        turn,
        None if averages is None else averages[1],
        None if averages is None else averages[2],
        None if pruning is None else pruning.level,
        None if pruning is None else pruning.score,
        () if pruning is None else pruning.bases,
        constraints.limit,
        barred,
        required,
        _joined(run),
    )


def _gains(run: Run, local: Matrix) -> Matrix:
    """What toggling each arc would add to the own score; NaN where the search did not ask."""
    problem, found = run.problem, run.found
    parents = parents_of(problem.variables, run.arcs)
    gain = np.full((problem.variables,) * 2, np.nan) if found.gains is None else found.gains.copy()
    without = Families.of((v, [p for p in parents[v] if p != u]) for u, v in run.arcs)
    deletions = [
        (u, v, score - float(local[v]))
        for (u, v), score in zip(run.arcs, problem.scorer.score_families(without).tolist(), strict=True)
    ]
    if found.stop_reason in ("time_limit", "interrupted"):
        # Ended between two looks, a search may hold gains of families that are no more.
        for v in {v for u, v, change in deletions if gain[u, v] != change}:
            gain[:, v] = np.nan
        with suppress(Halted):  # nothing is known of the arcs into variables without parents then
            for v in (v for v, mine in enumerate(parents) if not mine):
                gain[:, v] = np.where(problem.constraints.allowed[:, v], problem.pairs[:, v] - local[v], np.nan)
    for v in {v for _, v in _joined(run)}:
        lasts = np.flatnonzero(problem.constraints.allowed[:, v]).astype(np.int32)
        lasts = lasts[~np.isin(lasts, parents[v])]
        gain[:, v] = np.nan
        gain[lasts, v] = problem.scorer.score_families(Families.extending(v, parents[v], lasts)) - local[v]
    for u, v, change in deletions:
        gain[u, v] = change
    return gain
