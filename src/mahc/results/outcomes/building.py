"""From the numbers of a search to the outcome that a result keeps, with names in the order of the data's columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, singledispatch

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.score_based.climb import Allowed, make_space
from mahc.engine import Families, _native
from mahc.engine.associations import Columns
from mahc.graphs import DAG, MixedGraph
from mahc.learning.connecting import parents_of
from mahc.learning.control import Stopped
from mahc.learning.found import Found, FoundDag, FoundPattern, FoundSample
from mahc.learning.request import Request
from mahc.learning.searching import Searched
from mahc.learning.stop_reason import StopReason
from mahc.results.graph_sample import GraphSample, WeightedGraph
from mahc.results.member_counts import count_members
from mahc.results.outcomes import DagOutcome, Outcome, PatternOutcome, SampleOutcome
from mahc.results.outcomes.arc_details import ArcDetails
from mahc.results.outcomes.constraint_costs import constraint_costs
from mahc.results.outcomes.dag import ConstraintCost, NamedArcs, PruningSummary, TakenStep
from mahc.results.outcomes.pattern import EdgesOf
from mahc.results.records import DataRecord, RunRecord

Arc = tuple[int, int]
Matrix = NDArray[np.float64]


def build_outcome(request: Request, searched: Searched) -> Outcome:
    """What the search found, as the kind of outcome that its type has."""
    return _build(searched.found, Run(request, searched))


@dataclass(frozen=True)
class Run:
    """A search that has ended, and its input."""

    request: Request
    searched: Searched

    @cached_property
    def names(self) -> list[str]:
        """The names in the order by which ties were broken."""
        return [self.request.data.names[v] for v in self.searched.order]

    def named(self, arcs: Iterable[Arc]) -> tuple[tuple[str, str], ...]:
        """Arcs by names, sorted."""
        return tuple(sorted((self.names[u], self.names[v]) for u, v in arcs))

    @cached_property
    def local(self) -> Matrix:
        """The local scores of the graph, in the order of the problem."""
        return self.searched.problem.local_scores(parents_of(len(self.names), self.searched.arcs))

    def scores(self) -> tuple[float, ...]:
        """The local scores in the order of the data's columns."""
        return tuple(self.local[np.argsort(self.searched.order)].tolist())

    @cached_property
    def deletions(self) -> list[tuple[int, int, float]]:
        """Every arc with the change of the plain score by deleting it."""
        problem, arcs = self.searched.problem, self.searched.arcs
        parents = parents_of(problem.variables, arcs)
        without = Families.of((v, [p for p in parents[v] if p != u]) for u, v in arcs)
        scores = problem.scorer.score_families(without).tolist()
        return [(u, v, score - float(self.local[v])) for (u, v), score in zip(arcs, scores, strict=True)]

    def strengths(self) -> tuple[float, ...]:
        """The score lost by deleting each arc, in the order of `named`."""
        return tuple(-change for *_, change in sorted((self.names[u], self.names[v], c) for u, v, c in self.deletions))


def build_sample(searched: Searched, data: DataRecord, run: RunRecord, names: Sequence[str]) -> GraphSample | None:
    """The graphs that a sampler drew; None for other algorithms."""
    found = searched.found
    if not isinstance(found, FoundSample):
        return None
    members = {
        tuple(sorted((searched.order[u], searched.order[v]) for u, v in arcs)): times
        for arcs, times in found.graphs.items()
    }
    graphs, patterns = count_members(tuple(names), members, run.knowledge, run.experiments)
    return GraphSample(
        data=data,
        run=run,
        origin="posterior",
        seed=found.seed,
        requested=found.requested,
        kind="DAG",
        variables=tuple(names),
        size=graphs.graphs,
        graphs=graphs.counts,
        patterns=patterns.counts,
        members=tuple(WeightedGraph(arcs, times) for arcs, times in members.items()),
        diagnostics=dict(found.diagnostics),
    )


def learned_graph(request: Request, searched: Searched) -> DAG | MixedGraph:
    """The graph that a search found, with the user's names in the order of the data's columns."""
    names = [request.data.names[v] for v in searched.order]
    if isinstance(searched.found, FoundPattern):
        return MixedGraph.from_marks(names, searched.found.marks).reorder(request.data.names)
    return DAG(request.data.names, sorted((names[u], names[v]) for u, v in searched.arcs))


@singledispatch
def _build(found: Found, run: Run) -> Outcome:
    raise TypeError(f"an algorithm returned {type(found).__name__}: it must be FoundDag, FoundPattern or FoundSample")


@_build.register
def _(found: FoundPattern, run: Run) -> PatternOutcome:
    searched, has_dag = run.searched, found.extension is not None
    graph = MixedGraph.reordered_from(run.request.data.names, found.marks, searched.order)
    return PatternOutcome(
        kind=found.kind,
        variables=graph.names,
        edges=EdgesOf(graph),
        extension=run.named(searched.arcs) if has_dag else None,
        local_scores=run.scores() if has_dag else None,
        test_details=found.tests.reordered(searched.order) if searched.problem.details else None,
    )


@_build.register
def _(found: FoundSample, run: Run) -> SampleOutcome:
    arcs = run.named(run.searched.arcs)
    return SampleOutcome(
        variables=run.request.data.names,
        arcs=arcs,
        local_scores=run.scores(),
        arc_strengths=run.strengths(),
        distinct=len(found.graphs),
    )


