"""The shipped numbers of the paper are those that the paper prints."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from mahc.lab.paper.numbers import CASES, SIZES, average_changes, normalised_scores, raw_rows, wins

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "mahc" / "lab" / "paper" / "printed"


@pytest.mark.shared
def test_the_shipped_files_are_what_the_tool_makes_of_the_paper(shared: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_paper_numbers", ROOT / "tools" / "make_paper_numbers.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    made = tool.make((shared / "paper" / "mahc-paper.md").read_text(encoding="utf-8"))
    assert len(made) == 6
    for name, text in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


@pytest.mark.shared
def test_the_numbers_of_sentences_stand_in_the_paper(shared: Path) -> None:
    paper = (shared / "paper" / "mahc-paper.md").read_text(encoding="utf-8")
    for words in (
        "led to 28 pruning decisions",
        "led to 12 pruning decisions",
        "led to five pruning decisions",
        "out of the possible 56 arcs",
        "score of 80% for HC",
        "relative score of 100% for HC",
        "6-hour runtime limit",
        "minimum of 1 second runtime",
        "In two of the experiments",
        "exclude 10 experiments",
    ):
        assert words in paper, words


def test_every_table_is_complete() -> None:
    assert len(raw_rows()) == 8 * len(CASES) * len(SIZES) * 2
    assert len({(row.contestant, row.case, row.rows, row.data) for row in raw_rows()}) == 384
    assert len(normalised_scores()) == 72
    assert len(average_changes()) == 9
    for data in ("clean", "cMISL"):
        assert len(wins(data)) == 7


def test_every_triple_of_better_same_worse_adds_up_to_100() -> None:
    for data in ("clean", "cMISL"):
        for algorithm, shares in wins(data).items():
            for measure in {measure for measure, _ in shares}:
                total = sum(shares[measure, word] for word in ("better", "same", "worse"))
                assert total == pytest.approx(100, abs=0.11), (data, algorithm, measure)
