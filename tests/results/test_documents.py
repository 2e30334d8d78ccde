"""What is declared is saved, read, checked and in the schema: results, graph samples, models."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from damaged_json import damage
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.documents import Document, make_schema
from mahc.errors import FormatError
from mahc.inference.model_json import MODEL, SavedModel
from mahc.networks import sample_path
from mahc.results.files import RESULT, Derived
from mahc.results.graph_sample import SAMPLE, GraphSample
from mahc.results.outcomes import OUTCOMES
from mahc.results.records import DataRecord, RunRecord
from mahc.ui.server import messages

COLUMNS = {"a": ["x", "y", ""] * 20, "b": ["x", "y", "y"] * 20, "c": ["u", "u", "v", "v"] * 15}


def properties(schema: dict[str, Any]) -> set[str]:
    """The names of the fields of an object that has all parts of a schema."""
    parts = [schema["$defs"][part["$ref"].rpartition("/")[2]]["properties"] for part in schema["allOf"]]
    return {name for part in (schema.get("properties", {}), *parts) for name in part}


@pytest.mark.parametrize("algorithm", ["mahc", "tabu", "pc-stable", "fci", "exact"])
def test_every_field_of_a_result_is_declared(algorithm: str) -> None:
    learned = mahc.learn(sample_path("asia"), algorithm)
    outcome = next(kind for kind in OUTCOMES if type(learned.outcome) is kind)
    declared = properties(make_schema(RunRecord, DataRecord, outcome, Derived, format=RESULT))
    saved = learned.to_dict()
    assert set(saved) - declared - {"confidence", "path", "arc_details", "test_details"} == set()
    assert declared <= set(saved)


def test_every_field_of_a_graph_sample_and_of_a_model_is_declared(tmp_path: Path) -> None:
    found = mahc.bootstrap(COLUMNS, "hc", resamples=3, missing="pairwise")
    assert set(found.to_dict()) == properties(make_schema(RunRecord, GraphSample, format=SAMPLE, flat="run"))
    mahc.learn("asia", "hc").fit("asia").save(tmp_path / "model.json")
    saved = json.loads((tmp_path / "model.json").read_text())
    assert set(saved) == properties(make_schema(SavedModel, format=MODEL))


def test_every_document_has_a_schema() -> None:
    def below(kind: type) -> list[type]:
        return [each for sub in kind.__subclasses__() for each in (sub, *below(sub))]

    assert {*messages.REQUESTS, *messages.ANSWERS, *OUTCOMES, GraphSample, SavedModel} <= {*below(Document)}
    for kind in below(Document):
        assert "$defs" in make_schema(kind)


@pytest.mark.parametrize("missing", ["pairwise", "impute", "weighted", "structural-em"])
def test_a_saved_bootstrap_remembers_how_missing_values_were_treated(missing: str, tmp_path: Path) -> None:
    """It was lost in the file, so that the saved bootstrap could not be resumed."""
    found = mahc.bootstrap(COLUMNS, "hc", resamples=2, missing=missing)
    found.save(tmp_path / "confidence.json")
    loaded = GraphSample.load(tmp_path / "confidence.json")
    assert loaded == found
    assert loaded.run.missing == missing
    resumed = mahc.bootstrap(COLUMNS, "hc", resamples=4, missing=missing, resume=tmp_path)
    whole = mahc.bootstrap(COLUMNS, "hc", resamples=4, missing=missing)
    assert (resumed.size, resumed.graphs, resumed.patterns) == (4, whole.graphs, whole.patterns)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "mahc-confidence"}, "is not a saved bootstrap or sample of graphs: give the confidence.json"),
        ({"format_version": 0}, "has format version 0, this mahc reads 1: bootstrap again"),
        ({"how": "guessed"}, r"is damaged \(expected `str` matching regex"),
        ({"resamples": 0}, "is damaged"),
        ({"graphs": [[0, 9, {"-->": 1}]]}, "the number of a variable is out of range"),
        ({"graphs": [[0, 1, {"-->": 99}]]}, "the counts of the pair 0, 1 are not valid"),
        ({"graphs": [[0, 1, {"=>": 1}]]}, "the counts of the pair 0, 1 are not valid"),
        ({"patterns": [[1, 0, {"-->": 1}]]}, "the counts of the pair 1, 0 are not valid"),
        ({"members": [[[[0, 1], [1, 0]], 1]]}, "is damaged"),
        ({"members": [[[[0, 7]], 1]]}, "the number of a variable is out of range"),
        ({"seconds": 1e305}, r"expected `float` <= 1e\+300"),
    ],
)
def test_a_damaged_graph_sample_is_refused_in_one_sentence(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    document = mahc.bootstrap(COLUMNS, "hc", resamples=3, missing="pairwise").to_dict()
    file = tmp_path / "confidence.json"
    file.write_text(json.dumps({**document, **change}))
    with pytest.raises(FormatError, match=says) as refused:
        GraphSample.load(file)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


SAVED = json.loads(json.dumps(mahc.bootstrap(COLUMNS, "hc", resamples=3, missing="pairwise").to_dict()))


@given(st.integers(0, 2**32))
def test_a_damaged_graph_sample_is_refused_or_works(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    found = copy.deepcopy(SAVED)
    for _ in range(rng.choice([1, 1, 2, 5])):
        damage(found, rng)
    file = tmp_path_factory.mktemp("damaged") / "confidence.json"
    file.write_text(json.dumps(found))
    try:
        loaded = GraphSample.load(file)
    except FormatError:
        return
    assert loaded.to_frame().height == len(loaded.variables) * (len(loaded.variables) - 1)
    assert repr(loaded)
    assert mahc.average(loaded).graphs == loaded.size


def test_numbers_that_json_does_not_have_are_refused() -> None:
    learned = mahc.learn(COLUMNS, "hc", missing="state")
    document = {**learned.to_dict(), "seconds": float("nan")}
    with pytest.raises(FormatError, match="cannot be JSON"):
        mahc.Learned.from_dict(document)
