from __future__ import annotations

import os

import numpy as np
import oracles_graphs as oracle
import pytest

from mahc.data import read
from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG, Mark, MixedGraph, cpdag_to_dag, dag_to_cpdag
from mahc.measures import compare_scores

# Random graphs beside pyAgrum; MAHC_GRAPH_CASES=2000 for thousands.
CASES = int(os.environ.get("MAHC_GRAPH_CASES", "300"))


def letters(n):
    return [f"v{i}" for i in range(n)]


def cpdag_arcs(graph):
    arrows = np.argwhere((graph.marks == Mark.ARROW) & (graph.marks.T == Mark.TAIL))
    return frozenset(map(tuple, arrows.tolist()))


def dag_of(n, arcs, names=None):
    names = names or letters(n)
    return DAG(names, [(names[a], names[b]) for a, b in arcs])


def test_every_dag_of_four_variables_has_the_arcs_its_class_shares():
    known = {}
    for arcs in oracle.all_dags(4):
        if arcs not in known:
            members = oracle.equivalent_dags(4, arcs)
            known.update(dict.fromkeys(members, oracle.shared_arcs(members)))
        assert cpdag_arcs(dag_to_cpdag(dag_of(4, arcs))) == known[arcs]
    assert len(known) == 543


@pytest.mark.parametrize("seed", range(15))
def test_all_members_of_a_class_share_the_cpdag_and_are_extensions_of_it(seed):
    rng = np.random.default_rng(seed)
    parents = oracle.random_dag(6, rng.uniform(0.2, 0.6), rng)
    members = [dag_of(6, arcs) for arcs in oracle.equivalent_dags(6, oracle.arcs_of(parents))]
    cpdag = dag_to_cpdag(members[0])
    assert {dag_to_cpdag(member) for member in members} == {cpdag}
    extension = cpdag_to_dag(cpdag)
    assert extension in members
    assert dag_to_cpdag(extension) == cpdag


