"""The rows of the paper's Table B1, and the counts that each of them pins down."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mahc.measures import Counts

PAPER = Path(__file__).resolve().parents[1] / ".." / "shared" / "paper" / "mahc-paper.md"
# Table 2: variables and arcs of the true graph.
CLEAN = {"Asia": (8, 8), "Sports": (9, 15), "Property": (27, 31), "Alarm": (37, 46), "ForMed": (88, 138)}
CLEAN["Pathfinder"] = (109, 195)
# 5% of the variables are latent, 10% for Asia and Sports.
LATENT = {"Asia": 1, "Sports": 1, "Property": 1, "Alarm": 2, "ForMed": 4, "Pathfinder": 5}


class Row(NamedTuple):
    algorithm: str
    case: str
    data: str
    bsf: float
    shd: float
    f1: float
    recall: float
    precision: float


def read_rows() -> list[Row]:
    """Every row of the table that has its five measures."""
    rows = []
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 10 and cells[3] in ("Clean", "Noisy") and all(cells[5:]):
            rows.append(Row(cells[0], cells[1], cells[3], *map(float, cells[5:])))
    return rows


def agrees(counts: Counts, row: Row) -> bool:
    """Whether all five printed measures are the counts' own, to the digit."""
    names = ("bsf", "shd", "f1", "recall", "precision")
    return all(abs(counts.measure(name) - getattr(row, name)) <= 0.0005 + 1e-9 for name in names)


def solutions(row: Row, variables: int, present: int) -> list[Counts]:
    """Every way to fill in the four counts so that the row comes out."""
    found = []
    pairs = variables * (variables - 1) // 2
    for twice in range(2 * present + 1):
        positives = twice / 2
        extra = row.shd - (present - positives)
        if abs(positives / present - row.recall) > 0.0006 or extra < 0 or extra != int(extra):
            continue
        for kept in range((twice + 1) // 2, min(present, twice) + 1):
            partial = 2 * kept - twice
            if present + extra > pairs:
                continue
            counts = Counts(variables, kept - partial, partial, int(extra), present - kept)
            if agrees(counts, row):
                found.append(counts)
    return found
