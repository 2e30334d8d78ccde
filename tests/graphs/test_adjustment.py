"""Adjustment sets against brute force: the formula with random tables in every DAG of the class."""

from __future__ import annotations

import itertools
import os

import numpy as np
import oracles_adjustment as slow
import oracles_graphs as oracle
import pytest

from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, Mark, MixedGraph, check_mag, dag_to_cpdag, dag_to_mag, dag_to_pag, mag_to_pag
from mahc.graphs.adjustment.optimal import optimal_set
from mahc.graphs.adjustment.paths import find_paths

CASES = int(os.environ.get("MAHC_GRAPH_CASES", "6"))
SIGNS = {Mark.TAIL: "-", Mark.ARROW: ">", Mark.CIRCLE: "o"}


def random_graph(rng, most=6, density=(0.3, 0.6)):
    n = int(rng.integers(3, most + 1))
    parents = oracle.random_dag(n, rng.uniform(*density), rng)
    return n, oracle.arcs_of(parents), DAG.from_parents([f"v{i}" for i in range(n)], parents)


def random_pair(n, rng):
    x, y = rng.permutation(n)[:2].tolist()
    return x, y, [v for v in range(n) if v not in (x, y)]


def named(given):
    return [f"v{v}" for v in given]


def numbered(sets):
    return [tuple(int(name[1:]) for name in each) for each in sets]


def ends(graph):
    places = [int(name[1:]) for name in graph.names]
    return {(places[i], places[j]): SIGNS[Mark(int(graph.marks[i, j]))] for i, j in np.argwhere(graph.marks).tolist()}


def compare_with_class(graph, members, n, rng):
    """Validity of every set, and the minimal ones among those that can be used."""
    x, y, others = random_pair(n, rng)
    banned = [v for v in others if rng.random() < 0.2]
    unmeasured, exclude = named(banned[::2]), named(banned[1::2])
    found = graph.adjustment_sets(f"v{x}", f"v{y}", unmeasured=unmeasured, exclude=exclude)
    valid = []
    for given in slow.subsets(others):
        right = slow.gives_effect(members, n, x, y, given, int(rng.integers(1 << 30)))
        assert found.is_valid(named(given)) == right, (graph, x, y, given)
        valid += [given] if right and not set(given) & set(banned) else []
    assert sorted(numbered(found.sets)) == sorted(slow.minimal(valid))
    assert found.complete
    assert bool(found.reason) == (not valid or found.effect == "no")
    if found.optimal is not None:
        assert found.is_valid(found.optimal)
    if not found.sets or found.effect == "no":
        assert found.lines()[0].endswith(found.reason)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_the_formula_is_right_in_a_dag_exactly_for_the_valid_sets(seed):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        n, arcs, dag = random_graph(rng)
        compare_with_class(dag, [arcs], n, rng)


@pytest.mark.parametrize("seed", range(4))
def test_the_formula_is_right_in_every_dag_of_a_class_exactly_for_the_valid_sets(seed):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        n, arcs, dag = random_graph(rng, 5)
        members = oracle.equivalent_dags(n, arcs)
        compare_with_class(dag_to_cpdag(dag), members, n, rng)
        known = [arc for arc in sorted(arcs) if rng.random() < 0.3]
        agreeing = [member for member in members if set(known) <= member]
        graph = dag_to_cpdag(dag, required=[(f"v{a}", f"v{b}") for a, b in known])
        found = compare_with_class(graph, agreeing, n, rng)
        # Directions that follow from others need not be given.
        open_edges = [
            edge if dag_to_cpdag(dag).edges.count(edge) or (int(edge[0][1:]), int(edge[2][1:])) in known
            else (edge[0], "---", edge[2])
            for edge in graph.edges
        ]  # fmt: skip
        again = MixedGraph(graph.names, open_edges).adjustment_sets(found.cause, found.target)
        assert again == graph.adjustment_sets(found.cause, found.target)


@pytest.mark.parametrize("seed", range(4))
def test_tiers_direct_edges(seed):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        n, arcs, dag = random_graph(rng, 5)
        order = [int(name[1:]) for name in dag.topological_order()]
        cut = int(rng.integers(1, n))
        early = set(order[:cut])
        graph = dag_to_cpdag(dag, tiers=[named(order[:cut]), named(order[cut:])])
        members = [
            member
            for member in oracle.equivalent_dags(n, arcs)
            if not any(a not in early and b in early for a, b in member)
        ]
        compare_with_class(graph, members, n, rng)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 104))
