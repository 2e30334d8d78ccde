"""Several algorithms, and many graphs, on tables with columns of numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.confidence import query_spread, resampled
from mahc.errors import MahcError
from mahc.inference import MixedModel


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


def test_the_spread_of_a_number_is_the_mixture_over_resamples() -> None:
    data = mahc.read(table())
    how = {"numbers": "smooth", "knowledge": {"required_arcs": [["dose", "effect"]]}}
    found = query_spread(data, "effect", {"dose": 1.2}, algorithm="hc", resamples=4, seed=3, level=0.5, **how)
    each = []
    for number in range(4):
        rows = resampled(data, number, seed=3)
        dag = mahc.learn(rows, "hc", **how).dag
        each.append(MixedModel.fit(dag, rows).query("effect", {"dose": 1.2}, seed=3 + number))
    means = np.array([answer.mean for answer in each])
    assert found.mean == pytest.approx(means.mean(), rel=1e-9)
    squares = [answer.standard_deviation**2 + answer.mean**2 for answer in each]
    assert found.standard_deviation == pytest.approx(np.sqrt(np.mean(squares) - means.mean() ** 2), rel=1e-9)
    assert [found.interval.low, found.interval.high] == pytest.approx(np.quantile(means, [0.25, 0.75]))
    inside = np.mean([(own * (values <= found.quantiles[0.75])).sum() for values, own in (a.points for a in each)])
    assert inside == pytest.approx(0.75, abs=0.005)
    assert found.level == 0.5


def test_the_spread_of_an_estimate_has_an_error() -> None:
    found = query_spread(table(), "dose", {"well": "yes"}, algorithm="hc", resamples=3, numbers="smooth")
    assert 0 < found.standard_error < 0.02
    assert "estimated from weighted samples" in found.notes[-1]
    well = query_spread(table(), "well", {"dose": 1.2}, algorithm="hc", resamples=3, numbers="smooth")
    assert well["yes"] > 0.7
    assert 0 < well.standard_errors["yes"] < 0.02


def test_a_sample_decides_how_numbers_are_asked() -> None:
    smooth = mahc.posterior(table(), samples=20, numbers="smooth")
    found = query_spread(table(), "effect", {"dose": 1.2}, sample=smooth)
    assert found.mean == pytest.approx(1.2, abs=0.2)
    assert found.notes[0] == "over 20 sampled graphs"
    cut = mahc.posterior(table(), samples=20, numbers="cuts")
    found = query_spread(table(), "effect", {"dose": 1.2}, sample=cut)
    assert sum(found.values()) == pytest.approx(1)
    assert any("cut at points" in note for note in found.notes)


def test_the_spread_of_an_answer_says_that_numbers_were_cut() -> None:
    found = query_spread(table(), "well", {"dose": 1.2}, algorithm="hc", resamples=3, numbers="cuts")
    assert found["yes"] > 0.7
    assert any("cut at points learned" in note for note in found.notes)
    assert not any("cut" in note for note in query_spread({"a": ["x", "y"] * 9}, "a", resamples=2).notes)


def test_an_unknown_treatment_is_refused_before_anything_is_learned() -> None:
    with pytest.raises(MahcError, match="numbers is 'smoth': did you mean 'smooth'"):
        query_spread(table(), "effect", numbers="smoth", resamples=2)
