"""Formats are one file and one line: everything that lists formats derives from the registries."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from mahc.errors import FormatError
from mahc.graphs import DAG
from mahc.graphs.files import GRAPH_FORMATS, GraphFormat, format_graph, graph_suffixes, read_graph, write_graph
from mahc.graphs.files.graph_format import Graph, GraphBuilder
from mahc.networks import Network, find_network, load_network, network_names
from mahc.networks.files import NETWORK_FORMATS, NetworkFormat, format_network, read_network, write_network

ROOT = Path(__file__).resolve().parents[1]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_format_tables", ROOT / "tools" / "make_format_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8") == load_tool().make_page()


@dataclass(frozen=True)
class ToyGraph(GraphFormat):
    """One arc per line: `a b`."""

    title = "Toy graph"
    suffixes = (".toygraph",)
    keeps = "arcs"

    def recognises(self, text: str) -> bool:
        return True

    def read_into(self, builder: GraphBuilder, text: str) -> None:
        for line, words in enumerate(text.splitlines(), start=1):
            left, right = words.split()
            builder.add_edge(left, "-->", right, line)

    def render(self, graph: Graph) -> str:
        assert isinstance(graph, DAG)
        return "".join(f"{left} {right}\n" for left, right in graph.arcs)


@dataclass(frozen=True)
class ToyNetwork(NetworkFormat):
    """The name of a shipped network."""

    title = "Toy network"
    suffixes = (".toynet",)
    keeps = "the name"

    def parse(self, text: str, file: object = None) -> Network:
        return load_network(text.strip())

    def render(self, network: Network) -> str:
        return network.name + "\n"


def test_a_registered_graph_format_is_read_written_named_in_errors_and_listed_in_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GRAPH_FORMATS._entries, "toy", ToyGraph)
    dag = DAG(["a", "b"], [("a", "b")])
    write_graph(dag, tmp_path / "g.toygraph")
    assert read_graph(tmp_path / "g.toygraph") == dag
    assert format_graph(dag, "toy") == "a b\n"
    assert ".toygraph" in graph_suffixes()
    with pytest.raises(FormatError, match=r"\.toygraph"):
        write_graph(dag, tmp_path / "g.unknown")
    assert "| `toy` | Toy graph | `.toygraph` |  | arcs |" in load_tool().make_page()


def test_a_registered_network_format_is_read_written_found_by_name_and_listed_in_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(NETWORK_FORMATS._entries, "toy", ToyNetwork)
    asia = load_network("asia")
    write_network(asia, tmp_path / "mine.toynet.gz")
    assert read_network(tmp_path / "mine.toynet.gz") == asia
    assert format_network(asia, "toy") == "asia\n"
    assert "mine" in network_names(tmp_path)
    assert find_network(str(tmp_path / "mine.toynet.gz")) == asia
    with pytest.raises(FormatError, match=r"\.toynet"):
        write_network(asia, tmp_path / "g.unknown")
    assert "| `toy` | Toy network | `.toynet` | yes | yes | the name |" in load_tool().make_page()
