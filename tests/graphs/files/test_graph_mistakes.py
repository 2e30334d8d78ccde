from __future__ import annotations

import pytest

from mahc.errors import FormatError
from mahc.graphs import DAG
from mahc.graphs.files import GRAPH_FORMATS

BAYESYS = "ID,Variable 1,Dependency,Variable 2\n"
GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">\n{}</graph></graphml>'
TETRAD = "Graph Nodes:\na;b;c\n\nGraph Edges:\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("arcs", "", "line 1: the header is ''"),
        ("arcs", "to,from\n", "line 1: the header is 'to,from'"),
        ("arcs", "from,to\na,b\nb,c\nc,a\nd,e\n", "line 4: the arcs form a cycle: a -> b -> c -> a"),
        ("arcs", "from,to\na,b\n\nb,a\n", r"line 4: the arcs a -> b and b -> a form a cycle \(first in line 2\)"),
        ("arcs", "from,to\na,a\n", "line 2: the edge between a and a connects a variable to itself"),
        ("arcs", "from,to\n,a\n", "line 2: a variable is named ''"),
        ("arcs", "from,to\na,b,c\n", "line 2: the row has 3 cells, not 2"),
        ("arcs", "from,to\na, b\nb,c\n", "line 3: the names ' b' and 'b' differ only in spaces"),
        ("arcs", "from,to,mark\na,b,=>\n", "line 2: unknown edge mark '=>'"),
        ("arcs", "from,to,mark\na,,-->\n", "line 2: the edge 'a -->' has no second variable"),
        ("arcs", 'from,to\n"a,b\n', "line 2: this is not CSV"),
        ("bayesys", "ID,From,Dependency,To\n", "line 1: the header"),
        ("bayesys", BAYESYS + "1,a,=,b\n", "line 2: unknown edge mark '='"),
        ("bayesys", BAYESYS + "1,a,->\n", "line 2: the row has 3 cells"),
        ("bayesys", BAYESYS + "1,a,->,b\n2,b,->,a\n", "line 3: the arcs a -> b and b -> a form a cycle"),
        ("adjacency", "", "line 1: the file is empty"),
        ("adjacency", ",a,b\na,0,1\n", "the matrix has 1 row and 2 columns: make it square"),
        ("adjacency", ",a,b\na,0,1\nc,0,0\n", "line 3: the row is named 'c', but no column is"),
        ("adjacency", ",a,b\na,0,1\na,0,1\n", "line 3: the row 'a' is given twice"),
        ("adjacency", ",a,a\na,0,1\na,0,1\n", "line 1: the first row has a name twice"),
        ("adjacency", ",a,b\na,0,2\nb,0,0\n", "line 2: the cell '2' is not one of"),
        ("adjacency", ",a,b\na,0,>\nb,0,0\n", "line 2: an edge with marks needs"),
        ("adjacency", ",a,b\na,0\nb,0,0\n", "line 2: the row has 1 cell after its name, not 2"),
        ("adjacency", ",a,b\na,1,0\nb,0,0\n", "line 2: the edge between a and a connects a variable to itself"),
        ("adjacency", ",a,b,c\na,0,1,0\nb,0,0,1\nc,1,0,0\n", "line 4: the arcs form a cycle: a -> b -> c -> a"),
        ("tetrad", "", "there is no line 'Graph Nodes:'"),
        ("tetrad", "Nodes\n", "line 1: 'Nodes' comes before 'Graph Nodes:'"),
        ("tetrad", TETRAD + "1. a --> d\n", "line 5: 'd' is not in the list of nodes"),
        ("tetrad", TETRAD + "1. a b\n", "line 5: '1. a b' is not an edge like"),
        ("tetrad", TETRAD + "1. a --> b\n2. b --> c\n3. c --> a\n", "line 7: the arcs form a cycle"),
        ("dot", "graf { }", "line 1: one of digraph, graph is expected, but 'graf'"),
        ("dot", "digraph {\n a -> b\n", "line 3: a name is expected, but 'the end of the file'"),
        ("dot", "digraph {\n a -- b }", "line 2: the edge sign '--' is not allowed in a digraph"),
        ("dot", "digraph {\n a -> b [dir=up] }", "line 2: dir is 'up'"),
        ("dot", "digraph {\n a -> b [arrowhead=box] }", "line 2: the arrow shape 'box'"),
        ("dot", 'digraph {\n "a }', "line 2: the quoted name that begins here is never closed"),
        ("dot", "digraph {\n /* a }", "line 2: the comment that begins here is never closed"),
        ("dot", "digraph {\n a [label=<b] }", "line 2: the '<' that begins here is never closed"),
        ("dot", "digraph { a } b", "line 1: the end of the file is expected, but 'b'"),
        ("dot", "digraph { a -> }", "line 1: a name is expected, but '}'"),
        ("dot", "digraph " + "{" * 60, "nested more than 50 deep"),
        ("dot", "digraph { a -> b; b -> c;\n c -> a }", "line 2: the arcs form a cycle: a -> b -> c -> a"),
        ("dagitty", "dag {\n a => b }", "line 2: '>' is not expected here"),
        ("dagitty", "dag {\n a --> b }", "line 2: the edge sign '-->' is not allowed in a dag"),
        ("dagitty", "dag {\n a $ b }", r"line 2: '\$' is not expected here"),
        ("graphml", "", "line 1: this is not XML: no element found"),
        ("graphml", "<graphml></graphml>", "there is no <graph>"),
        ("graphml", "<!DOCTYPE x [<!ENTITY a 'b'>]><graphml/>", "line 1: the file declares a document type"),
        ("graphml", GRAPHML.format("<node/>"), "line 2: a <node> has no 'id'"),
        ("graphml", GRAPHML.format("<node id='a'/>\n<node id='a'/>"), "line 3: the node 'a' is given twice"),
        ("graphml", GRAPHML.format("<node id='a'/>\n<edge source='a' target='b'/>"), "line 3: an edge leads to 'b'"),
        ("graphml", GRAPHML.format("<edge source='a'/>"), "line 2: a <edge> has no 'target'"),
        ("graphml", GRAPHML.format("<graph/>"), "line 2: there is more than one <graph>"),
        ("graphml", GRAPHML.format("<hyperedge/>"), "line 2: hyperedges are not supported"),
        ("json", "", "line 1: this is not JSON"),
        ("json", '{"names": [],\n}', "line 2: this is not JSON"),
        ("json", "[1]", "needs an object"),
        ("json", '{"names": ["a"], "arcs": [], "edges": []}', "either"),
        ("json", '{"names": ["a"], "arcs": [], "x": 1}', '"x" is not one of'),
        ("json", '{"names": ["a", "a"], "arcs": []}', 'is listed twice in "names"'),
        ("json", '{"names": ["a", 1], "arcs": []}', '"names" must hold lists of strings'),
        ("json", '{"names": ["a"], "arcs": 3}', '"arcs" is not a list'),
        ("json", '{"names": ["a"], "arcs": [["a"]]}', "a list of 1 string, not 2"),
        ("json", '{"names": ["a"], "arcs": [["a", "b"]]}', r"'b' in \[\"a\", \"b\"\] is not one of the names"),
        ("json", '{"names": ["\\ud800"], "arcs": []}', "a variable is named"),
        ("json", '{"names": [], "names": [], "arcs": []}', "the key 'names' occurs twice"),
        ("json", "[" * 100_000, "nested too deeply"),
        ("json", "1" * 5000, "this JSON cannot be used"),
    ],
)
def test_a_mistake_is_told_with_the_file_and_its_line(name, text, message):
    with pytest.raises(FormatError, match=message) as caught:
        GRAPH_FORMATS[name]().parse(text, "my.file")
    assert str(caught.value).startswith("my.file")


