"""Every step after learning on Dask and on Spark: the bits of one table, also when a worker is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from killing_passes import KillingPass
from pieces_of_data import as_frame, by_passes, cut, graph_counts, same_network

import mahc
from mahc.cluster.dask_runner import DaskRunner, frame_pieces
from mahc.cluster.pieces import find_pieces
from mahc.cluster.spark_runner import SparkRunner
from mahc.confidence.checking import check_graph
from mahc.confidence.validation import validate
from mahc.data import ReadSettings
from mahc.networks import load_network, sample
from mahc.networks.fitting import fit
from mahc.ui.document import make_document

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.cluster, pytest.mark.long, pytest.mark.filterwarnings("ignore")]
HOW: dict[str, Any] = {"resamples": 3, "how": "poisson", "seed": 4}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 700, seed=4))


def audits_alike(first: mahc.data.Audit, second: mahc.data.Audit) -> bool:
    ours, theirs = ((found.rows, found.usable, [each.name for each in found.columns]) for found in (first, second))
    return ours == theirs


def check_predictions(data: Any, rows: pl.DataFrame, out: Path, **on: Any) -> None:
    model = mahc.Model.load("asia")
    assert model.predict_files(data, "lung", out, **on) == rows.height
    found = pl.concat([pl.read_parquet(file) for file in sorted(out.iterdir())])
    assert found["lung"].to_list() == model.predict(rows, "lung").tolist()


def check_in_passes(runner: Any, rows: pl.DataFrame) -> None:
    """Every step on a source that counts in passes."""
    source = by_passes(runner, rows.columns, ReadSettings(), 20)
    dag = load_network("asia").dag
    assert same_network(fit(dag, source, 1.0), fit(dag, mahc.read(rows), 1.0))
    assert mahc.score_graph(dag, source) == mahc.score_graph(dag, rows)
    assert check_graph(dag, source).to_dict() == check_graph(dag, rows).to_dict()
    source.budget = 1 << 27  # two searches at a time
    assert graph_counts(mahc.bootstrap(source, "hc", **HOW)) == graph_counts(mahc.bootstrap(rows, "hc", **HOW))
    found, expected = (mahc.consensus(data, ["mahc", "pc-stable"]) for data in (source, rows))
    assert found.consensus.graph == expected.consensus.graph
    parts: dict[str, Any] = {"folds": 2, "split": "position", "seed": 3}
    assert validate(source, ["mahc"], **parts).to_dict() == validate(rows, ["mahc"], **parts).to_dict()
    learned = mahc.learn(rows, "mahc")
    shown, wanted = make_document(learned, source), make_document(learned, mahc.read(rows))
    assert shown.pop("audit") is None
    wanted.pop("audit")
    assert shown == wanted


def test_dask(client: Any, rows: pl.DataFrame, tmp_path: Path) -> None:
    import dask.dataframe

    folder = cut(rows, [100, 100, 450], tmp_path / "parts")
    learned = mahc.learn(rows, "hc")
    assert same_network(learned.fit(folder, on=client).network, learned.fit(rows).network)
    assert mahc.score_graph(learned, folder, on=client) == mahc.score_graph(learned, rows)
    expected = graph_counts(mahc.bootstrap(rows, "hc", **HOW))
    assert graph_counts(mahc.bootstrap(folder, "hc", on=client, **HOW)) == expected
    frame = dask.dataframe.from_pandas(rows.to_pandas(), npartitions=3)
    assert audits_alike(mahc.audit(frame), mahc.audit(rows))
    assert audits_alike(mahc.audit(folder, on=client), mahc.audit(rows))
    assert graph_counts(mahc.bootstrap(frame, "hc", **HOW)) == expected
    check_in_passes(DaskRunner(client, frame_pieces(frame, client)), rows)
    how: dict[str, Any] = {"samples": 20, "warm_up": 2, "kicks": 0}
    drawn, wanted = mahc.posterior(folder, "bdeu", on=client, **how), mahc.posterior(rows, "bdeu", **how)
    assert (drawn.graphs, drawn.members) == (wanted.graphs, wanted.members)
    check_predictions(folder, rows, tmp_path / "files", on=client)
    check_predictions(frame, rows, tmp_path / "frame")


class OnceKillingRunner(DaskRunner):
    """A worker dies in the third pass over resamples."""

    def __init__(self, client: Any, pieces: Any, folder: Path) -> None:
        super().__init__(client, pieces)
        self._folder, self._resampled = folder, 0

    def run(self, question: Any, control: Any = None) -> Any:
        self._resampled += question.name == "resamples"
        if question.name != "resamples" or self._resampled != 3:
            return super().run(question, control)
        return super().run(KillingPass(question, self._folder, 3, 1), control)


def test_a_dask_worker_that_dies(rows: pl.DataFrame, tmp_path: Path) -> None:
    folder, marks = cut(rows, [200, 450], tmp_path / "parts"), tmp_path / "marks"
    marks.mkdir()
    expected = graph_counts(mahc.bootstrap(rows, "mahc", **HOW))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        source = by_passes(OnceKillingRunner(client, find_pieces(folder), marks), rows.columns, ReadSettings(), 20)
        source.budget = 1 << 27
        assert graph_counts(mahc.bootstrap(source, "mahc", **HOW)) == expected
        assert list(marks.iterdir())


def test_spark(session: Any, rows: pl.DataFrame, tmp_path: Path) -> None:
    frame = session.createDataFrame(rows.to_pandas())
    assert frame.rdd.getNumPartitions() > 1
    learned = mahc.learn(rows, "hc")
    assert audits_alike(mahc.audit(frame), mahc.audit(rows))
    assert same_network(learned.fit(frame).network, learned.fit(rows).network)
    assert mahc.score_graph(learned, frame) == mahc.score_graph(learned, rows)
    assert graph_counts(mahc.bootstrap(frame, "hc", **HOW)) == graph_counts(mahc.bootstrap(rows, "hc", **HOW))
    check_in_passes(SparkRunner(frame), rows)
    folder = cut(rows, [100, 450], tmp_path / "parts")
    assert graph_counts(mahc.bootstrap(folder, "hc", on=session, **HOW)) == graph_counts(
        mahc.bootstrap(rows, "hc", **HOW)
    )
    assert np.isclose(mahc.score_graph(learned, folder, on=session).total, mahc.score_graph(learned, rows).total)


def test_a_spark_executor_that_dies(session: Any, rows: pl.DataFrame, tmp_path: Path) -> None:
    """Once while tables are counted for a fit, and once while resamples are."""
    if not session.sparkContext.master.startswith("local-cluster"):
        pytest.skip("the executors are no processes of their own")
    marks = tmp_path / "marks"
    marks.mkdir()

    class KillingRunner(SparkRunner):
        def run(self, question: Any, control: Any = None) -> Any:
            if question.name not in ("tables", "resamples"):
                return super().run(question, control)
            return super().run(KillingPass(question, marks, len(question.name), 1, generations=2), control)

    frame = session.createDataFrame(rows.to_pandas())
    source = by_passes(KillingRunner(frame), rows.columns, ReadSettings(), 20)
    source.budget = 1 << 27
    dag = load_network("asia").dag
    assert same_network(fit(dag, source, 1.0), fit(dag, mahc.read(rows), 1.0))
    assert mahc.score_graph(dag, source) == mahc.score_graph(dag, rows)
    assert graph_counts(mahc.bootstrap(source, "mahc", **HOW)) == graph_counts(mahc.bootstrap(rows, "mahc", **HOW))
    assert len(list(marks.iterdir())) == 2
