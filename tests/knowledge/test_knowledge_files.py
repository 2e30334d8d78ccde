"""Knowledge from files: TOML, JSON and the constraint tables of Bayesys."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError, KnowledgeError, UnknownNameError
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.knowledge.parsing import parse_pair

EVERYTHING = Knowledge(
    required_arcs=[("smoke", "lung")],
    required_edges=[("tub", "asia")],
    forbidden_arcs=[("lung", "smoke"), ("xray, chest", "asia")],
    forbidden_edges=[("dysp", "xray, chest")],
    tiers=[["asia", "smoke"], [], ["dysp"]],
    strict_tiers=True,
    targets={"lung": 2.5},
    all_relevant=True,
    max_parents={"lung": 3},
)

TOML = """
required_arcs = [["smoke", "lung"]]
required_edges = [["tub", "asia"]]
forbidden_arcs = [["lung", "smoke"], ["xray, chest", "asia"]]
forbidden_edges = [["dysp", "xray, chest"]]
tiers = [["asia", "smoke"], [], ["dysp"]]
strict_tiers = true
all_relevant = true

[targets]
lung = 2.5

[max_parents]
lung = 3
"""


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_toml_says_it_all(tmp_path: Path) -> None:
    assert read_knowledge(write(tmp_path, "known.toml", TOML)) == EVERYTHING


def test_json_goes_out_and_comes_back(tmp_path: Path) -> None:
    file = write(tmp_path, "known.json", json.dumps(EVERYTHING.to_dict()))
    assert read_knowledge(file) == EVERYTHING
    assert read_knowledge(str(file)) == EVERYTHING


NAME = st.text(string.printable + "éß漢", min_size=1, max_size=4)
PAIR = st.tuples(NAME, NAME).filter(lambda pair: pair[0] != pair[1])


@settings(max_examples=60, deadline=None)
@given(st.lists(PAIR, max_size=4), st.lists(PAIR, max_size=3), st.dictionaries(NAME, st.integers(0, 9), max_size=3))
def test_any_names_survive_a_json_file(
    tmp_path_factory: pytest.TempPathFactory,
    arcs: list[tuple[str, str]],
    edges: list[tuple[str, str]],
    most: dict[str, int],
) -> None:
    knowledge = Knowledge(required_arcs=arcs, forbidden_edges=edges, max_parents=most)
    file = write(tmp_path_factory.mktemp("known"), "known.json", json.dumps(knowledge.to_dict()))
    assert read_knowledge(file) == knowledge


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("k.toml", "required_arcs = [\n  ['a' 'b']]", 2, "this is not TOML"),
        ("k.toml", "tiers = [['a']]\ntiers = [['b']]", 2, "this is not TOML"),
        ("k.toml", "forbiden_arcs = []", None, "did you mean 'forbidden_arcs'"),
        ("k.toml", "[targets]\nlung = 1", None, "greater than 1"),
        ("k.toml", "required_arcs = [['a']]", None, "not a pair of names"),
        ("k.json", "{\n'a': 1}", 2, "this is not JSON"),
        ("k.json", "[]", None, "a table of constraints"),
        ("k.json", '{"tiers": [["a"]], "tiers": [["b"]]}', None, "the key 'tiers' occurs twice"),
        ("k.json", "[" * 100_000, None, "nested too deeply"),
        ("k.json", '{"required_arcs": [["a", "a"]]}', None, "with itself"),
        ("k.json", '{"targets": {"a": NaN}}', None, "NaN is not JSON"),
        ("k.json", '{"targets": {"a": 1' + "0" * 400 + "}}", None, "give a number below 2,147,483,648"),
        ("k.json", '{"max_parents": {"a": 1' + "0" * 9999 + "}}", None, "this JSON cannot be used"),
        ("k.yaml", "a: b", None, "give a .toml, .json or .csv file"),
        ("constraintsDirected.csv", "", 1, "the header '' is none of"),
        ("constraintsDirected.csv", "ID,Parent,Child\n1,a,b\n2,c,\n", 3, "2 names expected here, not 'c'"),
        ("constraintsDirected.csv", "ID,Parent,Child\n1,a,b,c\n", 2, "2 names expected here"),
        ("constraintsDirected.csv", "ID,Parent,Child\n1,,b\n", 2, "2 names expected here"),
        ("constraintsDirected.csv", "ID,Parent,Child\n1,a,a\n", 2, "with itself"),
        ("constraintsDirected.csv", "ID,Up,Down\n1,a,b\n", 1, "the header 'up,down' is none of"),
        ("constraintsDirected.csv", "ID,Ancestor,Descendant\n1,a,b\n", 1, "is none of"),
        ("constraintsDirected.csv", 'ID,Parent,Child\n1,"a,b\n', 2, "this is not CSV"),
        ("constraintsUndirected.csv", "ID,Parent,Child\n1,a,b\n", 1, "is for arcs"),
        ("known.csv", "ID,Var1,Var2\n1,a,b\n", 1, "put 'forbidden' or 'undirected' into the name of the file"),
        ("constraintsTemporal.csv", "ID,Tier 1,Tier 3\n1,a,b\n", 1, "numbered in order"),
        ("constraintsTemporal.csv", "ID,Tier 1,Tier 2,END\n1,a,b,,c\n", 2, "'c' is beyond the last tier, 2"),
        ("constraintsTemporal.csv", "ID,Tier 1,Tier 2\n1,a,b\n2,,a\n", None, "'a' is in tier 1 and in tier 2"),
        ("constraintsTarget.csv", "ID,Target node,Rate\n1,a,much\n", 2, "'much' is not a number"),
        ("constraintsTarget.csv", "ID,Target node,Rate\n1,a,1\n", 2, "greater than 1"),
        ("constraintsTarget.csv", "ID,Target node\n1,a,2\n", 2, "one name expected here"),
        ("constraintsGraph.csv", "ID,Parent,Child\n1,a,b\n", 2, "give it as the start graph"),
        ("constraintsBDN.csv", "ID,Node,Type\n1,a,Note\n", 2, "not supported"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str, line: int | None, words: str
) -> None:
    file = write(tmp_path, name, text)
    with pytest.raises(FormatError) as refusal:
        read_knowledge(file)
    assert words in str(refusal.value)
    assert refusal.value.line == line
    assert str(file) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_knowledge(tmp_path / "missing.toml")
    with pytest.raises(FormatError, match="no constraint file of Bayesys"):
        read_knowledge(tmp_path)
    (tmp_path / "latin.json").write_bytes(b'{"required_arcs": [["\xe9", "a"]]}')
    with pytest.raises(FormatError, match="save it as UTF-8"):
        read_knowledge(tmp_path / "latin.json")


BAYESYS = {
    "constraintsDirected.csv": "ID,Parent,Child\n1,smoke,lung\n2,tub,either\n",
    "constraintsUndirected.csv": "ID,Var1,Var2\r\n1,dysp,bronc\r\n",
    "constraintsForbidden.csv": "\ufeffID,Var1,Var2\n1,asia,xray\n",
    "constraintsTemporal.csv": "ID,Tier 1,Tier 2,Tier 3,END\n1,asia,,xray,\n2,smoke\n3,,,dysp,\n",
    "constraintsTarget.csv": "ID,Target node\n1,lung\n",
    "constraintsGraph.csv": "ID,Parent,Child\n",
    "constraintsBDN.csv": "ID,Note\n1,\n",
    "trainingData.csv": "smoke,lung\nyes,no\n",
    "DAGtrue.csv": "ID,Variable 1,Dependency,Variable 2\n1,smoke,->,lung\n",
}


def test_a_folder_of_bayesys_files_is_read_together(tmp_path: Path) -> None:
    for name, text in BAYESYS.items():
        write(tmp_path, name, text)
    assert read_knowledge(tmp_path) == Knowledge(
        required_arcs=[("smoke", "lung"), ("tub", "either")],
        required_edges=[("bronc", "dysp")],
        forbidden_edges=[("asia", "xray")],
        tiers=[["asia", "smoke"], [], ["xray", "dysp"]],
        targets={"lung": 2.0},
    )


def test_an_initial_graph_in_the_folder_is_not_dropped_silently(tmp_path: Path) -> None:
    write(tmp_path, "constraintsDirected.csv", BAYESYS["constraintsDirected.csv"])
    write(tmp_path, "constraintsGraph.csv", "ID,Parent,Child\n1,a,b\n")
    with pytest.raises(FormatError, match=r"constraintsGraph.csv, line 2: an initial graph"):
        read_knowledge(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "knowledge"),
    [
        ("any.csv", "id, PARENT ,child\n\n1, a ,b\n", Knowledge(required_arcs=[("a", "b")])),
        ("any.csv", "From,To\na,b\n", Knowledge(required_arcs=[("a", "b")])),
        ("any.csv", 'ID,Parent,Child\n1,"a, b","say ""c"""\n', Knowledge(required_arcs=[("a, b", 'say "c"')])),
        ("constraintsDirected_SPORTS_7.csv", "ID,Parent,Child\n1,a,b\n", Knowledge(required_arcs=[("a", "b")])),
        ("constraintsForbidden.csv", "ID,Parent,Child\n1,a,b\n", Knowledge(forbidden_arcs=[("a", "b")])),
        ("FORBIDDEN.CSV", "ID,Variable 1,Variable 2\n1,b,a\n", Knowledge(forbidden_edges=[("a", "b")])),
        ("my undirected.csv", "ID,Node1,Node2\n1,b,a\n", Knowledge(required_edges=[("a", "b")])),
        ("any.csv", "ID,tier_1,tier_2\n1,a,\n2,,b\n", Knowledge(tiers=[["a"], ["b"]])),
        ("any.csv", "ID,Variable\n1,a\n2,\n", Knowledge(targets={"a": 2})),
        ("any.csv", "ID,Target,r\n1,a,3.5\n2,b\n", Knowledge(targets={"a": 3.5, "b": 2})),
        ("constraintsDirected.csv", "ID,Ancestor,Descendant\n", Knowledge()),
        ("constraintsTemporal.csv", "ID,Tier 1,Tier 2\n1,,\n2,,\n", Knowledge()),
    ],
)
def test_the_header_says_what_a_table_is(tmp_path: Path, name: str, text: str, knowledge: Knowledge) -> None:
    assert read_knowledge(write(tmp_path, name, text)) == knowledge


def test_names_of_a_file_are_checked_against_the_data(tmp_path: Path) -> None:
    known = read_knowledge(write(tmp_path, "any.csv", "ID,Parent,Child\n1,smok,lung\n"))
    with pytest.raises(UnknownNameError, match=r"required arc smok -> lung.*did you mean 'smoke'"):
        known.check(["smoke", "lung"], 8)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("a,b", ("a", "b")),
        (" a , b ", ("a", "b")),
        ('"a,b",c', ("a,b", "c")),
        ('a, "b, c"', ("a", "b, c")),
        ('"say ""a""",b', ('say "a"', "b")),
        ("a b,c->d", ("a b", "c->d")),
    ],
)
def test_a_pair_is_split_at_the_comma(text: str, pair: tuple[str, str]) -> None:
    assert parse_pair(text) == pair


@pytest.mark.parametrize("text", ["", "a", "a,", ",b", "a,b,c", '"a,b', "a;b", '"a"x,b', "a,b\nc,d"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    with pytest.raises(KnowledgeError, match="not a pair of names"):
        parse_pair(text)
