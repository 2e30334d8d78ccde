"""Matrices of pcalg and causal-learn, DAGitty code, and model strings of bnlearn, both ways."""

from __future__ import annotations

import numpy as np
import pytest

from mahc.errors import MahcError
from mahc.graphs import (
    DAG,
    MixedGraph,
    from_causal_learn,
    from_dagitty,
    from_modelstring,
    from_pcalg,
    to_causal_learn,
    to_dagitty,
    to_modelstring,
    to_pcalg,
)
from mahc.graphs.marks import EDGE_MARKS

NAMES = ["a", "b", "c d", "e"]


def random_graph(rng: np.random.Generator, marks: list[str]) -> MixedGraph:
    pairs = [(i, j) for i in range(4) for j in range(i) if rng.random() < 0.7]
    return MixedGraph(NAMES, [(NAMES[i], str(rng.choice(marks)), NAMES[j]) for i, j in pairs])


@pytest.mark.parametrize("seed", range(20))
def test_round_trips(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain, full = random_graph(rng, ["-->", "<--", "---"]), random_graph(rng, sorted(EDGE_MARKS))
    assert from_pcalg(NAMES, to_pcalg(plain, "cpdag"), "cpdag") == plain
    for graph in (plain, full):
        assert from_pcalg(NAMES, to_pcalg(graph, "pag"), "pag") == graph
        assert from_causal_learn(to_causal_learn(graph), NAMES) == graph
        assert from_dagitty(to_dagitty(graph, "a", "b", ["c d"])) in (graph, _as_dag(graph))


def _as_dag(graph: MixedGraph) -> DAG | None:
    """Code of arcs alone is read as a DAG where it is one."""
    try:
        return DAG(graph.names, [(edge.left, edge.right) for edge in graph.edges if edge.mark == "-->"])
    except MahcError:
        return None


# From the documentation of pcalg (amatType).
CPDAG = {(0, 1): "-->", (1, 0): "<--", (1, 1): "---"}
PAG = {(2, 3): "-->", (3, 2): "<--", (2, 2): "<->", (1, 3): "--o"}


@pytest.mark.parametrize(("numbers", "mark"), CPDAG.items())
def test_amat_cpdag_as_documented(numbers: tuple[int, int], mark: str) -> None:
    graph = MixedGraph(["a", "b"], [("a", mark, "b")])
    matrix = [[0, numbers[0]], [numbers[1], 0]]
    assert from_pcalg(["a", "b"], matrix, "cpdag") == graph
    assert to_pcalg(graph).tolist() == matrix


@pytest.mark.parametrize(("numbers", "mark"), PAG.items())
def test_amat_pag_as_documented(numbers: tuple[int, int], mark: str) -> None:
    graph = MixedGraph(["a", "b"], [("a", mark, "b")])
    matrix = [[0, numbers[0]], [numbers[1], 0]]
    assert from_pcalg(["a", "b"], matrix, "pag") == graph
    assert to_pcalg(graph, "pag").tolist() == matrix


@pytest.mark.peers
def test_causal_learn_reads_the_matrix() -> None:
    pytest.importorskip("causallearn")
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    ends = {"-": Endpoint.TAIL, "o": Endpoint.CIRCLE, "<": Endpoint.ARROW, ">": Endpoint.ARROW}
    for mark in ("-->", "<->", "o->", "o-o", "---"):
        ours = MixedGraph(["a", "b"], [("a", mark, "b")])
        nodes = [GraphNode(name) for name in ours.names]
        theirs = GeneralGraph(nodes)
        theirs.add_edge(Edge(*nodes, ends[mark[0]], ends[mark[2]]))
        assert to_causal_learn(ours).tolist() == theirs.graph.tolist(), mark
        assert from_causal_learn(theirs) == ours


def test_bad_matrices_are_refused() -> None:
    for call in (
        lambda: from_pcalg(["a", "b"], [[0, 2], [3, 0]], "cpdag"),
        lambda: from_pcalg(["a", "b"], [[0, 4], [3, 0]], "pag"),
        lambda: from_pcalg(["a", "b"], [[0, 1], [0]], "pag"),
        lambda: from_pcalg(["a", "b"], [[0]], "pag"),
        lambda: from_pcalg(["a", "b"], [[0, 1], [1, 0]], "mag"),
        lambda: to_pcalg(MixedGraph(["a", "b"], [("a", "<->", "b")]), "cpdag"),
        lambda: from_causal_learn([[0, 3], [1, 0]], ["a", "b"]),
        lambda: from_causal_learn([[0, 1], [1, 0]]),
        lambda: to_dagitty(DAG(["a"]), "z"),
    ):
        with pytest.raises(MahcError):
            call()


@pytest.mark.parametrize("seed", range(20))
def test_model_strings_come_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.permutation(["a", "b.1", "c d", "é", "f_g"])]
    graph = DAG(names, [(names[i], names[j]) for j in range(5) for i in range(j) if rng.random() < 0.5])
    text = graph.to_modelstring()
    back = DAG.from_modelstring(text)
    assert back.reorder(names) == graph
    assert to_modelstring(back) == text, "the string does not depend on the order of the variables"


def test_bnlearns_own_model_string_is_read() -> None:
    # modelstring(model2network(...)) of bnlearn's learning.test, from its manual.
    graph = from_modelstring("[A][C][F][B|A][D|A:C][E|B:F]")
    assert graph.names == ("A", "C", "F", "B", "D", "E")
    assert set(graph.arcs) == {("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is no part of a model string"),
        ("A", "is no part of a model string"),
        ("[A][B|]", r"'\[B\|\]' is no part"),
        ("[A][B|A:A]", "is no part"),
        ("[A] [B]", "is no part"),
        ("[A][A]", "has the variable 'A' twice"),
        ("[A|B]", "'B', a parent of 'A', has no bracket"),
        ("[A|B][B|A]", "cycle"),
    ],
)
def test_what_is_no_model_string_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(MahcError, match=sentence):
        from_modelstring(text)


def test_graphs_that_no_model_string_holds_are_refused() -> None:
    with pytest.raises(MahcError, match="'a:b' cannot stand in a model string"):
        to_modelstring(DAG(["a:b", "c"]))
    with pytest.raises(MahcError, match="holds a DAG"):
        to_modelstring(MixedGraph(["a", "b"], [("a", "o->", "b")]))


@pytest.mark.peers
def test_causal_learn_holds_the_same_graph() -> None:
    pytest.importorskip("causallearn")
    from causallearn.graph.Edges import Edges
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    nodes = {name: GraphNode(name) for name in "abc"}
    theirs = GeneralGraph(list(nodes.values()))
    theirs.add_edge(Edges().directed_edge(nodes["a"], nodes["b"]))
    theirs.add_edge(Edges().undirected_edge(nodes["b"], nodes["c"]))
    ours = from_causal_learn(theirs)
    assert ours == MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "---", "c")])
    np.testing.assert_array_equal(to_causal_learn(ours), theirs.graph)


def test_what_is_no_graph_is_refused_by_its_type() -> None:
    with pytest.raises(MahcError, match="int is no networkx graph: give a DiGraph"):
        DAG.from_networkx(3)
    with pytest.raises(MahcError, match="list is no networkx graph: give a Graph or DiGraph"):
        MixedGraph.from_networkx([])
    with pytest.raises(MahcError, match="int is no model string"):
        from_modelstring(3)  # type: ignore[arg-type]
