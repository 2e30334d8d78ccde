"""The paper's worked example: Asia, 1,000 rows (sections 2.1 and 2.2, Fig 2, Table B1)."""

from __future__ import annotations

from pathlib import Path

import pytest

import mahc

FOOTNOTE_3 = (
    "either tub, lung smoke, bronc smoke, either lung, smoke bronc, dysp bronc, tub either, lung either, "
    "either xray, bronc dysp, either dysp"
)


@pytest.mark.shared
def test_mahc_on_asia_gives_the_printed_numbers(shared: Path) -> None:
    learned = mahc.learn(shared / "paper" / "asia-1k.csv")
    assert learned.pruning is not None
    assert learned.pruning.pruned_per_level == (28, 12, 5)
    assert learned.pruning.valid_sets_per_level == (8, 56, 48, 9)
    assert set(learned.pruning.allowed_arcs) == {tuple(arc.split()) for arc in FOOTNOTE_3.split(", ")}
    assert len(learned.arcs) == 7
    assert round(learned.score, 4) == -3252.1024
    assert learned.averaged_score is not None
    assert round(learned.averaged_score, 4) == -3357.7294
    assert learned.stop_reason == "converged"


@pytest.mark.shared
def test_the_last_step_is_the_one_of_figure_2(shared: Path) -> None:
    last = mahc.learn(shared / "paper" / "asia-1k.csv").steps[-1]
    assert (last.move, last.tail, last.head) == ("reverse", "bronc", "smoke")
