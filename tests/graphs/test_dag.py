from __future__ import annotations

import itertools
import pickle

import numpy as np
import oracles_graphs as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG, Mark

ASIA = DAG(
    ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
    [
        ("asia", "tub"),
        ("smoke", "lung"),
        ("smoke", "bronc"),
        ("tub", "either"),
        ("lung", "either"),
        ("either", "xray"),
        ("either", "dysp"),
        ("bronc", "dysp"),
    ],
)


@st.composite
def dags(draw, most=7):
    names = draw(st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=most))
    pairs = list(itertools.combinations(names, 2))
    kept = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return DAG(names, [pair for pair, keep in zip(pairs, kept, strict=True) if keep])


def test_relatives_are_sorted_by_name():
    assert ASIA.parents("either") == ("lung", "tub")
    assert ASIA.children("either") == ("dysp", "xray")
    assert ASIA.ancestors("xray") == ("asia", "either", "lung", "smoke", "tub")
    assert ASIA.descendants(["asia", "tub"]) == ("dysp", "either", "xray")
    assert ASIA.markov_blanket("lung") == ("either", "smoke", "tub")
    assert ASIA.markov_blanket("asia") == ("tub",)


def test_the_topological_order_takes_the_first_name_that_is_ready():
    assert ASIA.topological_order() == ("asia", "smoke", "bronc", "lung", "tub", "either", "dysp", "xray")


def test_the_moral_graph_marries_parents():
    edges = {(edge.left, edge.right) for edge in ASIA.moral_graph().edges}
    assert ("lung", "tub") in edges
    assert ("bronc", "either") in edges
    assert len(edges) == len(ASIA.arcs) + 2
    assert {edge.mark for edge in ASIA.moral_graph().edges} == {"---"}


@pytest.mark.parametrize(
    ("names", "arcs", "message"),
    [
        ("ab", [("a", "b"), ("b", "a")], "cycle: a -> b -> a"),
        ("xcba", [("c", "a"), ("a", "b"), ("b", "c"), ("x", "a")], "cycle: a -> b -> c -> a"),
        ("ab", [("a", "a")], "a -> a leads from a variable to itself"),
        ("ab", [("a", "b"), ("a", "b")], "a -> b is given twice"),
        ("aa", [], "'a' is named twice"),
        (["a", ""], [], "a variable is named ''"),
        (["a", 3], [], "a variable is named 3"),
        ("ab", [("a", "b", "c")], "not a pair of names"),
        ("ab", ["ab"], "not a pair of names"),
    ],
)
def test_a_graph_that_breaks_the_rules_is_refused_in_one_sentence(names, arcs, message):
    with pytest.raises(GraphError, match=message):
        DAG(names, arcs)


def test_a_long_cycle_is_cut_short():
    names = [f"v{i:02}" for i in range(40)]
    with pytest.raises(GraphError, match=r"v00 -> v01 -> .* -> v10 -> \(28 more\) -> v39 -> v00$"):
        DAG(names, list(itertools.pairwise([*names, names[0]])))


def test_an_unknown_variable_comes_with_the_nearest_name():
    with pytest.raises(UnknownNameError, match="unknown variable 'smok': did you mean 'smoke'"):
        DAG(["smoke", "lung"], [("smok", "lung")])
    with pytest.raises(UnknownNameError, match="did you mean 'xray'"):
        ASIA.parents("Xray")


def test_indices_and_matrices_are_checked():
    with pytest.raises(GraphError, match="parent 2 is not an index from 0 to 1"):
        DAG.from_parents("ab", [[], [2]])
    with pytest.raises(GraphError, match="1 parent set for 2 variables"):
        DAG.from_parents("ab", [[]])
    with pytest.raises(GraphError, match="shape"):
        DAG.from_adjacency("ab", np.zeros((3, 3)))
    with pytest.raises(GraphError, match="only 0 and 1"):
        DAG.from_adjacency("ab", [[0, 0.5], [0, 0]])
    with pytest.raises(GraphError, match="order of the 8 variables"):
        ASIA.reorder(["asia"])


@given(dags(), st.randoms(use_true_random=False))
def test_equality_and_hash_forget_the_order_of_names(dag, random):
    names = list(dag.names)
    random.shuffle(names)
    turned = dag.reorder(names)
    assert turned == dag
    assert hash(turned) == hash(dag)
    assert turned.topological_order() == dag.topological_order()
    assert repr(turned) == repr(dag)


@settings(deadline=None)  # the first call imports networkx
@given(dags())
def test_every_way_out_leads_back(dag):
    assert DAG.from_adjacency(dag.names, dag.adjacency()) == dag
    assert DAG.from_parents(dag.names, dag.parent_sets) == dag
    assert DAG.from_networkx(dag.to_networkx()) == dag
    assert DAG(dag.names, dag.arcs) == dag
    assert pickle.loads(pickle.dumps(dag)) == dag


def test_the_adjacency_has_a_one_from_parent_to_child():
    matrix = DAG(["b", "a"], [("a", "b")]).adjacency()
    assert matrix.dtype == np.bool_
    assert matrix.tolist() == [[False, False], [True, False]]


def test_graphs_with_other_names_or_arcs_differ():
    assert DAG("ab") != DAG("abc")
    assert DAG("ab", [("a", "b")]) != DAG("ab", [("b", "a")])
    assert DAG("ab") != "ab"


def test_nothing_can_be_changed():
    with pytest.raises(AttributeError):
        ASIA.names = ()
    with pytest.raises(ValueError, match="read-only"):
        ASIA.to_mixed().marks[0, 1] = Mark.ARROW


@pytest.mark.parametrize("seed", range(8))
def test_d_separation_agrees_with_all_paths(seed):
    rng = np.random.default_rng(seed)
    n = 6
    parents = oracle.random_dag(n, rng.uniform(0.2, 0.6), rng)
    names = [f"v{i}" for i in range(n)]
    dag = DAG.from_parents(names, parents)
    ends = oracle.ends_of(oracle.arcs_of(parents))
    for x, y in itertools.combinations(range(n), 2):
        rest = [v for v in range(n) if v not in (x, y)]
        for size in range(len(rest) + 1):
            for given_ in itertools.combinations(rest, size):
                expected = oracle.separated(n, ends, x, y, given_)
                assert dag.d_separated(names[x], names[y], [names[v] for v in given_]) == expected


def test_groups_are_separated_when_all_their_pairs_are():
    assert ASIA.d_separated(["asia", "tub"], ["smoke", "bronc"])
    assert not ASIA.d_separated(["asia", "tub"], ["smoke", "bronc"], given="dysp")


def test_what_is_no_pair_and_no_square_is_refused() -> None:
    for arc in (None, "ab", ("a",), 3):
        with pytest.raises(GraphError, match="is not a pair of names"):
            DAG(["a", "b"], [arc])  # type: ignore[list-item]
    with pytest.raises(GraphError, match="rows of different lengths"):
        DAG.from_adjacency(["a", "b"], [[0], [0, 1]])
