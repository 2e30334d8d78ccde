from __future__ import annotations

import json
from pathlib import Path

import pytest

from mahc.cli.main import run
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag, dag_to_pag
from mahc.graphs.files import write_graph
from mahc.networks import load_network
from mahc.networks.files import write_network

ASIA = load_network("asia").dag
FEWER = DAG(ASIA.names, [arc for arc in ASIA.arcs if arc != ("asia", "tub")])


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


def measures(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, float]:
    assert call("compare", *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)["measures"]
    assert isinstance(found, dict)
    return found


def save_result(path: Path, dag: DAG) -> Path:
    path.write_text(json.dumps({"variables": list(dag.names), "arcs": dag.arcs}), encoding="utf-8")
    return path


def test_numbers_and_every_differing_edge_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(FEWER, tmp_path / "learned.csv")
    assert call("compare", tmp_path / "learned.csv", "asia") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["F1", "0.933"] in lines
    assert ["SHD", "1"] in lines
    assert ["BSF", "0.875"] in lines
    assert ["asia", "---", "tub", "no", "edge", "3", "1"] in lines
    assert next(line for line in lines if "paper:" in line)[:2] == ["Table", "3"]


@pytest.mark.parametrize("columns", [80, 120])
def test_the_lines_fit_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.chdir(tmp_path)
    write_graph(FEWER, "learned.csv")
    assert call("compare", "learned.csv", "asia") == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns


def test_a_graph_is_found_in_every_place_it_may_stand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_result(tmp_path / "result.json", FEWER)
    write_graph(FEWER, tmp_path / "learned.csv")
    write_graph(FEWER, tmp_path / "graph.json")
    write_graph(dag_to_cpdag(FEWER), tmp_path / "learned.dot")
    for learned in ("result.json", "learned.csv", "graph.json", "learned.dot", "."):
        assert measures(capsys, tmp_path / learned, "asia")["shd"] == 1
    for suffix in (".bif", ".json", ".json.gz", ".xdsl"):
        write_network(load_network("asia"), tmp_path / f"network{suffix}")
        assert measures(capsys, tmp_path / "result.json", tmp_path / f"network{suffix}")["shd"] == 1


def test_a_bayesys_list_without_its_lone_variables_is_completed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = DAG(ASIA.names, [("smoke", "lung")])
    write_graph(alone, tmp_path / "DAGlearned.csv", "bayesys")
    assert measures(capsys, tmp_path / "DAGlearned.csv", "asia")["shd"] == 7


def test_a_result_with_marked_edges_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pag = dag_to_pag(ASIA, ["dysp"])
    content = {"variables": list(pag.names), "edges": [list(edge) for edge in pag.edges]}
    (tmp_path / "result.json").write_text(json.dumps(content), encoding="utf-8")
    assert measures(capsys, tmp_path, "asia", "--latent", "dysp")["shd"] == 0


def test_the_kind_of_comparison_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turned = DAG(ASIA.names, [arc for arc in ASIA.arcs if arc != ("asia", "tub")] + [("tub", "asia")])
    write_graph(turned, tmp_path / "learned.csv")
    assert measures(capsys, tmp_path / "learned.csv", "asia", "--as", "dag")["shd"] == 0.5
    assert measures(capsys, tmp_path / "learned.csv", "asia", "--as", "cpdag")["shd"] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gone.csv", "asia"], "gone.csv"),
        (["asia", "asai"], "there is no file 'asai', and unknown network 'asai': did you mean 'asia'"),
        (["asia", "cancer"], "both must have the same variables"),
        (["asia", "asia", "--as", "dga"], "unknown kind of comparison 'dga': did you mean 'dag'"),
        (["asia", "asia", "--latent", "disp"], "did you mean 'dysp'"),
        (["asia", "pag.csv", "--as", "cpdag"], "compare as 'pag'"),
        (["asia", "bad.json"], "bad.json, line 1: this is not JSON"),
        (["asia", "deep.json"], "deep.json"),
        (["asia", "empty.json"], "empty.json"),
        (["asia", "odd.json"], "odd.json: this result holds no graph"),
        (["asia", "neither.json"], 'neither "arcs" nor "edges"'),
        (["asia", "folder"], "holds neither the result.json of a run nor a sample's manifest.json"),
        (["asia", "sampled"], "the manifest names no true graph"),
        (["asia", "graph.xyz"], "'.xyz'"),
        (["asia", "asia", "--score", "aic"], "add --data FILE"),
        (["asia", "asia", "--missing", "state"], "add --data FILE"),
        (["asia", "asia", "--data", "gone.csv"], "gone.csv does not exist"),
        (["cancer", "cancer", "--data", "asia"], "the data have no column 'Pollution'"),
    ],
)
def test_a_mistake_ends_with_2_and_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_graph(MixedGraph(ASIA.names, [("asia", "o-o", "tub")]), "pag.csv")
    Path("bad.json").write_text("{", encoding="utf-8")
    Path("deep.json").write_text("[" * 100_000, encoding="utf-8")
    Path("empty.json").write_text("{}", encoding="utf-8")
    Path("odd.json").write_text('{"variables": ["a"], "arcs": [["a"]]}', encoding="utf-8")
    Path("neither.json").write_text('{"variables": ["a"]}', encoding="utf-8")
    Path("graph.xyz").write_text("", encoding="utf-8")
    Path("folder").mkdir()
    Path("sampled").mkdir()
    Path("sampled/manifest.json").write_text('{"files": {"true_pag": 3}}', encoding="utf-8")
    assert call("compare", *words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.startswith("mahc: ")
    assert error.count("\n") == 1


def test_with_data_both_graphs_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(FEWER, tmp_path / "learned.csv")
    assert call("compare", tmp_path / "learned.csv", "asia", "--data", "asia") == 0
    shown = capsys.readouterr().out
    assert "Score on the data: bic, log base 2" in shown
    assert "learned    -3306.0124  the DAG; 17 free parameters" in shown
    assert "true       -3308.8998  the DAG; 18 free parameters" in shown
    assert "difference +2.8873  +0.087% of the true score" in shown
    assert call("compare", tmp_path / "learned.csv", "asia", "--data", "asia", "--score", "aic", "--json") == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert (scores["score"], scores["base"]) == ("aic", 2.0)
    assert scores["difference"] == scores["learned"]["value"] - scores["true"]["value"]


def test_the_truth_of_a_sample_with_latents_is_scored_as_its_own_mag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--rows", "300", "--noise", "latent", "--latent", "smoke"]
    assert call("sample", "asia", *words, "--out", tmp_path / "sampled") == 0
    capsys.readouterr()
    found = []
    for truth in ([tmp_path / "sampled"], ["asia", "--latent", "smoke"]):
        learned = tmp_path / "sampled" / "true_pag.csv"
        assert call("compare", learned, *truth, "--data", tmp_path / "sampled" / "data.csv", "--json") == 0
        found.append(json.loads(capsys.readouterr().out)["scores"])
    assert found[0] == found[1]
    assert found[0]["true"]["taken_from"] == "mean over the 2 DAGs of its MAG"
    assert found[0]["learned"]["taken_from"] == "a DAG of its class"


def test_a_manifest_cannot_lead_out_of_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sampled").mkdir()
    write_graph(ASIA, tmp_path / "outside.csv")
    manifest = tmp_path / "sampled" / "manifest.json"
    manifest.write_text('{"files": {"true_pag": "../outside.csv"}}', encoding="utf-8")
    assert call("compare", tmp_path / "sampled", "asia") == 2
    assert "outside.csv" in capsys.readouterr().err
