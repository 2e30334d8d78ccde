"""Positions and routes: no edge behind a node, the same answer always, graphs that share their positions, tiers."""

from __future__ import annotations

import itertools
import json

import numpy as np
import oracles_graphs as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.drawing.curve import Curve
from mahc.drawing.layout import place_graphs
from mahc.errors import GraphError, UnknownNameError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.networks import load_network, network_names

LARGE = ("diabetes", "pigs", "link", "munin", "munin1", "andes")
SPACING = 2.0  # pixels between two points of an edge that are checked


def edges_behind_nodes(layout):
    """Every (edge, node) where the edge passes through the box of a node that is not one of its ends."""
    names = list(layout.nodes)
    middles = np.array([(box.x, box.y) for box in layout.nodes.values()])
    halves = np.array([(box.width / 2, box.height / 2) for box in layout.nodes.values()])
    found = set()
    for (first, second), curve in layout.routes.items():
        for segment in curve.segments:
            low, high = np.min(segment, axis=0), np.max(segment, axis=0)  # a Bezier curve lies in this rectangle
            near = np.flatnonzero(((middles - halves < high) & (middles + halves > low)).all(axis=1))
            if len(near):
                points = np.array(Curve((segment,)).sample(int(np.sum(high - low) / SPACING) + 2))
                apart = np.abs(points[:, None, :] - middles[near]) < halves[near]
                found |= {(first, second, names[near[i]]) for i in np.flatnonzero(apart.all(axis=2).any(axis=0))}
    return sorted(((a, b), name) for a, b, name in found if name not in (a, b))


def overlapping_nodes(layout):
    boxes = sorted(layout.nodes.values(), key=lambda box: (box.y, box.x))
    return [
        (a.lines, b.lines)
        for i, a in enumerate(boxes)
        for b in itertools.takewhile(lambda b, a=a: b.y - a.y < 300, boxes[i + 1 :])
        if abs(a.x - b.x) < (a.width + b.width) / 2 and abs(a.y - b.y) < (a.height + b.height) / 2
    ]


def test_the_check_finds_an_edge_behind_a_node():
    layout = place_graphs(DAG("abc", [("a", "b"), ("b", "c"), ("a", "c")]))
    assert edges_behind_nodes(layout) == []
    start, end = layout.route("a", "b").start, layout.route("c", "b").start
    layout.routes["a", "c"] = Curve(((start, start, end, end),))
    assert edges_behind_nodes(layout) == [(("a", "c"), "b")]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in LARGE else []) for n in sorted(network_names())]
)
def test_no_edge_of_a_shipped_network_passes_behind_a_node(name):
    layout = place_graphs(load_network(name).dag)
    assert edges_behind_nodes(layout) == []
    assert overlapping_nodes(layout) == []


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(2, 24), density=st.floats(0.02, 0.5))
def test_no_edge_of_a_random_graph_passes_behind_a_node(seed, size, density):
    rng = np.random.default_rng(seed)
    names = ["long_name_of_a_variable_" * int(rng.integers(0, 4)) + f"v{i}" for i in range(size)]
    dag = DAG.from_parents(names, oracle.random_dag(size, density, rng))
    tiers: list[list[str]] = [[], [], [], []]
    for name in names:
        tiers[int(rng.integers(0, 4))].append(name)
    for layout in (place_graphs(dag), place_graphs(dag, dag_to_cpdag(dag)), place_graphs(dag, tiers=tiers[:3])):
        assert edges_behind_nodes(layout) == []
        assert overlapping_nodes(layout) == []
        assert len(layout.routes) == len(dag.arcs)


def test_routes_run_from_border_to_border():
    layout = place_graphs(DAG("abc", [("a", "b"), ("b", "c"), ("a", "c")]))
    for (first, second), curve in layout.routes.items():
        for name, (x, y) in ((first, curve.start), (second, curve.reversed().start)):
            box = layout.nodes[name]
            assert abs(y - box.y) == pytest.approx(box.height / 2, abs=3)
            assert abs(x - box.x) <= box.width / 2
    assert layout.route("b", "a") == layout.route("a", "b").reversed()
    with pytest.raises(UnknownNameError, match="unknown variable 'd'"):
        layout.route("a", "d")
    with pytest.raises(GraphError, match="no edge between b and a"):
        place_graphs(DAG("ab")).route("b", "a")


def test_graphs_of_the_same_variables_share_their_positions():
    rng = np.random.default_rng(4)
    names = [f"v{i}" for i in range(12)]
    first, second = (DAG.from_parents(names, oracle.random_dag(12, 0.2, rng)) for _ in range(2))
    layout = place_graphs(first, second)
    wanted = {frozenset(arc) for arc in (*first.arcs, *second.arcs)}
    assert {frozenset(pair) for pair in layout.routes} == wanted
    assert edges_behind_nodes(layout) == []
    for tail, head in first.arcs:
        assert layout.nodes[tail].y < layout.nodes[head].y or (head, tail) in second.arcs
    cpdag = dag_to_cpdag(first)
    assert place_graphs(first, cpdag) == place_graphs(first)
    with pytest.raises(GraphError, match="same variables"):
        place_graphs(first, DAG("ab"))


def test_tiers_are_bands_one_below_another():
    dag = DAG("abcdef", [("a", "b"), ("b", "c"), ("a", "e"), ("d", "c"), ("c", "f")])
    layout = place_graphs(dag, tiers=[["a", "d"], [], ["b", "c"], ["e"]])
    first, second, third = layout.bands
    assert [band.label for band in layout.bands] == ["tier 1", "tier 3", "tier 4"]
    assert first.top < first.bottom <= second.top < second.bottom <= third.top < third.bottom
    for names, band in (("ad", first), ("bcf", second), ("e", third)):
        for name in names:
            box = layout.nodes[name]
            assert band.top < box.y - box.height / 2 < box.y + box.height / 2 < band.bottom
    assert [name for name, box in layout.nodes.items() if box.tierless] == ["f"]
    chain = place_graphs(DAG("abcd", [("a", "c"), ("c", "d"), ("b", "c")]), tiers=[["b"], ["a"]])
    top = chain.bands[1].top
    assert all(chain.nodes[name].y > top for name in "acd")
    with pytest.raises(UnknownNameError, match="unknown variable 'z'"):
        place_graphs(dag, tiers=[["z"]])
    with pytest.raises(GraphError, match="'a' is in two tiers"):
        place_graphs(dag, tiers=[["a"], ["a"]])


def test_the_layout_is_plain_data_and_does_not_depend_on_the_order_of_columns():
    rng = np.random.default_rng(2)
    dag = DAG.from_parents([f"v{i}" for i in range(20)], oracle.random_dag(20, 0.15, rng))
    turned = dag.reorder([dag.names[i] for i in rng.permutation(20)])
    assert place_graphs(turned) == place_graphs(dag)
    document = json.loads(json.dumps(place_graphs(dag).to_dict()))
    assert {node["name"] for node in document["nodes"]} == set(dag.names)
    assert {(route["from"], route["to"]) for route in document["routes"]} == set(dag.arcs)


def test_cycles_and_two_headed_edges_have_routes():
    ring = MixedGraph("abcd", [("a", "-->", "b"), ("b", "-->", "c"), ("c", "-->", "a"), ("a", "<->", "d")])
    layout = place_graphs(ring)
    assert len(layout.routes) == 4
    assert edges_behind_nodes(layout) == []
