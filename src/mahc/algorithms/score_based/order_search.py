"""Order search: from a start graph to the best graph over the orders that were tried.

The search itself runs in the compiled core (engine/cpp/search/order_search.hpp); this is its Python face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.algorithms.score_based.climb import Allowed, count_candidates, make_space
from mahc.engine import _native
from mahc.learning.problem import Problem

Arc = tuple[int, int]
# Memory of a node of a grow-shrink tree, about: of itself, and of each candidate of its variable.
NODE_BYTES, NODE_CANDIDATE_BYTES = 300, 6


@dataclass(frozen=True)
class Improvement:
    """A better graph than any before it: its score and the parents of the variables where it differs."""

    score: float
    seconds: float
    families: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Ordered:
    """The best graph, how it was reached and why the search ended; scores are less the price of the arcs.

    `moves` are the moves of the order, (variable, number of variables before it, score of the order after it),
    those after kicks included.
    """

    arcs: tuple[Arc, ...]
    score: float
    improvements: tuple[Improvement, ...]
    moves: tuple[tuple[int, int, float], ...]
    stop_reason: str


def search_orders(
    problem: Problem,
    allowed: Allowed,
    start: Sequence[Arc],
    *,
    kicks: int = 0,
    seed: int = 0,
    pair_candidates: int = 0,
    early_dropping: bool = False,
    memory_mebibytes: int = 512,
) -> Ordered:
    """Search within the allowed arcs from the order of a legal start graph, which is the best until beaten.

    With `early_dropping`, a candidate parent that does not improve a set of parents is not tried again while that set
    grows. With `pair_candidates`, all pairs of that many candidates of a variable are considered as its parents.
    """
    candidates = count_candidates(problem, allowed)
    node_bytes = NODE_BYTES + NODE_CANDIDATE_BYTES * candidates // max(1, problem.variables)
    found = _native.search_orders(
        problem.score_cache,
        make_space(problem, allowed),
        list(start),
        problem.known_pairs(candidates),
        kicks,
        seed,
        pair_candidates,
        early_dropping,
        problem.tolerance,
        max(1, (memory_mebibytes << 20) // node_bytes),
        problem.control,
    )
    reason = found["reason"]
    if reason == "interrupted":
        reason = problem.control.stop_reason() or reason
    return Ordered(
        arcs=tuple(sorted(found["arcs"])),
        score=found["score"],
        improvements=tuple(
            Improvement(score, seconds, tuple((v, tuple(parents)) for v, parents in families))
            for score, seconds, families in found["improvements"]
        ),
        moves=tuple(found["moves"]),
        stop_reason=reason,
    )
