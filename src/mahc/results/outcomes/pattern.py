"""A CPDAG or PAG that tests of independence gave, and why its edges and arrowheads are there or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, overload

import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from mahc.documents import Document, Number, to_plain
from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, Edge, Mark, MixedGraph
from mahc.graphs.marks import count_edges, first_edges
from mahc.learning.found import TestRecord, UnchosenArc
from mahc.learning.stop_reason import StopReason
from mahc.plurals import count
from mahc.results.explanation import MAX_ROWS, EdgeTable, Explanation, Reason, change, unit_of
from mahc.results.outcomes.dag import Arc, ConstraintCost, PruningSummary, TakenStep
from mahc.results.records import RunRecord

KINDS_OF_EDGE = {"-->": "arc", "---": "undirected edge", "<->": "bidirected edge"}  # the others by their marks
MEANINGS = {
    "CPDAG": "-->: every DAG that fits has this arc; ---: it may point either way",
    "PAG": "tail: cause; arrowhead: not a cause; circle: undetermined",
}
UNTESTED = "; edges that were not tested to the end are still in it"


class EdgesOf(Sequence[Edge]):
    """The edges of a graph, listed when they are asked for: a run that was stopped may leave hundreds of millions."""

    def __init__(self, graph: MixedGraph) -> None:
        self.graph = graph

    def __len__(self) -> int:
        return len(self.graph.edges)

    @overload
    def __getitem__(self, place: int) -> Edge: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Edge, ...]: ...

    def __getitem__(self, place: int | slice) -> Edge | tuple[Edge, ...]:
        return self.graph.edges[place]

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.graph.edges)


@to_plain.register
def _(edges: EdgesOf) -> list[list[str]]:
    return [list(edge) for edge in edges]


class PatternOutcome(Document, frozen=True, eq=False, tag_field="outcome", tag="pattern"):
    """The CPDAG or PAG, the tests behind it and, where there is one, a DAG that fits it with its local scores.

    `test_details` is None in a result of so many variables that it was saved without them.
    """

    kind: Annotated[str, Meta(pattern="^(CPDAG|PAG)$")]
    variables: tuple[str, ...]
    edges: Sequence[Edge]
    extension: tuple[Arc, ...] | None = None
    local_scores: tuple[Number, ...] | None = None
    test_details: TestRecord | None = None

    edge_word: ClassVar[str] = "edge"
    averaged_score: ClassVar[float | None] = None
    gap: ClassVar[float | None] = None
    path: ClassVar[tuple[TakenStep, ...]] = ()
    pruning: ClassVar[PruningSummary | None] = None
    constraint_costs: ClassVar[tuple[ConstraintCost, ...]] = ()

    @cached_property
    def graph(self) -> MixedGraph:
        """The CPDAG or PAG."""
        return self.edges.graph if isinstance(self.edges, EdgesOf) else MixedGraph(self.variables, self.edges)

    def check(self, run: RunRecord, complete: bool) -> None:
        """Refuse parts that do not fit each other; `complete` says that a file this small has all details."""
        if tuple(self.edges) != self.graph.edges:
            raise ValueError("the edges are not in order")
        if self.test_details is None and complete:
            raise ValueError("test_details are missing")
        if (self.extension is None) != (self.local_scores is None):
            raise ValueError("extension and local_scores do not fit each other")
        if self.extension is not None and self.local_scores is not None:
            DAG(self.variables, self.extension)
            if len(self.local_scores) != len(self.variables):
                raise ValueError("local_scores has another length than variables")
        if self.test_details is not None:
            self.test_details.check(len(self.graph.names))

    def without_details(self) -> PatternOutcome:
        """The same without the tests of all pairs, for files of many variables."""
        return replace(self, test_details=None)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The edges with a direction."""
        return tuple((edge.left, edge.right) for edge in self.edges if edge.mark == "-->")

    @property
    def adjacent(self) -> tuple[tuple[str, str], ...]:
        """The adjacent pairs of variables."""
        return tuple((edge.left, edge.right) for edge in self.edges)

    @cached_property
    def edges_by_kind(self) -> dict[str, int]:
        """How many edges of each kind there are, by their marks."""
        return count_edges(self.graph.marks)

    @property
    def edge_number(self) -> int:
        """How many edges there are; a run that was stopped may leave hundreds of millions."""
        return sum(self.edges_by_kind.values())

    def unconnected(self) -> list[str]:
        """The variables without an edge."""
        return [self.graph.names[v] for v in np.flatnonzero(~self.graph.marks.any(axis=1)).tolist()]

    def without_dag(self, run: RunRecord) -> str | None:
        """Why no DAG fits, in words; None where one does."""
        if self.extension is not None:
            return None
        if run.stop_reason.early:
            return f"{run.stop_reason.words} before {run.algorithm} had tested all edges, so no DAG was built"
        hidden = next((edge for edge in self.edges if edge.mark == "<->"), None)
        if hidden is not None:
            return f"no DAG fits this {self.kind}, which implies hidden common causes ({' '.join(hidden)})"
        obeying = "" if run.knowledge.empty else " and obeys the knowledge"
        return f"no DAG has the edges, arcs and only the colliders of this {self.kind}{obeying}"

    def dag(self, run: RunRecord) -> DAG:
        """A DAG that fits the graph; a GraphError where there is none."""
        if self.extension is None:
            raise GraphError(f"{self.without_dag(run)}: use `graph`")
        return DAG(self.graph.names, self.extension)

    def pattern(self, run: RunRecord) -> MixedGraph:
        """The graph itself."""
        return self.graph

    def check_cpdag(self, run: RunRecord) -> None:
        """Refuse to take a PAG for a CPDAG."""
        if self.kind == "PAG":
            raise GraphError(f"{run.algorithm} learned a PAG, which has no CPDAG: use `pattern`")

    def strengths(self) -> dict[tuple[str, str], float]:
        """Tests give no strengths."""
        return {}

    def explain(self, first: str, second: str, run: RunRecord) -> Explanation:
        """Why the two variables are adjacent, or why they are not."""
        return self.explainer(run).explain(first, second)

    def explainer(self, run: RunRecord) -> EdgeExplainer:
        """What explains any edge; a MahcError where the tests were not saved."""
        if self.test_details is None:
            raise MahcError(
                f"this result of {count(len(self.graph.names), 'variable')} was saved without the details of its "
                "tests: learn again in Python and use that result"
            )
        return EdgeExplainer(self.test_details, self.graph, run.stop_reason, unit_of(run.score.base))

    def describe_graph(self, pattern: MixedGraph) -> str:
        """The kind of graph, and its number of edges of each kind."""
        number = self.edges_by_kind
        marks = [*(mark for mark in KINDS_OF_EDGE if mark in number), *sorted(number.keys() - KINDS_OF_EDGE.keys())]
        counts = [count(number[mark], KINDS_OF_EDGE.get(mark, f"{mark} edge")) for mark in marks]
        return f"{count(self.edge_number, 'edge')} of a {self.kind}" + (f": {', '.join(counts)}" if counts else "")

    def describe_score(self, unit: str) -> str:
        """Which graph the score is of, to be added to its value."""
        return f", of a DAG that fits the {self.kind}"

    def describe_end(self, run: RunRecord) -> str:
        """How the tests ended, in words."""
        return run.describe_end() + (UNTESTED if run.stop_reason.early else "")

    def describe_steps(self) -> str:
        """Tests have no steps."""
        return ""

    def describe_empty(self, run: RunRecord) -> str:
        """Why the graph has no edges."""
        return "No edges: every pair of variables was found independent, or knowledge forbids its edge."

    def edge_table(self, pattern: MixedGraph, run: RunRecord | None = None) -> EdgeTable:
        """The edges with their marks, by name."""
        number = self.edge_number
        which = f"The first {MAX_ROWS} by name of {count(number, 'edge')}" if number > MAX_ROWS else "Edges"
        title = f"{which} ({MEANINGS[self.kind]})"
        first = first_edges(self.graph.names, self.graph.marks, MAX_ROWS)
        return EdgeTable(title, ("", "", ""), tuple(map(tuple, first)))


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