def test_classes_of_six_variables(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10 * CASES):
        n, arcs, dag = random_graph(rng, 6)
        members = oracle.equivalent_dags(n, arcs)
        compare_with_class(dag, [arcs], n, rng)
        compare_with_class(dag_to_cpdag(dag), members, n, rng)
        known = [arc for arc in sorted(arcs) if rng.random() < 0.3]
        graph = dag_to_cpdag(dag, required=[(f"v{a}", f"v{b}") for a, b in known])
        compare_with_class(graph, [member for member in members if set(known) <= member], n, rng)


def mags_of(pag):
    """All MAGs of a class, by trying every mark at every circle."""
    circles = np.argwhere(pag.marks == Mark.CIRCLE)
    for marks in itertools.product((Mark.TAIL, Mark.ARROW), repeat=len(circles)):
        tried = pag.marks.copy()
        tried[tuple(circles.T)] = marks
        mag = MixedGraph.from_marks(pag.names, tried)
        try:
            check_mag(mag)
        except GraphError:
            continue
        if mag_to_pag(mag) == pag:
            yield mag


def check_pag(rng, most, density=(0.3, 0.6)):
    while True:
        n, arcs, dag = random_graph(rng, most, density)
        latent = rng.permutation(n)[: int(rng.integers(0, n - 2))].tolist()
        pag = dag_to_pag(dag, named(latent))
        if (pag.marks == Mark.CIRCLE).sum() <= 8:
            break
    observed = [v for v in range(n) if v not in latent]
    x, y = rng.permutation(observed)[:2].tolist()
    arcs_of_pag = [edge for edge in pag.edges if edge.mark == "-->"]
    if arcs_of_pag and rng.random() < 0.7:  # most pairs have no certain effect
        edge = arcs_of_pag[int(rng.integers(len(arcs_of_pag)))]
        x, y = int(edge.left[1:]), int(edge.right[1:])
    others = [v for v in observed if v not in (x, y)]
    members = [ends(mag) for mag in mags_of(pag)]
    assert members
    mag = dag_to_mag(dag, named(latent))
    found, in_mag = (g.adjustment_sets(f"v{x}", f"v{y}", hidden=True) for g in (pag, mag))
    tables = slow.random_tables(n, arcs, rng)
    truth, joint = slow.intervene(tables, x, y), slow.joint_of(tables)
    valid = []
    for given in slow.subsets(others):
        right = all(slow.valid_in_mag(n, member, x, y, given) for member in members)
        assert found.is_valid(named(given)) == right, (pag, x, y, given)
        assert in_mag.is_valid(named(given)) == slow.valid_in_mag(n, ends(mag), x, y, given)
        valid += [given] if right else []
        if right:
            assert np.allclose(slow.adjust(joint, x, y, given), truth, rtol=0, atol=1e-9)
    assert sorted(numbered(found.sets)) == sorted(slow.minimal(valid))
    assert found.optimal is None
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_set_is_valid_in_a_pag_exactly_if_it_is_in_every_mag(seed):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        check_pag(rng, 5)


def test_sets_of_a_pag_with_knowledge_are_valid():
    rng, known = np.random.default_rng(3), 0
    for _ in range(10 * CASES):
        n, _, dag = random_graph(rng, 6, (0.2, 0.5))
        latent = named(rng.permutation(n)[: int(rng.integers(0, n - 2))].tolist())
        pag, mag = dag_to_pag(dag, latent), dag_to_mag(dag, latent)
        shown = (pag.marks == Mark.CIRCLE) & (rng.random(pag.marks.shape) < 0.3)
        graph = MixedGraph.from_marks(pag.names, np.where(shown, mag.marks, pag.marks))
        try:
            found = graph.adjustment_sets(*graph.names[:2], hidden=True)
        except MahcError:
            continue
        plain = pag.adjustment_sets(*graph.names[:2], hidden=True)
        if not (graph.marks == Mark.CIRCLE).any():
            continue
        assert (found.sets, bool(found.note)) == (plain.sets, graph != pag)
        known += bool(found.note)
    assert known


@pytest.mark.long
def test_pags_of_larger_graphs():
    rng = np.random.default_rng(100)
    seen = [check_pag(rng, 7, (0.2, 0.5)) for _ in range(30 * CASES)]
    assert sum(bool(found.sets) and found.effect == "yes" for found in seen) > 2


