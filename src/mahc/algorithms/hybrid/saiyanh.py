"""SaiyanH: associations, then directions, then TABU among the connected graphs (docs/explanation/saiyanh.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.hybrid.saiyanh_association import build_emsg, conditional_discrepancy, measure_pairs
from mahc.algorithms.score_based.climb import CANDIDATE_BYTES, ESCAPE_BYTES, climb
from mahc.engine import Families
from mahc.engine.count_requests import CountRequests
from mahc.errors import KnowledgeError
from mahc.graphs.bitset import members, transitive_closure
from mahc.knowledge.legality import Legality
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.connecting import connect, parents_of
from mahc.learning.declarations import declare_memory_limit, declare_search_in_degree
from mahc.learning.found import FoundDag, Step
from mahc.learning.problem import Problem
from mahc.setting_checks import Number
from mahc.settings import setting

Arc = tuple[int, int]
Triple = tuple[int, int, int]  # a - c - b, with a < b


@ALGORITHMS.register("saiyanh")
@dataclass(frozen=True)
class SaiyanH(Algorithm):
    """A connected graph, in which evidence about one variable can reach all others.

    `threshold` is the conditional MMD below which two variables count as independent, and the increase above which
    they count as conditionally dependent. Stopped in its first phase it returns the start graph.

    >>> import mahc
    >>> mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20, "c": ["p", "p", "q", "q"] * 10}, SaiyanH()).arcs
    (('a', 'b'), ('c', 'a'))
    """

    search_in_degree: int = declare_search_in_degree()
    threshold: float = setting(
        0.05,
        help="Conditional MMD below which two variables count as independent.",
        check=Number(above=0, below=1, hint="0.05 is usual"),
        metavar="X",
    )

    memory_mebibytes: int | None = declare_memory_limit()

    name: ClassVar[str] = "saiyanh"
    counts_states: ClassVar[bool] = True
    needs_states: ClassVar[bool] = True
    estimator: ClassVar[str] = "SaiyanH"
    idle: ClassVar[tuple[str, ...]] = ("beliefs",)

    def memory_needed(self, variables: int) -> float:
        """The associations of all pairs, and the tables of TABU."""
        return (24 + CANDIDATE_BYTES + ESCAPE_BYTES) * variables**2

    def search(self, problem: Problem) -> FoundDag:
        """All three phases."""
        control = problem.control
        control.phase = "associations"
        strength = measure_pairs(problem.source, control)
        if strength is None:
            return FoundDag(problem.start, (), control.why_stopped())
        control.phase = "orientation"
        draft = orient(problem, build_emsg(strength, control.check), strength, self.threshold)
        arcs = _connect(problem, draft.arcs)
        steps = _additions(problem, arcs)
        control.phase = "climbing"
        allowed = problem.constraints.allowed
        found = climb(problem.starting(arcs), allowed, averaging=False, escapes=True, stay_connected=True)
        return FoundDag(found.arcs, (*steps, *found.steps), found.stop_reason, gains=found.gains)


def _connect(problem: Problem, arcs: Sequence[Arc]) -> list[Arc]:
    """Connect parts that in-degree limits and knowledge left unconnected, at the lowest cost in score."""
    names = problem.constraints.names
    try:
        return connect(problem, arcs, names)[0]
    except KnowledgeError:
        raise KnowledgeError(
            "saiyanh learns one connected graph, and knowledge leaves no legal arc to connect all variables: "
            "forbid fewer arcs, raise an in-degree, or use another algorithm"
        ) from None


def _additions(problem: Problem, arcs: Sequence[Arc]) -> list[Step]:
    """The steps from the start graph to these arcs, one addition at a time."""
    parents = parents_of(problem.variables, problem.start)
    local = problem.local_scores(parents).tolist()
    added = sorted(set(arcs) - set(problem.start))
    families = []
    for u, v in added:
        parents[v].append(u)
        families.append((v, tuple(parents[v])))
    scores = problem.scorer.score_families(Families.of(families)).tolist()
    seconds = problem.control.seconds()
    steps, total = [], math.fsum(local)
    for (u, v), score in zip(added, scores, strict=True):
        total += score - local[v]
        local[v] = score
        steps.append(Step("add", u, v, total, None, seconds))
    return steps


def orient(problem: Problem, edges: Sequence[Arc], strength: NDArray[np.float64], at: float) -> Draft:
    """The start graph and the edges, directed where that is legal; the others are left without direction.

    Colliders and chains come from triples a - c - b. The other edges are directed by the score, then by which
    direction connects more pairs by directed paths. In a second round, each edge that was directed by score or paths
    is decided again, now that the others are directed. When the search is stopped, what is left is directed in the
    first legal way, and there is no second round.
    """
    draft = Draft(problem, problem.start, edges)
    dependent, independent = classify(problem, edges, strength, at)
    for a, c, b in dependent:
        if problem.control.stop_reason() is not None:
            break
        _place_collider(draft, a, c, b)
    _follow_chains(draft, independent)
    decided = _decide(draft, list(draft.undirected))
    for u, v in decided:
        if problem.control.stop_reason() is not None:
            break
        here = (u, v) if draft.has(u, v) else (v, u)
        draft.release(*here)
        _decide(draft, [(u, v)])
    return draft


def classify(
    problem: Problem, edges: Sequence[Arc], strength: NDArray[np.float64], at: float
) -> tuple[list[Triple], list[Triple]]:
    """The triples that are conditionally dependent and independent, the clearest first; not all when stopped."""
    neighbours: list[list[int]] = [[] for _ in range(problem.variables)]
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    requests = CountRequests(problem.source)
    dependent: list[tuple[float, Triple]] = []
    independent: list[tuple[float, Triple]] = []
    for c, ends in enumerate(neighbours):
        problem.control.report(0, math.nan)
        if problem.control.stop_reason() is not None:
            break
        pairs = list(combinations(sorted(ends), 2))
        triples = requests.tables(Families.of((a, (c, b)) for a, b in pairs))
        for (a, b), tables in zip(pairs, triples, strict=True):
            if problem.control.stop_reason() is not None:
                break
            given = conditional_discrepancy(tables)
            if given > strength[a, b] + at:
                dependent.append((float(strength[a, b]) - given, (a, c, b)))
            elif given < at:
                independent.append((given, (a, c, b)))
    return [triple for _, triple in sorted(dependent)], [triple for _, triple in sorted(independent)]


def _place_collider(draft: Draft, a: int, c: int, b: int) -> None:
    wanted = [(u, c) for u in (a, b) if not draft.has(u, c)]
    if all(draft.is_open(*arc) for arc in wanted) and draft.legality.may_add_parents([u for u, _ in wanted], c):
        for u, _ in wanted:
            draft.direct(u, c)


def _follow_chains(draft: Draft, independent: Sequence[Triple]) -> None:
    """Where c is not a collider and one arc points at it, the other edge points away; until nothing more follows."""
    changed = True
    while changed:
        changed = False
        for a, c, b in independent:
            if draft.problem.control.stop_reason() is not None:
                return
            for u, w in ((a, b), (b, a)):
                if draft.has(u, c) and draft.is_open(c, w) and draft.legality.may_add(c, w):
                    draft.direct(c, w)
                    changed = True


def _decide(draft: Draft, edges: Sequence[Arc]) -> list[Arc]:
    """Direct these edges by score, then the undecided by paths; returns those that could be directed."""
    for u, v in edges:
        if draft.problem.control.stop_reason() is not None:
            break
        there, back = draft.gain(u, v), draft.gain(v, u)
        if abs(there - back) > draft.problem.tolerance:
            better = (u, v) if there > back else (v, u)
            if draft.legality.may_add(*better):
                draft.direct(*better)
    for u, v in edges:
        if not draft.is_open(u, v):
            continue
        legal = [arc for arc in ((u, v), (v, u)) if draft.legality.may_add(*arc)]
        if legal and draft.problem.control.stop_reason() is not None:
            draft.direct(*legal[0])
        elif legal:
            draft.direct(*max(legal, key=lambda arc: draft.count_paths_with(*arc)))
    return [edge for edge in edges if not draft.is_open(*edge)]


class Draft:
    """Arcs that always form a legal graph, and edges without direction."""

    def __init__(self, problem: Problem, arcs: Iterable[Arc], edges: Iterable[Arc]) -> None:
        self.problem = problem
        self.legality = Legality(problem.constraints, arcs)
        open_edges = (edge for edge in edges if not self.has(*edge) and not self.has(*edge[::-1]))
        self.undirected: dict[Arc, None] = dict.fromkeys(open_edges)  # a set that keeps its order

    @property
    def arcs(self) -> list[Arc]:
        """The arcs, sorted."""
        return sorted((u, v) for v in range(self.problem.variables) for u in self.parents_of(v))

    def has(self, u: int, v: int) -> bool:
        """Whether u -> v is in the draft."""
        return self.legality.has(u, v)

    def is_open(self, u: int, v: int) -> bool:
        """Whether u - v is in the draft without a direction."""
        return (min(u, v), max(u, v)) in self.undirected

    def parents_of(self, v: int) -> list[int]:
        """The parents of v, sorted."""
        return list(members(self.legality.parents[v]))

    def direct(self, u: int, v: int) -> None:
        """Give the edge u - v this direction."""
        self.legality.add(u, v)
        del self.undirected[min(u, v), max(u, v)]

    def release(self, u: int, v: int) -> None:
        """Take the direction of u -> v away."""
        self.legality.remove(u, v)
        self.undirected[min(u, v), max(u, v)] = None

    def gain(self, u: int, v: int) -> float:
        """What u as one more parent would add to the score of v."""
        mine = self.parents_of(v)
        before, after = self.problem.scorer.score_families(Families.of([(v, mine), (v, [*mine, u])])).tolist()
        return float(after - before)

    def count_paths_with(self, u: int, v: int) -> int:
        """How many ordered pairs a directed path would join if u -> v were there; the tiers count as paths."""
        n, constraints = self.problem.variables, self.problem.constraints
        parents = [*self.legality.parents, *[0] * (constraints.nodes - n)]
        for tail, head in (*constraints.virtual_arcs, (u, v)):
            parents[head] |= 1 << tail
        variables = (1 << n) - 1
        return sum((transitive_closure(1 << w, parents) & variables).bit_count() - 1 for w in range(n))
