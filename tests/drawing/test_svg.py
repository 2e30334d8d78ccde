from __future__ import annotations

import itertools
import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import oracles_graphs as oracle
import pytest

from mahc.drawing.layered import lay_out
from mahc.drawing.svg import svg
from mahc.errors import GraphError, SettingError, UnknownNameError
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.marks import EDGE_MARKS

SPACE = "{http://www.w3.org/2000/svg}"


def shapes(picture, kind):
    return list(ElementTree.fromstring(picture).iter(SPACE + kind))


def drawn_edges(picture):
    return [group for group in shapes(picture, "g") if group.find(SPACE + "path") is not None]


@pytest.mark.parametrize("mark", EDGE_MARKS)
def test_each_end_has_its_own_mark(mark):
    (edge,) = drawn_edges(svg(MixedGraph("ab", [("a", mark, "b")])))
    arrows, circles = edge.findall(SPACE + "polygon"), edge.findall(SPACE + "circle")
    circles = [circle for circle in circles if circle.get("class") != "reversible"]
    assert len(arrows) == mark.count(">") + mark.count("<")
    assert len(circles) == mark.count("o")


def test_an_arrow_tip_touches_the_node_it_points_at():
    picture = svg(DAG("ab", [("a", "b")]))
    (arrow,) = shapes(picture, "polygon")
    x, y = map(float, arrow.get("points").split()[0].split(","))
    box = shapes(picture, "rect")[-1]
    assert y == pytest.approx(float(box.get("y")), abs=0.2)
    assert x == pytest.approx(float(box.get("x")) + float(box.get("width")) / 2, abs=0.2)


def test_names_are_escaped_and_wrapped_and_whole_in_the_tooltip():
    nasty = ['<script>alert("x")</script>', "a&b", "quote'\"", "long" * 20, "bell\x07", "變數"]
    picture = svg(DAG(nasty, list(itertools.pairwise(nasty))))
    titles = {title.text for title in shapes(picture, "title")}
    assert {*nasty[:4], "bell\ufffd", "變數"} <= titles
    assert "<script" not in picture
    lines = [text.text for text in shapes(picture, "text")]
    assert max(map(len, lines)) <= 18
    assert "longlonglonglonglo" in lines
    assert "".join(lines).count("long") + "".join(lines).count("nglo") >= 20


def test_colours_and_widths_reach_the_edge_named_in_either_order():
    dag = DAG("abc", [("a", "b"), ("b", "c")])
    picture = svg(dag, highlight={("b", "a"): "#d02"}, widths={("b", "c"): 4})
    first, second = drawn_edges(picture)
    assert first.find(SPACE + "path").get("stroke") == "#d02"
    assert first.find(SPACE + "polygon").get("fill") == "#d02"
    assert second.find(SPACE + "path").get("stroke-width") == "4"


def test_what_cannot_be_drawn_is_refused():
    dag = DAG("abc", [("a", "b")])
    with pytest.raises(GraphError, match="no edge between a and c"):
        svg(dag, highlight={("a", "c"): "red"})
    with pytest.raises(UnknownNameError, match="unknown variable 'd'"):
        svg(dag, widths={("a", "d"): 1})
    with pytest.raises(SettingError, match="neither a name nor #rgb"):
        svg(dag, highlight={("a", "b"): 'red" onload="x'})
    for width in (0, -1, float("nan"), float("inf")):
        with pytest.raises(SettingError, match="line width"):
            svg(dag, widths={("a", "b"): width})


@pytest.mark.parametrize("seed", range(6))
def test_arrows_lead_down_and_nodes_never_overlap(seed):
    rng = np.random.default_rng(seed)
    parents = oracle.random_dag(25, rng.uniform(0.02, 0.25), rng)
    arcs = sorted(oracle.arcs_of(parents))
    sizes = [(float(rng.integers(40, 150)), 26.0) for _ in range(25)]
    placed = lay_out(sizes, arcs, [])
    for a, b in arcs:
        assert placed.middles[a][1] < placed.middles[b][1]
    for (i, (x, y)), (j, (u, v)) in itertools.combinations(enumerate(placed.middles), 2):
        assert abs(y - v) >= 26 or abs(x - u) >= (sizes[i][0] + sizes[j][0]) / 2 + 9
    for (x, y), (wide, high) in zip(placed.middles, sizes, strict=True):
        assert wide / 2 - 1e-6 <= x <= placed.width - wide / 2 + 1e-6
        assert high / 2 - 1e-6 <= y <= placed.height - high / 2 + 1e-6
    for (a, b), curve in zip(arcs, placed.curves, strict=True):
        for node, (x, y) in ((a, curve.start), (b, curve.reversed().start)):
            assert abs(x - placed.middles[node][0]) < sizes[node][0] / 2
            assert y == placed.middles[node][1]


def test_arcs_in_a_cycle_are_drawn_all_the_same():
    ring = MixedGraph("abc", [("a", "-->", "b"), ("b", "-->", "c"), ("c", "-->", "a")])
    assert len(drawn_edges(svg(ring))) == 3


def test_graphs_without_edges_or_variables_are_drawn():
    assert len(shapes(svg(DAG("abc")), "text")) == 3
    assert shapes(svg(DAG([])), "text") == []


def test_the_picture_depends_neither_on_the_order_of_columns_nor_on_the_hash_seed():
    rng = np.random.default_rng(0)
    dag = DAG.from_parents([f"v{i}" for i in range(20)], oracle.random_dag(20, 0.15, rng))
    turned = dag.reorder([dag.names[i] for i in rng.permutation(20)])
    assert svg(turned) == svg(dag)
    imports = "from mahc.drawing.svg import svg; from mahc.graphs import DAG"
    program = f"{imports}; print(svg(DAG({dag.names}, {dag.arcs})))"
    for seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.rstrip("\n") == svg(dag)


@pytest.mark.long
def test_five_hundred_variables_are_all_drawn():
    rng = np.random.default_rng(1)
    parents = [sorted({int(p) for p in rng.integers(0, v, size=2)}) if v else [] for v in range(500)]
    drawn = svg(DAG.from_parents([f"v{i}" for i in range(500)], parents))
    assert all(f">v{i}<" in drawn for i in range(500))


def test_notebooks_get_a_picture_of_what_can_be_read_and_text_for_the_rest():
    assert DAG("ab", [("a", "b")])._repr_svg_().startswith("<svg")
    assert MixedGraph("ab", [("a", "o-o", "b")])._repr_svg_().startswith("<svg")
    assert DAG([f"v{i}" for i in range(601)])._repr_svg_() is None
