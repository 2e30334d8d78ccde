"""A saved model answers as the one that was saved, and a damaged file is refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.errors import FormatError
from mahc.networks import load_network, sample
from mahc.networks.files import write_network


@pytest.fixture(scope="module")
def model() -> mahc.Model:
    data = sample(load_network("asia"), 500, seed=1)
    return mahc.learn(data, "hc").fit(data)


def test_everything_is_kept(model: mahc.Model, tmp_path: Path) -> None:
    model.save(tmp_path / "model.json")
    again = mahc.Model.load(tmp_path / "model.json")
    assert again.network == model.network
    assert (again.pattern, again.not_causal) == (model.pattern, model.not_causal)
    assert model.alphas is not None
    assert again.alphas is not None
    assert all(np.array_equal(one, other) for one, other in zip(model.alphas, again.alphas, strict=True))
    assert again.query("dysp", given={"smoke": "yes"}) == model.query("dysp", given={"smoke": "yes"})
    assert str(again.effect("smoke", "dysp")) == str(model.effect("smoke", "dysp"))  # an interval over the class


def test_a_reason_against_interventions_is_kept(tmp_path: Path) -> None:
    given = mahc.Model(load_network("asia"), not_causal="because")
    given.save(tmp_path / "model.json")
    assert mahc.Model.load(str(tmp_path / "model.json")).not_causal == "because"


def test_a_network_file_is_read_as_before(tmp_path: Path) -> None:
    write_network(load_network("asia"), tmp_path / "asia.json")
    assert mahc.Model.load(tmp_path / "asia.json").network.names == load_network("asia").names


def test_another_ending_is_refused(model: mahc.Model, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a model is saved as JSON: give a name that ends in \.json, or use"):
        model.save(tmp_path / "model.bif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format_version": 2}, "has format version 2, this mahc reads 1: save the model again, or use the version"),
        ({"posterior": [[[1]]]}, "do not have the sizes"),
        ({"posterior": [[1]]}, r"damaged \(expected `array`, got `int` - at `\$.posterior\[0\]\[0\]`\)"),
        ({"posterior": "x"}, "expected `array \\| null`, got `str` - at `\\$.posterior`"),
        ({"pattern": {"names": ["a"], "edges": []}}, "other variables than the network"),
        ({"pattern": 3}, "expected `object \\| null`, got `int` - at `\\$.pattern`"),
        ({"not_causal": 3}, "expected `str \\| null`, got `int` - at `\\$.not_causal`"),
        ({"network": None}, "model.json"),
    ],
)
def test_a_damaged_file_is_one_sentence(model: mahc.Model, tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(FormatError, match=said):
        mahc.Model.load(path)


def test_a_negative_posterior_and_a_cut_file_are_refused(model: mahc.Model, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    text = path.read_text()
    document = json.loads(text)
    document["posterior"][0][0][0] = -1
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError, match="not above 0"):
        mahc.Model.load(path)
    path.write_text(text[: len(text) // 2])
    with pytest.raises(FormatError, match="cut off or damaged"):
        mahc.Model.load(path)


def test_a_model_that_another_program_wrote_again_is_still_a_model(model: mahc.Model, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document, indent=2, sort_keys=True))
    assert mahc.Model.load(path).alphas is not None
    document["posterior"][0] = [[10**400, 1]]
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError, match=r"is damaged \(.*posterior.*\): save the model again"):
        mahc.Model.load(path)


@pytest.mark.parametrize("text", ['"cancer"', '"Cancer"', '"positive"', '"bnlearn'])
def test_a_lone_surrogate_is_refused_when_the_file_is_read(text: str, tmp_path: Path) -> None:
    """It could not be saved again."""
    mahc.Model.load("cancer").save(tmp_path / "m.json")
    content = (tmp_path / "m.json").read_text(encoding="utf-8")
    assert text in content
    (tmp_path / "m.json").write_text(content.replace(text, f'"\\ud800{text[1:]}'), encoding="utf-8")
    with pytest.raises(FormatError, match="not valid Unicode"):
        mahc.Model.load(tmp_path / "m.json")
