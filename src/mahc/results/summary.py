"""A learned graph for a person: in a terminal and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from mahc.plurals import count
from mahc.results.confidence_text import add_columns
from mahc.results.edge_table import EdgeTable
from mahc.results.facts import facts
from mahc.results.learned import Learned
from mahc.safe_text import escape_controls

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

NUMBERS = ("strength", "resamples", "direction", "as here")  # columns that stay in one piece
MAX_VARIABLES_DRAWN = 500  # in a notebook; a picture of 1,000 takes seconds and cannot be read


def learned_page(learned: Learned, source: str) -> Group:
    """The whole summary for rich; names are shown literally, markup of rich included."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in facts(learned):
        grid.add_row(Text(label, style="dim"), Text(escape_controls(text)))
    title = Text.assemble((learned.algorithm.upper(), "bold"), f" learned from {escape_controls(source)}")
    if not learned.details.edge_number:
        return Group(title, grid, Text(), Text(escape_controls(learned.details.describe_empty(learned.run))))
    listed = learned.details.edge_table(learned.pattern)
    if learned.confidence is not None:
        listed = add_columns(listed, learned.confidence)
    return Group(title, grid, Text(), Text(listed.title, style="italic"), _as_rich(listed))


def _as_rich(listed: EdgeTable) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=any(listed.headings))
    for i, heading in enumerate(listed.headings):
        # Names may be long and wrap; marks and numbers stay in one piece.
        justify: Literal["left", "right"] = "right" if heading in NUMBERS else "left"
        table.add_column(heading, overflow="fold", no_wrap=i == 1 or heading in NUMBERS, justify=justify)
    for row in listed.rows:
        table.add_row(*(Text(escape_controls(cell)) for cell in row))
    return table


def learned_html(learned: Learned) -> str:
    """Facts and picture for a notebook; all names escaped."""
    picture = f"<p>Not drawn here: the graph has {count(len(learned.variables), 'variable')}.</p>"
    if len(learned.variables) <= MAX_VARIABLES_DRAWN:
        picture = learned.plot(title="").svg
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(label)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for label, text in facts(learned)
    )
    return f"<div><table>{rows}</table>{picture}</div>"