@pytest.mark.parametrize("seed", range(15))
def test_all_members_of_a_class_have_the_same_bic(seed):
    rng = np.random.default_rng(seed)
    members = [dag_of(6, arcs) for arcs in oracle.equivalent_dags(6, oracle.arcs_of(oracle.random_dag(6, 0.4, rng)))]
    data = read({name: rng.integers(0, rng.integers(2, 5), size=200) for name in letters(6)})
    found = [compare_scores(member, members[0], data) for member in members]
    assert len({result.learned.free_parameters for result in found}) == 1
    values = [result.learned.value for result in found]
    assert values == pytest.approx([values[0]] * len(values), rel=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_knowledge_directs_what_the_members_that_obey_it_share(seed):
    rng = np.random.default_rng(seed)
    n = 6
    arcs = oracle.arcs_of(oracle.random_dag(n, rng.uniform(0.4, 0.9), rng))
    listed = sorted(arcs)
    required = [listed[i] for i in rng.permutation(len(listed))[: rng.integers(0, 3)]]
    forbidden = [(b, a) for a, b in (listed[i] for i in rng.permutation(len(listed))[: rng.integers(0, 2)])]
    depth = dict.fromkeys(range(n), 0)
    for _ in range(n):
        for a, b in arcs:
            depth[b] = max(depth[b], depth[a] + 1)
    tiers = [[v for v in depth if depth[v] <= 1], [v for v in depth if depth[v] > 1]]
    tier = {v: t for t, group in enumerate(tiers) for v in group}
    with_tiers = bool(rng.integers(0, 2))
    obeying = [
        member
        for member in oracle.equivalent_dags(n, arcs)
        if set(required) <= member
        and not set(forbidden) & member
        and (not with_tiers or all(tier[a] <= tier[b] for a, b in member))
    ]
    names = letters(n)

    def named(pairs):
        return [(names[a], names[b]) for a, b in pairs]

    learned = dag_to_cpdag(
        dag_of(n, arcs),
        required=named(required),
        forbidden=named(forbidden),
        tiers=[[names[v] for v in group] for group in tiers] if with_tiers else None,
    )
    assert cpdag_arcs(learned) == oracle.shared_arcs(obeying)
    assert cpdag_to_dag(learned) in [dag_of(n, member) for member in obeying]


@pytest.mark.parametrize("seed", range(120))
def test_tiers_that_name_some_variables_direct_what_the_members_without_a_path_back_share(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    # Few parents make few colliders and long lines, where paths have room to lead back.
    arcs = frozenset((int(rng.integers(max(0, v - 2), v)), v) for v in range(1, n) for _ in range(rng.integers(1, 3)))
    dag = dag_of(n, arcs)
    named = sorted(rng.permutation(n)[: rng.integers(2, n)].tolist())
    cut = int(rng.integers(1, len(named)))
    tiers = [named[:cut], named[cut:]]
    tier = {v: place for place, group in enumerate(tiers) for v in group}

    def obeys(member):
        graph = dag_of(n, member)
        above = {v: {graph.index(name) for name in graph.ancestors(graph.names[v])} for v in tier}
        return all(tier[u] <= tier[v] for v in tier for u in above[v] if u in tier)

    obeying = [member for member in oracle.equivalent_dags(n, arcs) if obeys(member)]
    names = letters(n)
    found = dag_to_cpdag(dag, tiers=[[names[v] for v in group] for group in tiers])
    assert cpdag_arcs(found) == oracle.shared_arcs(obeying)


def test_a_path_back_through_a_variable_in_no_tier_is_refused():
    chain = DAG(["a", "x", "b"], [("b", "x"), ("x", "a")])
    with pytest.raises(GraphError, match="a path leads from b in a later tier to a in an earlier one"):
        dag_to_cpdag(chain, tiers=[["a"], ["b"]])


def test_the_order_of_the_columns_changes_neither_the_cpdag_nor_its_extension():
    rng = np.random.default_rng(5)
    arcs = oracle.arcs_of(oracle.random_dag(9, 0.35, rng))
    dag = dag_of(9, arcs)
    turned = dag.reorder(list(np.array(dag.names)[rng.permutation(9)].tolist()))
    assert turned == dag
    assert turned.names != dag.names
    assert dag_to_cpdag(turned) == dag_to_cpdag(dag)
    assert cpdag_to_dag(dag_to_cpdag(turned)) == cpdag_to_dag(dag_to_cpdag(dag))


def test_a_square_of_lines_has_no_extension():
    square = MixedGraph("abcd", [("a", "---", "b"), ("b", "---", "c"), ("c", "---", "d"), ("d", "---", "a")])
    with pytest.raises(GraphError, match="no consistent extension"):
        cpdag_to_dag(square)


def test_a_directed_cycle_has_no_extension():
    with pytest.raises(GraphError, match="no consistent extension"):
        cpdag_to_dag(MixedGraph("abc", [("a", "-->", "b"), ("b", "-->", "c"), ("c", "-->", "a")]))


def test_a_bidirected_edge_is_refused_as_no_part_of_a_cpdag():
    with pytest.raises(GraphError, match="a <-> b is not allowed in a CPDAG"):
        cpdag_to_dag(MixedGraph("ab", [("a", "<->", "b")]))


def test_knowledge_that_the_graph_breaks_is_refused_by_name():
    dag = DAG("abc", [("a", "b"), ("b", "c")])
    with pytest.raises(GraphError, match="required arc c -> b is not in the graph"):
        dag_to_cpdag(dag, required=[("c", "b")])
    with pytest.raises(GraphError, match="forbidden arc b -> c is in the graph"):
        dag_to_cpdag(dag, forbidden=[("b", "c")])
    with pytest.raises(GraphError, match="a -> b leads from a later tier"):
        dag_to_cpdag(dag, tiers=[["b"], ["a"]])
    with pytest.raises(GraphError, match="'a' is in two tiers"):
        dag_to_cpdag(dag, tiers=[["a"], ["a"]])
    with pytest.raises(UnknownNameError, match="unknown variable 'd'"):
        dag_to_cpdag(dag, required=[("a", "d")])


def test_a_thousand_variables_are_no_trouble():
    rng = np.random.default_rng(1)
    n = 1000
    parents = [rng.choice(v, size=min(v, 3), replace=False).tolist() for v in range(n)]
    dag = DAG.from_parents(letters(n), parents)
    cpdag = dag_to_cpdag(dag)
    assert dag_to_cpdag(cpdag_to_dag(cpdag)) == cpdag


@pytest.mark.peers
def test_the_cpdag_is_pyagrums_essential_graph_or_pyagrum_is_wrong():
    # Of 20,000 random DAGs pyAgrum 3.3.1 directed arcs that the class does not share in 37 and failed in 3; the
    # whole class, by covered arc reversals, has the last word, and it was ours in all 37.
    gum = pytest.importorskip("pyagrum")
    rng = np.random.default_rng(0)
    theirs_wrong = 0
    for _ in range(CASES):
        n = int(rng.integers(2, 12))
        parents = oracle.random_dag(n, rng.uniform(0.05, 0.6), rng)
        net = gum.BayesNet()
        for name in letters(n):
            net.add(gum.LabelizedVariable(name, name, 2))
        for a, b in sorted(oracle.arcs_of(parents)):
            net.addArc(a, b)
        theirs = gum.EssentialGraph(net)
        ours = dag_to_cpdag(DAG.from_parents(letters(n), parents))
        if cpdag_arcs(ours) != frozenset(theirs.arcs()):
            theirs_wrong += 1
            assert cpdag_arcs(ours) == oracle.shared_arcs(oracle.reversible_dags(oracle.arcs_of(parents)))
            continue
        lines = np.argwhere((ours.marks == Mark.TAIL) & (ours.marks.T == Mark.TAIL)).tolist()
        assert {frozenset(line) for line in lines} == {frozenset(edge) for edge in theirs.edges()}
    assert theirs_wrong <= max(3, CASES // 100)
