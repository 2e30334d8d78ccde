"""What a result knows of a CPDAG or PAG that tests of independence gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, Edge, MixedGraph
from mahc.graphs.marks import count_edges, first_edges
from mahc.learning.tested_graph import TestRecord
from mahc.plurals import count
from mahc.results.edge_explanation import EdgeExplainer
from mahc.results.edge_table import MAX_ROWS, EdgeTable
from mahc.results.explanation import Explanation
from mahc.results.files.json_values import as_list, as_number, as_pairs, as_table, as_text
from mahc.results.files.test_record_json import record_from_dict, record_to_dict
from mahc.results.phrases import unit_of
from mahc.results.records import ConstraintCost, PruningSummary, RunRecord, TakenStep

KINDS = ("CPDAG", "PAG")
KINDS_OF_EDGE = {"-->": "arc", "---": "undirected edge", "<->": "bidirected edge"}  # the others by their marks
MEANINGS = {
    "CPDAG": "-->: every DAG that fits has this arc; ---: it may point either way",
    "PAG": "tail: cause; arrowhead: not a cause; circle: undetermined",
}
UNTESTED = "; edges that were not tested to the end are still in it"


@dataclass(frozen=True, eq=False)
class TestDetails:
    """The CPDAG or PAG, the tests behind it and, where there is one, a DAG that fits it with its local scores.

    `tests` is None in a result of so many variables that it was saved without them.
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test

    kind: str
    graph: MixedGraph
    extension: tuple[tuple[str, str], ...] | None
    local_scores: tuple[float, ...] | None
    tests: TestRecord | None

    edge_word: ClassVar[str] = "edge"
    averaged_score: ClassVar[float | None] = None
    gap: ClassVar[float | None] = None
    steps: ClassVar[tuple[TakenStep, ...]] = ()
    pruning: ClassVar[PruningSummary | None] = None
    constraint_costs: ClassVar[tuple[ConstraintCost, ...]] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, sorted by name."""
        return self.graph.edges

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
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
        if self.tests is None:
            raise MahcError(
                f"this result of {count(len(self.graph.names), 'variable')} was saved without the details of its "
                "tests: learn again in Python and use that result"
            )
        return EdgeExplainer(self.tests, self.graph, run.stop_reason, unit_of(run.score.base))

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

    def edge_table(self, pattern: MixedGraph) -> EdgeTable:
        """The edges with their marks, by name."""
        number = self.edge_number
        which = f"The first {MAX_ROWS} by name of {count(number, 'edge')}" if number > MAX_ROWS else "Edges"
        title = f"{which} ({MEANINGS[self.kind]})"
        first = first_edges(self.graph.names, self.graph.marks, MAX_ROWS)
        return EdgeTable(title, ("", "", ""), tuple(map(tuple, first)))

    def to_dict(self, keep_pairs: bool) -> dict[str, Any]:
        """What `result.json` has beside the summary; the tests of all pairs only where they are to be kept."""
        kept = self.tests if keep_pairs else None
        return {"path": [], "arc_details": None, "test_details": None if kept is None else record_to_dict(kept)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], variables: tuple[str, ...], pairs_kept: bool) -> TestDetails:
        """The details that were written; a ValueError, KeyError or TypeError where the values are wrong."""
        extension, local, tests = found["extension"], found["local_scores"], found["test_details"]
        if tests is None and pairs_kept:
            raise ValueError("test_details are missing")
        if (extension is None) != (local is None):
            raise ValueError("extension and local_scores do not fit each other")
        details = cls(
            kind=as_text(found["kind"]),
            graph=MixedGraph(variables, [_read_edge(edge) for edge in as_list(found["edges"])]),
            extension=None if extension is None else DAG(variables, as_pairs(extension)).arcs,
            local_scores=None if local is None else tuple(as_number(x) for x in as_list(local, len(variables))),
            tests=None if tests is None else record_from_dict(as_table(tests), len(variables)),
        )
        if details.arcs != as_pairs(found["arcs"]):
            raise ValueError("arcs and edges do not fit each other")
        return details


def _read_edge(edge: Any) -> tuple[str, str, str]:
    left, mark, right = as_list(edge, 3)
    return as_text(left), as_text(mark), as_text(right)
