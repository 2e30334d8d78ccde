"""The picture, table and files of a result: reversible arcs, strength, confidence, tiers."""

from __future__ import annotations

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from svg_parts import SPACE, edge_groups, texts

import mahc
from mahc.drawing.learned_picture import plot_learned
from mahc.errors import SettingError
from mahc.graphs.files import read_graph
from mahc.results.files import write_result
from mahc.sources import find_data


@pytest.fixture(scope="module")
def learned():
    return mahc.learn(find_data("asia"), "hc")


def test_reversible_arcs_have_a_dot_and_no_arrowhead(learned):
    drawn = edge_groups(learned.plot().svg)
    undirected = {frozenset((e.left, e.right)) for e in learned.cpdag.edges if e.mark == "---"}
    assert 0 < len(undirected) < len(learned.arcs)
    assert len(drawn) == len(learned.arcs)
    for note, group in drawn.items():
        left, _, right = note.split(",")[0].split()
        reversible = frozenset((left, right)) in undirected
        dots = [c for c in group.findall(SPACE + "circle") if c.get("class") == "reversible"]
        assert bool(dots) == reversible == ("reversible" in note)
        assert (group.find(SPACE + "polygon") is None) == reversible


def test_the_arcs_of_the_dag_can_be_drawn_at_the_same_places(learned):
    as_dag, as_pattern = (learned.plot(reversible=flag).svg for flag in (False, True))
    assert all(group.find(SPACE + "polygon") is not None for group in edge_groups(as_dag).values())
    boxes = [
        [(r.get("x"), r.get("y")) for r in ElementTree.fromstring(svg).iter(SPACE + "rect")]
        for svg in (as_dag, as_pattern)
    ]
    assert boxes[0] == boxes[1]


def test_the_line_is_wider_the_stronger_the_arc(learned):
    strengths = learned.strengths()
    drawn = edge_groups(learned.plot().svg)
    width = {}
    for note, group in drawn.items():
        left, _, right = note.split(",")[0].split()
        width[left, right] = float(group.find(SPACE + "path").get("stroke-width"))
    ranked = sorted(strengths, key=strengths.__getitem__)
    assert [width[arc] for arc in ranked] == sorted(width.values())
    assert (width[ranked[0]], width[ranked[-1]]) == (1.0, 4.0)


def test_an_edge_is_the_paler_the_fewer_resamples_have_it(learned):
    class Sure(SimpleNamespace):
        def __getattr__(self, name):
            return getattr(learned, name)

    rare = frozenset(learned.arcs[0])
    confidence = SimpleNamespace(edge=lambda a, b: 0.0 if frozenset((a, b)) == rare else 1.0)
    drawn = edge_groups(plot_learned(Sure(confidence=confidence)).svg)
    faint = [note for note, group in drawn.items() if group.get("opacity") == "0.35"]
    assert len(faint) == 1
    assert "in 0% of the resamples" in faint[0]
    assert all(group.get("opacity") is None for note, group in drawn.items() if note not in faint)
    assert "paler: in fewer resamples" in texts(plot_learned(Sure(confidence=confidence)).svg)


def test_title_legend_and_tiers(learned):
    shown = texts(learned.plot().svg)
    assert shown[0].startswith("HC: 8 variables")
    assert "reversible: the data do not determine the direction" in shown
    assert "wider: stronger (by rank)" in shown
    assert texts(learned.plot(title="Asia & <more>").svg)[0] == "Asia & <more>"
    tiers = mahc.Knowledge(tiers=[["asia", "smoke"], ["xray", "dysp"]])
    known = mahc.learn(find_data("asia"), "hc", knowledge=tiers)
    assert {"tier 1", "tier 2", "dashed box: variable in no tier"} <= set(texts(known.plot().svg))
    assert "tier 1" not in texts(known.plot(tiers=False).svg)


def test_the_picture_scales_to_its_container(learned):
    for picture in (learned.plot().svg, learned.graph._repr_svg_(), learned._repr_html_()):
        assert 'viewBox="0 0 ' in picture
        assert "max-width:100%;height:auto" in picture


def test_a_pag_is_drawn_with_its_circles():
    pag = mahc.learn(find_data("asia"), "fci")
    assert len(edge_groups(pag.plot().svg)) == len(pag.edges)
    assert pag.to_frame()["reversible"].null_count() == len(pag.edges)


def test_a_picture_is_saved_in_the_format_of_its_name(learned, tmp_path):
    picture = learned.plot()
    picture.save(tmp_path / "graph.svg")
    assert (tmp_path / "graph.svg").read_text().rstrip("\n") == picture.svg == picture._repr_svg_()
    with pytest.raises(SettingError, match=r"end its name in \.svg, \.png or \.pdf"):
        picture.save(tmp_path / "graph.gif")


