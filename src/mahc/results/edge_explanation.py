"""Why two variables are joined or not in a graph made by tests of independence, and why it has its arrows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mahc.graphs import Mark, MixedGraph
from mahc.learning.test_details import Evidence
from mahc.results.arc_explanation import Explanation, Verdict

UNTESTED = "; it was ended early ({}), before all tests of it were made"


@dataclass(frozen=True)
class EdgeJudge:
    """What is needed to explain any edge of a CPDAG or PAG."""

    evidence: Evidence
    graph: MixedGraph
    stop_reason: str

    def explain(self, first: str, second: str) -> Explanation:
        """Why the two are joined, or why they are not."""
        u, v = self.graph.index(first), self.graph.index(second)
        if u == v:
            return Explanation(first, second, False, "barred", f"{first}: no variable is joined to itself.", {})
        present = bool(self.graph.marks[u, v])
        kind, text, numbers = self._judge_present(u, v) if present else self._judge_absent(u, v)
        start = self.graph.edge_text(u, v) + " is in the graph" if present else f"{first} and {second} are not joined"
        return Explanation(first, second, present, kind, f"{start}: {text}.", numbers)

    def _judge_absent(self, u: int, v: int) -> Verdict:
        separation = self.evidence.separations.get((min(u, v), max(u, v)))
        found, numbers = "", {}
        if separation is not None:
            given, log_p = separation
            numbers = {"p_value": math.exp(log_p), "alpha": self.evidence.alpha}
            found = f"independent given {self._spell(given)} (p = {_short(log_p)}, alpha = {self.evidence.alpha:g})"
        barred = self.evidence.barred.get((u, v))
        if separation is not None and separation[1] > math.log(self.evidence.alpha):
            return "separated", f"{found}; {barred}" if barred else found, numbers
        nearest = f"; nearest to {found}" if found else ""
        return "barred", f"{barred or self.evidence.barred.get((v, u)) or 'knowledge'}{nearest}", numbers

    def _judge_present(self, u: int, v: int) -> Verdict:
        numbers = {"alpha": self.evidence.alpha}
        required = self.evidence.required.get((u, v)) or self.evidence.required.get((v, u))
        text = required or f"dependent given every set tested (alpha = {self.evidence.alpha:g})"
        if self.stop_reason != "converged" and not required:
            text += UNTESTED.format(self.stop_reason)
        for start, end in ((u, v), (v, u)):
            if self.graph.marks[start, end] == Mark.ARROW and not required:
                text += f"; the arrow at {self.graph.names[end]}: {self._justify(start, end)}"
        return "required" if required else "edge", text, numbers

    def _justify(self, start: int, end: int) -> str:
        """Why the edge from `start` has an arrow at `end`."""
        names, barred = self.graph.names, self.evidence.barred.get((end, start))
        if barred is not None:
            return barred
        for other in self._colliding(start, end):
            given, log_p = self.evidence.separations[min(start, other), max(start, other)]
            told = f"{self._spell(given)}, a set without {names[end]} (p = {_short(log_p)})"
            return f"{names[start]} and {names[other]} are independent given {told}"
        turning = self.graph.marks[end, start] != Mark.ARROW
        for other in np.flatnonzero(self.graph.marks[:, start] == Mark.ARROW).tolist():
            if turning and other != end and not self.graph.marks[other, end]:
                return f"without it {names[start]} would be one more collider, of {names[other]} and {names[end]}"
        return "it follows from the other arrows"

    def _colliding(self, start: int, end: int) -> list[int]:
        """Those that meet `start` at `end` without being joined to it, from the most plausibly independent down."""
        found = []
        for other in np.flatnonzero(self.graph.marks[:, end] == Mark.ARROW).tolist():
            pair = (min(start, other), max(start, other))
            separation = self.evidence.separations.get(pair)
            if separation and not self.graph.marks[pair] and end not in separation[0]:
                found.append((-separation[1], self.graph.names[other], other))
        return [other for _, _, other in sorted(found)]

    def _spell(self, given: tuple[int, ...]) -> str:
        return "{" + ", ".join(sorted(self.graph.names[w] for w in given)) + "}" if given else "the empty set"


def _short(log_p: float) -> str:
    return f"{math.exp(log_p):.3g}"
