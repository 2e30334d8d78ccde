"""From the numbers of a search to the result that a user sees."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc._version import __version__
from mahc.algorithms.score_based.climb import Allowed, make_space
from mahc.engine import Families, _native
from mahc.graphs import DAG, MixedGraph
from mahc.learning.connecting import parents_of
from mahc.learning.control import Stopped
from mahc.learning.stop_reason import StopReason
from mahc.results.arc_details import ArcDetails
from mahc.results.constraint_costs import constraint_costs
from mahc.results.learned import Learned
from mahc.results.named_arcs import NamedArcs
from mahc.results.records import ConstraintCost, PruningSummary, RunRecord, TakenStep, record_data
from mahc.results.score_details import ScoreDetails
from mahc.results.test_details import TestDetails

if TYPE_CHECKING:
    from mahc.learning.found import Found
    from mahc.learning.problem import Problem
    from mahc.learning.request import Request
    from mahc.learning.searching import Searched
    from mahc.learning.tested_graph import TestedGraph

Arc = tuple[int, int]
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """A search that has ended: its input, what it found, and how long it took."""

    request: Request
    searched: Searched
    seconds: float

    @property
    def order(self) -> tuple[int, ...]:
        """The variables in the order by which ties were broken."""
        return self.searched.order

    @property
    def problem(self) -> Problem:
        """The problem that the algorithm was given."""
        return self.searched.problem

    @property
    def found(self) -> Found:
        """What the algorithm found."""
        return self.searched.found

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs after connecting unconnected parts."""
        return self.searched.arcs

    @property
    def cost_of_connecting(self) -> float | None:
        """The score that connecting cost; None where it was not asked for."""
        return self.searched.cost_of_connecting


def describe(run: Run) -> Learned:
    """The result with the user's names, in the order of the data's columns."""
    record = record_run(run.request, StopReason(run.found.stop_reason), run.seconds)
    tested = run.found.tested
    # The details may need passes over the data, so they come before the record of these passes.
    details = _score_details(run) if tested is None else _test_details(run, tested)
    return Learned(record_data(run.request.data), record, details)


def record_run(request: Request, stop_reason: StopReason, seconds: float) -> RunRecord:
    """Everything that is needed to repeat a run, and how it ended."""
    return RunRecord(
        algorithm=request.algorithm.name,
        settings=request.algorithm.settings(),
        score=request.score,
        knowledge=request.knowledge,
        start=request.start,
        ties=request.ties,
        stop_reason=stop_reason,
        seconds=seconds,
        version=__version__,
        missing=request.missing if request.incomplete else None,
    )


def learned_graph(request: Request, searched: Searched) -> DAG | MixedGraph:
    """The graph that a search found, with the user's names in the order of the data's columns."""
    names = [request.data.names[v] for v in searched.order]
    if searched.found.tested is None:
        return DAG(request.data.names, sorted((names[u], names[v]) for u, v in searched.arcs))
    return MixedGraph.from_marks(names, searched.found.tested.marks).reorder(request.data.names)


def _test_details(run: Run, tested: TestedGraph) -> TestDetails:
    return TestDetails(
        kind=tested.kind,
        graph=MixedGraph.reordered_from(run.request.data.names, tested.marks, run.order),
        extension=_arcs(run) if tested.has_dag else None,
        local_scores=_in_column_order(run, _local_scores(run)) if tested.has_dag else None,
        tests=tested.tests.reordered(run.order) if run.problem.details else None,
    )


def _score_details(run: Run) -> ScoreDetails:
    found, names = run.found, _names(run)
    averages, local = _average(run), _local_scores(run)
    return ScoreDetails(
        graph=DAG(run.request.data.names, _arcs(run)),
        local_scores=_in_column_order(run, local),
        averaged_score=_averaged_score(run, averages),
        gap=found.gap,
        steps=tuple(
            TakenStep(s.move, names[s.tail], names[s.head], s.score, s.averaged, s.seconds) for s in found.steps
        ),
        pruning=_summarise_pruning(run, names),
        constraint_costs=tuple(_price_constraints(run)),
        arc_details=_arc_details(run, local, averages).reordered(run.order) if run.problem.details else None,
        arc_price=found.arc_price,
    )


def _names(run: Run) -> list[str]:
    return [run.request.data.names[v] for v in run.order]


def _arcs(run: Run) -> tuple[tuple[str, str], ...]:
    names = _names(run)
    return tuple(sorted((names[u], names[v]) for u, v in run.arcs))


def _local_scores(run: Run) -> Matrix:
    return run.problem.local_scores(parents_of(len(run.order), run.arcs))


def _in_column_order(run: Run, local: Matrix) -> tuple[float, ...]:
    return tuple(local[np.argsort(run.order)].tolist())