def test_the_table_and_networkx_hold_strength_and_reversibility(learned):
    frame, strengths = learned.to_frame(), learned.strengths()
    undirected = {frozenset((e.left, e.right)) for e in learned.cpdag.edges if e.mark == "---"}
    assert frame.columns == ["from", "mark", "to", "strength", "reversible"]
    assert frame["strength"].to_list() == sorted(strengths.values(), reverse=True)
    drawn = learned.to_networkx()
    assert set(drawn.nodes) == set(learned.variables)
    assert drawn.graph["score"] == learned.score
    for tail, mark, head, strength, reversible in frame.rows():
        assert mark == "-->"
        assert strengths[tail, head] == strength
        assert (frozenset((tail, head)) in undirected) == reversible
        assert drawn.edges[tail, head] == {"strength": strength, "reversible": reversible}


def test_the_files_of_a_result_hold_strength_and_are_read_back(learned, tmp_path):
    write_result(learned, tmp_path)
    (tail, head), strength = max(learned.strengths().items(), key=lambda item: item[1])
    for name in ("graph.csv", "graph.dot", "graph.graphml"):
        text = (tmp_path / name).read_text()
        assert repr(strength) in text
        assert "reversible" in text
        assert read_graph(tmp_path / name) == learned.graph
    assert f"{tail},{head},{strength!r}," in (tmp_path / "graph.csv").read_text()
    import networkx

    known = networkx.read_graphml(tmp_path / "graph.graphml").edges[tail, head]
    assert known["strength"] == strength
    assert isinstance(known["reversible"], bool)
    learned.write_graph(tmp_path / "other.gv")
    assert (tmp_path / "other.gv").read_text() == (tmp_path / "graph.dot").read_text()
    cpdag = mahc.learn(find_data("asia"), "pc-stable")
    cpdag.write_graph(tmp_path / "cpdag.csv")
    assert (tmp_path / "cpdag.csv").read_text().splitlines()[0] == "from,to,mark,reversible"
    assert read_graph(tmp_path / "cpdag.csv") == cpdag.graph


def test_a_name_that_xml_cannot_hold_leaves_out_only_the_graphml(tmp_path):
    columns = {"bell\x07": ["n", "y"] * 40, "wet": ["n", "y"] * 40}
    (tmp_path / "graph.graphml").write_text("of an earlier result")
    write_result(mahc.learn(columns, "hc"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.csv", "graph.dot", "graph.svg", "result.json"]


def test_edges_that_the_knowledge_requires_have_a_square_and_a_legend():
    assert 'class="required"' not in mahc.learn("asia", "hc").plot().svg
    pairs = {("smoke", "lung"), ("tub", "xray")}
    knowledge = {"required_arcs": [("smoke", "lung")], "required_edges": [("tub", "xray")]}
    shown = mahc.learn("asia", "hc", knowledge=knowledge).plot().svg
    for note, group in edge_groups(shown).items():
        left, _, right = note.split(",")[0].split()
        squares = [each for each in group.findall(SPACE + "rect") if each.get("class") == "required"]
        assert bool(squares) == ((left, right) in pairs or (right, left) in pairs) == ("required" in note)
    assert "square: required by the knowledge" in shown


def test_a_part_has_the_variables_near_a_name_and_the_edges_among_them(learned):
    beside = {name: {v for arc in learned.arcs if name in arc for v in arc} | {name} for name in learned.variables}
    for name in learned.variables:
        near, drawn = beside[name], learned.plot(around=name, steps=1).svg
        assert {other for other in learned.variables if f">{other}<" in drawn} == near
        arcs = [arc for arc in learned.arcs if set(arc) <= near]
        assert sum(f"{a} --&gt; {b}" in drawn or f"{b} --&gt; {a}" in drawn for a, b in arcs) == len(arcs)
        assert f"{len(near)} of {len(learned.variables)} variables" in drawn
    alone = learned.plot(around=["smoke"], steps=0).svg
    assert ">smoke<" in alone
    assert "reversible" not in alone  # the legend is that of what is drawn


@pytest.mark.parametrize(
    ("around", "steps", "said"), [("smok", 1, "smok"), ("smoke", -1, "steps"), ("smoke", 1.5, "1.5")]
)
def test_a_part_that_cannot_be_is_refused(learned, around, steps, said):
    with pytest.raises(mahc.errors.MahcError, match=said):
        learned.plot(around=around, steps=steps)


def test_a_large_graph_is_not_drawn_into_its_folder(tmp_path, monkeypatch, capsys):
    from mahc.cli.main import run

    for module in ("mahc.results.files", "mahc.cli.output"):
        monkeypatch.setattr(f"{module}.MAX_EDGES_DRAWN", 3)
    with pytest.raises(SystemExit) as ended:
        run(["learn", "asia", "--out", str(tmp_path / "out")])
    assert ended.value.code in (0, None)
    assert not (tmp_path / "out" / "graph.svg").exists()
    assert "No picture of" in capsys.readouterr().out
