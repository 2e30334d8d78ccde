"""What `GraphSample.calibrated` says: where it is known, and that it is the curve or the share."""

from __future__ import annotations

import math

import pytest

import mahc
from mahc.networks import load_network, simulate
from mahc.results.frequencies import CORRECTIONS, calibrate
from mahc.results.graph_sample import describe_confidence


def asia(rows: int) -> mahc.data.Dataset:
    return simulate(load_network("asia"), rows, 1).data


def test_the_mean_of_posterior_and_boss_needs_no_correction() -> None:
    both = mahc.posterior(asia(400), samples=40, resamples=20)
    assert both.calibrated("either", "dysp") == both.edge("either", "dysp")
    assert both.calibrated("smoke", "bronc", "direction") == both.direction("smoke", "bronc")
    assert both.calibrated("smoke", "bronc", "compelled") is None
    assert "calibrated" in describe_confidence(both, [("either", "dysp")])


def test_other_powers_and_scores_were_not_measured() -> None:
    for both in (
        mahc.posterior(asia(400), samples=40, resamples=20, beta=1.0),
        mahc.posterior(asia(400), "bic", samples=40, resamples=20),
    ):
        assert both.calibrated("either", "dysp") is None


def test_nothing_is_said_of_more_rows_and_of_each_alone() -> None:
    assert mahc.posterior(asia(1_001), samples=40, resamples=20).calibrated("either", "dysp") is None
    assert mahc.posterior(asia(400), samples=40).calibrated("either", "dysp") is None
    assert mahc.bootstrap(asia(400), "boss", resamples=20).calibrated("either", "dysp") is None


def test_the_curve_of_mahc() -> None:
    found = mahc.bootstrap(asia(400), "mahc", resamples=30)
    intercept, slope = CORRECTIONS["bootstrap of mahc (bic)", "edge"]
    for left, right in (("either", "dysp"), ("smoke", "lung"), ("tub", "either")):
        times = found.edge_counts.edge(left, right)
        curve = 1 / (1 + math.exp(-intercept - slope * math.log((times + 0.5) / (30 - times + 0.5))))
        assert found.calibrated(left, right) == (pytest.approx(curve) if times else 0.0)
    assert mahc.bootstrap(asia(400), "mahc", objective="qnml", resamples=10).calibrated("either", "dysp") is None


def test_more_resamples_make_the_ends_no_surer() -> None:
    source, kind = "bootstrap of mahc (bic)", "edge"
    found = [calibrate(k, k, source, kind, 500) for k in (20, 60, 6_000)]
    few, many, most = (float(each) for each in found if each is not None)
    assert few < many == most < 1
