"""SaiyanH: associations, then directions, then TABU among the connected graphs (docs/explanation/saiyanh.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.hybrid.saiyanh_association import build_emsg, measure_pairs
from mahc.algorithms.hybrid.saiyanh_orientation import orient
from mahc.algorithms.score_based.climb import CANDIDATE_BYTES, ESCAPE_BYTES, climb
from mahc.engine import Families
from mahc.errors import KnowledgeError
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.connecting import connect, parents_of
from mahc.learning.declarations import declare_memory_limit, declare_search_in_degree
from mahc.learning.found import FoundDag, Step
from mahc.learning.problem import Problem
from mahc.setting_checks import Number
from mahc.settings import setting

Arc = tuple[int, int]


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
    estimator: ClassVar[str] = "SaiyanH"

    def memory_needed(self, variables: int) -> float:
        """The associations of all pairs, and the tables of TABU."""
        return (24 + CANDIDATE_BYTES + ESCAPE_BYTES) * variables**2

    def search(self, problem: Problem) -> FoundDag:
        """All three phases."""
        control = problem.control
        control.phase = "associations"
        strength = measure_pairs(problem.source, control)
        if strength is None:
            return FoundDag(problem.start, (), control.stop_reason() or "interrupted")
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
