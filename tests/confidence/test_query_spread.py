from __future__ import annotations

import numpy as np
import pytest

import mahc
from mahc.confidence import query_spread, resampled
from mahc.errors import MahcError
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import parse_noise

DATA = sample(load_network("asia"), 500, 1)


def test_the_spread_equals_a_loop_over_resampled_tables() -> None:
    found = query_spread(DATA, "lung", {"smoke": "yes"}, algorithm="hc", resamples=8, seed=3, level=0.5, threads=2)
    each = []
    for number in range(8):
        table = resampled(DATA, number, seed=3)
        each.append(mahc.learn(table, "hc").fit(table).query("lung", {"smoke": "yes"})["yes"])
    assert found["yes"] == pytest.approx(np.mean(each), rel=1e-12)
    assert found.intervals is not None
    assert [found.intervals["yes"].low, found.intervals["yes"].high] == np.quantile(each, [0.25, 0.75]).tolist()


def test_do_depends_on_the_graph() -> None:
    found = query_spread(DATA, "lung", do={"smoke": "yes"}, algorithm="hc", resamples=8, seed=3)
    assert found.intervals is not None
    assert found.intervals["yes"].width > 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 2}, "level is 2: give a number between 0 and 1"),
        ({"resamples": 0}, "resamples is 0"),
        ({"algorithm": "fci", "resamples": 2}, "the algorithm gives a PAG, which has no tables"),
    ],
)
def test_a_mistake_is_one_sentence(settings: dict[str, object], message: str) -> None:
    with pytest.raises(MahcError, match=message):
        query_spread(DATA, "lung", {"smoke": "yes"}, **settings)


def test_missing_values_stay_missing_in_every_resample() -> None:
    data = simulate(load_network("asia"), 400, 2, parse_noise("mar:0.2")).data
    found = query_spread(data, "lung", {"smoke": "yes"}, algorithm="hc", resamples=4, missing="pairwise")
    tables = [resampled(data, number) for number in range(4)]
    graphs = [mahc.learn(table, "hc", missing="pairwise").dag for table in tables]
    models = [mahc.Model.fit(dag, table, missing="em") for dag, table in zip(graphs, tables, strict=True)]
    expected = [model.query("lung", {"smoke": "yes"})["yes"] for model in models]
    assert found["yes"] == pytest.approx(sum(expected) / 4)
    assert set(found) == {"yes", "no"}
