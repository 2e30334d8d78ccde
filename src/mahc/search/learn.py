"""`mahc.learn`: from data to a learned graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mahc._version import __version__
from mahc.data import Dataset, read
from mahc.engine import EngineRows, Families, RowScorer, _native
from mahc.errors import GraphError, KnowledgeError, MahcError
from mahc.graphs import DAG
from mahc.scores import Score, make_score
from mahc.search.algorithm import Algorithm, Found, make_algorithm
from mahc.search.climb import make_space
from mahc.search.constraints import Constraints
from mahc.search.costs import constraint_costs
from mahc.search.knowledge import Knowledge
from mahc.search.learned import ConstraintCost, Learned, PruningSummary, TakenStep
from mahc.search.ledger import Ledger, pruning_columns
from mahc.search.order import order_variables
from mahc.search.orientation import initial_orientation
from mahc.search.problem import Problem
from mahc.search.relevance import connect, parents_of
from mahc.search.watch import Progress, Watch

Arc = tuple[int, int]


@dataclass(frozen=True)
class Resources:
    """What a run may use."""

    time_limit: float | None = None
    threads: int | None = None
    cache_mebibytes: int = 1024


def learn(
    data: object,
    algorithm: str | Algorithm = "mahc",
    *,
    score: str | Score = "bic",
    base: float = 2.0,
    equivalent_sample_size: float | None = None,
    prune_in_degree: int | None = None,
    search_in_degree: int | None = None,
    pruning: bool | None = None,
    averaging: bool | None = None,
    knowledge: Knowledge | None = None,
    start: Iterable[tuple[str, str]] = (),
    ties: str = "data",
    missing: str = "error",
    weights: str | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    threads: int | None = None,
    memory_mebibytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """Learn the structure of a Bayesian network from discrete data.

    `data` is whatever `mahc.data.read` takes: a path, a pandas, polars or Arrow table, arrays, a dict of lists.
    Settings left out keep the algorithm's defaults; one that the algorithm does not have is refused.

    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> learn(columns, "hc").arcs
    (('rain', 'wet'),)
    """
    watch = Watch(time_limit, progress)
    if isinstance(algorithm, str):
        algorithm = make_algorithm(
            algorithm,
            prune_in_degree=prune_in_degree,
            search_in_degree=search_in_degree,
            pruning=pruning,
            averaging=averaging,
            step_limit=step_limit,
            memory_mebibytes=memory_mebibytes,
        )
    chosen = (
        score
        if isinstance(score, Score)
        else make_score(score, base=base, equivalent_sample_size=equivalent_sample_size)
    )
    table = data if isinstance(data, Dataset) else read(data, missing=missing, weights=weights)
    wish = knowledge or Knowledge()
    constraints = wish.check(table.names, algorithm.in_degree)
    arcs = tuple(sorted(DAG(table.names, start).arcs))
    resources = Resources(time_limit, threads, 1024 if memory_mebibytes is None else max(64, memory_mebibytes // 2))
    with watch.catching_interrupts():
        return _learn(table, algorithm, chosen, wish, constraints, arcs, ties, resources, watch)


def _learn(
    data: Dataset,
    algorithm: Algorithm,
    score: Score,
    wish: Knowledge,
    constraints: Constraints,
    start: tuple[tuple[str, str], ...],
    ties: str,
    resources: Resources,
    watch: Watch,
) -> Learned:
    began = time.perf_counter()
    rows = EngineRows(data, threads=resources.threads, cache_mebibytes=resources.cache_mebibytes)
    order = order_variables(rows, ties)
    rows.arrange(order)
    constraints = constraints.reordered(order)
    scorer = RowScorer(rows, score, constraints.divisors)
    names = [data.names[v] for v in order]
    place = {name: i for i, name in enumerate(names)}
    given = [(place[a], place[b]) for a, b in start]
    problem = Problem(scorer, constraints, (), watch, max(64, resources.cache_mebibytes // 4))
    problem = problem.starting(_start_graph(problem, given, names))
    try:
        found = algorithm.search(problem)
    except MemoryError:
        raise MahcError(
            "the search ran out of memory: use fewer variables or rows, switch pruning on, or lower cache settings"
        ) from None
    arcs, cost_of_joining = list(found.arcs), None
    if constraints.all_relevant:
        arcs, cost_of_joining = connect(problem, arcs, names)
    seconds = time.perf_counter() - began
    return _describe(data, algorithm, score, wish, problem, found, arcs, cost_of_joining, start, ties, order, seconds)


def _start_graph(problem: Problem, given: Sequence[Arc], names: Sequence[str]) -> tuple[Arc, ...]:
    """The user's start graph with all that is required, or a refusal that names the arc in the way."""
    constraints = problem.constraints
    for u, v in given:
        if not constraints.allowed[u, v]:
            raise KnowledgeError(
                f"the start graph has {names[u]} -> {names[v]}, but {constraints.reason(u, v)}: take it out of one of them"
            )
    taken = set(given)

    def prefer(u: int, v: int) -> float:
        if (u, v) in taken:
            return float("inf")
        return float(problem.pairs[u, v] - problem.pairs[v, v])

    arcs = sorted(taken | set(initial_orientation(constraints, prefer)) if constraints.hold.any() else taken)
    parents = parents_of(problem.variables, arcs)
    for v, mine in enumerate(parents):
        if len(mine) > constraints.limit[v]:
            raise KnowledgeError(
                f"the start graph gives {names[v]} {len(mine)} parents, more than its most {constraints.limit[v]}: "
                "take some out, or raise the in-degree"
            )
    try:
        DAG.from_parents(names, parents)
    except GraphError as problem_found:
        raise KnowledgeError(f"the start graph with the required arcs: {problem_found}") from None
    return tuple(arcs)


