"""The climb: from a start graph to the best neighbour while that is better (Algorithm 2).

    HC   = climb(space = all arcs,    objective = score)
    MAHC = climb(space = pruned arcs, objective = mean of the graph's and its neighbours' scores)
    TABU = climb, escape, climb again

The loop itself runs in the compiled core (engine/cpp/search/climb.hpp); this is its Python interface.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.errors import SettingError
from mahc.learning.control import Stopped
from mahc.learning.found import Step
from mahc.learning.problem import Problem


@dataclass(frozen=True)
class ClimbResult:
    """The final graph of a climb, the steps to it, and why it stopped.

    `gains[u, v]` is the change of the score if u -> v is added or removed (NaN: unknown). Scores and
    gains are plain, whatever the problem's price per arc; averages are less the price.
    """

    arcs: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    averaged: float | None
    stop_reason: str
    gains: NDArray[np.float64]


START_ONLY = 3  # in the core's `hold`, beside those of knowledge: may be removed or reversed, never added


def candidate_arcs(problem: Problem, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All arcs that a graph of the climb can have: allowed, required, or in the start graph."""
    used = allowed | (problem.constraints.hold > 0)
    for u, v in problem.start:
        used[u, v] = True
    return used


def make_space(problem: Problem, allowed: NDArray[np.bool_]) -> _native.Space:
    """The search space in the core's terms. An arc of the start graph that is not allowed may only be taken away."""
    constraints = problem.constraints
    used = candidate_arcs(problem, allowed)
    lists = [np.flatnonzero(used[:, v]).astype(np.int32) for v in range(problem.variables)]
    first = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(candidates) for candidates in lists], out=first[1:])
    parents = np.concatenate(lists) if lists else np.zeros(0, np.int32)
    children = np.repeat(np.arange(len(lists)), [len(candidates) for candidates in lists])
    start_only = used & ~allowed & (constraints.hold == 0)
    hold = np.where(start_only, np.uint8(START_ONLY), constraints.hold)[parents, children]
    return _native.Space(
        problem.variables,
        constraints.nodes,
        first,
        parents,
        np.ascontiguousarray(hold),
        constraints.limit,
        list(constraints.virtual_arcs),
    )


def climb(
    problem: Problem,
    allowed: NDArray[np.bool_],
    *,
    averaging: bool,
    escapes: bool = False,
    step_limit: int | None = None,
    memory_mebibytes: int | None = None,
    stay_connected: bool = False,
    list_length: int | None = None,
) -> ClimbResult:
    """Climb within the allowed arcs from the problem's start graph; with `stay_connected` no move may disconnect it.

    With `list_length` the search also goes downhill, but not to one of that many last graphs.
    """
    check_memory(candidate_arcs(problem, allowed), averaging, memory_mebibytes)
    space = make_space(problem, allowed)
    try:
        pairs = problem.pairs
    except Stopped:
        unknown = np.full((problem.variables, problem.variables), np.nan)
        return ClimbResult(problem.start, (), None, problem.control.stop_reason() or "interrupted", unknown)
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
    )
    reason = found["reason"]
    return ClimbResult(
        arcs=tuple(sorted(found["arcs"])),
        steps=_plain_steps(problem, found["steps"], averaging),
        averaged=found["averaged"] if averaging and not np.isnan(found["averaged"]) else None,
        stop_reason=(problem.control.stop_reason() or reason) if reason == "interrupted" else reason,
        gains=_plain_gains(problem, candidate_arcs(problem, allowed), found),
    )


def _plain_gains(problem: Problem, candidates: NDArray[np.bool_], found: dict[str, Any]) -> NDArray[np.float64]:
    gains = np.full((problem.variables, problem.variables), np.nan)
    heads, tails = np.nonzero(candidates.T)  # the core lists candidates child by child
    gains[tails, heads] = found["once"] - found["now"][heads] + problem.arc_price
    for u, v in found["arcs"]:
        gains[u, v] -= 2 * problem.arc_price  # here the change is a removal
    return gains


def _plain_steps(
    problem: Problem, steps: Sequence[tuple[str, int, int, float, float, float]], averaging: bool
) -> tuple[Step, ...]:
    arcs = len(problem.start)
    plain = []
    for move, tail, head, own, averaged, seconds in steps:
        arcs += {"add": 1, "delete": -1, "reverse": 0}[move]
        score = own + problem.arc_price * arcs
        plain.append(Step(move, tail, head, score, averaged if averaging else None, seconds))
    return tuple(plain)


def check_memory(candidates: NDArray[np.bool_], averaging: bool, memory_mebibytes: int | None) -> None:
    """Refuse a search whose tables would not fit, before it begins."""
    counts = candidates.sum(axis=0).astype(np.float64)
    needed = 8 * (float((counts**2).sum()) if averaging else 0.0) + 60 * float(counts.sum())
    limit = memory_mebibytes if memory_mebibytes is not None else _three_quarters_of_memory()
    if needed > limit * (1 << 20):
        fix = "switch pruning on, or give fewer variables" if averaging else "give fewer variables"
        raise SettingError(
            f"the search tables need {needed / (1 << 20):,.0f} MiB, more than the {limit:,} MiB allowed: {fix}, "
            "or raise the memory limit"
        )


def _three_quarters_of_memory() -> int:
    import os

    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 14
    return int(0.75 * total) >> 20