@pytest.mark.parametrize("seed", range(4))
def test_the_optimal_set_is_its_definition(seed):
    """O = parents of the variables between, without these, their possible descendants and the cause."""
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        n, arcs, dag = random_graph(rng)
        x, y, _ = random_pair(n, rng)
        for graph, members in ((dag, [arcs]), (dag_to_cpdag(dag), oracle.equivalent_dags(n, arcs))):
            found = graph.adjustment_sets(f"v{x}", f"v{y}")
            assert graph is not dag or found.optimal == optimal_set(dag, f"v{x}", f"v{y}")
            if found.optimal is None:
                assert found.effect != "yes" or not found.sets
                continue
            for member in members:  # the same set in every DAG of the class
                marks = oracle.ends_of(member)
                paths = [p for p in oracle.simple_paths(n, marks, x, y) if slow.is_causal(marks, p)]
                between = {v for path in paths for v in path[1:]}
                parents = {a for a, b in member if b in between}
                optimal = parents - slow.below(n, marks, between) - {x}
                assert tuple(named(sorted(optimal))) == found.optimal


@pytest.mark.parametrize("seed", range(4))
def test_front_door_sets_and_instruments_are_their_definitions(seed):
    rng = np.random.default_rng(seed)
    for _ in range(2 * CASES):
        n, arcs, dag = random_graph(rng, 6, (0.25, 0.5))
        x, y, others = random_pair(n, rng)
        unmeasured = [v for v in others if rng.random() < 0.3]
        usable = [v for v in others if v not in unmeasured]
        found = dag.adjustment_sets(f"v{x}", f"v{y}", unmeasured=named(unmeasured))
        if found.effect == "no":
            assert (found.front_door, found.instruments) == ((), ())
            continue
        doors = [given for given in slow.subsets(usable) if slow.is_front_door(n, arcs, x, y, given)]
        assert sorted(numbered(found.front_door)) == sorted(slow.minimal(doors))
        tables = slow.random_tables(n, arcs, rng)
        for given in numbered(found.front_door):
            estimate = slow.front_door(slow.joint_of(tables), x, y, given)
            assert np.allclose(estimate, slow.intervene(tables, x, y), rtol=0, atol=1e-9)
        expected = {
            z
            for z in usable
            for given in slow.subsets(v for v in usable if v != z)
            if slow.is_instrument(n, arcs, z, x, y, given)
        }
        assert {int(each.variable[1:]) for each in found.instruments} == expected, (dag, x, y)
        for each in found.instruments:
            assert slow.is_instrument(n, arcs, int(each.variable[1:]), x, y, *numbered([each.given]))


def test_nothing_depends_on_the_order_of_columns():
    rng = np.random.default_rng(5)
    for _ in range(CASES):
        _, _, dag = random_graph(rng, 6)
        found = dag.adjustment_sets("v0", "v1")
        assert dag.reorder(rng.permutation(dag.names).tolist()).adjustment_sets("v0", "v1") == found


def test_the_listing_is_capped_and_says_so():
    """k parallel back-door paths of two variables each have 2^k minimal sets."""
    k = 11
    names = ["x", "y", *(f"{side}{i}" for i in range(k) for side in "ab")]
    arcs = [arc for i in range(k) for arc in ((f"a{i}", "x"), (f"a{i}", f"b{i}"), (f"b{i}", "y"))]
    found = DAG(names, [*arcs, ("x", "y")]).adjustment_sets("x", "y")
    assert len(found.sets) == 1000
    assert not found.complete
    assert "more than 1,000 minimal adjustment sets" in found.lines()[0]
    assert "and 990 more" in "\n".join(found.lines())
    fewer = DAG(names, [*arcs[: 3 * 3], ("x", "y")]).adjustment_sets("x", "y")
    assert len(fewer.sets) == 8
    assert fewer.complete


def test_a_thousand_variables():
    n = 1000
    dag = DAG.from_parents([f"v{i}" for i in range(n)], [[p for p in (v - 1, v - 7) if p >= 0] for v in range(n)])
    assert len(dag.adjustment_sets("v500", "v700", limit=10).sets) == 10


