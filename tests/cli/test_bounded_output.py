"""No command prints a line for each edge, variable or column without a bound."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mahc.cli.audit_view import audit_view
from mahc.cli.commands.compare import MAX_ROWS as MAX_DIFFERING
from mahc.cli.commands.compare import render_text as render_comparison
from mahc.cli.commands.score import MAX_ROWS, render_text
from mahc.data import audit
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.marks import count_edges, first_edges
from mahc.measures import compare
from mahc.measures.graph_score import FamilyScore, ScoredGraph
from mahc.results.outcomes import PatternOutcome
from mahc.results.outcomes.pattern import EdgesOf
from mahc.scores import BIC


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 70))
def test_the_first_edges_and_the_numbers_of_edges_are_those_of_the_whole_list(seed: int, size: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    above = np.triu(rng.random((size, size)) < rng.random(), 1)
    marks = np.where(above | above.T, rng.integers(1, 4, (size, size)), 0)
    names = [f"{chr(97 + v % 5)}{v}" for v in rng.permutation(size).tolist()]
    graph = MixedGraph.from_marks(names, marks)
    assert first_edges(graph.names, graph.marks, most) == graph.edges[:most]
    texts = [edge.mark for edge in graph.edges]
    assert count_edges(graph.marks) == {text: texts.count(text) for text in sorted(set(texts))}


def test_the_edges_of_an_almost_complete_graph_are_neither_listed_nor_made() -> None:
    size = 400
    marks = np.full((size, size), 3, np.int8)
    np.fill_diagonal(marks, 0)
    graph = MixedGraph.from_valid([f"v{v}" for v in range(size)], marks)
    details = PatternOutcome(kind="PAG", variables=graph.names, edges=EdgesOf(graph))
    listed = details.edge_table(graph)
    assert len(listed.rows) == 60
    assert listed.title.startswith("The first 60 by name of 79,800 edges")
    assert details.describe_graph(graph) == "79,800 edges of a PAG: 79,800 o-o edges"
    assert details.unconnected() == []
    assert "edges" not in graph.__dict__  # a list of all of them was not made


def test_long_lists_of_variables_and_differing_edges_end_with_their_number() -> None:
    names = [f"v{v}" for v in range(MAX_ROWS + 3)]
    scored = ScoredGraph(BIC(), 10, tuple(FamilyScore(name, (), -1.0) for name in names))
    assert render_text(scored)[-1] == "  and 3 more variables; --json lists all"
    assert len(render_text(scored)) == MAX_ROWS + 3
    few = names[: MAX_DIFFERING + 6]
    chain = DAG(few, [*pairwise(few)])
    lines = render_comparison("one", "two", compare(chain, DAG(few, [])), None)
    assert lines[-1] == "  and 5 more; --json lists all"


def test_an_audit_lists_at_most_500_columns_with_remarks() -> None:

    found = audit({f"c{v:04d}": ["x", "x", "x"] for v in range(520)})
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(audit_view(found, every=False))
    text = console.export_text()
    assert "20 more columns with remarks (--all lists them)" in text
    assert "without remarks" not in text
    assert text.count("constant") == 500
