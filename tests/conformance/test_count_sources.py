"""Every algorithm learns the same from a count source as from the data themselves."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from count_sources import DictionarySource, ShardedSource
from msgspec import structs

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset, read
from mahc.engine import EngineRows, Families, FamilyCounts
from mahc.errors import SettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.networks import load_network, sample

pytestmark = pytest.mark.long

KNOWN = Knowledge(
    required_edges=[("asia", "xray")],
    forbidden_arcs=[("dysp", "bronc")],
    tiers=[["smoke"], ["lung"]],
    max_parents={"either": 2},
)
TARGETS = Knowledge(targets={"lung": 4.0}, all_relevant=True)


@pytest.fixture(scope="module")
def asia() -> Dataset:
    """Few rows, with two columns that are copies of each other, so that the tie order needs more than marginals."""
    data = sample(load_network("asia"), 300, seed=4)
    names = (*data.names, "copy", "turned")
    states = (*data.labels, data.labels[1], data.labels[2])
    turned = (data.state_counts[2] - 1 - data.codes[2]).astype(np.uint8)
    return Dataset.coded(names, states, (*data.codes, data.codes[1], turned))


def same(one: mahc.Learned, other: mahc.Learned) -> None:
    """Equal in everything that a result file holds but the seconds; numbers to the last bit."""
    assert _without_seconds(one) == _without_seconds(other)
    assert one == other


def _without_seconds(learned: mahc.Learned) -> dict[str, object]:
    with TemporaryDirectory() as folder:
        learned.save(Path(folder) / "result.json")
        found: dict[str, object] = json.loads((Path(folder) / "result.json").read_text())
    del found["seconds"], found["total_seconds"], found["timings"]
    found["path"] = [step[:-1] for step in found["path"]]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("source", [DictionarySource, ShardedSource, EngineRows])
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_count_source_gives_the_result_of_the_data(
    algorithm: str, source: type[DictionarySource], asia: Dataset
) -> None:
    same(mahc.learn(source(asia), algorithm), mahc.learn(asia, algorithm))


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_with_knowledge_and_another_score_too(algorithm: str, asia: Dataset) -> None:
    known = structs.replace(KNOWN, max_parents={}) if "max_parents" in ALGORITHMS[algorithm].idle else KNOWN
    for settings in ({"objective": "bdeu"}, {"objective": "qnml", "ties": "file-order"}):
        found = mahc.learn(EngineRows(asia), algorithm, knowledge=known, **settings)  # type: ignore[arg-type]
        same(found, mahc.learn(asia, algorithm, knowledge=known, **settings))  # type: ignore[arg-type]


def test_targets_and_joining_work_from_counts(asia: Dataset) -> None:
    same(mahc.learn(ShardedSource(asia), knowledge=TARGETS), mahc.learn(asia, knowledge=TARGETS))


def test_weighted_rows_and_states_that_do_not_occur() -> None:
    codes = (np.array([0, 1, 2, 0, 1]), np.array([0, 1, 1, 0, 0]))
    weights = np.array([3, 5, 1, 2, 9])
    data = Dataset.coded(("a", "b"), (("x", "y", "z", "never"), ("u", "v")), codes, weights)
    for algorithm in ("mahc", "pc-stable", "saiyanh"):
        same(mahc.learn(DictionarySource(data), algorithm), mahc.learn(data, algorithm))


def test_reading_settings_beside_a_source_are_refused(asia: Dataset) -> None:
    with pytest.raises(SettingError, match="missing is a reading setting, and a count source is already read"):
        mahc.learn(DictionarySource(asia), missing="drop")
    with pytest.raises(SettingError, match="weights is a reading setting, and a count source is already read"):
        mahc.learn(DictionarySource(asia), weights="w")


def test_the_time_limit_ends_a_run_on_a_source(asia: Dataset) -> None:
    learned = mahc.learn(ShardedSource(asia), "tabu", time_limit=1e-6)
    assert learned.stop_reason == "time_limit"
    assert learned.arcs == ()


def test_an_error_of_the_source_reaches_the_caller(asia: Dataset) -> None:
    class Broken(DictionarySource):
        def count_families(self, families: Families) -> FamilyCounts:
            if len(families) == 1 or families.offsets[-1] > len(families):
                raise ConnectionError("the cluster is gone")
            return super().count_families(families)

    for algorithm in ("hc", "mahc", "pc-stable"):
        with pytest.raises(ConnectionError, match="the cluster is gone"):
            mahc.learn(Broken(asia), algorithm)


def test_a_source_is_asked_in_few_batches() -> None:
    data = read({f"v{k}": [str(i * (k + 3) % 7 % 3) for i in range(60)] for k in range(6)})
    source = DictionarySource(data)
    learned = mahc.learn(source, "hc")
    assert source.requests <= 8 + 2 * len(learned.steps)
