"""Several algorithms, and many graphs, on tables with columns of numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.confidence import query_spread
from mahc.errors import MahcError


def table(rows: int = 300) -> dict[str, list[float] | list[str]]:
    draw = np.random.default_rng(1)
    dose = draw.normal(size=rows)
    effect = dose + 0.5 * draw.normal(size=rows)
    well = np.where(effect + 0.3 * draw.normal(size=rows) > 0, "yes", "no")
    return {"dose": dose.tolist(), "effect": effect.tolist(), "well": well.tolist()}


def test_each_contestant_has_the_treatment_that_suits_it() -> None:
    found = mahc.consensus(table(), ["hc", "hc/bic", "pc-stable", "saiyanh"])
    assert found.treatments == {"hc": "smooth", "hc/bic": "cuts", "pc-stable": "smooth", "saiyanh": "cuts"}
    assert len(found.consensus.graph.edges) == 2
    for name, member in found.members.items():
        algorithm, _, score = name.partition("/")
        alone = mahc.learn(table(), algorithm, objective=score or None)
        assert member == alone.pattern
    assert mahc.consensus({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}, ["hc", "boss"]).treatments == {}
    resampled = mahc.consensus(table(), ["hc", "boss"], resamples=3, numbers="cuts")
    assert resampled.treatments == {"hc": "cuts", "boss": "cuts"}
    with pytest.raises(MahcError, match='saiyanh is for states: use numbers="cuts"'):
        mahc.consensus(table(), ["hc", "saiyanh"], numbers="smooth")


def test_the_command_says_how_numbers_were_treated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.DataFrame(table()).write_csv(tmp_path / "data.csv")
    words = ["consensus", str(tmp_path / "data.csv"), "--algorithms", "hc,hc/bic"]
    with pytest.raises(SystemExit):
        run(words)
    assert "Numbers: hc smooth, hc/bic cuts" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run([*words, "--json", "--numbers", "cuts"])
    assert json.loads(capsys.readouterr().out)["numbers"] == {"hc": "cuts", "hc/bic": "cuts"}


def test_the_spread_of_an_answer_says_that_numbers_were_cut() -> None:
    found = query_spread(table(), "well", {"dose": 1.2}, algorithm="hc", resamples=3)
    assert found["yes"] > 0.7
    assert any("cut at points learned" in note for note in found.notes)
    assert not any("cut" in note for note in query_spread({"a": ["x", "y"] * 9}, "a", resamples=2).notes)
    with pytest.raises(MahcError, match='use numbers="cuts"'):
        query_spread(table(), "well", resamples=2, numbers="smooth")
