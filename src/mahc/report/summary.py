"""A learned graph for a person: in a terminal and in a notebook."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from mahc.search.learned import Learned

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_ARCS_SHOWN = 60
REASONS = {
    "converged": "no neighbour is better",
    "time_limit": "the time limit was reached: this is the best graph so far",
    "interrupted": "it was interrupted: this is the best graph so far",
    "step_limit": "the step limit was reached: this is the best graph so far",
}


def score_line(learned: Learned) -> str:
    """The own score with its base and, where there is one, the averaged score."""
    base = "e" if learned.score_base == math.e else f"{learned.score_base:g}"
    extra = "".join(f", {name} {value:g}" for name, value in learned.score_settings.items())
    text = f"{learned.score_name} {learned.score:,.4f} (log base {base}{extra})"
    if learned.averaged_score is not None:
        text += f", averaged over its neighbours {learned.averaged_score:,.4f}"
    return text


def facts(learned: Learned) -> list[tuple[str, str]]:
    """What there is to say beside the arcs, as label and text."""
    rows = f"{learned.rows:,} rows"
    if learned.size != learned.rows:
        rows += f" of total weight {learned.size:,}"
    found = [
        ("Data", f"{rows}, {len(learned.variables):,} variables"),
        ("Graph", f"{len(learned.arcs):,} arcs, {_undecided(learned)}"),
        ("Score", score_line(learned)),
        ("Ended", f"{REASONS[learned.stop_reason]} ({len(learned.steps):,} steps, {learned.seconds:.3g} s)"),
    ]
    if learned.pruning is not None:
        pruning = learned.pruning
        gone = " + ".join(f"{n:,}" for n in pruning.pruned_per_level) or "0"
        sets = " + ".join(f"{n:,}" for n in pruning.valid_sets_per_level)
        text = f"{gone} arcs pruned at levels 1 to {len(pruning.pruned_per_level)}, {len(pruning.allowed_arcs):,} left"
        found.insert(2, ("Pruning", f"{text}; {sets} candidate parent sets"))
    for cost in learned.constraint_costs:
        price = "cost nothing" if cost.cost <= 0 else f"cost {cost.cost:,.4f} of score"
        found.append(("Knowledge", f"{cost.constraint}: {price}"))
    return found


def _undecided(learned: Learned) -> str:
    lines = sum(1 for edge in learned.cpdag.edges if edge.mark == "---")
    if lines == 0:
        return "every direction decided by data and knowledge"
    return f"{lines:,} of them could point either way (the data cannot tell)"


def learned_table(learned: Learned) -> RenderableType:
    """The arcs with their strength, strongest first, for rich."""
    from rich.markup import escape as plain
    from rich.table import Table

    strengths = learned.strengths()
    ranked = sorted(strengths, key=lambda arc: (-strengths[arc], arc))
    title = "Arcs (strength: score lost if removed)"
    if len(ranked) > MOST_ARCS_SHOWN:
        title = f"The {MOST_ARCS_SHOWN} strongest of {len(ranked):,} arcs (strength: score lost if removed)"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("from")
    table.add_column("")
    table.add_column("to")
    table.add_column("strength", justify="right")
    directed = {(edge.left, edge.right) for edge in learned.cpdag.edges if edge.mark == "-->"}
    directed |= {(edge.right, edge.left) for edge in learned.cpdag.edges if edge.mark == "<--"}
    for tail, head in ranked[:MOST_ARCS_SHOWN]:
        either = "" if (tail, head) in directed else "  either way"
        table.add_row(plain(tail), "->", plain(head) + either, f"{strengths[tail, head]:,.2f}")
    return table


def learned_html(learned: Learned) -> str:
    """Facts and picture for a notebook; all names escaped."""
    from mahc.report.svg import svg

    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(label)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for label, text in facts(learned)
    )
    return f"<div><table>{rows}</table>{svg(learned.dag)}</div>"
