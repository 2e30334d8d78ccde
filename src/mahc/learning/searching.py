"""From a request to the graph that its algorithm finds, in numbers; `results` adds names and reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mahc.engine.counts import PassSource
from mahc.learning.connecting import connect
from mahc.learning.control import Control
from mahc.learning.found import Found
from mahc.learning.problem import Problem
from mahc.learning.problem_making import make_problem, run_algorithm
from mahc.learning.request import Request


@dataclass(frozen=True)
class Searched:
    """What a search found: position i in it is variable `order[i]` of the data; the arcs include connecting ones."""

    order: tuple[int, ...]
    problem: Problem
    found: Found
    arcs: tuple[tuple[int, int], ...]
    cost_of_connecting: float | None


def search(request: Request, control: Control, rows: Any = None, *, details: bool = True) -> Searched:
    """Search with the request's algorithm; where `rows` are given, on these instead of on the request's data.

    Without `details` the graph is the same, and what a result says of arcs that are not in it is not recorded.
    """
    order: Sequence[int]
    if rows is None and request.incomplete:
        from mahc.learning.incomplete.solving import solve  # only here: it loads inference

        solved = solve(request, control)
        order, problem, found = solved.order, solved.problem, solved.found
    else:
        order, problem = make_problem(request, control, rows, details=details)
        found = run_algorithm(request.algorithm, problem)
    if isinstance(request.data, PassSource):
        request.data.watch(None)  # what the result needs is counted to the end
    control.phase = "finishing"
    control.report(len(found.steps), found.steps[-1].score if found.steps else math.nan)
    arcs, cost_of_connecting = list(found.arcs), None
    if problem.constraints.all_relevant:
        arcs, cost_of_connecting = connect(problem, arcs, [request.data.names[v] for v in order])
    return Searched(tuple(order), problem, found, tuple(arcs), cost_of_connecting)
