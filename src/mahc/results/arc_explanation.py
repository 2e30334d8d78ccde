"""Why one possible arc is in the graph or not, in a word for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mahc.graphs import DAG
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import Legality
from mahc.knowledge.obstacles import ObstacleKind
from mahc.learning.found import BARRED
from mahc.results.arc_details import Ledger

Verdict = tuple[str, str, dict[str, float]]
OBSTACLES = {ObstacleKind.CYCLE: "cycle", ObstacleKind.TIERS: "barred", ObstacleKind.IN_DEGREE: "full"}


@dataclass(frozen=True)
class Explanation:
    """The reason for one possible arc: a kind for programs, a sentence for people, the numbers behind it.

    Kinds of arcs that are present: `present`, `required`. Of those that are not: `barred` (a constraint),
    `pruned`, `opposite` (the arc runs the other way), `cycle`, `full` (in-degree), `not_improving`, `unexamined`
    and, where the search was ended early, `stopped` (not decided yet). Of a CPDAG or PAG the edge is meant, whatever
    its marks: `edge`, `required`, `separated` (independent given some set), `barred`.
    """

    tail: str
    head: str
    present: bool
    kind: str
    sentence: str
    numbers: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Judge:
    """What is needed to explain any arc of a learnt graph."""

    ledger: Ledger
    dag: DAG
    tier_of: Mapping[str, int]
    averaging: bool
    stop_reason: str
    data_ties: bool = True  # between equal averages the higher own score decides

    def explain(self, tail: str, head: str) -> Explanation:
        """Why `tail` -> `head` is in the graph, or why it is not."""
        u, v = self.dag.index(tail), self.dag.index(head)
        if u == v:
            return Explanation(tail, head, False, "barred", f"{tail} -> {head}: no variable is its own parent.", {})
        kind, text, numbers = self._judge(u, v)
        present = kind in ("present", "required")
        where = "is in the graph" if present else "is not in the graph"
        return Explanation(tail, head, present, kind, f"{tail} -> {head} {where}: {text}.", numbers)

    def _judge(self, u: int, v: int) -> Verdict:
        ledger, parents = self.ledger, self.dag.parent_sets
        if u in parents[v]:
            return self._judge_present(u, v)
        if (u, v) in ledger.barred:
            return "barred", ledger.barred[u, v], {}
        instead = f"the arc {self.dag.names[v]} -> {self.dag.names[u]} is there instead" if v in parents[u] else ""
        if ledger.level is not None and 0 < ledger.level[u, v] < BARRED:
            kind, text, numbers = self._judge_pruned(u, v)
            return kind, f"{text}; {instead}" if instead else text, numbers
        obstacle = self._find_obstacle(u, v)
        if instead and obstacle is not None:
            return "opposite", f"{instead}, and turning it round is not legal: {obstacle[1]}", {}
        return self._judge_turn(u, v, instead) if instead else obstacle or self._judge_legal(u, v)

    def _judge_present(self, u: int, v: int) -> Verdict:
        strength = -float(self.ledger.gain[u, v])
        numbers = {"strength": strength}
        text = f"removing it would {'cost' if strength >= 0 else 'gain'} {abs(strength):.4f} of score"
        if (u, v) in self.ledger.required:
            return "required", f"{self.ledger.required[u, v]}; {text}", numbers
        averaged = _known(self.ledger.averaged_gain, u, v)
        if averaged is not None:
            numbers["averaged_gain"] = averaged
            text += f" and change the averaged score by {averaged:+.4f}"
        if (u, v) in self.ledger.joining:
            text = f"it joins parts that learning left apart (all variables relevant); {text}"
        return "present", text, numbers

    def _judge_pruned(self, u: int, v: int) -> Verdict:
        assert self.ledger.level is not None
        assert self.ledger.score_with is not None
        names = self.dag.names
        level = int(self.ledger.level[u, v])
        base = self.ledger.bases[level - 1][v]
        known = "{" + ", ".join(sorted(names[i] for i in base.parents)) + "}" if base.parents else "none"
        with_it = float(self.ledger.score_with[u, v])
        text = (
            f"pruned at level {level}: {names[v]} with parents {known} scores {base.score:.4f}, with "
            f"{names[u]} as well only {with_it:.4f}"
        )
        return "pruned", text, {"level": float(level), "base_score": base.score, "score": with_it}

    def _find_obstacle(self, u: int, v: int) -> Verdict | None:
        """What makes it illegal to add u -> v (or to turn v -> u), where something does."""
        arcs = [(a, b) for b, mine in enumerate(self.dag.parent_sets) for a in mine]
        graph = Legality(Constraints.of_tiers(self.dag.names, self.tier_of, self.ledger.limit), arcs)
        obstacle = graph.why_not_reverse(v, u) if graph.has(v, u) else graph.why_not_add(u, v)
        if obstacle is None:
            return None
        limit = {"limit": float(self.ledger.limit[v])} if obstacle.kind is ObstacleKind.IN_DEGREE else {}
        return OBSTACLES[obstacle.kind], obstacle.text, limit

    def _judge_turn(self, u: int, v: int, instead: str) -> Verdict:
        turn = float(self.ledger.turn[v, u])
        if np.isnan(turn):
            return "opposite", f"{instead}, and turning it round was not examined", {}
        numbers = {"turn": turn}
        text = f"{instead}, and turning it round would change the score by {turn:+.4f}"
        averaged = _known(self.ledger.averaged_turn, v, u)
        if averaged is not None:
            numbers["averaged_turn"] = averaged
            text += f" and the averaged score, which decides, by {averaged:+.4f}"
        return "opposite", text, numbers

    def _judge_legal(self, u: int, v: int) -> Verdict:
        gain = float(self.ledger.gain[u, v])
        if np.isnan(gain):
            ended = f"the search ended ({self.stop_reason}) before it was examined"
            return "unexamined", ended if self.stop_reason != "converged" else "the algorithm did not consider it", {}
        numbers = {"gain": gain}
        text = f"legal, and it would change the score by {gain:+.4f}"
        averaged = _known(self.ledger.averaged_gain, u, v)
        if averaged is not None:
            numbers["averaged_gain"] = averaged
            text += f" and the averaged score, which decides, by {averaged:+.4f}"
        if self.stop_reason != "converged" and self._may_improve(gain, averaged):
            return "stopped", f"{text}; the search ended ({self.stop_reason}) before deciding on it", numbers
        return "not_improving", f"{text}: no improvement", numbers

    def _may_improve(self, gain: float, averaged: float | None) -> bool:
        if averaged is None:
            return self.averaging or gain > 0
        if self.data_ties and abs(averaged) <= 1e-12 * abs(gain) + 1e-9:
            return gain > 0
        return averaged > 0


def _known(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None, u: int, v: int) -> float | None:
    return None if values is None or np.isnan(values[u, v]) else float(values[u, v])
