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

    A variable in no tier lies in the last band of its parents or, without parents, in the first band of its children.

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
    numbers = _place_others(names, edges, band)
    labels = tuple(f"tier {number + 1}" for number in used)
    return BandNumbers(tuple(numbers[name] for name in names), tuple(name not in band for name in names), labels)


def _place_others(names: Sequence[str], edges: Sequence[tuple[str, str]], band: dict[str, int]) -> dict[str, int]:
    parents: dict[str, list[str]] = {name: [] for name in names}
    children: dict[str, list[str]] = {name: [] for name in names}
    for first, second in edges:
        parents[second].append(first)
        children[first].append(second)
    found = {name: band.get(name, 0) for name in names}
    others = [name for name in names if name not in band]
    changed = True
    while changed:  # bands only rise, so this ends even if the edges form a cycle
        changed = False
        for name in others:
            lowest = max((found[parent] for parent in parents[name]), default=0)
            if lowest > found[name]:
                found[name], changed = lowest, True
    for name in others:
        if not parents[name] and children[name]:
            found[name] = min(found[child] for child in children[name])
    return found
