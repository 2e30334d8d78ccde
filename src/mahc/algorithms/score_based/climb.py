"""The climb: from a start graph to the best neighbour while that is better (Algorithm 2).

    HC   = climb(space = all arcs,    objective = score)
    MAHC = climb(space = pruned arcs, objective = mean of the graph's and its neighbours' scores)
    TABU = climb, escape, climb again

The loop itself runs in the compiled core (engine/cpp/search/climb.hpp); this is its Python interface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.knowledge.constraints import FREE
from mahc.learning.control import Stopped
from mahc.learning.found import Step
from mahc.learning.problem import Problem

# Memory of the core's tables, for estimates: of a candidate arc; of one in a search with escapes, in addition; of two
# candidate parents of one child when averaging; and of an ordered pair of variables in the transitive closures.
CANDIDATE_BYTES, ESCAPE_BYTES, PAIR_OF_CANDIDATES_BYTES, CLOSURE_BYTES = 36, 50, 8, 0.6
START_ONLY = 3  # in the core's `hold`, besides those of knowledge: may be removed or reversed, never added
# Which arcs a search may add: [u, v] for u -> v, or for each variable its possible parents, ascending.
Allowed = NDArray[np.bool_] | Sequence[NDArray[np.int32]]


@dataclass(frozen=True)
class ClimbResult:
    """The final graph of a climb, the steps to it, and why it stopped.

    `gains[u, v]` is the change of the score if u -> v is added or removed (NaN: unknown); None where the result is to
    have no details. Scores and
    gains are plain, whatever the problem's price per arc; averages are less the price.
    """

    arcs: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    averaged: float | None
    stop_reason: str
    gains: NDArray[np.float64] | None


def allows_all(problem: Problem, allowed: Allowed) -> bool:
    """Whether the search is to look at every arc, and knowledge says nothing of any."""
    return problem.constraints.free and allowed is problem.constraints.allowed


def candidate_parents(problem: Problem, allowed: Allowed) -> list[NDArray[np.int32]]:
    """For each variable, the parents that a graph of the search can have: allowed, required, or in the start graph."""
    constraints = problem.constraints
    if isinstance(allowed, np.ndarray):
        by_child = np.ascontiguousarray(allowed.T)
        lists = [np.flatnonzero(row).astype(np.int32) for row in by_child]
    else:
        lists = list(allowed)
    held = (*constraints.required_arcs, *constraints.required_edges, *((v, u) for u, v in constraints.required_edges))
    more: dict[int, set[int]] = {}
    for u, v in (*held, *problem.start):
        more.setdefault(v, set()).add(u)
    for v, parents in more.items():
        missing = parents.difference(lists[v].tolist())
        if missing:
            lists[v] = np.union1d(lists[v], np.array(list(missing), np.int32)).astype(np.int32)
    return lists


def count_candidates(problem: Problem, allowed: Allowed) -> int:
    """How many arcs a search may add."""
    return int(_candidates_by_child(problem, allowed).sum())


def make_space(problem: Problem, allowed: Allowed) -> _native.Space:
    """The search space in the core's terms. An arc of the start graph that is not allowed may only be taken away."""
    constraints = problem.constraints
    virtual_arcs = list(constraints.virtual_arcs)
    if allows_all(problem, allowed):
        return _native.Space.complete(problem.variables, constraints.nodes, constraints.limit, virtual_arcs)
    lists = candidate_parents(problem, allowed)
    sizes = [len(candidates) for candidates in lists]
    first = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(sizes, out=first[1:])
    parents = np.concatenate(lists) if lists else np.zeros(0, np.int32)
    hold = np.zeros(len(parents), np.uint8)
    if not constraints.free:
        hold[:] = constraints.hold[parents, np.repeat(np.arange(len(lists)), sizes)]
    for u, v in problem.start:
        k = first[v] + np.searchsorted(lists[v], u)
        if hold[k] == FREE and not _is_allowed(allowed, u, v):
            hold[k] = START_ONLY
    return _native.Space(problem.variables, constraints.nodes, first, parents, hold, constraints.limit, virtual_arcs)


def _is_allowed(allowed: Allowed, u: int, v: int) -> bool:
    return bool(allowed[u, v]) if isinstance(allowed, np.ndarray) else u in allowed[v]


