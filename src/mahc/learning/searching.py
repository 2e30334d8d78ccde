"""From a request to the graph that its algorithm finds, in numbers; `results` adds names and reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mahc.engine.counts import PassSource
from mahc.learning.connecting import connect
from mahc.learning.control import Control
from mahc.learning.found import Found
from mahc.learning.measurement_error import MeasurementErrorRecord
from mahc.learning.problem import Problem
from mahc.learning.problem_making import (
    arrange_request,
    problem_of_rows,
    refuse_large_statistics,
    run_algorithm,
)
from mahc.learning.request import Request
from mahc.learning.stop_reason import StopReason
from mahc.scores import Score

TOO_MUCH = 0.03  # share of what the best graph explains that the graph of a chosen variant may not lack


@dataclass(frozen=True)
class Searched:
    """What a search found: position i in it is variable `order[i]` of the data; the arcs include connecting ones."""

    order: tuple[int, ...]
    problem: Problem
    found: Found
    arcs: tuple[tuple[int, int], ...]
    cost_of_connecting: float | None
    score: Score  # the one of the request, or that of its variants whose graph is best

    @property
    def measurement_error(self) -> MeasurementErrorRecord | None:
        """The signs of measurement error, where they were measured."""
        signs = self.found.error_signs
        return None if signs is None else signs.named(self.problem.constraints.names)


@dataclass(frozen=True)
class Settled:
    """A request that can be searched, and what a search of it found where the choice needed one."""

    request: Request
    searched: Searched | None = None


def search(request: Request, control: Control, rows: Any = None, *, details: bool = True) -> Searched:
    """Search with the request's algorithm; where `rows` are given, on these instead of on the request's data.

    Without `details` the graph is the same, and what a result says of arcs that are not in it is not recorded.
    """
    order: Sequence[int]
    if rows is None:
        refuse_large_statistics(request)
    if rows is None and request.incomplete:
        from mahc.learning.incomplete.solving import solve  # only here: it loads inference

        solved = solve(request, control)
        order, problem, found, score = solved.order, solved.problem, solved.found, solved.score
    else:
        order, source = arrange_request(request, control, rows)
        problem, found, score = search_best(request, order, source, control, details)
    if isinstance(request.data, PassSource):
        request.data.watch(None)  # what the result needs is counted to the end
    control.phase = "finishing"
    control.report(len(found.steps), found.steps[-1].score if found.steps else math.nan)
    arcs, cost_of_connecting = list(found.arcs), None
    if problem.constraints.all_relevant:
        arcs, cost_of_connecting = connect(problem, arcs, [request.data.names[v] for v in order])
    return Searched(tuple(order), problem, found, tuple(arcs), cost_of_connecting, score)


def search_best(
    request: Request, order: Sequence[int], source: Any, control: Control, details: bool = True
) -> tuple[Problem, Found, Score]:
    """What is found with the score, or with the best of its variants: they are tried until two in a row are worse.

    The best has the highest score among those whose graphs explain the data about as well as any, in the measure that
    all variants share. Where the algorithm has a quick form, that chooses the variant, each search beginning with the
    best graph before. What is found is always what is found where the best variant is given.
    """
    variants = request.score.variants()
    if len(variants) == 1:
        problem = problem_of_rows(request, order, source, control, details=details)
        return problem, run_algorithm(request.algorithm, problem), request.score
    quick = request.algorithm.quick()
    tried: list[_Tried] = []
    for score in variants:
        problem = problem_of_rows(replace(request, score=score), order, source, control, details=details)
        if not tried or request.algorithm.searches_by_score:
            start = max(tried, key=_Tried.by_total).found.arcs if tried and quick is not None else problem.start
            found = run_algorithm(quick or request.algorithm, problem.starting(start))
        tried.append(_Tried(problem, found, score, problem.total(found.arcs), score.explained(source, found.arcs)))
        if StopReason(found.stop_reason).by_clock_or_user:
            break
        if len(tried) > 2 and max(tried[-1].total, tried[-2].total) <= max(one.total for one in tried[:-2]):
            break
    most = max(one.explained for one in tried)
    near = [one for one in tried if most - one.explained <= TOO_MUCH * abs(most)]
    best = max(near, key=_Tried.by_total)
    if quick is None:
        return best.problem, best.found, best.score
    whole = run_algorithm(request.algorithm, best.problem)
    if StopReason(whole.stop_reason).by_clock_or_user:  # it may have had no time to come as far as the quick form
        further = max(best.found.arcs, whole.arcs, key=best.problem.total)
        whole = run_algorithm(request.algorithm, best.problem.starting(further))
    return best.problem, whole, best.score


@dataclass(frozen=True)
class _Tried:
    """What was found with a variant of a score."""

    problem: Problem
    found: Found
    score: Score
    total: float
    explained: float

    def by_total(self) -> float:
        return self.total