def _summarise_pruning(run: Run, names: Sequence[str]) -> PruningSummary | None:
    pruning = run.found.pruning
    if pruning is None or not pruning.parents:  # stopped before the first level was done
        return None
    heads = np.repeat(np.arange(len(names)), [len(mine) for mine in pruning.parents])
    allowed = NamedArcs(names, np.concatenate(pruning.parents), heads)
    return PruningSummary(pruning.pruned_per_level, pruning.valid_sets, allowed)


def _price_constraints(run: Run) -> list[ConstraintCost]:
    if run.request.knowledge.empty:
        return []
    costs = constraint_costs(run.problem, run.arcs, run.request.algorithm.in_degree)
    if run.cost_of_connecting is not None:
        costs.append(ConstraintCost("all variables relevant", run.cost_of_connecting))
    return sorted(costs, key=lambda cost: (-cost.cost, cost.constraint))


def _connecting(run: Run) -> frozenset[Arc]:
    return frozenset(run.arcs) - frozenset(run.found.arcs)


def _average(run: Run) -> tuple[float, Matrix, Matrix] | None:
    """The averaged score of the final graph, and the change of it by each legal move (NaN: not legal)."""
    found, problem = run.found, run.problem.priced(run.found.arc_price)
    if found.averaged is None or StopReason(found.stop_reason).by_clock_or_user:
        return None
    if not problem.details and not _connecting(run):
        return None
    allowed: Allowed = problem.constraints.allowed if found.pruning is None else list(found.pruning.parents)
    for u, v in _connecting(run):
        if isinstance(allowed, np.ndarray):
            allowed = [np.flatnonzero(mine).astype(np.int32) for mine in allowed.T]
        mine = np.union1d(allowed[v], [u]).astype(np.int32)
        allowed = [*allowed[:v], mine, *allowed[v + 1 :]]
    described = _native.neighbours(problem.score_cache, make_space(problem, allowed), list(run.arcs), problem.control)
    if described is None:
        return None
    _, average, _, neighbours = described
    if not problem.details:
        return average, np.zeros((0, 0)), np.zeros((0, 0))
    gain, reversal = np.full((2, problem.variables, problem.variables), np.nan)
    for kind, u, v, _own, averaged in neighbours:
        (reversal if kind == "reverse" else gain)[u, v] = averaged - average
    return average, gain, reversal


def _averaged_score(run: Run, averages: tuple[float, Matrix, Matrix] | None) -> float | None:
    if not _connecting(run):
        return run.found.averaged
    return None if averages is None else averages[0]  # the climb ended with another graph


def _arc_details(run: Run, local: Matrix, averages: tuple[float, Matrix, Matrix] | None) -> ArcDetails:
    constraints = run.problem.constraints
    pruning = None if run.found.pruning is None else run.found.pruning.details
    gain = _gains(run, local)
    reversal_gain = np.full_like(gain, np.nan)
    for u, v in run.arcs:
        reversal_gain[u, v] = gain[u, v] + gain[v, u]
    forbidden, required = constraints.forbidden_and_required()
    return ArcDetails(
        gain=gain,
        reversal_gain=reversal_gain,
        averaged_gain=None if averages is None else averages[1],
        averaged_reversal_gain=None if averages is None else averages[2],
        level=None if pruning is None else pruning.level,
        score_with=None if pruning is None else pruning.score,
        bases=() if pruning is None else pruning.bases,
        max_parents=constraints.limit,
        forbidden=forbidden,
        required=required,
        connecting=_connecting(run),
    )


def _gains(run: Run, local: Matrix) -> Matrix:
    """The change of the plain score by adding or deleting each arc; NaN where it was not computed."""
    problem, found = run.problem, run.found
    parents = parents_of(problem.variables, run.arcs)
    gain = np.full((problem.variables,) * 2, np.nan) if found.gains is None else found.gains.copy()
    without = Families.of((v, [p for p in parents[v] if p != u]) for u, v in run.arcs)
    deletions = [
        (u, v, score - float(local[v]))
        for (u, v), score in zip(run.arcs, problem.scorer.score_families(without).tolist(), strict=True)
    ]
    if StopReason(found.stop_reason).by_clock_or_user:
        # A search that was stopped in mid-step may hold gains of families that have changed since.
        for v in {v for u, v, change in deletions if not abs(gain[u, v] - change) <= problem.tolerance}:
            gain[:, v] = np.nan
        with suppress(Stopped):  # then the arcs into variables without parents stay unknown
            for v in (v for v, mine in enumerate(parents) if not mine):
                gain[:, v] = np.where(problem.constraints.allowed[:, v], problem.pairs[:, v] - local[v], np.nan)
    for v in {v for _, v in _connecting(run)}:
        lasts = np.flatnonzero(problem.constraints.allowed[:, v]).astype(np.int32)
        lasts = lasts[~np.isin(lasts, parents[v])]
        gain[:, v] = np.nan
        gain[lasts, v] = problem.scorer.score_families(Families.extending(v, parents[v], lasts)) - local[v]
    for u, v, change in deletions:
        gain[u, v] = change
    return gain
