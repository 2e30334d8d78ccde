"""Results for DoWhy and EconML."""

from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.confidence import aipw
from mahc.data import Dataset
from mahc.errors import MahcError
from mahc.networks import load_network, sample

TIERS = {"tiers": [["asia", "smoke"], ["bronc", "lung", "tub"], ["either"], ["dysp", "xray"]]}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return sample(load_network("asia"), 3000, seed=1)


@pytest.fixture(scope="module")
def learned(data: Dataset) -> mahc.Learned:
    return mahc.learn(data, "hc", knowledge=TIERS)


def test_arrays_for_econml(data: Dataset, learned: mahc.Learned) -> None:
    found = learned.to_econml(data, "bronc", "dysp", contrast=("no", "yes"), state="yes", modifiers="smoke")
    assert found.adjustment_set == ("either", "smoke")
    codes = {name: column.codes for name, column in data.discrete_by_name.items()}
    yes = {name: codes[name] == data.discrete_by_name[name].labels.index("yes") for name in codes}
    assert np.array_equal(found.T, yes["bronc"])
    assert np.array_equal(found.Y, yes["dysp"])
    assert (found.X_names, found.W_names) == (("smoke=no",), ("either=no",))
    assert found.X is not None
    assert found.W is not None
    assert np.array_equal(found.X[:, 0], ~yes["smoke"])
    assert np.array_equal(found.W[:, 0], ~yes["either"])


def test_the_arrays_give_the_effect(data: Dataset, learned: mahc.Learned) -> None:
    """A regression on them, with one coefficient for the cause, is near the truth and near AIPW."""
    found = learned.to_econml(data, "bronc", "dysp", contrast=("no", "yes"), state="yes")
    design = np.column_stack([found.T, found.W, np.ones(len(found.T))])
    slope = np.linalg.lstsq(design, found.Y, rcond=None)[0][0]
    check = aipw(data, "bronc", "dysp", found.adjustment_set, contrast=("no", "yes"), state="yes")
    assert slope == pytest.approx(check.difference, abs=0.02)
    assert abs(check.difference - 0.667) < 4 * check.standard_error


def test_bad_questions_are_refused(data: Dataset, learned: mahc.Learned) -> None:
    for call, text in (
        (lambda: learned.to_econml(data, "bronc", "dysp", given="xray"), "does not give the effect"),
        (lambda: learned.to_econml(data, "bronc", "dysp", contrast=("no", "no")), "contrast"),
        (lambda: learned.to_econml(data, "bronc", "dysp", state="maybe"), "maybe"),
        (lambda: learned.to_econml(data, "bronc", "bronc"), "two variables"),
        (lambda: learned.to_econml(data, "bronc", "none"), "none"),
        (lambda: mahc.learn(data, "hc").to_econml(data, "smoke", "bronc"), "not identified"),
        (lambda: mahc.learn(data, "fci").to_econml(data, "smoke", "bronc"), "PAG"),
    ):
        with pytest.raises(MahcError, match=text):
            call()


@pytest.mark.peers
@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_dowhy_estimates_the_effect(data: Dataset, learned: mahc.Learned) -> None:
    pytest.importorskip("dowhy")
    model = learned.to_dowhy(data, "bronc", "dysp", contrast=("no", "yes"), state="yes")
    identified = model.identify_effect(proceed_when_unidentifiable=True)
    sets = learned.dag.adjustment_sets("bronc", "dysp")
    assert sets.is_valid(identified.get_backdoor_variables())
    check = aipw(data, "bronc", "dysp", "smoke", contrast=("no", "yes"), state="yes")
    for method in ("backdoor.linear_regression", "backdoor.propensity_score_weighting"):
        found = model.estimate_effect(identified, method_name=method)
        assert found.value == pytest.approx(check.difference, abs=0.02)
    weighted = mahc.read({"a": ["n", "y"], "b": ["n", "y"]}, weights=[50, 60])
    small = mahc.learn(weighted, "hc")
    assert len(small.to_dowhy(weighted, "a", "b")._data) == 110