def _describe(
    data: Dataset,
    algorithm: Algorithm,
    score: Score,
    wish: Knowledge,
    problem: Problem,
    found: Found,
    arcs: list[Arc],
    cost_of_joining: float | None,
    start: tuple[tuple[str, str], ...],
    ties: str,
    order: Sequence[int],
    seconds: float,
) -> Learned:
    """From the numbers of the search to the names of the user."""
    names = [data.names[v] for v in order]
    parents = parents_of(problem.variables, arcs)
    local = problem.local_scores(parents)
    by_file = np.empty(len(names))
    by_file[list(order)] = local
    costs = [] if wish.empty else constraint_costs(problem, arcs, algorithm.in_degree)
    if cost_of_joining is not None:
        costs.append(ConstraintCost("all variables relevant", cost_of_joining))
    pruning = None
    if found.pruning is not None:
        tails, heads = np.nonzero(found.pruning.allowed)
        allowed = sorted((names[u], names[v]) for u, v in zip(tails.tolist(), heads.tolist(), strict=True))
        pruning = PruningSummary(found.pruning.pruned_per_level, found.pruning.valid_sets, tuple(allowed))
    ledger = _make_ledger(problem, found, arcs, parents, local).reordered(order)
    return Learned(
        variables=data.names,
        arcs=tuple(sorted((names[u], names[v]) for u, v in arcs)),
        algorithm=algorithm.name,
        settings=algorithm.settings(),
        score_name=score.name,
        score_base=score.base,
        score_settings={f.name: float(getattr(score, f.name)) for f in fields(score) if f.name != "base"},
        local_scores=tuple(by_file.tolist()),
        averaged_score=found.averaged,
        stop_reason=found.stop_reason,
        steps=tuple(
            TakenStep(s.move, names[s.tail], names[s.head], s.score, s.averaged, s.seconds) for s in found.steps
        ),
        pruning=pruning,
        ledger=ledger,
        knowledge=wish,
        constraint_costs=tuple(costs),
        start=start,
        ties=ties,
        fingerprint=data.fingerprint(),
        rows=data.rows,
        size=data.size,
        version=__version__,
        seconds=seconds,
    )


def _make_ledger(
    problem: Problem,
    found: Found,
    arcs: Sequence[Arc],
    parents: Sequence[Sequence[int]],
    local: NDArray[np.float64],
) -> Ledger:
    n = problem.variables
    gain = np.full((n, n), np.nan) if found.gains is None else found.gains.copy()
    without = Families.of((v, [p for p in parents[v] if p != u]) for u, v in arcs)
    for (u, v), score in zip(arcs, problem.scorer.score_families(without).tolist(), strict=True):
        gain[u, v] = score - local[v]
    turn = np.full((n, n), np.nan)
    averaged_gain = averaged_turn = None
    for u, v in arcs:
        turn[u, v] = gain[u, v] + gain[v, u]
    level, score_with, bases = pruning_columns(found.pruning)
    if found.averaged is not None and found.stop_reason == "converged" and len(arcs) == len(found.arcs):
        averaged_gain, averaged_turn = np.full((n, n), np.nan), np.full((n, n), np.nan)
        allowed = problem.constraints.allowed if found.pruning is None else found.pruning.allowed
        space = make_space(problem, problem.with_start(allowed))
        _, average, _, neighbours = _native.neighbours(problem.memory, space, list(arcs))
        for kind, u, v, _own, averaged in neighbours:
            (averaged_turn if kind == "reverse" else averaged_gain)[u, v] = averaged - average
    hold = problem.constraints.hold
    barred: dict[Arc, str] = {}
    required: dict[Arc, str] = {}
    for u, v in zip(*np.nonzero(~problem.constraints.allowed | (hold > 0)), strict=True):
        reason = problem.constraints.reason(int(u), int(v)) if u != v else None
        if reason is not None:
            (required if hold[u, v] else barred)[int(u), int(v)] = reason
    return Ledger(
        gain,
        turn,
        averaged_gain,
        averaged_turn,
        level,
        score_with,
        bases,
        problem.constraints.limit,
        barred,
        required,
    )
