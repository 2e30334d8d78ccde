"""Tiers as bands of a picture, one below another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.errors import GraphError, UnknownNameError

PADDING = 17.0


@dataclass(frozen=True)
class TierBand:
    """One tier: its label and where its band begins and ends."""

    label: str
    top: float
    bottom: float


@dataclass(frozen=True)
class BandNumbers:
    """For each variable the band that it lies in, and whether it is there although it is in no tier."""

    numbers: tuple[int, ...]
    outside: tuple[bool, ...]
    labels: tuple[str, ...]

    def place(self, heights: Sequence[tuple[float, float]]) -> tuple[TierBand, ...]:
        """The bands around rows with these tops and bottoms."""
        return tuple(
            TierBand(label, top - PADDING, bottom + PADDING)
            for label, (top, bottom) in zip(self.labels, heights, strict=True)
        )


def assign_bands(
    names: Sequence[str], edges: Sequence[tuple[str, str]], tiers: Sequence[Sequence[str]]
) -> BandNumbers | None:
    """The band of each variable; None if there are no tiers.

    A variable in no tier lies in the band of the last tier among its neighbours, or in the first band.

    >>> assign_bands(["a", "b", "c"], [("b", "c")], [["a"], ["b"]]).numbers
    (0, 1, 1)
    """
    tier_of: dict[str, int] = {}
    for number, tier in enumerate(tiers):
        for name in tier:
            if name not in names:
                raise UnknownNameError("variable", name, names)
            if name in tier_of:
                raise GraphError(f"the variable '{name}' is in two tiers")
            tier_of[name] = number
    if not tier_of:
        return None
    used = sorted(set(tier_of.values()))
    band = {name: used.index(number) for name, number in tier_of.items()}
    around: dict[str, list[int]] = {name: [] for name in names}
    for first, second in edges:
        for name, other in ((first, second), (second, first)):
            if other in band:
                around[name].append(band[other])
    numbers = tuple(band.get(name, max(around[name], default=0)) for name in names)
    labels = tuple(f"tier {number + 1}" for number in used)
    return BandNumbers(numbers, tuple(name not in band for name in names), labels)
