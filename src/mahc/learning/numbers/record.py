"""What a result keeps of the treatment of its columns of numbers."""

from __future__ import annotations

from mahc.documents import Document, Number

CLOSE = 10.0  # bits: both treatments explain the data

# Why this treatment; the value ends the sentence about it.
REASONS = {
    "auto": "",  # the better of both
    "given": "",  # the user chose it
    "score": "the score needs states",
    "algorithm": "the algorithm needs states",
    "passes": "cut points were not tried: the rows are counted in passes",
    "missing": "cut points were not tried: values are missing",
    "tests": "cut points were not tried: the algorithm tests independence",
    "time": "cut points were not compared: the run was stopped",
}


class NumbersRecord(Document, frozen=True, kw_only=False):
    """How columns of numbers were treated: "smooth", "cuts", or "mixed" (some cut, the others smooth).

    `reason` says why (a key of `REASONS`). Where treatments were compared, the graph of this one explains the data by
    `margin` bits better than that of the next best, which is `next`.

    >>> NumbersRecord("smooth", "auto", 2410.2, "cuts").describe("smooth, degree 3")
    'smooth, degree 3: 2,410 bits better than cuts'
    """

    treatment: str
    reason: str
    margin: Number | None = None
    next: str | None = None

    def describe(self, how: str) -> str:
        """One line for a summary; `how` names the treatment with its details."""
        if self.margin is None:
            because = REASONS.get(self.reason, "")
            return f"{how} ({because})" if because else how
        if self.margin < 0.05:
            return f"{how}; {self.next} would explain the data equally well"
        if self.margin < CLOSE:
            return f"{how}: {self.margin:,.1f} bits better than {self.next}, so both explain the data"
        return f"{how}: {self.margin:,.0f} bits better than {self.next}"
