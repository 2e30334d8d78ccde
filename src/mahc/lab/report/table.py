"""A table of our numbers and the paper's, before it is written as text; a number is a mean over seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

# Student's t at 97.5 % for 1, 2, 3, ... degrees of freedom, rounded up so that no interval is too narrow. Not a
# bootstrap: with a handful of seeds, resampling gives intervals that are far too narrow.
_T = (12.707, 4.303, 3.183, 2.777, 2.571, 2.447, 2.365, 2.307, 2.263, 2.229, 2.201, 2.179, 2.161, 2.145, 2.132)
_T_BEYOND = ((20, 2.120), (30, 2.080), (60, 2.040), (120, 2.000), (math.inf, 1.980))

FEWEST_SEEDS = 3  # two values say next to nothing of their spread
MINUS = "−"
TONES = {"": "", "better": "▲ ", "worse": "▼ "}  # a sign too: colour alone would not reach everybody


@dataclass(frozen=True)
class Estimate:
    """The mean over the seeds; `margin` is half the 95 % interval, None with fewer than three seeds.

    >>> Estimate.of([1.0, 2.0, 3.0])
    Estimate(mean=2.0, margin=2.48..., seeds=3)
    >>> Estimate.of([1.0, None])
    Estimate(mean=1.0, margin=None, seeds=1)
    """

    mean: float
    margin: float | None
    seeds: int

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Estimate | None:
        """The mean of the values that are not None, or None if there are none."""
        known = [value for value in values if value is not None]
        if not known:
            return None
        count = len(known)
        mean = math.fsum(known) / count
        if count < FEWEST_SEEDS:
            return cls(mean, None, count)
        variance = math.fsum((value - mean) ** 2 for value in known) / (count - 1)
        return cls(mean, _student_t(count - 1) * math.sqrt(variance / count), count)

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""
        return None if self.margin is None else self.mean - self.margin

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""
        return None if self.margin is None else self.mean + self.margin


def _student_t(degrees_of_freedom: int) -> float:
    if degrees_of_freedom <= len(_T):
        return _T[degrees_of_freedom - 1]
    return next(value for limit, value in _T_BEYOND if degrees_of_freedom <= limit)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are not None.

    >>> mean([1.0, None, 2.0])
    1.5
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


@dataclass(frozen=True)
class Column:
    """A column of numbers: its heading, the digits after the point, and the unit."""

    name: str
    group: str = ""
    digits: int = 1
    unit: str = ""

    @property
    def full_name(self) -> str:
        """The heading with its group, for files that have one line of headings."""
        return f"{self.group} {self.name}".strip()

    def show(self, value: float, *, signed: bool = False) -> str:
        """A number as people write it.

        >>> Column("x", digits=1, unit="%").show(-1234.56), Column("x").show(-0.04, signed=True)
        ('−1,234.6%', '0.0')
        """
        text = f"{abs(value):,.{self.digits}f}"
        if not text.strip("0.,"):
            return text + self.unit
        sign = MINUS if value < 0 else ("+" if signed else "")
        return sign + text + self.unit

    def plain(self, value: float, *, signed: bool = False) -> str:
        """A number without its unit."""
        return replace(self, unit="").show(value, signed=signed)


@dataclass(frozen=True)
class Cell:
    """Our number and the paper's, or a note on why there is none."""

    ours: Estimate | None = None
    paper: float | None = None
    note: str = ""
    tone: str = ""  # "better" or "worse" than the reference

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's, where both exist."""
        return None if self.ours is None or self.paper is None else self.ours.mean - self.paper


@dataclass(frozen=True)
class Line:
    """One line: its headings at the left, then its cells."""

    heads: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Block:
    """Lines under a common heading, such as one kind of data."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Table:
    """A table or the numbers behind a figure; `key` is the name of its file.

    >>> line = Line(("HC",), (Cell(Estimate(68.0, None, 1), 68.3),))
    >>> table = Table("table-4", "Table 4", "", ("Algorithm",), (Column("Better", unit="%"),), (Block("", (line,)),))
    >>> table.columns[0].show(table.blocks[0].lines[0].cells[0].difference, signed=True)
    '−0.3%'
    """

    key: str
    title: str
    caption: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    folded: bool = False  # whether the page shows each block only on a click

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The groups of columns, each with the number of its columns."""
        return [(name, len(list(members))) for name, members in groupby(self.columns, key=lambda one: one.group)]

    @property
    def length(self) -> int:
        """How many lines it has."""
        return sum(len(block.lines) for block in self.blocks)

    @property
    def has_paper(self) -> bool:
        """Whether any of its cells has a number from the paper."""
        return any(cell.paper is not None for block in self.blocks for line in block.lines for cell in line.cells)
