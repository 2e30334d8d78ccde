"""The summary and the JSON say how many arcs lower the score, against a search over all removals."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import mahc
from mahc.networks import load_network, sample
from mahc.results.files import summary_to_dict
from mahc.results.outcomes import DagOutcome
from mahc.results.summary import facts


def test_learn_says_which_arcs_lower_the_score() -> None:
    rows = sample(load_network("asia"), 2000, seed=1)
    data = dataclasses.replace(rows, weights=np.full(2000, 10_000))
    learned = mahc.learn(data)
    assert isinstance(learned.outcome, DagOutcome)
    expected = {}
    for arc in learned.arcs:
        without = mahc.DAG(learned.variables, [other for other in learned.arcs if other != arc])
        gain = mahc.score_graph(without, data).total - (learned.score or 0.0)
        if gain > 5 / math.log(2):
            expected[arc] = gain
    assert expected
    found = {(tail, head): gain for tail, head, gain in learned.outcome.costly_arcs(learned.run)}
    assert found == pytest.approx(expected, abs=1e-5)
    notes = [text for label, text in facts(learned) if label == "Note"]
    tail, head = max(sorted(expected), key=lambda arc: round(expected[arc], 3))
    assert f"{len(expected)} arcs lower the score: without {tail} -> {head} alone it would be 776.1" in notes[-1]
    printed = json.loads(json.dumps(summary_to_dict(learned)))
    assert len(printed["costly_arcs"]) == len(expected)
    assert len(printed["missed_arcs"]) == len(learned.outcome.missed_arcs(learned.run))


def test_required_arcs_and_plain_climbs_are_not_accused() -> None:
    data = sample(load_network("asia"), 300, seed=1)
    for algorithm in ("hc", "mahc"):
        learned = mahc.learn(data, algorithm, knowledge={"required_arcs": [["asia", "smoke"]]})
        assert isinstance(learned.outcome, DagOutcome)
        assert learned.outcome.costly_arcs(learned.run) == []
