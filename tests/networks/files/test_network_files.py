"""Every format of networks: out and back the same, and refused in one sentence where it is broken."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError
from mahc.networks import Network, load_network
from mahc.networks.files import NETWORK_FORMATS, network_suffixes, read_network, write_network
from mahc.networks.safe_names import with_safe_names

NAMED = [suffix for suffix in network_suffixes(writable=True) if suffix != ".uai"]


def in_file_order(network: Network, like: Network) -> Network:
    """The same network with its variables in the order of another."""
    places = [network.names.index(name) for name in like.names]
    return Network(
        network.name,
        like.names,
        tuple(network.states[place] for place in places),
        tuple(tuple(places.index(parent) for parent in network.parents[place]) for place in places),
        tuple(network.tables[place] for place in places),
    )


@pytest.mark.parametrize("suffix", NAMED)
@pytest.mark.parametrize("name", ["asia", "alarm", "child", "hailfinder", "sachs"])
def test_a_network_comes_back_to_the_last_bit(tmp_path: Path, suffix: str, name: str) -> None:
    network = with_safe_names(load_network(name)).network
    write_network(network, tmp_path / f"n{suffix}")
    assert in_file_order(read_network(tmp_path / f"n{suffix}"), network) == network


@pytest.mark.parametrize("suffix", [".json", ".bif", ".xmlbif"])
def test_a_zipped_file_is_read_and_written_with_the_same_bytes_each_time(tmp_path: Path, suffix: str) -> None:
    network = load_network("asia")
    for file in ("one", "two"):
        write_network(network, tmp_path / f"{file}{suffix}.gz")
    assert (tmp_path / f"one{suffix}.gz").read_bytes() == (tmp_path / f"two{suffix}.gz").read_bytes()
    assert read_network(tmp_path / f"one{suffix}.gz") == network


def test_uai_keeps_the_numbers_and_loses_the_names(tmp_path: Path) -> None:
    network = load_network("alarm")
    write_network(network, tmp_path / "a.uai")
    back = read_network(tmp_path / "a.uai")
    assert back.names[:2] == ("0", "1")
    assert back.parents == network.parents
    assert all(map(np.array_equal, back.tables, network.tables))


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=8).filter(
    str.strip
)


@st.composite
def networks(draw: st.DrawFn, text: st.SearchStrategy[str]) -> Network:
    names = draw(st.lists(text, min_size=1, max_size=4, unique=True))
    states = tuple(tuple(draw(st.lists(text, min_size=1, max_size=3, unique=True))) for _ in names)
    parents = tuple(tuple(p for p in range(c) if draw(st.booleans())) for c in range(len(names)))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = []
    for node, chosen in enumerate(parents):
        shape = (int(np.prod([len(states[p]) for p in chosen], dtype=int)), len(states[node]))
        weights = generator.random(shape) + 1e-3
        tables.append(weights / weights.sum(axis=1, keepdims=True))
    return Network("drawn", tuple(names), states, parents, tuple(tables))


@settings(max_examples=40)
@given(networks(words))
@pytest.mark.parametrize("name", [name for name in NETWORK_FORMATS if name not in ("dsc", "uai")])
def test_any_name_comes_back_the_same_or_is_refused_before_writing(name: str, network: Network) -> None:
    kind = NETWORK_FORMATS[name]()
    try:
        text = kind.render(network)
    except FormatError as refusal:
        assert "cannot hold" in str(refusal)  # noqa: PT017
        assert name != "json"
        text = kind.render(with_safe_names(network).network)
        network = with_safe_names(network).network
    assert in_file_order(kind.parse(text, "drawn"), network) == network


@given(networks(words))
def test_safe_names_are_identifiers_and_differ(network: Network) -> None:
    renamed = with_safe_names(network)
    for name in (*renamed.network.names, *(state for states in renamed.network.states for state in states)):
        assert name.isascii()
        assert name.isidentifier()
    assert with_safe_names(renamed.network).network == renamed.network


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("a.json", "{", r"a\.json, line 1: this is not JSON"),
        ("a.json", "[]", 'an object with a list under "variables"'),
        ("a.json", '{"variables": [], "variables": []}', "the key 'variables' occurs twice"),
        ("a.json", '{"variables": [{"name": "x"}]}', "variable 'x' has no \"states\""),
        ("a.json", '{"variables": [3]}', "is not an object"),
        ("a.json", '{"variables": []}', "has no variables"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", '{"name": "\\ud800", "variables": []}', "which is not valid Unicode"),
        ("a.json", '{"x": NaN}', "NaN is not JSON"),
        ("a.json", '{"x": 1' + "0" * 5000 + "}", "cannot be used"),
        ("a.bif", "variable x {", "line 1: the file ends in the middle"),
        ("a.bif", "variable x { type discrete [ 3 ] { a, b }; }", "declares 3 states but lists 2"),
        ("a.bif", "variable x { }", "variable 'x' has no type"),
        ("a.bif", "variable x { type real; }", "only discrete variables"),
        ("a.bif", "nonsense", "'nonsense' is not a BIF block"),
        ("a.bif", "/* open", "line 1: the comment that begins here is never closed"),
        ("a.bif", "variable x { type discrete [ 1 ] { a }; }", "the variable 'x' has no table"),
        ("a.bif", "\n\nprobability ( x ) { table 1; }", r"a\.bif, line 3: unknown variable 'x'"),
        ("a.xdsl", "<smile>", "line 1: this is not XML"),
        ("a.xdsl", "<other/>", "the first element is <other> where <smile> is needed"),
        ("a.xdsl", '<!DOCTYPE s [<!ENTITY a "b">]><smile>&a;</smile>', "entities, which are not supported"),
        ("a.xdsl", '<smile><nodes><noisymax id="x"/></nodes></smile>', "'x' is a <noisymax>"),
        ("a.xdsl", "<smile><nodes><cpt/></nodes></smile>", "a <cpt> has no id"),
        ("a.xmlbif", "<BIF><NETWORK><VARIABLE/></NETWORK></BIF>", "a <VARIABLE> has no <NAME>"),
        ("a.net", "class x {}", "'class' cannot be read"),
        ("a.net", "node x { states = (a b); } potential (x) { model = 3; }", "only data can be read"),
        ("a.dsl", "graph x {};", "does not begin with net"),
        ("a.dsl", "net x { node y { TYPE = NOISYMAX; }; };", "'y' is of type 'NOISYMAX'"),
        ("a.uai", "MARKOV 1", "does not begin with BAYES"),
        ("a.uai", "BAYES 99999999999999", "number of variables"),
        ("a.uai", "BAYES 2 2 2 1 3 0 0 7", "variable of a scope is '7'"),
        ("a.dsc", "node x { type : continuous; }", "only discrete variables"),
    ],
)
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, file: str, text: str, sentence: str) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=sentence):
        read_network(tmp_path / file)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("0.01, 0.99", "0.01, 0.98", r"of 'asia' has probabilities that sum to 0\.99 in row 1"),
        ("(yes) 0.05, 0.95", "(maybe) 0.05, 0.95", r"line 31: unknown state of 'asia' 'maybe'"),
        ("(yes) 0.05, 0.95", "(yes, no) 0.05, 0.95", "a row names 2 states for 1 parent"),
        ("(yes) 0.05, 0.95;", "", r"the table of 'tub' has no row 1 of 2"),
        ("0.05, 0.95", "0.05", "the table of 'tub' has 1 probability, not 2"),
        ("0.05, 0.95", "0.05, lots", "'lots' is not a number"),
        ("( tub | asia )", "( tub | asis )", "unknown variable 'asis': did you mean 'asia'"),
        ("( tub | asia )", "( asia | tub )", "the variable 'asia' has two tables"),
        ("variable tub", "variable asia", "the variable 'asia' is declared twice"),
    ],
)
def test_a_mistake_in_a_bif_file_is_found(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    write_network(load_network("asia"), tmp_path / "asia.bif")
    text = (tmp_path / "asia.bif").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "asia.bif").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FormatError, match=sentence):
        read_network(tmp_path / "asia.bif")


def test_bif_is_read_with_comments_quotes_properties_defaults_and_whole_tables() -> None:
    text = """
    network "my net" { property "author" someone; }  // a comment
    variable a { type discrete [ 2 ] { "x 1", y }; property position = (1, 2); }
    /* another
       comment */
    variable b { type discrete[2] { t, f }; }
    variable c { type discrete[2] { t, f }; }
    probability ( a ) { table 0.25 0.75; }
    probability ( b | a ) { table 0.6, 0.05, 0.4, 0.95; }
    probability ( c | a, b ) { default 0.5, 0.5; ("x 1", f) 0.1, 0.9; }
    """
    network = NETWORK_FORMATS["bif"]().parse(text, None)
    assert network.name == "my net"
    assert network.states[0] == ("x 1", "y")
    assert network.tables[1].tolist() == [[0.6, 0.4], [0.05, 0.95]]
    assert network.tables[2].tolist() == [[0.5, 0.5], [0.1, 0.9], [0.5, 0.5], [0.5, 0.5]]


def test_xdsl_has_the_last_parent_fastest_as_genie_writes_it() -> None:
    text = """<smile version="1.0" id="c"><nodes>
    <cpt id="p"><state id="low"/><state id="high"/><probabilities>0.9 0.1</probabilities></cpt>
    <cpt id="s"><state id="T"/><state id="F"/><probabilities>0.3 0.7</probabilities></cpt>
    <cpt id="c"><state id="T"/><state id="F"/><parents>p s</parents>
    <probabilities>0.03 0.97 0.001 0.999 0.05 0.95 0.02 0.98</probabilities></cpt>
    <deterministic id="d"><state id="on"/><state id="off"/><parents>c</parents>
    <resultingstates>off on</resultingstates></deterministic></nodes></smile>"""
    network = NETWORK_FORMATS["xdsl"]().parse(text, None)
    assert network.tables[2].tolist() == load_network("cancer").tables[2].tolist()
    assert network.tables[3].tolist() == [[0, 1], [1, 0]]


def test_dsc_of_the_repository_is_read() -> None:
    text = """belief network "unknown"
    node P { name: "Pollution"; type : discrete [ 2 ] = { "low", "high" }; }
    node S { type : discrete [ 2 ] = { "True", "False" }; }
    node C { type : discrete [ 2 ] = { "True", "False" }; }
    probability ( P ) { 0.9, 0.1; }
    probability ( S ) { 0.3, 0.7; }
    probability ( C | P, S ) { (0, 0) : 0.03, 0.97; (1, 0) : 0.05, 0.95; (0, 1) : 0.001, 0.999;
    (1, 1) : 0.02, 0.98; }
    """
    parsed = NETWORK_FORMATS["dsc"]().parse(text, None)
    assert parsed.tables[2].tolist() == load_network("cancer").tables[2].tolist()
    for wrong, sentence in (("(2, 0)", "'2' is not a state of 'P'"), ("(0)", "1 state for 2 parents")):
        with pytest.raises(FormatError, match=sentence):
            NETWORK_FORMATS["dsc"]().parse(text.replace("(0, 0)", wrong), None)


@pytest.mark.parametrize("name", ["model.pkl", "model", "model.xyz", "model.gz"])
def test_an_unknown_suffix_names_the_known(tmp_path: Path, name: str) -> None:
    for act in (read_network, lambda path: write_network(load_network("asia"), path)):
        with pytest.raises(FormatError, match=r"is not a network format: use one of \.bif, \.bifxml"):
            act(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_dsc_is_only_read(tmp_path: Path) -> None:
    assert ".dsc" in network_suffixes()
    with pytest.raises(FormatError, match=r"DSC \(Microsoft\) is only read"):
        write_network(load_network("asia"), tmp_path / "a.dsc")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gone\.json: the file cannot be read: No such file"):
        read_network(tmp_path / "gone.json")


def test_a_name_that_the_format_cannot_hold_leaves_nothing_behind(tmp_path: Path) -> None:
    odd = Network("odd", ("a b",), (("x", "y"),), ((),), (np.array([[0.5, 0.5]]),))
    for suffix in (".bif", ".xdsl", ".net", ".dsl"):
        with pytest.raises(FormatError, match=r"cannot hold the variable 'a b'.*with_safe_names"):
            write_network(odd, tmp_path / f"odd{suffix}")
    assert not list(tmp_path.iterdir())


def test_a_zip_bomb_and_a_cut_zip_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mahc.networks.files.gzip_text.MAX_BYTES", 1_000_000)
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * 5_000_000))
    with pytest.raises(FormatError, match="is larger than"):
        read_network(tmp_path / "bomb.json.gz")
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b"{}" * 50)[:-12])
    with pytest.raises(FormatError, match="is cut short"):
        read_network(tmp_path / "cut.json.gz")
    (tmp_path / "bad.json.gz").write_bytes(b"\x1f\x8b\x08" + b"\xff" * 50)
    with pytest.raises(FormatError, match="damaged"):
        read_network(tmp_path / "bad.json.gz")


def test_a_text_in_another_encoding_is_refused_or_read_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes('{"é"}'.encode("latin-1"))
    with pytest.raises(FormatError, match="not utf-8"):
        read_network(tmp_path / "a.json")
    node = '<cpt id="a"><state id="x"/><probabilities>1</probabilities></cpt>'
    text = f'<?xml version="1.0" encoding="ISO-8859-1"?><smile id="é"><nodes>{node}</nodes></smile>'
    (tmp_path / "a.xdsl").write_bytes(text.encode("latin-1"))
    assert read_network(tmp_path / "a.xdsl").name == "é"


def test_a_table_larger_than_the_memory_is_refused_before_it_is_made() -> None:
    states = ", ".join(f"s{i}" for i in range(100))
    text = "".join(f"variable v{i} {{ type discrete [ 100 ] {{ {states} }}; }}\n" for i in range(9))
    text += "probability ( v0 | v1, v2, v3, v4, v5, v6, v7, v8 ) { }"
    with pytest.raises(FormatError, match=r"line 10: the tables up to 'v0' have more than 33,554,432 numbers"):
        NETWORK_FORMATS["bif"]().parse(text, "a.bif")
