"""One finding of the paper, and whether it holds in a run."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.paper.estimate import Estimate
from mahc.paper.table import Column

HOLDS, FAILS, OPEN, UNTESTED = "holds", "does not hold", "undecided", "not tested"
PERCENT, POINTS = Column("", unit="%"), Column("", unit=" points")


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, its number, ours, and the margin: above zero the claim holds.

    >>> Finding("x", "", "", Estimate(2.0, 1.0, 5)).verdict, Finding("x", "", "", Estimate(2.0, 3.0, 5)).verdict
    ('holds', 'undecided')
    """

    claim: str
    paper: str
    ours: str
    margin: Estimate | None
    printed_here: str = ""  # the paper's number on the cases and sizes of this run, from Table B.1

    @property
    def verdict(self) -> str:
        """Whether it holds; undecided where the 95 % interval over the seeds contains zero."""
        if self.margin is None:
            return UNTESTED
        half_width = self.margin.margin or 0.0
        if abs(self.margin.mean) <= half_width:
            return OPEN
        return HOLDS if self.margin.mean > 0 else FAILS


def show(value: Estimate | None, signed: bool = False, column: Column = PERCENT) -> str:
    """Our number as text."""
    if value is None:
        return "not run"
    margin = "" if value.margin is None else f" ± {value.margin:.1f}"
    return column.show(value.mean, signed=signed) + margin
