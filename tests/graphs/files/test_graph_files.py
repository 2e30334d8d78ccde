from __future__ import annotations

import itertools
import logging

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError, UnknownNameError
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.files import GRAPH_FORMATS, graph_suffixes, read_dag, read_graph, write_graph
from mahc.graphs.marks import EDGE_MARKS
from mahc.graphs.names import is_name

pytestmark = pytest.mark.long

PAG = MixedGraph(
    ["a", "b", "c", "d", "e", "alone"],
    [("a", "o->", "b"), ("c", "<->", "b"), ("c", "o-o", "d"), ("d", "---", "e"), ("a", "-->", "e"), ("b", "o--", "e")],
)
CPDAG = MixedGraph(["a", "b", "c", "alone"], [("a", "-->", "b"), ("b", "---", "c")])
FOREST = DAG(["smoke", "lung", "xray", "alone"], [("smoke", "lung"), ("lung", "xray")])
SUFFIXES = {"arcs": ".csv", "bayesys": ".csv", "adjacency": ".csv", "tetrad": ".txt", "dagitty": ".dagitty"}
SUFFIXES |= {"dot": ".dot", "graphml": ".graphml", "json": ".json"}


def same(first, second):
    def mixed(graph):
        return graph.to_mixed() if isinstance(graph, DAG) else graph

    return mixed(first) == mixed(second)


@st.composite
def graphs(draw, letters=None):
    text = st.text(letters, min_size=1, max_size=6) if letters else st.text(min_size=1, max_size=6)
    names = draw(st.lists(text.filter(is_name), unique_by=str.strip, max_size=5))
    pairs = list(itertools.combinations(names, 2))
    choices = [None, "-->"] if draw(st.booleans()) else [None, *EDGE_MARKS]
    marks = draw(st.lists(st.sampled_from(choices), min_size=len(pairs), max_size=len(pairs)))
    edges = [(a, mark, b) for (a, b), mark in zip(pairs, marks, strict=True) if mark]
    if all(mark == "-->" for _, mark, _ in edges):
        return DAG(names, [(a, b) for a, _, b in edges])
    graph = MixedGraph(names, edges)
    # Arcs alone are read as a DAG, so a cycle of them is no graph that a file can hold.
    assume(any(mark not in ("-->", "<--") for _, mark, _ in edges))
    return graph


def test_every_format_has_a_test_here():
    assert sorted(SUFFIXES) == GRAPH_FORMATS.names()
    assert set(SUFFIXES.values()) <= set(graph_suffixes())


@pytest.mark.parametrize("name", SUFFIXES)
@pytest.mark.parametrize(
    "graph", [FOREST, CPDAG, PAG, DAG("ab"), DAG([])], ids=["dag", "cpdag", "pag", "lone", "empty"]
)
def test_what_is_written_is_read_back_and_found_by_its_suffix(tmp_path, name, graph):
    path = tmp_path / f"graph{SUFFIXES[name]}"
    if name == "adjacency" and not graph.names:
        with pytest.raises(FormatError, match="write JSON instead"):
            write_graph(graph, path, format=name)
        return
    write_graph(graph, path, format=name)
    assert same(read_graph(path, names=graph.names if name == "bayesys" else None), graph)
    assert same(read_graph(path, format=name, names=graph.names), graph)


@pytest.mark.parametrize("name", SUFFIXES)
@settings(deadline=None, max_examples=120)
@given(data=st.data())
def test_any_names_survive_or_are_refused_when_written(name, data):
    letters = data.draw(st.sampled_from([None, "ab ,;\"\\\n<>-o&'\r\t:"]))
    graph = data.draw(graphs(letters))
    form = GRAPH_FORMATS[name]()
    try:
        text = form.render(graph)
    except FormatError:
        if graph.names and name not in ("tetrad", "dot", "dagitty", "graphml"):
            raise
        return
    assert same(form.parse(text, "x", graph.names if name == "bayesys" else None), graph)


