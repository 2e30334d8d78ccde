from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mahc.cli.main import run
from mahc.data import read
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.graphs.files import write_graph
from mahc.networks import fit, load_network, sample, sample_path
from mahc.networks.files import read_network
from mahc.networks.simulation_files import write_table

ASIA = load_network("asia").dag


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


@pytest.fixture
def result(tmp_path: Path) -> Path:
    content = {"variables": list(ASIA.names), "arcs": ASIA.arcs}
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "result.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path / "run"


@pytest.mark.parametrize("suffix", [".bif", ".xdsl", ".xmlbif", ".net", ".dsl", ".json", ".json.gz"])
def test_a_result_and_its_data_become_a_network(
    tmp_path: Path, result: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    out = tmp_path / f"model{suffix}"
    assert call("fit", result, "asia", "--out", out) == 0
    network, expected = read_network(out), fit(ASIA, read(sample_path("asia")))
    assert network.dag == ASIA
    for name in ASIA.names:
        there, here = network.names.index(name), expected.names.index(name)
        np.testing.assert_array_equal(network.tables[there], expected.tables[here])
    assert "fitted to 1,000 rows, maximum likelihood" in capsys.readouterr().out


def test_a_prior_leaves_no_probability_at_zero(tmp_path: Path, result: Path) -> None:
    assert call("fit", result, "asia", "--ess", 10, "--out", tmp_path / "m.json") == 0
    assert min(table.min() for table in read_network(tmp_path / "m.json").tables) > 0


def test_a_graph_file_will_do_and_a_cpdag_is_directed_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_graph(dag_to_cpdag(ASIA), tmp_path / "cpdag.csv")
    assert call("fit", tmp_path / "cpdag.csv", "asia", "--out", tmp_path / "m.bif") == 0
    assert "one DAG of its class" in capsys.readouterr().err
    assert dag_to_cpdag(read_network(tmp_path / "m.bif").dag) == dag_to_cpdag(ASIA)


def test_names_that_the_format_cannot_hold_are_replaced_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.csv").write_text("my x,y\n<5 k,0\n>5 k,1\n", encoding="utf-8")
    write_graph(DAG(["my x", "y"], [("my x", "y")]), tmp_path / "g.csv")
    words = ["fit", tmp_path / "g.csv", tmp_path / "d.csv", "--out", tmp_path / "m.bif"]
    assert call(*words) == 2
    assert "BIF cannot hold the variable 'my x'" in capsys.readouterr().err
    assert not (tmp_path / "m.bif").exists()
    assert call(*words, "--safe-names") == 0
    assert "mahc: note: 1 variable renamed for the format: 'my x' as my_x\n" in capsys.readouterr().err
    assert read_network(tmp_path / "m.bif").names == ("my_x", "y")


def test_columns_that_the_graph_lacks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(DAG(["smoke", "lung"], [("smoke", "lung")]), tmp_path / "g.csv")
    assert call("fit", tmp_path / "g.csv", "asia", "--out", tmp_path / "m.bif") == 0
    assert "no part of the network: asia, tub, bronc, either, xray and 1 more\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "asia", "--out", "m.pkl"], "m.pkl: the suffix '.pkl' is not a network format"),
        (["run", "asia", "--out", "m"], "the name without a suffix is not a network format"),
        (["run", "asia", "--out", "m.dsc"], "is only read"),
        (["run", "asia"], "--out"),
        (["run", "gone.csv", "--out", "m.bif"], "gone.csv"),
        (["gone.json", "asia", "--out", "m.bif"], "gone.json: the file cannot be read"),
        (["run", "asia", "--out", "m.bif", "--ess", "-1"], "the equivalent sample size is -1.0"),
        (["run", "cancer.csv", "--out", "m.bif"], "the data lack a variable of the graph: unknown column 'asia'"),
        (["pag.csv", "asia", "--out", "m.bif"], "asia o-o tub: tables are fitted to a DAG or a CPDAG only"),
    ],
)
def test_a_mistake_ends_with_2_and_one_sentence_and_nothing_written(
    tmp_path: Path,
    result: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(sample(load_network("cancer"), 100, 1), "cancer.csv")
    write_graph(MixedGraph(ASIA.names, [("asia", "o-o", "tub")]), "pag.csv")
    assert call("fit", *words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.splitlines()[-1].startswith("mahc: ")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("m", ".m"))]


def test_tables_of_incomplete_data_are_fitted_by_em(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mahc.inference.em import fit_em

    rows = ["no,no"] * 30 + ["yes,yes"] * 20 + ["yes,no"] * 5 + [",yes"] * 10 + ["no,"] * 8
    (tmp_path / "gaps.csv").write_text("rain,wet\n" + "\n".join(rows) + "\n", encoding="utf-8")
    dag = DAG(("rain", "wet"), [("rain", "wet")])
    write_graph(dag, tmp_path / "graph.csv")
    words = ["fit", tmp_path / "graph.csv", tmp_path / "gaps.csv", "--out", tmp_path / "m.json"]
    assert call(*words) == 2
    assert "values are missing" in capsys.readouterr().err
    assert not (tmp_path / "m.json").exists()
    assert call(*words, "--missing", "em") == 0
    network = read_network(tmp_path / "m.json")
    assert all("missing" not in states for states in network.states)
    data = read(tmp_path / "gaps.csv", missing="state").state_as_missing()
    expected = fit_em(dag, data).network
    for name in dag.names:
        there, here = network.names.index(name), expected.names.index(name)
        np.testing.assert_allclose(network.tables[there], expected.tables[here], atol=1e-9)
    # Wet rows without a value of rain are all put down to rain: 35 of 73 rows, by hand.
    rain = network.tables[network.names.index("rain")].ravel()
    assert rain[network.states[network.names.index("rain")].index("yes")] == pytest.approx(35 / 73, abs=1e-3)


def test_a_name_that_the_format_cannot_hold_names_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.csv").write_text("my x,b\n" + "p,q\nr,s\n" * 30)
    (tmp_path / "g.csv").write_text("from,to\nmy x,b\n")
    with pytest.raises(SystemExit) as end:
        run(["fit", str(tmp_path / "g.csv"), str(tmp_path / "d.csv"), "--out", str(tmp_path / "n.bif")])
    assert end.value.code == 2
    assert "(--safe-names)" in capsys.readouterr().err
