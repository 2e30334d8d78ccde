"""PC-Stable and FCI on the command line: what is shown, written, explained, compared, scored and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mahc.cli.main import run
from mahc.graphs import MixedGraph
from mahc.graphs.files import read_graph
from mahc.networks import load_network, sample
from mahc.results.learned import Learned

BOTH = ("pc-stable", "fci")
Captured = pytest.CaptureFixture[str]


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


def run_json(capfd: Captured, *words: object) -> dict[str, object]:
    capfd.readouterr()
    assert call(*words, "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def insurance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data whose PAG has two-headed edges."""
    data = sample(load_network("insurance"), 5_000, seed=1)
    rows = zip(*([data.labels[v][code] for code in column] for v, column in enumerate(data.codes)), strict=True)
    path = tmp_path_factory.mktemp("data") / "insurance.csv"
    path.write_text("\n".join(",".join(row) for row in [data.names, *rows]) + "\n")
    return path


def test_the_page_tells_kind_edges_and_meaning(capfd: Captured) -> None:
    assert call("learn", "asia", "--algorithm", "pc-stable") == 0
    page = capfd.readouterr().out
    assert "4 edges of a CPDAG: 2 arcs, 2 undirected edges; 2 unconnected variables: asia, xray" in page
    assert "of a DAG that fits the CPDAG" in page
    assert "bronc  ---  dysp" in page
    assert "lung   -->  either" in page
    assert "step" not in page
    assert call("learn", "asia", "--algorithm", "fci") == 0
    page = capfd.readouterr().out
    assert "4 edges of a PAG: 2 o-> edges, 2 o-o edges" in page
    assert "tail: cause; arrowhead: not a cause; circle: undetermined" in page


@pytest.mark.parametrize("algorithm", BOTH)
def test_json_and_files_hold_the_edges(algorithm: str, tmp_path: Path, capfd: Captured) -> None:
    found = run_json(capfd, "learn", "asia", "--algorithm", algorithm, "--out", tmp_path)
    learned = Learned.load(tmp_path / "result.json")
    assert found["kind"] == learned.kind
    assert found["edges"] == [list(edge) for edge in learned.edges or ()]
    assert found["arcs"] == [list(arc) for arc in learned.arcs]
    assert isinstance(found["extension"], list)
    for name in ("graph.csv", "graph.dot"):
        graph = read_graph(tmp_path / name)
        assert isinstance(graph, MixedGraph)
        assert graph == learned.graph
    assert "<circle" in (tmp_path / "graph.svg").read_text() or algorithm == "pc-stable"


def test_no_score_is_null_and_told(insurance: Path, tmp_path: Path, capfd: Captured) -> None:
    words = ("learn", insurance, "--algorithm", "fci", "--max-conditions", 3)
    found = run_json(capfd, *words, "--out", tmp_path)
    score = found["score"]
    assert isinstance(score, dict)
    assert score["value"] is None
    assert found["extension"] is None
    assert call(*words) == 0
    assert "none: no DAG fits this PAG, which implies hidden common causes" in capfd.readouterr().out
    assert call("score", insurance, tmp_path) == 2
    assert "no DAG fits this PAG, which implies hidden common causes" in capfd.readouterr().err
    assert call("fit", tmp_path, insurance, "--out", tmp_path / "model.bif") == 2
    assert "no DAG fits this PAG" in capfd.readouterr().err
    assert call("replay", tmp_path, insurance) == 0
    assert "The same graph: " in capfd.readouterr().out
    assert call("compare", tmp_path, "insurance", "--as", "pag") == 0


def test_what_was_ended_early_is_not_scored_and_says_why(tmp_path: Path, capfd: Captured) -> None:
    assert call("learn", "asia", "--algorithm", "fci", "--time-limit", 1e-9, "--out", tmp_path) == 0
    capfd.readouterr()
    assert call("score", "asia", tmp_path) == 2
    assert "the time limit was reached before fci had tested all edges, so no DAG was built" in capfd.readouterr().err


@pytest.mark.parametrize("algorithm", BOTH)
def test_compare_score_fit_explain_take_the_result(algorithm: str, tmp_path: Path, capfd: Captured) -> None:
    found = run_json(capfd, "learn", "asia", "--algorithm", algorithm, "--out", tmp_path)
    compared = run_json(capfd, "compare", tmp_path, "asia")
    assert compared
    total = run_json(capfd, "score", "asia", tmp_path)["total"]
    score = found["score"]
    assert isinstance(score, dict)
    assert total == score["value"]
    assert call("fit", tmp_path, "asia", "--out", tmp_path / "model.bif") == 0
    assert f"the result is a {found['kind']}: taken is a DAG that fits it" in capfd.readouterr().err
    reason = run_json(capfd, "explain", tmp_path, "asia", "tub")
    assert (reason["present"], reason["kind"]) == (False, "separated")
    assert call("explain", tmp_path, "lung", "either") == 0
    assert "dependent given every set tested" in capfd.readouterr().out


def test_the_options_reach_the_tests(capfd: Captured) -> None:
    words = [
        "--alpha",
        0.05,
        "--test",
        "x2",
        "--degrees-of-freedom",
        "plain",
        "--min-rows-per-df",
        5,
        "--max-conditions",
        1,
    ]
    found = run_json(capfd, "learn", "asia", "--algorithm", "pc-stable", *words)
    assert found["settings"] == {
        "alpha": 0.05,
        "test": "x2",
        "degrees_of_freedom": "plain",
        "min_rows_per_df": 5.0,
        "max_conditions": 1,
        "only_needed": True,
        "memory_mebibytes": None,
    }
    assert run_json(
        capfd, "learn", "asia", "--algorithm", "mmhc", "--degrees-of-freedom", "adjusted", "--max-conditions", 2
    )


REFUSED = [
    (["--start", "graph.csv"], "pc-stable cannot use a start graph"),
    (
        ["--search-in-degree", 3],
        "algorithm 'pc-stable' has no setting --search-in-degree: leave it out, or use ",
    ),
    (["--test", "g3"], "--test is 'g3': did you mean 'g2'?"),
    (["--degrees-of-freedom", "some"], "--degrees-of-freedom is 'some': give one of adjusted, plain"),
    (["--max-conditions", -1], "--max-conditions is -1"),
    (["--min-rows-per-df", -1], "--min-rows-per-df is -1.0"),
    (["--alpha", 0], "--alpha is 0.0"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED)
def test_a_refusal_is_one_sentence_with_options(words: list[object], says: str, capfd: Captured) -> None:
    assert call("learn", "asia", "--algorithm", "pc-stable", *words) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert says in line
    assert "_" not in line


def test_a_variable_that_is_called_like_a_setting_keeps_its_name(tmp_path: Path, capfd: Captured) -> None:
    data = tmp_path / "data.csv"
    data.write_text("time_limit,b\n" + "x,u\ny,v\n" * 20)
    assert call("learn", data, "--require", "time_limit,b", "--forbid", "time_limit,b") == 2
    assert "required arc time_limit -> b" in capfd.readouterr().err


def test_a_time_limit_says_that_edges_are_untested(insurance: Path, capfd: Captured) -> None:
    assert call("learn", insurance, "--algorithm", "fci", "--time-limit", 1e-6) == 0
    captured = capfd.readouterr()
    assert "edges that were not tested to the end are still in it" in captured.err
    assert "none: the time limit was reached before fci had tested all edges, so no DAG was built" in captured.out
