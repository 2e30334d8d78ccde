"""Every step on pieces whose distinct rows do not fit into memory: the bits of one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut, random_frame, same_network, sharded

import mahc
from mahc.cluster import ShardedRows, sharded_rows
from mahc.confidence.checking import check_graph
from mahc.confidence.validation import validate
from mahc.data import ReadSettings
from mahc.errors import DataError
from mahc.inference import Model
from mahc.networks import load_network, sample
from mahc.networks.fitting import fit
from mahc.scores import make_score
from mahc.ui.document import make_document
from mahc.ui.report import write_report

random_cuts = st.lists(st.integers(0, 60), max_size=4)
relaxed = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def alarm() -> pl.DataFrame:
    return as_frame(sample(load_network("alarm"), 3000, seed=2))


def in_passes(folder: Path, **reading: Any) -> ShardedRows:
    """The pieces as they are opened where the distinct rows do not fit."""
    found = mahc.opening.open_data(folder, ReadSettings(**reading), memory_mebibytes=0)
    assert isinstance(found, ShardedRows)
    return found


@given(seed=st.integers(0, 10_000), cuts=random_cuts, weighted=st.booleans(), ess=st.sampled_from([0.0, 1.0]))
@relaxed
def test_tables_and_scores_of_random_pieces(
    seed: int, cuts: list[int], weighted: bool, ess: float, tmp_path: Path
) -> None:
    frame = random_frame(np.random.default_rng(seed), 60, weighted)
    reading = ReadSettings(weights="w" if weighted else None)
    source = sharded(cut(frame, cuts, tmp_path / "parts"), reading)
    data = mahc.read(frame, weights=reading.weights)
    names = list(source.names)
    dag = mahc.DAG(names, [(names[0], names[1]), (names[2], names[1]), (names[3], names[4])])
    assert same_network(fit(dag, source, ess), fit(dag, data, ess))
    for score in ("bic", "bdeu", "qnml"):
        assert mahc.score_graph(dag, source, score).families == mahc.score_graph(dag, data, score).families


def test_a_fit_is_one_pass(alarm: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(alarm, [500, 2500], tmp_path / "parts")
    source, network = in_passes(folder), load_network("alarm")
    before = source.passes
    assert same_network(fit(network.dag, source), fit(network.dag, mahc.read(alarm)))
    assert source.passes == before + 1
    source.close()


def test_tables_that_the_core_does_not_give_complete(
    alarm: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = load_network("alarm")
    monkeypatch.setattr(sharded_rows, "MOST_COMPLETE", 20)
    source = in_passes(cut(alarm, [700], tmp_path / "parts"))
    assert same_network(fit(network.dag, source), fit(network.dag, mahc.read(alarm)))
    source.close()


@pytest.mark.long
def test_a_result_is_fitted_and_scored_by_its_folder(alarm: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(alarm, [500, 500, 2500], tmp_path / "parts")
    learned = mahc.learn(alarm, "hc", step_limit=20)
    small = {"memory_mebibytes": 1}
    assert same_network(learned.fit(folder, **small).network, learned.fit(alarm).network)
    assert mahc.score_graph(learned, folder, **small) == mahc.score_graph(learned, alarm)
    assert same_network(Model.fit(learned.dag, in_passes(folder)).network, Model.fit(learned.dag, alarm).network)


def test_numbers_in_passes_are_scored_and_not_fitted(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"x": rng.normal(size=1500), "y": rng.normal(size=1500)})
    frame = frame.with_columns(z=pl.col("x") + 0.3 * pl.col("y"))
    folder = cut(frame, [700], tmp_path / "parts")
    dag = mahc.DAG(["x", "y", "z"], [("x", "z"), ("y", "z")])
    for score in (make_score("bge"), make_score("gaussian-bic"), make_score("smooth", degree=2)):
        assert mahc.score_graph(dag, folder, score, memory_mebibytes=0) == mahc.score_graph(dag, frame, score)
    with pytest.raises(DataError, match=r"column 'x' holds numbers, and .*do not fit into memory: cut it with"):
        mahc.learn(frame, "hc", objective="bge").fit(folder, memory_mebibytes=0)


@pytest.mark.parametrize("basis", ["separators", "markov"])
def test_a_graph_is_checked_in_passes(basis: str, alarm: pl.DataFrame, tmp_path: Path) -> None:
    dag = mahc.learn(alarm, "hc", step_limit=25).dag
    source = in_passes(cut(alarm, [500, 2500], tmp_path / "parts"))
    before = source.passes
    found = check_graph(dag, source, basis=basis)
    assert found.to_dict() == check_graph(dag, alarm, basis=basis).to_dict()
    assert source.passes - before <= 6
    source.close()


def test_consensus_and_posterior_in_passes(tmp_path: Path) -> None:
    rows = as_frame(sample(load_network("child"), 1500, seed=2))
    source = in_passes(cut(rows, [500], tmp_path / "parts"))
    names = ["hc", "pc-stable"]
    found, expected = mahc.consensus(source, names), mahc.consensus(rows, names)
    assert found.consensus.graph == expected.consensus.graph
    assert {name: graph.edges for name, graph in found.members.items()} == {
        name: graph.edges for name, graph in expected.members.items()
    }
    how: dict[str, Any] = {"samples": 20, "warm_up": 2, "kicks": 0}
    drawn, wanted = mahc.posterior(source, "bdeu", **how), mahc.posterior(rows, "bdeu", **how)
    assert (drawn.graphs, drawn.members) == (wanted.graphs, wanted.members)
    source.close()


@pytest.mark.long
def test_a_consensus_of_poisson_resamples(tmp_path: Path) -> None:
    rows = as_frame(sample(load_network("asia"), 600, seed=2))
    how: dict[str, Any] = {"resamples": 5, "how": "poisson"}
    found = mahc.consensus(cut(rows, [500], tmp_path / "parts"), ["hc", "pc-stable"], **how)
    expected = mahc.consensus(rows, ["hc", "pc-stable"], **how)
    assert found.consensus.graph == expected.consensus.graph
    assert [each.graphs for each in found.samples.values()] == [each.graphs for each in expected.samples.values()]


@pytest.mark.long
def test_validation_by_position(tmp_path: Path) -> None:
    rows = as_frame(sample(load_network("child"), 1500, seed=2))
    source = in_passes(cut(rows, [100, 900], tmp_path / "parts"))
    how: dict[str, Any] = {"folds": 2, "split": "position", "seed": 3}
    expected = validate(rows, ["hc", "pc-stable"], **how).to_dict()
    assert validate(source, ["hc", "pc-stable"], **how).to_dict() == expected
    with pytest.raises(DataError, match=r"divided by content: use split="):
        validate(source, ["hc"], folds=2)
    source.close()
    assert validate(tmp_path / "parts", ["hc", "pc-stable"], **how).to_dict() == expected
    by_content = validate(rows, ["hc"], folds=2, seed=3).held[0].bits
    assert abs(by_content - validate(rows, ["hc"], **how).held[0].bits) < 0.5


@pytest.mark.long
def test_a_report_in_passes(alarm: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(alarm, [500], tmp_path / "parts")
    learned = mahc.learn(alarm, "hc", step_limit=20)
    found, expected = (make_document(learned, table) for table in (in_passes(folder), mahc.read(alarm)))
    assert found.pop("audit") is None
    assert expected.pop("audit") is not None
    assert found == expected
    write_report(learned, tmp_path / "report.html", folder, memory_mebibytes=0)
    assert (tmp_path / "report.html").stat().st_size > 50_000
