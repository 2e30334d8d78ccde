"""A learned graph for a person: in a terminal and in a notebook."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from mahc.search import ALGORITHMS
from mahc.search.learned import Learned

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

MOST_ARCS_SHOWN = 60
MOST_NAMES_SHOWN = 8
MOST_VARIABLES_DRAWN = 500  # in a notebook; a picture of 1,000 takes seconds and nobody reads it
REASONS = {
    "converged": "no neighbour is better",
    "time_limit": "the time limit was reached: this is the best graph so far",
    "interrupted": "it was interrupted: this is the best graph so far",
    "step_limit": "the step limit was reached: this is the graph so far",
}


def count(number: int, word: str) -> str:
    """A number and its noun.

    >>> count(1, "arc"), count(2500, "row")
    ('1 arc', '2,500 rows')
    """
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _ending(learned: Learned) -> str:
    if learned.stop_reason == "converged" and learned.algorithm in ALGORITHMS:
        return ALGORITHMS[learned.algorithm].ending
    return REASONS[learned.stop_reason]


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
    rows = count(learned.rows, "row")
    if learned.size != learned.rows:
        rows += f" of total weight {learned.size:,}"
    found = [("Data", f"{rows}, {count(len(learned.variables), 'variable')}")]
    found.append(("Graph", f"{count(len(learned.arcs), 'arc')}{_undecided(learned)}{_alone(learned)}"))
    if learned.pruning is not None:
        found.append(("Pruning", _pruning_line(learned)))
    found.append(("Score", score_line(learned)))
    ended = _ending(learned)
    found.append(("Ended", f"{ended} ({count(len(learned.steps), 'step')}, {learned.seconds:.3g} s)"))
    for cost in learned.constraint_costs:
        price = "cost nothing" if cost.cost <= 0 else f"cost {cost.cost:,.4f} of score"
        found.append(("Knowledge", f"{cost.constraint}: {price}"))
    return found


def _pruning_line(learned: Learned) -> str:
    assert learned.pruning is not None
    gone = " + ".join(f"{n:,}" for n in learned.pruning.pruned_per_level) or "0"
    sets = " + ".join(f"{n:,}" for n in learned.pruning.valid_sets_per_level)
    levels = len(learned.pruning.pruned_per_level)
    where = "at level 1" if levels == 1 else f"at levels 1 to {levels}" if levels else "before it was ended"
    left = f"{len(learned.pruning.allowed_arcs):,} left"
    return f"{gone} arcs pruned {where}, {left}; {sets} candidate parent sets"


def _undecided(learned: Learned) -> str:
    if not learned.arcs:
        return ""
    lines = sum(1 for edge in learned.cpdag.edges if edge.mark == "---")
    if lines == 0:
        return ", every direction decided by data and knowledge"
    which = "which" if len(learned.arcs) == 1 else f"{lines:,} of them"
    return f", {which} could point either way (the data cannot tell)"


def _alone(learned: Learned) -> str:
    joined = {name for arc in learned.arcs for name in arc}
    alone = [name for name in learned.variables if name not in joined]
    if not alone or not joined:
        return ""
    more = ", ..." if len(alone) > MOST_NAMES_SHOWN else ""
    names = ", ".join(alone[:MOST_NAMES_SHOWN]) + more
    return f"; {count(len(alone), 'variable')} without any: {names}"


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
    if not learned.arcs:
        return Group(title, grid, Text(), Text(_no_arcs(learned)))
    return Group(title, grid, Text(), Text(_arcs_title(learned), style="italic"), arcs_table(learned))


def _no_arcs(learned: Learned) -> str:
    if learned.stop_reason != "converged":
        return "No arcs: the search was ended before it took any."
    score = "averaged score" if learned.averaged_score is not None else "score"
    return f"No arcs: no single arc improves the {score}."


def _arcs_title(learned: Learned) -> str:
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


def learned_html(learned: Learned) -> str:
    """Facts and picture for a notebook; all names escaped."""
    from mahc.report.svg import svg

    picture = f"<p>{len(learned.variables):,} variables are too many to draw here.</p>"
    if len(learned.variables) <= MOST_VARIABLES_DRAWN:
        picture = svg(learned.dag)
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(label)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for label, text in facts(learned)
    )
    return f"<div><table>{rows}</table>{picture}</div>"