WHY = [
    (MixedGraph(["x", "c", "y"], [("x", "---", "c"), ("c", "-->", "y"), ("x", "-->", "y")]), (),
     "the graph does not say whether x --- c leads from x to y on the path x --- c --> y: direct it by knowledge"),
    (MixedGraph(["x", "y"], [("x", "o-o", "y")]), (),
     "the graph does not say whether x o-o y leads from x to y"),
    (MixedGraph(["x", "m", "y", "z"], [("x", "-->", "m"), ("m", "-->", "y"), ("m", "<->", "z")]), (),
     "the graph does not exclude a hidden common cause of x and m (the arc x --> m is not visible) on the path "
     "x --> m --> y"),
    (DAG(["u", "x", "y"], [("u", "x"), ("u", "y"), ("x", "y")]), ("u",),
     "no measured set blocks the path x <-- u --> y: u is unmeasured"),
    (DAG(["x", "y"], [("y", "x")]), (),
     "there is none, because no directed path leads from x to y"),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "unmeasured", "reason"), WHY)
def test_the_reason_says_what_is_in_the_way(graph, unmeasured, reason):
    found = graph.adjustment_sets("x", "y", unmeasured=unmeasured)
    assert found.reason == reason
    assert found.effect == "no" or found.sets == ()


def test_a_variable_that_follows_the_cause_is_named():
    dag = DAG(["x", "m", "d", "y", "u"], [("x", "m"), ("m", "y"), ("u", "x"), ("u", "m")])
    found = dag.adjustment_sets("x", "y", unmeasured="u")
    assert found.reason == "no measured set blocks the path x <-- u --> m --> y: u is unmeasured and m is after x"
    assert found.forbidden == ("m", "y")


NO_MAG = MixedGraph(["z", "x", "y"], [("z", "-->", "x"), ("x", "-->", "y"), ("z", "<->", "y")])


def test_bad_questions_are_refused():
    dag = DAG(["x", "y"], [("x", "y")])
    for call, text in (
        (lambda: dag.adjustment_sets("x", "x"), "on itself"),
        (lambda: dag.adjustment_sets("x", "z"), "'z'"),
        (lambda: dag.adjustment_sets("x", "y", unmeasured="x"), "must be measured"),
        (lambda: dag.adjustment_sets("x", "y", limit=0), "limit"),
        (lambda: MixedGraph(["x", "y"], [("x", "o->", "y")]).adjustment_sets("x", "y", hidden=False), "hidden=False"),
        (
            lambda: MixedGraph(["x", "y"], [("x", "---", "y")]).adjustment_sets("x", "y", hidden=True),
            "selection of rows",
        ),
        (lambda: NO_MAG.adjustment_sets("x", "y"), "a MAG does not allow"),
    ):
        with pytest.raises(MahcError, match=text):
            call()


@pytest.mark.parametrize("seed", range(20))
def test_paths_are_those_of_brute_force_and_agree_with_d_separation(seed):
    rng = np.random.default_rng(seed)
    n, arcs, dag = random_graph(rng)
    x, y, others = random_pair(n, rng)
    given = [v for v in others if rng.random() < 0.3]
    found = find_paths(dag, f"v{x}", f"v{y}", named(given), limit=10**6)
    joined = {frozenset(arc) for arc in arcs}
    slow_paths = {
        (f"v{x}", *named(between), f"v{y}")
        for size in range(n - 1)
        for between in itertools.permutations(others, size)
        if all(frozenset(step) in joined for step in itertools.pairwise((x, *between, y)))
    }
    assert {each.names for each in found} == slow_paths
    assert [len(each.names) for each in found] == sorted(len(each.names) for each in found)
    for each in found:
        forward = all(arc == step for arc, step in zip(each.arcs, itertools.pairwise(each.names), strict=True))
        assert set(each.arcs) <= set(dag.arcs)
        assert (each.kind == "blocked") == bool(each.blocked_by)
        assert each.kind == "blocked" or (each.kind == "causal") == forward
        assert str(each).count("→") + str(each).count("←") == len(each.arcs)
    apart = dag.d_separated(f"v{x}", f"v{y}", named(given))
    assert apart == all(each.kind == "blocked" for each in found)
    turned = DAG(dag.names[::-1], dag.arcs)
    assert find_paths(turned, f"v{x}", f"v{y}", named(given), limit=10**6) == found
    assert find_paths(dag, f"v{x}", f"v{y}", named(given), limit=1) == found[:1]
