"""The proven gap of exact learning goes with the result: into JSON and back, and before people's eyes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from msgspec import structs

import mahc
from mahc.learning.stop_reason import StopReason
from mahc.networks import sample_path
from mahc.results.files import summary_to_dict
from mahc.results.summary import facts, score_line

ASIA = sample_path("asia")


def test_a_proven_graph_has_gap_0_and_says_so(tmp_path: Path) -> None:
    learned = mahc.learn(ASIA, "exact")
    assert learned.gap == 0
    assert summary_to_dict(learned)["gap"] == 0
    assert dict(facts(learned))["Score"].endswith(", proven optimal")
    learned.save(tmp_path / "result.json")
    assert mahc.Learned.load(tmp_path / "result.json").gap == 0


def test_a_gap_that_is_left_is_told() -> None:
    proven = mahc.learn(ASIA, "exact")
    learned = dataclasses.replace(
        proven,
        outcome=structs.replace(proven.outcome, gap=12.5),
        run=structs.replace(proven.run, stop_reason=StopReason.TIME_LIMIT),
    )
    assert score_line(learned).endswith(", at most 12.5000 bits below the best possible")


def test_others_prove_nothing() -> None:
    learned = mahc.learn(ASIA, "hc")
    assert learned.gap is None
    assert "proven" not in score_line(learned)