def climb(
    problem: Problem,
    allowed: Allowed,
    *,
    averaging: bool,
    escapes: bool = False,
    step_limit: int | None = None,
    stay_connected: bool = False,
    list_length: int | None = None,
) -> ClimbResult:
    """Climb within the allowed arcs from the problem's start graph; with `stay_connected` no move may disconnect it.

    With `list_length` the search also goes downhill, but not to one of that many last graphs.
    """
    counts = _candidates_by_child(problem, allowed)
    _check_memory(problem, counts, averaging, escapes or list_length is not None)
    unfinished = ClimbResult(problem.start, (), None, "interrupted", None)
    try:
        pairs = problem.known_pairs(int(counts.sum()))
    except Stopped:
        return replace(unfinished, stop_reason=problem.control.why_stopped())
    space = make_space(problem, allowed)
    reason = problem.control.stop_reason()
    if reason is not None:
        return replace(unfinished, stop_reason=reason)
    found = _native.climb(
        problem.score_cache,
        space,
        list(problem.start),
        pairs,
        averaging,
        escapes,
        problem.tolerance,
        (1 << 62) if step_limit is None else step_limit,
        problem.control,
        stay_connected,
        problem.data_ties,
        list_length or 0,
        problem.details,
    )
    reason = found["reason"]
    return ClimbResult(
        arcs=tuple(sorted(found["arcs"])),
        steps=_plain_steps(problem, found["steps"], averaging),
        averaged=found["averaged"] if averaging and not np.isnan(found["averaged"]) else None,
        stop_reason=problem.control.why_stopped() if reason == "interrupted" else reason,
        gains=_plain_gains(problem, allowed, found) if problem.details else None,
    )


def _plain_gains(problem: Problem, allowed: Allowed, found: dict[str, Any]) -> NDArray[np.float64]:
    gains = np.full((problem.variables, problem.variables), np.nan)
    lists = candidate_parents(problem, allowed)  # the core lists candidates child by child
    tails = np.concatenate(lists) if lists else np.zeros(0, np.int32)
    heads = np.repeat(np.arange(len(lists)), [len(candidates) for candidates in lists])
    gains[tails, heads] = found["once"] - found["now"][heads] + problem.prices.constant
    for (u, v), extra in problem.prices.extra.items():
        gains[u, v] += extra
    for u, v in found["arcs"]:
        gains[u, v] -= 2 * problem.prices.of(u, v)  # here the change is a removal
    return gains


def _plain_steps(
    problem: Problem, steps: Sequence[tuple[str, int, int, float, float, float]], averaging: bool
) -> tuple[Step, ...]:
    arcs, extra = len(problem.start), problem.prices.extra
    more = math.fsum(extra.get(arc, 0.0) for arc in problem.start) if extra else 0.0
    plain = []
    for move, tail, head, own, averaged, seconds in steps:
        arcs += {"add": 1, "delete": -1, "reverse": 0}[move]
        if extra:
            more += {"add": 1, "delete": -1, "reverse": -1}[move] * extra.get((tail, head), 0.0)
            more += extra.get((head, tail), 0.0) if move == "reverse" else 0.0
        score = own + problem.prices.constant * arcs + more
        plain.append(Step(move, tail, head, score, averaged if averaging else None, seconds))
    return tuple(plain)


def _candidates_by_child(problem: Problem, allowed: Allowed) -> NDArray[np.int64]:
    """The number of candidate parents of each variable, about: those that only the start graph has are left out."""
    if allows_all(problem, allowed):
        return np.full(problem.variables, problem.variables - 1, np.int64)
    if isinstance(allowed, np.ndarray):
        return np.asarray(allowed.sum(axis=0, dtype=np.int64))
    return np.array([len(parents) for parents in allowed], np.int64)


def _check_memory(problem: Problem, counts: NDArray[np.int64], averaging: bool, goes_on: bool) -> None:
    """Refuse a search whose tables would not fit, before it begins."""
    squares = float((counts.astype(np.float64) ** 2).sum()) if averaging else 0.0
    needed = (
        PAIR_OF_CANDIDATES_BYTES * squares
        + (CANDIDATE_BYTES + goes_on * ESCAPE_BYTES) * float(counts.sum())
        + CLOSURE_BYTES * problem.variables**2
    )
    problem.memory.require(needed, "the search", "give fewer variables, raise the price per arc")