@pytest.mark.parametrize("name", SUFFIXES)
def test_a_rendered_graph_is_recognised_by_its_own_format_alone_of_those_with_its_suffix(name):
    text = GRAPH_FORMATS[name]().render(PAG)
    suffix = SUFFIXES[name]
    rivals = [o for o in GRAPH_FORMATS if suffix in GRAPH_FORMATS[o].suffixes or suffix in GRAPH_FORMATS[o].also_read]
    assert [other for other in rivals if GRAPH_FORMATS[other]().recognises(text)] == [name]


def test_the_suffix_decides_and_an_unknown_one_lists_the_known(tmp_path):
    with pytest.raises(FormatError, match=r"suffix '.pdf' is not a graph format: use one of .csv, .dagitty, .dot"):
        write_graph(FOREST, tmp_path / "graph.pdf")
    with pytest.raises(FormatError, match="name without a suffix"):
        read_graph(tmp_path / "graph")
    with pytest.raises(UnknownNameError, match="unknown graph format 'dto': did you mean 'dot'"):
        read_graph(tmp_path / "graph", format="dto")
    write_graph(FOREST, tmp_path / "GRAPH.CSV")
    assert (tmp_path / "GRAPH.CSV").read_text().startswith("from,to\n")
    assert read_dag(tmp_path / "GRAPH.CSV") == FOREST


def test_nothing_is_written_when_the_graph_cannot_be(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("old")
    with pytest.raises(FormatError, match=r"graph.txt: Tetrad text cannot hold the name 'a;b'"):
        write_graph(DAG(["a;b"]), path)
    with pytest.raises(FormatError, match="differ only in spaces around them"):
        write_graph(DAG(["a", "a "]), path, format="json")
    assert path.read_text() == "old"


def test_a_dag_is_wanted_and_another_graph_refused(tmp_path):
    write_graph(PAG, tmp_path / "pag.csv")
    with pytest.raises(FormatError, match="a DAG is needed, but the edge a o-> b is not an arc"):
        read_dag(tmp_path / "pag.csv")


def test_files_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "graph.csv"
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        read_graph(path)
    with pytest.raises(FormatError, match="cannot be read: it is a folder"):
        read_graph(tmp_path, format="arcs")
    path.write_bytes(b"from,to\na,\xff\n")
    with pytest.raises(FormatError, match="line 2: the text is not UTF-8"):
        read_graph(path)
    path.write_bytes(b"\xef\xbb\xbffrom,to\r\na,b\r\n")
    assert read_dag(path).arcs == (("a", "b"),)
    path.write_text("what,is,this\n1,2,3\n")
    with pytest.raises(FormatError, match=r"line 1: the beginning of the file matches none of the.*Bayesys"):
        read_graph(path)


def test_names_close_the_list_of_variables(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("from,to\nsmoke,lung\nsmok,xray\n")
    with pytest.raises(FormatError, match="line 3: unknown variable 'smok': did you mean 'smoke'"):
        read_graph(path, names=["smoke", "lung", "xray"])
    path.write_text("from,to\nsmoke,lung\n")
    assert read_dag(path, names=["xray", "smoke", "lung"]).names == ("xray", "smoke", "lung")


def test_bayesys_says_which_variables_it_leaves_out(caplog):
    with caplog.at_level(logging.WARNING):
        text = GRAPH_FORMATS["bayesys"]().render(FOREST)
    assert text == "ID,Variable 1,Dependency,Variable 2\n1,lung,->,xray\n2,smoke,->,lung\n"
    assert "1 left out (alone)" in caplog.text


def test_a_dot_node_keeps_its_name_and_its_label_is_told(tmp_path, caplog):
    path = tmp_path / "g.dot"
    path.write_text('digraph { edge [label=e]; a [label="Smoking"]; b [label=b]; a -> b [label="strong"] }')
    assert read_graph(path) == DAG(["a", "b"], [("a", "b")])
    assert caplog.messages == ["a DOT node is known by its name, not by its label: 'a', not 'Smoking'"]