@_build.register
def _(found: FoundDag, run: Run) -> DagOutcome:
    names, searched = run.names, run.searched
    averages = _average(found, searched)
    details = _arc_details(found, run, averages).reordered(searched.order) if searched.problem.details else None
    return DagOutcome(
        variables=run.request.data.names,
        arcs=run.named(searched.arcs),
        local_scores=run.scores(),
        arc_strengths=run.strengths(),
        averaged_score=_averaged_score(found, searched, averages),
        gap=found.gap,
        pruning=_summarise_pruning(found, names),
        constraint_costs=tuple(_price_constraints(run)),
        path=tuple(
            TakenStep(s.move, names[s.tail], names[s.head], s.score, s.averaged, s.seconds) for s in found.steps
        ),
        arc_price=found.prices.constant,
        relative_price=found.prices.share,
        arc_details=details,
    )


def _summarise_pruning(found: FoundDag, names: Sequence[str]) -> PruningSummary | None:
    pruning = found.pruning
    if pruning is None or not pruning.parents:  # stopped before the first level was done
        return None
    heads = np.repeat(np.arange(len(names)), [len(mine) for mine in pruning.parents])
    allowed = NamedArcs(names, np.concatenate(pruning.parents), heads)
    return PruningSummary(pruning.pruned_per_level, pruning.valid_sets, allowed)


def _price_constraints(run: Run) -> list[ConstraintCost]:
    if run.request.knowledge.empty:
        return []
    searched = run.searched
    costs = constraint_costs(searched.problem, searched.arcs, run.request.algorithm.in_degree)
    if searched.cost_of_connecting is not None:
        costs.append(ConstraintCost("all variables relevant", searched.cost_of_connecting))
    return sorted(costs, key=lambda cost: (-cost.cost, cost.constraint))


def _connecting(searched: Searched) -> frozenset[Arc]:
    return frozenset(searched.arcs) - frozenset(searched.found.arcs)


def _average(found: FoundDag, searched: Searched) -> tuple[float, Matrix, Matrix] | None:
    """The averaged score of the final graph, and the change of it by each legal move (NaN: not legal)."""
    problem = searched.problem.priced(found.prices)
    if found.averaged is None or StopReason(found.stop_reason).by_clock_or_user:
        return None
    if not problem.details and not _connecting(searched):
        return None
    allowed: Allowed = problem.constraints.allowed if found.pruning is None else list(found.pruning.parents)
    for u, v in _connecting(searched):
        if isinstance(allowed, np.ndarray):
            allowed = [np.flatnonzero(mine).astype(np.int32) for mine in allowed.T]
        mine = np.union1d(allowed[v], [u]).astype(np.int32)
        allowed = [*allowed[:v], mine, *allowed[v + 1 :]]
    described = _native.neighbours(
        problem.score_cache, make_space(problem, allowed), list(searched.arcs), problem.control
    )
    if described is None:
        return None
    _, average, _, neighbours = described
    if not problem.details:
        return average, np.zeros((0, 0)), np.zeros((0, 0))
    gain, reversal = np.full((2, problem.variables, problem.variables), np.nan)
    for kind, u, v, _own, averaged in neighbours:
        (reversal if kind == "reverse" else gain)[u, v] = averaged - average
    return average, gain, reversal


def _averaged_score(found: FoundDag, searched: Searched, averages: tuple[float, Matrix, Matrix] | None) -> float | None:
    if not _connecting(searched):
        return found.averaged
    return None if averages is None else averages[0]  # the climb ended with another graph


def _arc_details(found: FoundDag, run: Run, averages: tuple[float, Matrix, Matrix] | None) -> ArcDetails:
    constraints = run.searched.problem.constraints
    pruning = None if found.pruning is None else found.pruning.details
    gain = _gains(found, run)
    reversal_gain = np.full_like(gain, np.nan)
    for u, v in run.searched.arcs:
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
        extra_prices=found.prices.extra,
        forbidden=forbidden,
        required=required,
        connecting=_connecting(run.searched),
        associations=_associations(run),
    )


def _associations(run: Run) -> dict[Arc, tuple[float, float]]:
    """For each arc between variables with an order, how the head changes with the tail, where the score knows it."""
    problem, arcs = run.searched.problem, run.searched.arcs
    columns: Columns | None = getattr(problem.scorer, "columns", None)
    if columns is None:
        return {}
    parents = parents_of(problem.variables, arcs)
    found = {(u, v): columns.associate(v, parents[v], u) for u, v in arcs}
    return {arc: (one.correlation, one.explained) for arc, one in found.items() if one is not None}


def _gains(found: FoundDag, run: Run) -> Matrix:
    """The change of the plain score by adding or deleting each arc; NaN where it was not computed."""
    problem, arcs, local = run.searched.problem, run.searched.arcs, run.local
    parents = parents_of(problem.variables, arcs)
    gain = np.full((problem.variables,) * 2, np.nan) if found.gains is None else found.gains.copy()
    if StopReason(found.stop_reason).by_clock_or_user:
        # A search that was stopped in mid-step may hold gains of families that have changed since.
        for v in {v for u, v, change in run.deletions if not abs(gain[u, v] - change) <= problem.tolerance}:
            gain[:, v] = np.nan
        with suppress(Stopped):  # then the arcs into variables without parents stay unknown
            for v in (v for v, mine in enumerate(parents) if not mine):
                gain[:, v] = np.where(problem.constraints.allowed[:, v], problem.pairs[:, v] - local[v], np.nan)
    for v in {v for _, v in _connecting(run.searched)}:
        lasts = np.flatnonzero(problem.constraints.allowed[:, v]).astype(np.int32)
        lasts = lasts[~np.isin(lasts, parents[v])]
        gain[:, v] = np.nan
        gain[lasts, v] = problem.scorer.score_families(Families.extending(v, parents[v], lasts)) - local[v]
    for u, v, change in run.deletions:
        gain[u, v] = change
    return gain
