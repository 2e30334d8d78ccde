"""The picture of a comparison: the same positions, every difference with its own colour, line and sign."""

from __future__ import annotations

import pytest
from svg_parts import SPACE, edge_groups, texts

from mahc.cli.main import run
from mahc.graphs import DAG
from mahc.graphs.files import write_graph
from mahc.measures import compare


@pytest.fixture
def graphs():
    true = DAG("abcde", [("a", "b"), ("b", "c"), ("c", "d")])
    learned = DAG("abcde", [("a", "b"), ("c", "b"), ("a", "e")])
    return learned, true


def test_missing_extra_and_reversed_edges_differ_in_colour_line_and_sign(graphs):
    drawn = edge_groups(compare(*graphs, "dag").plot().svg)
    look = {}
    for note, group in drawn.items():
        line = group.find(SPACE + "path")
        sign = group.find(SPACE + "text")
        look[note] = (line.get("stroke"), line.get("stroke-dasharray"), None if sign is None else sign.text)
    assert set(look) == {
        "a --> b",
        "extra: true no edge, learned a --> e",
        "missing: true c --> d, learned no edge",
        "partial: true b --> c, learned c --> b",
    }
    for part in range(3):
        assert len({each[part] for each in look.values()}) >= (4, 3, 4)[part]
    assert look["a --> b"][2] is None


def test_the_legend_counts_each_kind(graphs):
    shown = texts(compare(*graphs, "dag").plot("learned against true").svg)
    assert shown[0] == "learned against true"
    for text in ("1 in both", "1 missing: only", "1 extra: only", "1 reversed or marked otherwise"):
        assert any(line.startswith(text) for line in shown)


def call(*words):
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


def test_the_command_writes_the_picture(graphs, tmp_path, capsys):
    learned, true = tmp_path / "learned.csv", tmp_path / "true.csv"
    write_graph(graphs[0], learned)
    write_graph(graphs[1], true)
    picture = tmp_path / "both.svg"
    assert call("compare", learned, true, "--as", "dag", "--svg", picture) == 0
    assert len(edge_groups(picture.read_text())) == 4
    capsys.readouterr()
    assert call("compare", learned, true, "--svg", tmp_path / "both.gif") == 2
    assert "end its name in .svg" in capsys.readouterr().err
    assert not (tmp_path / "both.gif").exists()
