"""Horizontal positions of points: near their neighbours, in the order of the row, without overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Rows = Sequence[Sequence[int]]
Links = Mapping[int, Sequence[int]]

PASSES = 30


def place_points(rows: Rows, up: Links, down: Links, widths: Mapping[int, float], bends: set[int]) -> dict[int, float]:
    """The centre of each point; `bends` are points of long edges, which are kept straight with priority."""
    x: dict[int, float] = {}
    offsets = [_offsets(row, widths, bends) for row in rows]
    for row, shift in zip(rows, offsets, strict=True):
        for v, s in zip(row, shift, strict=True):
            x[v] = s - shift[-1] / 2
    for turn in range(PASSES):
        indices = range(len(rows)) if turn % 2 == 0 else range(len(rows) - 1, -1, -1)
        # The first passes use one side only, which spreads the shape over the whole picture.
        sides = (up if turn % 2 == 0 else down,) if turn < 6 else (up, down)
        for r in indices:
            _settle(rows[r], offsets[r], sides, x, bends)
    return x


def _offsets(row: Sequence[int], widths: Mapping[int, float], bends: set[int]) -> list[float]:
    shift = [0.0] * len(row)
    for i in range(1, len(row)):
        a, b = row[i - 1], row[i]
        gap = 10.0 if a in bends and b in bends else 16.0 if a in bends or b in bends else 22.0
        shift[i] = shift[i - 1] + (widths[a] + widths[b]) / 2 + gap
    return shift


def _settle(
    row: Sequence[int], shift: Sequence[float], sides: Sequence[Links], x: dict[int, float], bends: set[int]
) -> None:
    # Least squares to the preferred positions under the constraints of order and distance: isotonic regression.
    blocks: list[tuple[float, float, int]] = []  # mean preferred position, weight, members
    for v, s in zip(row, shift, strict=True):
        preferred, weight = _preferred_position(v, sides, x, bends)
        block = (preferred - s, weight, 1)
        while blocks and blocks[-1][0] >= block[0]:
            mean, heavy, count = blocks.pop()
            total = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / total, total, count + block[2])
        blocks.append(block)
    i = 0
    for mean, _, count in blocks:
        for _ in range(count):
            x[row[i]] = mean + shift[i]
            i += 1


def _preferred_position(v: int, sides: Sequence[Links], x: Mapping[int, float], bends: set[int]) -> tuple[float, float]:
    total = weight = 0.0
    for links in sides:
        for u in links[v]:
            pull = (1.0, 2.0, 8.0)[(u in bends) + (v in bends)]
            total += pull * x[u]
            weight += pull
    if not weight:
        return x[v], 0.01
    return total / weight, weight
