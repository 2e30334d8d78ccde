"""Files broken in any way parse or give a FormatError: no other exception, no hang, no flood of memory."""

from __future__ import annotations

import contextlib
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.files import GRAPH_FORMATS, read_graph

pytestmark = pytest.mark.long

GRAPHS = [
    DAG(["smoke", "lung", 'x"ray', "alone"], [("smoke", "lung"), ("lung", 'x"ray')]),
    MixedGraph("abcd", [("a", "o->", "b"), ("b", "<->", "c"), ("c", "---", "d"), ("a", "o-o", "d")]),
]
SNIPPETS = ['"', "<", ">", "{", "}", "[", "]", "->", "--", "-->", "o-o", ",", ";", "\n", "\r", "\0", "\\", "\ud7ff"]
SNIPPETS += [
    "/*",
    "<!--",
    "]]>",
    "&amp;",
    "&#0;",
    "1e999",
    "Graph Edges:",
    "subgraph",
    "names",
    "\t",
    " ",
    "é",
    "=",
    "+",
]


@st.composite
def mutated(draw, text):
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        to = min(len(text), at + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            text = text[:at] + draw(st.sampled_from(SNIPPETS)) + text[to:]
        elif kind == 1:
            text = text[:at] + text[to:]
        elif kind == 2:
            text = text[:to] + text[at:to] * draw(st.integers(1, 20)) + text[to:]
        else:
            text = text[:at] + draw(st.text(max_size=5)) + text[to:]
    return text


@pytest.mark.parametrize("name", GRAPH_FORMATS.names())
@settings(deadline=2000, max_examples=250)
@given(data=st.data())
def test_a_mutated_file_parses_or_gives_a_format_error(name, data):
    form = GRAPH_FORMATS[name]()
    text = data.draw(mutated(form.render(data.draw(st.sampled_from(GRAPHS)))))
    form.recognises(text)
    names = data.draw(st.sampled_from([None, ["smoke", "lung", 'x"ray', "alone"]]))
    with contextlib.suppress(FormatError):
        assert isinstance(form.parse(text, "file", names), DAG | MixedGraph)


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".dot", ".graphml", ".json", ".dagitty"])
@settings(deadline=2000, max_examples=80)
@given(content=st.binary(max_size=200))
def test_any_bytes_parse_or_give_a_format_error(tmp_path_factory, suffix, content):
    path = tmp_path_factory.mktemp("bytes") / f"graph{suffix}"
    path.write_bytes(content)
    with contextlib.suppress(FormatError):
        assert isinstance(read_graph(path), DAG | MixedGraph)


SIZE = 60_000
LONG = {
    "arcs": ["from,to\n" + '"' * SIZE, "from,to\n" + "a" * SIZE + ",b\n", "from,to\nx" + "," * SIZE, "\n" * SIZE],
    "bayesys": ["ID,Variable 1,Dependency,Variable 2\n" + "1,a,->,b," * (SIZE // 10)],
    "adjacency": ["," * SIZE, "," + "a" * SIZE, (",a" * 1000 + "\n") * 100],
    "tetrad": [
        "Graph Nodes:\n" + "a;" * SIZE,
        "Graph Nodes:\na;b\nGraph Edges:\n1. a" + " -->" * (SIZE // 4),
        "Graph Nodes:\na\nGraph Edges:\n" + " " * SIZE + "x",
        "Graph Nodes:\na\nGraph Edges:\n" + "1" * SIZE,
    ],
    "dot": [
        "digraph {" + "a->" * (SIZE // 3),
        "digraph {" + "<" * SIZE,
        "digraph {" + '"a"+' * (SIZE // 4),
        "digraph " + "{" * SIZE,
        "digraph {" + "[" * SIZE,
        'digraph {"' + "\\" * SIZE,
        "digraph {" + "/*" * SIZE,
        "digraph { a [" + "b=" * SIZE,
        "digraph {" + "-" * SIZE,
        "digraph {" + "{a}->" * (SIZE // 5),
        " " * SIZE,
    ],
    "dagitty": ["dag" + " " * SIZE, "dag {" + "@" * SIZE, "dag {" + "a" * SIZE + "}", "pag" + "a" * SIZE],
    "graphml": ["<graphml>" + "<a>" * (SIZE // 3), "<" * SIZE, "<graphml a='" + "&" * SIZE, "<graphml><graph>" * 9999],
    "json": [
        "[" * SIZE,
        '{"names": [' + '"a",' * (SIZE // 4),
        "1" * SIZE,
        '{"names":' * (SIZE // 9),
        '"' + "\\" * SIZE,
    ],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in LONG for text in LONG[name]], ids=lambda _: "")
def test_long_nonsense_is_refused_in_little_memory(name, text):
    form = GRAPH_FORMATS[name]()
    tracemalloc.start()
    form.recognises(text)
    with pytest.raises(FormatError) as caught:
        form.parse(text, "file")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400 * SIZE
    assert len(str(caught.value)) < 500


def test_every_format_has_long_nonsense():
    assert sorted(LONG) == GRAPH_FORMATS.names()
