from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG, Mark, MixedGraph
from mahc.graphs.marks import EDGE_MARKS


@st.composite
def mixed_graphs(draw, most=6):
    names = draw(st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=most))
    pairs = list(itertools.combinations(names, 2))
    marks = draw(st.lists(st.sampled_from([None, *EDGE_MARKS]), min_size=len(pairs), max_size=len(pairs)))
    return MixedGraph(names, [(a, mark, b) for (a, b), mark in zip(pairs, marks, strict=True) if mark])


def test_a_mark_stands_at_the_end_it_is_asked_for():
    graph = MixedGraph("abc", [("a", "o->", "b"), ("c", "<--", "b")])
    assert graph.mark("a", "b") is Mark.ARROW
    assert graph.mark("b", "a") is Mark.CIRCLE
    assert graph.mark("b", "c") is Mark.ARROW
    assert graph.mark("c", "b") is Mark.TAIL
    assert graph.mark("a", "c") is Mark.NONE


def test_an_edge_is_spelt_in_one_way():
    edges = [("b", "<--", "a"), ("d", "<-o", "c"), ("f", "---", "e"), ("h", "--o", "g"), ("j", "<->", "i")]
    edges_in_order = [tuple(edge) for edge in MixedGraph("abcdefghij", edges).edges]
    assert edges_in_order == [
        ("a", "-->", "b"),
        ("c", "o->", "d"),
        ("e", "---", "f"),
        ("g", "o--", "h"),
        ("i", "<->", "j"),
    ]


@given(mixed_graphs(), st.randoms(use_true_random=False))
def test_equality_and_hash_forget_the_order_of_names(graph, random):
    names = list(graph.names)
    random.shuffle(names)
    turned = graph.reorder(names)
    assert turned == graph
    assert hash(turned) == hash(graph)
    assert repr(turned) == repr(graph)


@settings(deadline=None)  # the first call imports networkx
@given(mixed_graphs())
def test_every_way_out_leads_back(graph):
    assert MixedGraph(graph.names, graph.edges) == graph
    assert MixedGraph.from_marks(graph.names, graph.marks) == graph
    assert MixedGraph.from_networkx(graph.to_networkx()) == graph
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_a_plain_networkx_graph_becomes_arcs_or_lines():
    networkx = pytest.importorskip("networkx")
    assert MixedGraph.from_networkx(networkx.DiGraph([("a", "b")])).edges == (("a", "-->", "b"),)
    assert MixedGraph.from_networkx(networkx.Graph([("a", "b")])).edges == (("a", "---", "b"),)
    with pytest.raises(GraphError, match="a DAG needs a DiGraph"):
        DAG.from_networkx(networkx.Graph([("a", "b")]))
    with pytest.raises(GraphError, match="given twice"):
        MixedGraph.from_networkx(networkx.DiGraph([("a", "b"), ("b", "a")]))
    wrong = networkx.Graph()
    wrong.add_edge("a", "b", marks={"a": "star", "b": "tail"})
    with pytest.raises(GraphError, match="use tail, arrow or circle"):
        MixedGraph.from_networkx(wrong)


def test_what_is_no_graph_is_refused():
    with pytest.raises(GraphError, match="between b and a is given twice"):
        MixedGraph("ab", [("a", "-->", "b"), ("b", "-->", "a")])
    with pytest.raises(GraphError, match="connects a variable to itself"):
        MixedGraph("ab", [("a", "-->", "a")])
    with pytest.raises(UnknownNameError, match="unknown edge mark '->'"):
        MixedGraph("ab", [("a", "->", "b")])
    with pytest.raises(GraphError, match="not a triple"):
        MixedGraph("ab", [("a", "b")])
    with pytest.raises(GraphError, match="a mark at one end only"):
        MixedGraph.from_marks("ab", [[0, 1], [0, 0]])
    with pytest.raises(GraphError, match="only 0"):
        MixedGraph.from_marks("ab", [[0, 4], [4, 0]])
    with pytest.raises(GraphError, match="shape"):
        MixedGraph.from_marks("ab", np.zeros((2, 3)))


def test_the_matrix_given_is_not_the_one_kept():
    marks = np.array([[0, 1], [1, 0]])
    graph = MixedGraph.from_marks("ab", marks)
    marks[0, 1] = 2
    assert graph.edges == (("a", "---", "b"),)


def test_circles_have_no_separation():
    with pytest.raises(GraphError, match="turn the PAG into a MAG first"):
        MixedGraph("ab", [("a", "o->", "b")]).m_separated("a", "b")