def test_a_small_file_cannot_ask_for_a_huge_graph():
    many = ";".join(f"v{i}" for i in range(10_001))
    with pytest.raises(FormatError, match="more than 10,000 variables"):
        GRAPH_FORMATS["tetrad"]().parse(f"Graph Nodes:\n{many}\n")
    left, right = (" ".join(f"{side}{i}" for i in range(800)) for side in "ab")
    with pytest.raises(FormatError, match="more than 500,000 edges"):
        GRAPH_FORMATS["dot"]().parse(f"digraph {{ {{ {left} }} -> {{ {right} }} }}")


def test_dot_as_others_write_it():
    text = """
    /* from another program */
    strict digraph "my graph" {
      rankdir=LR; graph [bgcolor="#fff"]; node [shape=box]
      edge [color=red, dir=none]
      a -> b -> c // a chain
      subgraph cluster_0 { label=<the <b>inner</b> one>; edge [dir=forward]; d -> {e "f" + "g"} [weight=-1.5] }
      a:port:n -> d [dir=back]; "x \\"y\\""; c -> e [dir=both arrowhead=odot]
    }
    """
    graph = GRAPH_FORMATS["dot"]().parse(text)
    assert [" ".join(edge) for edge in graph.edges] == [
        "a --- b",
        "b --- c",
        "d --> a",
        "d --> e",
        "d --> fg",
        "e o-> c",
    ]
    assert 'x "y"' in graph.names
    assert GRAPH_FORMATS["dot"]().parse("graph { a -- b }").edges == (("a", "---", "b"),)


