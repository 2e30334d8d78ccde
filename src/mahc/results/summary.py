"""A learned graph for a person: in a terminal and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mahc.graphs.pictures import PICTURES
from mahc.results.facts import facts
from mahc.results.learned import Learned

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

MOST_ARCS_SHOWN = 60
MOST_VARIABLES_DRAWN = 500  # in a notebook; a picture of 1,000 takes seconds and nobody reads it
MEANINGS = {
    "CPDAG": "--> every DAG that fits has this arc; --- it may point either way",
    "PAG": "the mark at a variable: - it is a cause of the other, > it is none, o not decided",
}


def learned_page(learned: Learned, source: str) -> Group:
    """The whole summary for rich; names are shown as they are, whatever marks they hold."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in facts(learned):
        grid.add_row(Text(label, style="dim"), Text(text))
    title = Text.assemble((learned.algorithm.upper(), "bold"), f" learnt from {source}")
    if not (learned.arcs or learned.edges):
        return Group(title, grid, Text(), Text(_no_arcs(learned)))
    listed = arcs_table(learned) if learned.edges is None else edges_table(learned)
    return Group(title, grid, Text(), Text(_list_title(learned), style="italic"), listed)


def _no_arcs(learned: Learned) -> str:
    if learned.edges is not None:
        return "No edges: every pair of variables was found independent, or is kept apart."
    if learned.stop_reason != "converged":
        return "No arcs: the search was ended before it took any."
    score = "averaged score" if learned.averaged_score is not None else "score"
    return f"No arcs: no single arc improves the {score}."


def _list_title(learned: Learned) -> str:
    if learned.edges is not None:
        most = "Edges"
        if len(learned.edges) > MOST_ARCS_SHOWN:
            most = f"The first {MOST_ARCS_SHOWN} by name of {len(learned.edges):,} edges"
        return f"{most} ({MEANINGS[learned.kind]})"
    which = "Arcs"
    if len(learned.arcs) > MOST_ARCS_SHOWN:
        which = f"The {MOST_ARCS_SHOWN} strongest of {len(learned.arcs):,} arcs"
    return f"{which} (strength: score lost if removed)"


def arcs_table(learned: Learned) -> Table:
    """The arcs with their strength, strongest first, for rich."""
    from rich.table import Table
    from rich.text import Text

    strengths = learned.strengths()
    ranked = sorted(learned.arcs, key=lambda arc: (-strengths.get(arc, 0.0), arc))
    table = Table(box=None, pad_edge=False)
    table.add_column("from", overflow="fold")
    table.add_column("")
    table.add_column("to", overflow="fold")
    table.add_column("strength", justify="right", no_wrap=True)
    table.add_column("")
    lines = {frozenset((edge.left, edge.right)) for edge in learned.cpdag.edges if edge.mark == "---"}
    for tail, head in ranked[:MOST_ARCS_SHOWN]:
        strength = f"{strengths[tail, head]:,.2f}" if strengths else ""
        either = "either way" if frozenset((tail, head)) in lines else ""
        table.add_row(Text(tail), "->", Text(head), strength, either)
    return table


def edges_table(learned: Learned) -> Table:
    """The edges of a CPDAG or PAG with their marks, by name, for rich."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for left, mark, right in (learned.edges or ())[:MOST_ARCS_SHOWN]:
        table.add_row(Text(left), Text(mark), Text(right))
    return table


def learned_html(learned: Learned) -> str:
    """Facts and picture for a notebook; all names escaped."""
    picture = f"<p>{len(learned.variables):,} variables are too many to draw here.</p>"
    if len(learned.variables) <= MOST_VARIABLES_DRAWN:
        picture = PICTURES["svg_or_note"](learned.graph) or ""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(label)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for label, text in facts(learned)
    )
    return f"<div><table>{rows}</table>{picture}</div>"
