from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mahc.cli.main import run
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.files import write_graph

PAPER = Path(__file__).resolve().parents[2] / ".." / "shared" / "paper" / "asia-1k.csv"
# The graph that the paper's Fig 2 ends with.
FIGURE_2 = DAG(
    ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
    [
        ("smoke", "lung"),
        ("smoke", "bronc"),
        ("lung", "either"),
        ("tub", "either"),
        ("either", "xray"),
        ("bronc", "dysp"),
        ("either", "dysp"),
    ],
)
ROWS = "a,b\n" + "x,u\ny,v\n" * 2


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_text(ROWS)
    return path


@pytest.fixture
def arcs(tmp_path: Path) -> Path:
    path = tmp_path / "arcs.csv"
    path.write_text("from,to\na,b\n")
    return path


def document(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, object]:
    assert call("score", *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_total_base_and_every_family_are_shown(data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("score", data, arcs) == 0
    assert capsys.readouterr().out.splitlines() == [
        "total -7.0000  bic, log base 2; 2 variables, 1 arc, 4 rows",
        "",
        "           -5.0000  a",
        "           -2.0000  b | a",
    ]


def test_json_holds_the_settings_and_full_numbers(data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, data, arcs, "--score", "bdeu", "--ess", "3", "--base", "e")
    assert found["score"] == "bdeu"
    assert found["base"] == math.e
    assert found["equivalent_sample_size"] == 3
    assert found["size"] == 4
    families = found["families"]
    assert isinstance(families, list)
    assert [(family["variable"], family["parents"]) for family in families] == [("a", []), ("b", ["a"])]
    assert found["total"] == math.fsum(family["local_score"] for family in families)


def test_the_base_rescales_the_score(data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bits = document(capsys, data, arcs)["total"]
    assert bits == -7.0
    assert document(capsys, data, arcs, "--base", "10")["total"] == pytest.approx(-7.0 * math.log10(2))


def test_arc_lists_and_json_graphs_score_the_same(
    tmp_path: Path, data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_graph(DAG(["b", "a"], [("a", "b")]), tmp_path / "graph.json")
    assert document(capsys, data, tmp_path / "graph.json") == document(capsys, data, arcs)


def test_a_weight_column_gives_the_scores_of_the_long_table(
    tmp_path: Path, data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.csv"
    short.write_text("a,b,count\nx,u,2\ny,v,2\n")
    assert document(capsys, short, arcs, "--weights", "count") == document(capsys, data, arcs)


def test_the_total_does_not_depend_on_the_order_of_the_columns(
    tmp_path: Path, arcs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    totals = set()
    for header, rows in (("a,b,c", "xup xvq yup yvp xuq"), ("c,b,a", "pux qvx puy pvy qux")):
        path = tmp_path / "shuffled.csv"
        path.write_text("\n".join([header, *(",".join(row) for row in rows.split())]) + "\n")
        totals.add(document(capsys, path, arcs)["total"])
    assert len(totals) == 1


@pytest.mark.shared
@pytest.mark.skipif(not PAPER.exists(), reason="the paper's sample (../shared/paper/asia-1k.csv) is not here")
def test_the_papers_graph_has_the_papers_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(FIGURE_2, tmp_path / "graph.csv")
    total = document(capsys, PAPER, tmp_path / "graph.csv")["total"]
    assert isinstance(total, float)
    assert round(total, 4) == -3252.1024


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        ("from,to\na,c\n", "unknown variable 'c'"),
        ("from,to\na,b\nb,a\n", "line 3: the arcs a -> b and b -> a form a cycle"),
        ("from,to\na,a\n", "line 2"),
        ("from,to\na,b,b,b,b\n", "line 2"),
        ("", "graph.csv"),
    ],
)
def test_a_bad_graph_is_one_sentence(
    tmp_path: Path, data: Path, graph: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "graph.csv").write_text(graph)
    check_refusal(capsys, sentence, data, tmp_path / "graph.csv")


def test_a_cycle_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.csv").write_text("a,b,c\nx,u,p\ny,v,q\n")
    (tmp_path / "graph.csv").write_text("from,to\na,b\nb,c\nc,a\n")
    check_refusal(capsys, "cycle", tmp_path / "data.csv", tmp_path / "graph.csv")


def test_a_graph_with_undirected_edges_is_refused(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_graph(MixedGraph(["a", "b"], [("a", "---", "b")]), tmp_path / "graph.json")
    check_refusal(capsys, "a score needs a DAG", data, tmp_path / "graph.json")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--score", "bci"], "did you mean 'bic'"),
        (["--base", "1"], "--base is 1"),
        (["--base", "two"], "--base is 'two': give a number above 1"),
        (["--ess", "1"], "score 'bic' has no setting --ess"),
        (["--score", "bdeu", "--ess", "0"], "--ess is 0"),
        (["--weights", "count"], "count"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_a_bad_setting_is_one_sentence(
    data: Path, arcs: Path, options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refusal(capsys, sentence, data, arcs, *options)


def test_files_that_are_not_there_are_named(
    tmp_path: Path, data: Path, arcs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refusal(capsys, "nowhere.csv", data, tmp_path / "nowhere.csv")
    check_refusal(capsys, "nowhere.csv", tmp_path / "nowhere.csv", arcs)


def check_refusal(capsys: pytest.CaptureFixture[str], sentence: str, *words: object) -> None:
    assert call("score", *words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("mahc: ")
    assert shown.err.count("\n") == 1
    assert sentence in shown.err


def test_a_graph_in_place_of_the_data_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "graph.csv").write_text("from,to\na,b\n")
    (tmp_path / "data.csv").write_text("a,b\n" + "x,u\ny,v\n" * 20)
    with pytest.raises(SystemExit) as ending:
        run(["score", str(tmp_path / "graph.csv"), str(tmp_path / "data.csv")])
    assert ending.value.code == 2
    assert "graph.csv' is a graph: give the data first, mahc score DATA GRAPH" in capfd.readouterr().err
