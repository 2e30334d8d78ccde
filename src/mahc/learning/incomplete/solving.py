"""The search for a graph in incomplete data, by each of the methods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine import EngineRows, RowScorer
from mahc.engine.incomplete import IncompleteRows
from mahc.errors import Mention, SettingError, choices
from mahc.graphs import DAG
from mahc.inference.em import Completer, fit_em
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Stopped
from mahc.learning.counted_data import arrange_rows, stops
from mahc.learning.found import Found
from mahc.learning.incomplete.filling import score_filled
from mahc.learning.incomplete.imputing import Imputer
from mahc.learning.incomplete.weights import weigh_rows
from mahc.learning.memory import MEBIBYTE
from mahc.learning.problem import Problem
from mahc.learning.problem_making import cache_size, make_problem, make_problem_of, memory_limit, run_algorithm
from mahc.learning.request import Request
from mahc.learning.searching import search_best
from mahc.learning.tie_order import order_variables
from mahc.scores import CountScore, PenalisedScore, Score

Arcs = tuple[tuple[str, str], ...]
Drawn = tuple[NDArray[np.uint32], NDArray[np.int64]]  # completed rows, and their weights
MOST_ROUNDS = 10  # of learning and filling, or of structural EM
DRAWS = 5  # completions of each row in structural EM
SEED = 1
EM_STEPS, EM_TOLERANCE = 50, 1e-4  # within structural EM


@dataclass(frozen=True)
class Solved:
    """The last problem that was searched, its order of variables, and what was found."""

    order: list[int]
    problem: Problem
    found: Found
    score: Score


def check_method(method: str, algorithm: Algorithm, score: Score, size: int) -> None:
    """Refuse a method that makes no sense with the algorithm or the score."""
    if method not in algorithm.missing_methods:
        raise SettingError(
            Mention("missing", method),
            f" does not work with {algorithm.name}: use ",
            choices((*algorithm.missing_methods, "drop"), " or "),
            ", or another algorithm",
        )
    if method not in score.missing_methods:
        others = choices(("drop", *score.missing_methods), " or ")
        why = "has no tables of states" if score.missing_methods else "needs all values"
        raise SettingError(Mention("missing", method), f" does not work with {score.name}, which {why}: use ", others)
    if method == "structural-em" and not isinstance(score, PenalisedScore):
        raise SettingError(
            Mention("missing", method),
            f" needs a score that is linear in the counts, and {score.name} is not: use ",
            Mention("objective", "bic"),
            ", ",
            Mention("objective", "aic"),
            " or ",
            Mention("missing", "impute"),
        )


def solve(request: Request, control: Control) -> Solved:
    """Search by the method of the request."""
    data, method = request.data, request.missing
    assert isinstance(data, Dataset)
    assert method is not None
    check_method(method, request.algorithm, request.score, data.size)
    if control.memory is None:
        control.memory = memory_limit(request.algorithm)
    if not isinstance(request.score, CountScore):
        return _solve_numbers(request, data, control)
    if method == "impute":
        return _solve_by_imputing(request, data, control)
    if method == "structural-em":
        return _solve_by_em(request, data, control)
    return _solve_directly(request, data, control, weighted=method == "weighted")


def _solve_directly(request: Request, data: Dataset, control: Control, *, weighted: bool) -> Solved:
    control.phase = "counting"
    weights = None
    if weighted:
        with suppress(Stopped):  # the search then stops at once, too
            weights = weigh_rows(data, control)
    memory = cache_size(request.algorithm) * MEBIBYTE
    rows = IncompleteRows(data, weights, threads=request.threads, memory_bytes=memory)
    order = order_variables(rows, request.ties, stops(control))
    constraints = request.constraints.reordered(order)
    scorer = request.score.scorer(rows.arranged(order), constraints.divisors)
    problem = make_problem_of(request, order, scorer, control)
    return Solved(order, problem, run_algorithm(request.algorithm, problem), request.score)


def _solve_by_imputing(request: Request, data: Dataset, control: Control) -> Solved:
    """Learn, fill, learn again, until the filled values are those of an earlier round (or ten rounds are over)."""
    solved = _solve_directly(request, data, control, weighted=False)
    imputer = Imputer(data)
    seen: set[bytes] = set()
    for _ in range(MOST_ROUNDS):
        if control.stop_reason() is not None:
            break
        control.phase = "imputing"
        try:
            imputer.fill(_named(request, solved.order, solved.found.arcs), request.threads, control)
        except Stopped:
            break
        if imputer.content() in seen:
            break
        seen.add(imputer.content())
        order, problem = make_problem(replace(request, data=imputer.filled()), control)
        solved = Solved(order, problem, run_algorithm(request.algorithm, problem), request.score)
    return _note_stop(solved, control)


def _solve_numbers(request: Request, data: Dataset, control: Control) -> Solved:
    """Learn from pairwise correlations; to impute, fill under that graph, learn again, until a graph comes again."""
    control.phase = "counting"
    cache = cache_size(request.algorithm)
    rows = request.score.hold(data, threads=request.threads, cache_mebibytes=cache)
    order, source = arrange_rows(rows, request.ties, control)
    solved = Solved(order, *search_best(request, order, source, control))
    seen: set[Arcs] = set()
    for _ in range(MOST_ROUNDS if request.missing == "impute" else 0):
        arcs = _named(request, order, solved.found.arcs)
        if arcs in seen or control.stop_reason() is not None:
            break
        seen.add(arcs)
        control.phase = "imputing"
        scorer = score_filled(source, solved.score, solved.found.arcs, request.constraints.divisors)
        problem = make_problem_of(request, order, scorer, control, rows=source)
        solved = Solved(order, problem, run_algorithm(request.algorithm, problem), solved.score)
    return _note_stop(solved, control)


def _note_stop(solved: Solved, control: Control) -> Solved:
    """The same, with the reason why the run ended where it was stopped between searches."""
    reason = control.stop_reason()
    return solved if reason is None else replace(solved, found=replace(solved.found, stop_reason=reason))


def _solve_by_em(request: Request, data: Dataset, control: Control) -> Solved:
    """Structural EM: fit tables by EM, complete the rows by draws from their posterior, search in these, repeat.

    The score of the observed data must rise in every round; the first graph that does not raise it is not taken.
    """
    solved = best = _solve_directly(request, data, control, weighted=False)
    most = -math.inf
    for _ in range(MOST_ROUNDS):
        control.phase = "expectation-maximisation"
        arcs = _named(request, solved.order, solved.found.arcs)
        dag = DAG(data.names, arcs)
        fitted = fit_em(
            dag,
            data,
            tolerance=EM_TOLERANCE,
            max_steps=EM_STEPS,
            threads=request.threads,
            control=control,
            progress=lambda step, bits: control.report(step, bits),
        )
        if control.stop_reason() is not None:
            break
        now = fitted.log_likelihoods[-1] - _penalty(request, data, dag)
        if now <= most:
            break
        most, best = now, solved
        completer = Completer(dag, data, request.threads)
        drawn = completer.draw(completer.numbers(fitted.network), SEED, DRAWS, control)
        if drawn is None:
            break
        solved = _search_pooled(request, data, drawn, control)
        if _named(request, solved.order, solved.found.arcs) == arcs:
            best = solved
            break
    return _note_stop(best, control)


def _search_pooled(request: Request, data: Dataset, drawn: Drawn, control: Control) -> Solved:
    """Search in all completions at once, each row counting for one of its draws."""
    codes, weights = drawn
    by_name = {name: codes[:, i] for i, name in enumerate(sorted(data.names))}
    pooled = Dataset.coded(data.names, data.states, [by_name[name] for name in data.names], weights)
    rows = EngineRows(pooled, threads=request.threads, cache_mebibytes=cache_size(request.algorithm))
    order = order_variables(rows, request.ties, stops(control))
    rows.arrange(order)
    constraints = request.constraints.reordered(order)
    assert isinstance(request.score, CountScore)
    scorer = RowScorer(rows, request.score, constraints.divisors, copies=DRAWS)
    problem = make_problem_of(request, order, scorer, control)
    return Solved(order, problem, run_algorithm(request.algorithm, problem), request.score)


def _named(request: Request, order: Sequence[int], arcs: Sequence[tuple[int, int]]) -> Arcs:
    names = [request.data.names[v] for v in order]
    return tuple(sorted((names[u], names[v]) for u, v in arcs))


def _penalty(request: Request, data: Dataset, dag: DAG) -> float:
    """What the score takes from the log-likelihood, in bits."""
    assert isinstance(request.score, PenalisedScore)
    price = request.score.price(data.size)
    divisors = request.constraints.divisors or [1.0] * len(data.names)
    sizes = data.state_counts.tolist()
    return math.fsum(
        price * (sizes[v] - 1) * math.prod(sizes[p] for p in parents) / divisors[v]
        for v, parents in enumerate(dag.parent_sets)
    )
