"""A table of our numbers and the paper's, before it is written as text."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.paper.estimate import Estimate

MINUS = "−"
TONES = {"": "", "better": "▲ ", "worse": "▼ "}  # a sign too: colour alone would not reach everybody


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
    def has_paper(self) -> bool:
        """Whether any of its cells has a number from the paper."""
        return any(cell.paper is not None for block in self.blocks for line in block.lines for cell in line.cells)
