"""From a request to the problem that an algorithm searches, and the search itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mahc.engine import FamilyScorer
from mahc.errors import MahcError
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Stopped
from mahc.learning.counted_data import arrange, arrange_rows
from mahc.learning.found import Found, FoundDag
from mahc.learning.memory import MEBIBYTE, MemoryLimit
from mahc.learning.problem import Problem
from mahc.learning.request import Request
from mahc.learning.start_graph import complete_start
from mahc.plurals import count


def cache_size(algorithm: Algorithm) -> int:
    """The mebibytes that the core may use to keep what it has counted."""
    return memory_limit(algorithm).cache_bytes // MEBIBYTE


def memory_limit(algorithm: Algorithm) -> MemoryLimit:
    """How much the process may grow from now on."""
    return MemoryLimit(getattr(algorithm, "memory_mebibytes", None))


def refuse_too_large(algorithm: Algorithm, variables: int) -> None:
    """Refuse a search that cannot do with the memory it may use, before any work."""
    what = f"{algorithm.name} with {count(variables, 'variable')}"
    memory_limit(algorithm).require(algorithm.memory_needed(variables), what, algorithm.memory_fix)


def refuse_large_statistics(request: Request) -> None:
    """Refuse a score whose statistics do not fit into the memory that the search may use."""
    what = f"the score {request.score.name} with {count(len(request.data.names), 'variable')}"
    needed = request.score.memory_needed(request.data)
    memory_limit(request.algorithm).require(needed, what, "cut the numbers into states, give fewer variables")


def arrange_request(request: Request, control: Control, rows: Any = None) -> tuple[list[int], Any]:
    """The order of the variables by which ties are broken, and the rows with the variables in that order."""
    if control.memory is None:
        control.memory = memory_limit(request.algorithm)
    if rows is not None:
        return arrange_rows(rows, request.ties, control)
    assert not request.incomplete, "mahc.learning.incomplete.solving makes those problems"
    cache = cache_size(request.algorithm)
    return arrange(request.data, request.score, request.ties, request.threads, cache, control)


def make_problem(request: Request, control: Control) -> tuple[list[int], Problem]:
    """The order of the variables by which ties are broken, and the problem with the variables in that order."""
    order, source = arrange_request(request, control)
    return order, problem_of_rows(request, order, source, control)


def problem_of_rows(
    request: Request, order: Sequence[int], source: Any, control: Control, *, details: bool = True
) -> Problem:
    """The problem of arranged rows."""
    divisors = request.constraints.reordered(order).divisors
    scorer = request.score.scorer(source, divisors, control)
    return make_problem_of(request, order, scorer, control, details=details, rows=source)


def make_problem_of(
    request: Request,
    order: Sequence[int],
    scorer: FamilyScorer,
    control: Control,
    *,
    details: bool = True,
    rows: Any = None,
) -> Problem:
    """The problem of a scorer whose variable i is variable `order[i]` of the data, with its start graph."""
    if control.memory is None:
        control.memory = memory_limit(request.algorithm)
    problem = Problem(
        scorer=scorer,
        constraints=request.constraints.reordered(order),
        start=(),
        control=control,
        memory=control.memory,
        details=details and control.memory.keeps_details(len(order)),
        data_ties=request.ties == "data",
        score_base=request.score.base,
        single_gains_suffice=request.score.single_gains_suffice,
        rows=rows,
    )
    place = {request.data.names[v]: i for i, v in enumerate(order)}
    given = [(place[a], place[b]) for a, b in request.start]
    return problem.starting(complete_start(problem, given))


def run_algorithm(algorithm: Algorithm, problem: Problem) -> Found:
    """What the algorithm finds; a search that was stopped before it had begun gives the start graph."""
    try:
        return algorithm.search(problem)
    except Stopped:
        return FoundDag(problem.start, (), problem.control.why_stopped())
    except MemoryError:
        raise MahcError(
            "the search ran out of memory: use fewer variables or rows, switch pruning on, or set a memory limit"
        ) from None
