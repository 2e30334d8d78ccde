"""From a request to the graph that its algorithm finds, in numbers; `results` adds names and reasons."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mahc.engine import CountSource, EngineRows
from mahc.errors import MahcError
from mahc.learning.algorithm import Algorithm
from mahc.learning.connecting import connect
from mahc.learning.control import Control, Stopped
from mahc.learning.counted_data import arrange, arrange_rows, make_scorer
from mahc.learning.found import Found
from mahc.learning.memory import MEBIBYTE, MemoryLimit
from mahc.learning.problem import Problem
from mahc.learning.request import Request
from mahc.learning.start_graph import complete_start


@dataclass(frozen=True)
class Searched:
    """What a search found: position i in it is variable `order[i]` of the data; the arcs include connecting ones."""

    order: tuple[int, ...]
    problem: Problem
    found: Found
    arcs: tuple[tuple[int, int], ...]
    cost_of_connecting: float | None


def search(request: Request, control: Control, rows: EngineRows | None = None) -> Searched:
    """Search with the request's algorithm; where `rows` are given, on these instead of on the request's data."""
    order, problem = _make_problem(request, control, rows)
    found = _search(request.algorithm, problem)
    control.phase = "finishing"
    control.report(len(found.steps), found.steps[-1].score if found.steps else math.nan)
    arcs, cost_of_connecting = list(found.arcs), None
    if problem.constraints.all_relevant:
        arcs, cost_of_connecting = connect(problem, arcs, [request.data.names[v] for v in order])
    return Searched(tuple(order), problem, found, tuple(arcs), cost_of_connecting)


def cache_size(algorithm: Algorithm) -> int:
    """The mebibytes that the core may use to keep what it has counted."""
    return memory_limit(algorithm).cache_bytes // MEBIBYTE


def memory_limit(algorithm: Algorithm) -> MemoryLimit:
    """How much the process may grow from now on."""
    return MemoryLimit(getattr(algorithm, "memory_mebibytes", None))


def refuse_too_large(algorithm: Algorithm, variables: int) -> None:
    """Refuse a search that cannot do with the memory it may use, before any work."""
    what = f"{algorithm.name} with {variables:,} variables"
    memory_limit(algorithm).require(algorithm.memory_needed(variables), what, algorithm.memory_fix)


def _make_problem(request: Request, control: Control, rows: EngineRows | None) -> tuple[list[int], Problem]:
    """The order of the variables by which ties are broken, and the problem with the variables in that order."""
    if control.memory is None:
        control.memory = memory_limit(request.algorithm)
    source: CountSource
    if rows is None:
        order, source = arrange(request.data, request.ties, request.threads, cache_size(request.algorithm))
    else:
        order, source = arrange_rows(rows, request.ties)
    constraints = request.constraints.reordered(order)
    problem = Problem(
        scorer=make_scorer(source, request.score, constraints.divisors),
        constraints=constraints,
        start=(),
        control=control,
        memory=control.memory,
        details=control.memory.keeps_details(len(order)),
        data_ties=request.ties == "data",
        score_base=request.score.base,
    )
    place = {request.data.names[v]: i for i, v in enumerate(order)}
    given = [(place[a], place[b]) for a, b in request.start]
    return order, problem.starting(complete_start(problem, given))


def _search(algorithm: Algorithm, problem: Problem) -> Found:
    try:
        return algorithm.search(problem)
    except Stopped:
        return Found(problem.start, (), problem.control.stop_reason() or "interrupted")
    except MemoryError:
        raise MahcError(
            "the search ran out of memory: use fewer variables or rows, switch pruning on, or set a memory limit"
        ) from None