def test_dagitty_as_its_web_page_writes_it():
    text = 'dag {\nbb="0,0,1,1"\n"my x" [exposure,pos="-2.2,1.5"]\nY [outcome,pos="1,1"]\nU [latent]\n'
    graph = GRAPH_FORMATS["dagitty"]().parse(text + '"my x" -> Y [pos="0.1,0.2"]\nU -> {"my x" Y}\n}\n')
    assert graph.arcs == (("U", "Y"), ("U", "my x"), ("my x", "Y"))


def test_tetrad_as_several_of_its_versions_write_it():
    text = "Graph Nodes:\nX1,X2,X 3\n\nGraph Edges:\n1. X1 --> X2 dd nl\n2. X2 o-> X 3 pd pl\n"
    text += "\nGraph Attributes:\nBIC: -3\n"
    assert [" ".join(edge) for edge in GRAPH_FORMATS["tetrad"]().parse(text).edges] == ["X1 --> X2", "X2 o-> X 3"]


def test_graphml_as_networkx_and_igraph_write_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    networkx.write_graphml(networkx.DiGraph([("a", "b"), ("b", "c")]), tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text()
    assert GRAPH_FORMATS["graphml"]().parse(text).arcs == (("a", "b"), ("b", "c"))
    igraph = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      <key id="v_name" for="node" attr.name="name" attr.type="string"/>
      <graph id="G" edgedefault="directed">
        <node id="n0"><data key="v_name">asia</data></node><node id="n1"><data key="v_name">tub</data></node>
        <edge source="n0" target="n1"/><edge source="n1" target="n0" directed="false"/>
      </graph></graphml>"""
    with pytest.raises(FormatError, match="line 5: the edge between tub and asia is given twice"):
        GRAPH_FORMATS["graphml"]().parse(igraph, "g.graphml")
    kept = igraph.replace('<edge source="n1" target="n0" directed="false"/>', "")
    assert GRAPH_FORMATS["graphml"]().parse(kept).arcs == (("asia", "tub"),)


def test_networkx_reads_what_we_write(tmp_path):
    networkx = pytest.importorskip("networkx")
    from mahc.graphs import DAG, MixedGraph
    from mahc.graphs.files import write_graph

    dag = DAG(["a", "b", "c"], [("a", "b")])
    write_graph(dag, tmp_path / "g.graphml")
    assert DAG.from_networkx(networkx.read_graphml(tmp_path / "g.graphml")) == dag
    write_graph(MixedGraph("ab", [("a", "o->", "b")]), tmp_path / "m.graphml")
    assert networkx.read_graphml(tmp_path / "m.graphml").edges["a", "b"]["mark"] == "o->"


def test_adjacency_as_r_writes_it_and_bayesys_with_other_dashes():
    text = '"","a","b"\n"a",FALSE,TRUE\n"b",FALSE,FALSE\n'
    assert GRAPH_FORMATS["adjacency"]().parse(text).arcs == (("a", "b"),)
    for dash in ("-", "--", "---"):
        graph = GRAPH_FORMATS["bayesys"]().parse(f"ID,Variable 1,Dependency,Variable 2\n1,a,{dash},b\n")
        assert graph.edges == (("a", "---", "b"),)


def test_a_warning_shows_no_control_characters_of_a_name(caplog: pytest.LogCaptureFixture) -> None:
    GRAPH_FORMATS["dot"]().parse('digraph { a [label="\x1b]0;PWNED\x07"]; a -> b }')
    GRAPH_FORMATS["bayesys"]().render(DAG(["\x1b[31m"], []))
    assert [len(record.getMessage()) > 20 for record in caplog.records] == [True, True]
    assert not any("\x1b" in record.getMessage() or "\x07" in record.getMessage() for record in caplog.records)
