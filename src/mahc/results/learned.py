"""The result of learning: a graph, its scores, how it was reached, and why each arc is in or out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, Edge, MixedGraph, dag_to_cpdag
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.test_details import Evidence
from mahc.results.arc_details import Ledger
from mahc.results.arc_explanation import Explanation, Judge
from mahc.results.edge_explanation import EdgeJudge

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("DAG", "CPDAG", "PAG")
STOP_REASONS = ("converged", "time_limit", "interrupted", "step_limit")


@dataclass(frozen=True)
class TakenStep:
    """One move of the search, with the scores of the graph it led to."""

    move: str
    tail: str
    head: str
    score: float
    averaged_score: float | None
    seconds: float


@dataclass(frozen=True)
class PruningSummary:
    """How many arcs went at each level, how many candidate sets each level has, and what is left."""

    pruned_per_level: tuple[int, ...]
    valid_sets_per_level: tuple[int, ...]
    allowed_arcs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ConstraintCost:
    """What one constraint cost: the most that a single move it alone rules out would have added to the score."""

    constraint: str
    cost: float


@dataclass(frozen=True, eq=False)
class Learned:
    """What an algorithm learnt from data; equal to another with the same graph, scores and way there.

    `graph` is the answer itself: a DAG or, of `pc-stable` a CPDAG and of `fci` a PAG. `pattern` is what to hold
    against the truth, whatever the algorithm. Of a CPDAG or PAG, `edges` holds all edges and `arcs` those with a
    direction; `dag` and `score` are those of a DAG that fits it (`extension`), and there may be none: then `score`
    is None. `gap` is how much higher than `score` any graph's can be, where the algorithm has proven that.

    >>> import mahc
    >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}, "hc")
    >>> learned.arcs, learned.stop_reason
    ((('rain', 'wet'),), 'converged')
    >>> print(learned.explain("day", "wet"))
    day -> wet is not in the graph: legal, and it would change the score by -7.4919: no improvement.
    """

    variables: tuple[str, ...]
    arcs: tuple[tuple[str, str], ...]
    algorithm: str
    settings: Mapping[str, Any]
    score_name: str
    score_base: float
    score_settings: Mapping[str, float]
    local_scores: tuple[float, ...] | None
    averaged_score: float | None
    stop_reason: str
    steps: tuple[TakenStep, ...]
    pruning: PruningSummary | None
    ledger: Ledger | None
    knowledge: Knowledge
    constraint_costs: tuple[ConstraintCost, ...]
    start: tuple[tuple[str, str], ...]
    ties: str
    fingerprint: str
    rows: int
    size: int
    version: str
    seconds: float
    gap: float | None = None
    kind: str = KINDS[0]
    edges: tuple[Edge, ...] | None = None
    extension: tuple[tuple[str, str], ...] | None = None
    evidence: Evidence | None = None

    @cached_property
    def graph(self) -> DAG | MixedGraph:
        """The graph that the algorithm put out, of whatever kind."""
        return self.dag if self.edges is None else MixedGraph(self.variables, self.edges)

    @property
    def pattern(self) -> MixedGraph:
        """What to compare with the truth: the PAG of `fci`, of all others the CPDAG."""
        return self.graph if isinstance(self.graph, MixedGraph) else self.cpdag

    @cached_property
    def dag(self) -> DAG:
        """The graph or, where that is a CPDAG or PAG, a DAG that fits it; refused where there is none."""
        if self.edges is not None and self.extension is None:
            raise GraphError(f"{self.without_dag}: use `graph`")
        return DAG(self.variables, self.arcs if self.extension is None else self.extension)

    @property
    def without_dag(self) -> str | None:
        """Why there is no DAG, in words; None where there is one."""
        if self.edges is None or self.extension is not None:
            return None
        if self.stop_reason != "converged":
            return f"{self.algorithm} was ended early, and of a graph with untested edges no DAG is made"
        hidden = next((edge for edge in self.edges if edge.mark == "<->"), None)
        if hidden is not None:
            return f"no DAG fits this {self.kind}, which asks for hidden common causes ({' '.join(hidden)})"
        obeying = "" if self.knowledge.empty else " and obeys the knowledge"
        return f"no DAG has the edges, arcs and only the colliders of this {self.kind}{obeying}"

    @cached_property
    def cpdag(self) -> MixedGraph:
        """All graphs that the data cannot tell from this one, given the knowledge; a PAG has none."""
        if isinstance(self.graph, MixedGraph):
            if self.kind == "PAG":
                raise GraphError(f"{self.algorithm} learnt a PAG, which has no CPDAG: use `pattern`")
            return self.graph
        known = self.knowledge
        edges = [*known.forbidden_arcs, *known.forbidden_edges, *((b, a) for a, b in known.forbidden_edges)]
        required = [arc for arc in known.required_arcs if arc in self.arcs]
        return dag_to_cpdag(self.dag, required=required, forbidden=edges, tiers=known.tiers)

    @property
    def score(self) -> float | None:
        """The own score of the DAG, in logarithms to `score_base`; None where there is no DAG."""
        return None if self.local_scores is None else math.fsum(self.local_scores)

    def strengths(self) -> dict[tuple[str, str], float]:
        """For each arc, the score that would be lost by removing it."""
        if self.ledger is None:
            return {}
        place = {name: i for i, name in enumerate(self.variables)}
        return {(a, b): -float(self.ledger.gain[place[a], place[b]]) for a, b in self.arcs}

    def explain(self, tail: str, head: str) -> Explanation:
        """Why the arc `tail` -> `head` (of a CPDAG or PAG: the edge) is in the graph, or why it is not."""
        if self.evidence is not None:
            return EdgeJudge(self.evidence, self.pattern, self.stop_reason).explain(tail, head)
        if self.ledger is None:
            raise MahcError(
                f"this result of {len(self.variables):,} variables was saved without its ledger: "
                "learn again in Python and ask the result there"
            )
        averaging = bool(self.settings.get("averaging"))
        tier_of, data_ties = self.knowledge.tier_of, self.ties == "data"
        judge = Judge(self.ledger, self.dag, tier_of, averaging, self.stop_reason, data_ties)
        return judge.explain(tail, head)

    def save(self, path: str | Path) -> None:
        """Write everything to one JSON file."""
        from mahc.results.learned_json import save_learned

        save_learned(self, path)

    @staticmethod
    def load(path: str | Path) -> Learned:
        """Read what `save` wrote."""
        from mahc.results.learned_json import load_learned

        return load_learned(path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Learned):
            return NotImplemented
        return self._essence() == other._essence()

    def __hash__(self) -> int:
        return hash((self.arcs, self.local_scores, self.fingerprint))

    def _essence(self) -> tuple[object, ...]:
        path = tuple((s.move, s.tail, s.head, s.score, s.averaged_score) for s in self.steps)
        return (
            frozenset(self.variables),
            self.arcs,
            self.edges,
            self.extension,
            self.algorithm,
            dict(self.settings),
            self.score,
            self.averaged_score,
            self.stop_reason,
            path,
            self.fingerprint,
        )

    def __repr__(self) -> str:
        value = f"no {self.score_name}"
        if self.score is not None:
            value = f"{self.score_name} {self.score:.4f} (log base {self.score_base:g})"
        shape = f"{len(self.variables)} variables, "
        shape += f"{len(self.arcs)} arcs" if self.edges is None else f"{len(self.edges)} edges"
        return f"Learned({self.algorithm}: {shape}, {value}, {self.stop_reason})"

    def _repr_html_(self) -> str:
        from mahc.results.summary import learned_html

        return learned_html(self)
