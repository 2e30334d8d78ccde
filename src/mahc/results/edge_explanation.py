"""Why two variables are adjacent or not in a graph that tests of independence gave, and why it has its arrowheads."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mahc.graphs import Mark, MixedGraph
from mahc.learning.stop_reason import StopReason
from mahc.learning.tested_graph import TestRecord, UnchosenArc
from mahc.results.explanation import Explanation, Reason
from mahc.results.phrases import change


@dataclass(frozen=True)
class EdgeExplainer:
    """What is needed to explain any edge of a CPDAG or PAG."""

    tests: TestRecord
    graph: MixedGraph
    stop_reason: StopReason
    unit: str  # of scores

    def explain(self, first: str, second: str) -> Explanation:
        """Why the two variables are adjacent, or why they are not."""
        u, v = self.graph.index(first), self.graph.index(second)
        if u == v:
            sentence = f"{first}: a variable is not adjacent to itself."
            return Explanation(first, second, False, "forbidden", sentence, {})
        present = bool(self.graph.marks[u, v])
        kind, text, numbers = self._explain_present(u, v) if present else self._explain_absent(u, v)
        if present:
            start = f"{self.graph.edge_text(u, v)} is in the graph"
        else:
            start = f"{first} and {second} are not adjacent"
        return Explanation(first, second, present, kind, f"{start}: {text}.", numbers)

    def _explain_absent(self, u: int, v: int) -> Reason:
        separation = self.tests.separations.get((min(u, v), max(u, v)))
        found, numbers = "", {}
        if separation is not None:
            conditions, log_p = separation
            numbers = {"p_value": math.exp(log_p), "alpha": self.tests.alpha}
            p_value = f"(p = {_short(log_p)}, alpha = {self.tests.alpha:g})"
            found = f"independent given {self._show_set(conditions)} {p_value}"
        forbidden = self.tests.forbidden.get((u, v))
        if separation is not None and separation[1] > math.log(self.tests.alpha):
            return Reason("separated", f"{found}; {forbidden}" if forbidden else found, numbers)
        if (min(u, v), max(u, v)) in self.tests.unchosen and not forbidden:
            return self._explain_unchosen(self.tests.unchosen[min(u, v), max(u, v)])
        closest = f"; closest to {found}" if found else ""
        constraint = forbidden or self.tests.forbidden.get((v, u)) or "knowledge"
        return Reason("forbidden", f"{constraint}{closest}", numbers)

    def _explain_unchosen(self, arc: UnchosenArc) -> Reason:
        text = "the search by score chose no arc between them"
        if arc.gain is None:
            return Reason("not chosen", text, {})
        effect = change(arc.gain, "the score", self.unit)
        if arc.alone:
            why = f"the better of the two would {effect} even as the only arc into its variable"
            text = f"{text}; {why}" + (", less than the price of an arc" if arc.gain > 0 else "")
        else:
            text = f"{text}; the better one would {effect}"
        return Reason("not chosen", text, {"gain": arc.gain})

    def _explain_present(self, u: int, v: int) -> Reason:
        numbers = {"alpha": self.tests.alpha}
        required = self.tests.required.get((u, v)) or self.tests.required.get((v, u))
        chosen = "chosen by the search by score, and " if self.tests.unchosen else ""
        text = required or f"{chosen}dependent given every set tested (alpha = {self.tests.alpha:g})"
        if self.stop_reason.early and not required:
            text += f"; {self.stop_reason.words} before all its tests were made"
        for start, end in ((u, v), (v, u)):
            if self.graph.marks[start, end] == Mark.ARROW and not required:
                text += f"; arrowhead at {self.graph.names[end]}: {self._explain_arrowhead(start, end)}"
        return Reason("required" if required else "edge", text, numbers)

    def _explain_arrowhead(self, start: int, end: int) -> str:
        """Why the edge from `start` has an arrowhead at `end`."""
        names, forbidden = self.graph.names, self.tests.forbidden.get((end, start))
        if forbidden is not None:
            return forbidden
        for other in self._find_colliding(start, end):
            conditions, log_p = self.tests.separations[min(start, other), max(start, other)]
            separating = f"{self._show_set(conditions)}, a set without {names[end]} (p = {_short(log_p)})"
            return f"{names[start]} and {names[other]} are independent given {separating}"
        for other in np.flatnonzero(self.graph.marks[:, end] == Mark.ARROW).tolist():
            if other != start and (min(start, other), max(start, other)) in self.tests.unchosen:
                both = f"{names[start]} and {names[other]} parents of {names[end]}"
                return f"the search by score made {both}, without an arc between the two"
        directed = self.graph.marks[end, start] != Mark.ARROW
        for other in np.flatnonzero(self.graph.marks[:, start] == Mark.ARROW).tolist():
            if directed and other != end and not self.graph.marks[other, end]:
                return f"without it {names[start]} would be another collider, of {names[other]} and {names[end]}"
        return "it follows from the other arrowheads"

    def _find_colliding(self, start: int, end: int) -> list[int]:
        """The other variables of unshielded colliders `start` -> `end` <- other, highest p-value first."""
        found = []
        for other in np.flatnonzero(self.graph.marks[:, end] == Mark.ARROW).tolist():
            pair = (min(start, other), max(start, other))
            separation = self.tests.separations.get(pair)
            if separation and not self.graph.marks[pair] and end not in separation[0]:
                found.append((-separation[1], self.graph.names[other], other))
        return [other for _, _, other in sorted(found)]

    def _show_set(self, conditions: tuple[int, ...]) -> str:
        names = sorted(self.graph.names[w] for w in conditions)
        return "{" + ", ".join(names) + "}" if names else "the empty set"


def _short(log_p: float) -> str:
    return f"{math.exp(log_p):.3g}"
