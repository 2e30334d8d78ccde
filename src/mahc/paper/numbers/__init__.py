"""The numbers that the paper prints, to compare with ours; made by tools/make_paper_numbers.py."""

from __future__ import annotations

from mahc.paper.numbers.reading import (
    ALGORITHMS,
    CASES,
    DATA,
    ONLY_AVERAGING,
    ONLY_PRUNING,
    SIZES,
    average_changes,
    learning_classes,
    network_facts,
    normalised_scores,
    raw_rows,
    text_number,
    wins,
)

__all__ = [
    "ALGORITHMS",
    "CASES",
    "DATA",
    "ONLY_AVERAGING",
    "ONLY_PRUNING",
    "SIZES",
    "average_changes",
    "learning_classes",
    "network_facts",
    "normalised_scores",
    "raw_rows",
    "text_number",
    "wins",
]
