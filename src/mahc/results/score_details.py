"""What a result knows of a DAG that was found by searching for a high score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mahc.errors import MahcError
from mahc.graphs import DAG, MixedGraph
from mahc.plurals import count
from mahc.results.arc_details import ArcDetails
from mahc.results.arc_explanation import ArcExplainer
from mahc.results.edge_table import MAX_ROWS, EdgeTable
from mahc.results.explanation import Explanation
from mahc.results.files.arc_details_json import arc_details_from_dict, arc_details_to_dict
from mahc.results.files.json_values import as_list, as_number, as_optional_number, as_pairs, as_table, as_text, as_whole
from mahc.results.patterns import find_pattern
from mahc.results.records import ConstraintCost, PruningSummary, RunRecord, TakenStep

NOTICEABLE_NATS = 5.0


@dataclass(frozen=True, eq=False)
class ScoreDetails:
    """The DAG, its scores, the steps to it, and what was known of every possible arc.

    Scores are plain; the search subtracted `arc_price` per arc (averaged scores are after that).
    `arc_details` is None in a result of so many variables that it was learned or saved without them.
    """

    graph: DAG
    local_scores: tuple[float, ...]
    averaged_score: float | None
    gap: float | None
    steps: tuple[TakenStep, ...]
    pruning: PruningSummary | None
    constraint_costs: tuple[ConstraintCost, ...]
    arc_details: ArcDetails | None
    arc_price: float = 0.0

    kind: ClassVar[str] = "DAG"
    edge_word: ClassVar[str] = "arc"
    edges: ClassVar[None] = None
    extension: ClassVar[None] = None

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs, sorted by name."""
        return self.graph.arcs

    @property
    def adjacent(self) -> tuple[tuple[str, str], ...]:
        """The adjacent pairs of variables."""
        return self.graph.arcs

    @property
    def edge_number(self) -> int:
        """How many arcs there are."""
        return len(self.graph.arcs)

    def unconnected(self) -> list[str]:
        """The variables without an arc."""
        connected = {name for arc in self.graph.arcs for name in arc}
        return [name for name in self.graph.names if name not in connected]

    def without_dag(self, run: RunRecord) -> None:
        """A DAG always exists."""

    def dag(self, run: RunRecord) -> DAG:
        """The graph itself."""
        return self.graph

    def pattern(self, run: RunRecord) -> MixedGraph:
        """The CPDAG: all DAGs that the data cannot distinguish from this one, given the knowledge."""
        return find_pattern(self.graph, run.knowledge)

    def check_cpdag(self, run: RunRecord) -> None:
        """The pattern always is a CPDAG."""

    def strengths(self) -> dict[tuple[str, str], float]:
        """For each arc, the score that would be lost by removing it; empty where that is not known."""
        if self.arc_details is None:
            return {}
        gain, at = self.arc_details.gain, self.graph.index
        return {(a, b): -float(gain[at(a), at(b)]) for a, b in self.arcs}

    def explain(self, tail: str, head: str, run: RunRecord) -> Explanation:
        """Why the arc `tail` -> `head` is in the graph, or why it is not."""
        return self.explainer(run).explain(tail, head)

    def explainer(self, run: RunRecord) -> ArcExplainer:
        """What explains any arc; a MahcError where the details were not saved."""
        if self.arc_details is None:
            raise MahcError(
                f"this result of {count(len(self.graph.names), 'variable')} has no details of its arcs: a result is "
                "saved with them up to 1,000 variables, and learned with them up to 3,000 within the memory limit"
            )
        return ArcExplainer(
            self.arc_details,
            self.graph,
            run.knowledge.tier_of,
            averaging=bool(run.settings.get("averaging")),
            stop_reason=run.stop_reason,
            unit=run.unit,
            data_ties=run.ties == "data",
            arc_price=self.arc_price,
            reversible=frozenset(
                frozenset((edge.left, edge.right)) for edge in self.pattern(run).edges if edge.mark == "---"
            ),
        )

    def missed_arcs(self, run: RunRecord) -> list[tuple[str, str, float]]:
        """Legal arcs that would raise the score noticeably although the averaged climb has ended; largest gain first.

        Noticeably: by more than 5 nats (7.2 bits) above the price of an arc, which is "very strong" evidence on the
        scale of Kass and Raftery (1995). An arc between two joined variables is not counted.
        """
        if self.averaged_score is None or self.arc_details is None or run.stop_reason.early:
            return []
        least = NOTICEABLE_NATS / math.log(run.score.base) + self.arc_price
        names, gain, explainer = self.graph.names, self.arc_details.gain, self.explainer(run)
        known = np.where(np.isnan(gain), -np.inf, gain)
        found = []
        for u, v in np.argwhere(known > least).tolist():
            reason = explainer.explain(names[u], names[v])
            if reason.kind in ("not_improving", "not_chosen"):
                found.append((names[u], names[v], float(gain[u, v])))
        return sorted(found, key=lambda arc: (-arc[2], arc[0], arc[1]))

    def describe_graph(self, pattern: MixedGraph) -> str:
        """The number of arcs, and of those with a direction that is not determined."""
        text = count(len(self.arcs), "arc")
        if not self.arcs:
            return text
        undirected = sum(1 for edge in pattern.edges if edge.mark == "---")
        if undirected == 0:
            return f"{text}, every direction determined by data and knowledge"
        which = "which" if len(self.arcs) == 1 else f"{undirected:,} of them"
        return f"{text}, {which} could point either way (the data cannot distinguish)"

    def describe_score(self, unit: str) -> str:
        """What else is known of the score, to be added to its value."""
        text = f", searched with a price of {self.arc_price:,.4f} {unit} per arc" if self.arc_price else ""
        if self.averaged_score is not None:
            text += f", averaged over its neighbours {self.averaged_score:,.4f} {unit}"
        if self.gap is not None:
            text += ", proven optimal" if self.gap == 0 else f", at most {self.gap:,.4f} {unit} below the best possible"
        return text

    def describe_end(self, run: RunRecord) -> str:
        """How the search ended, in words."""
        return run.describe_end()

    def describe_steps(self) -> str:
        """The number of steps, to be put before the seconds."""
        return f"{count(len(self.steps), 'step')}, "

    def describe_empty(self, run: RunRecord) -> str:
        """Why the graph has no arcs."""
        if run.stop_reason.early:
            return f"No arcs: {run.stop_reason.words} before the first step."
        score = "averaged score" if self.averaged_score is not None else "score"
        return f"No arcs: no single arc improves the {score}."

    def edge_table(self, pattern: MixedGraph) -> EdgeTable:
        """The arcs with their strength, strongest first."""
        strengths = self.strengths()
        ranked = sorted(self.arcs, key=lambda arc: (-strengths.get(arc, 0.0), arc))
        undirected = {frozenset((edge.left, edge.right)) for edge in pattern.edges if edge.mark == "---"}
        rows = []
        for tail, head in ranked[:MAX_ROWS]:
            strength = f"{strengths[tail, head]:,.2f}" if strengths else ""
            either = "either way" if frozenset((tail, head)) in undirected else ""
            rows.append((tail, "->", head, strength, either))
        which = f"The {MAX_ROWS} strongest of {count(len(ranked), 'arc')}" if len(ranked) > MAX_ROWS else "Arcs"
        title = f"{which} (strength: score lost if removed)"
        return EdgeTable(title, ("from", "", "to", "strength", ""), tuple(rows))

    def to_dict(self, keep_pairs: bool) -> dict[str, Any]:
        """What `result.json` has beside the summary; the details of all pairs only where they are to be kept."""
        kept = self.arc_details if keep_pairs else None
        return {
            "path": [[s.move, s.tail, s.head, s.score, s.averaged_score, s.seconds] for s in self.steps],
            "arc_price": self.arc_price,
            "arc_details": None if kept is None else arc_details_to_dict(kept),
            "test_details": None,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], variables: tuple[str, ...], pairs_kept: bool) -> ScoreDetails:
        """The details that were written; a ValueError, KeyError or TypeError where the values are wrong."""
        pruning, arc_details = found["pruning"], found["arc_details"]
        if found["edges"] is not None or found["extension"] is not None:
            raise ValueError("a DAG has neither edges nor an extension")
        return cls(
            graph=DAG(variables, as_pairs(found["arcs"])),
            local_scores=tuple(as_number(x) for x in as_list(found["local_scores"], len(variables))),
            averaged_score=as_optional_number(found["averaged_score"]),
            gap=as_optional_number(found["gap"]),
            steps=tuple(_read_step(step) for step in as_list(found["path"])),
            pruning=None if pruning is None else _read_pruning(as_table(pruning)),
            constraint_costs=tuple(_read_cost(as_table(cost)) for cost in as_list(found["constraint_costs"])),
            arc_details=None if arc_details is None else arc_details_from_dict(as_table(arc_details), len(variables)),
            arc_price=as_number(found["arc_price"]),
        )


def _read_step(step: Any) -> TakenStep:
    move, tail, head, score, averaged, seconds = as_list(step, 6)
    return TakenStep(
        as_text(move), as_text(tail), as_text(head), as_number(score), as_optional_number(averaged), as_number(seconds)
    )


def _read_pruning(pruning: dict[str, Any]) -> PruningSummary:
    return PruningSummary(
        tuple(as_whole(n) for n in as_list(pruning["pruned_per_level"])),
        tuple(as_whole(n) for n in as_list(pruning["valid_sets_per_level"])),
        as_pairs(pruning["allowed_arcs"]),
    )


def _read_cost(cost: dict[str, Any]) -> ConstraintCost:
    return ConstraintCost(as_text(cost["constraint"]), as_number(cost["cost"]))
