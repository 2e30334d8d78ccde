"""A sample of DAGs, as a result shows it: by the best graph that was drawn; the sample itself is its confidence."""

from __future__ import annotations

from mahc.documents import Whole
from mahc.graphs import MixedGraph
from mahc.plurals import count
from mahc.results.explanation import Explanation
from mahc.results.outcomes.dag import DagOutcome
from mahc.results.records import RunRecord


class SampleOutcome(DagOutcome, frozen=True, eq=False, tag_field="outcome", tag="sample"):
    """The graph with the highest score among those that a sampler visited, and how many different ones it kept."""

    distinct: Whole = 0

    def explain(self, tail: str, head: str, run: RunRecord) -> Explanation:
        """Whether the arc is in the best graph; the result adds its share of the sample."""
        u, v = self.graph.index(tail), self.graph.index(head)
        present = u in self.graph.parent_sets[v]
        where = "is in" if present else "is not in"
        sentence = f"{tail} -> {head} {where} the graph: it {where} the best graph that was sampled."
        return Explanation(tail, head, present, "present" if present else "not_chosen", sentence, {})

    def describe_graph(self, pattern: MixedGraph) -> str:
        """The number of arcs of the best graph, and how many graphs were sampled."""
        return f"{super().describe_graph(pattern)}; the best of {count(self.distinct, 'different graph')}"

    def describe_steps(self) -> str:
        """A sampler has no path."""
        return ""

    def describe_empty(self, run: RunRecord) -> str:
        """Why the graph has no arcs."""
        return "No arcs: the best graph that was sampled is empty."
