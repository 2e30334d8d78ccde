"""The width of an edge in a picture: by the rank of its strength."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

THINNEST, THICKEST = 1.0, 4.0

Key = TypeVar("Key")


def rank_widths(strengths: Mapping[Key, float]) -> dict[Key, float]:
    """From 1 px for the weakest to 4 px for the strongest, evenly by rank; equal strengths have equal widths.

    >>> rank_widths({"ab": 3.0, "bc": 900.0, "cd": 12.0})
    {'ab': 1.0, 'bc': 4.0, 'cd': 2.5}
    """
    ranks = {value: rank for rank, value in enumerate(sorted(set(strengths.values())))}
    if len(ranks) == 1:
        return dict.fromkeys(strengths, (THINNEST + THICKEST) / 2)
    step = (THICKEST - THINNEST) / max(1, len(ranks) - 1)
    return {key: THINNEST + step * ranks[value] for key, value in strengths.items()}
