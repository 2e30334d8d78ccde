"""What there is to say of a learned graph beside its edges, as labels and texts."""

from __future__ import annotations

import math
from collections import Counter

from mahc.algorithms import ALGORITHMS
from mahc.results.learned import Learned

MOST_NAMES_SHOWN = 8
REASONS = {
    "converged": "no neighbour is better",
    "time_limit": "the time limit was reached: this is the best graph so far",
    "interrupted": "it was interrupted: this is the best graph so far",
    "step_limit": "the step limit was reached: this is the graph so far",
}
UNTESTED = "; edges that were not tested to the end are still in it"
KINDS_OF_EDGE = {"-->": "arc", "---": "undirected edge", "<->": "two-headed edge"}  # the others by their marks


def count(number: int, word: str) -> str:
    """A number and its noun.

    >>> count(1, "arc"), count(2500, "row")
    ('1 arc', '2,500 rows')
    """
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def count_edges(learned: Learned) -> str:
    """How many arcs or, of a CPDAG or PAG, edges there are."""
    return count(len(learned.arcs), "arc") if learned.edges is None else count(len(learned.edges), "edge")


def score_line(learned: Learned) -> str:
    """The own score with its base and what else is known of it; or why there is none."""
    if learned.score is None:
        return f"none: {learned.without_dag}"
    base = "e" if learned.score_base == math.e else f"{learned.score_base:g}"
    extra = "".join(f", {name} {value:g}" for name, value in learned.score_settings.items())
    text = f"{learned.score_name} {learned.score:,.4f} (log base {base}{extra})"
    if learned.averaged_score is not None:
        text += f", averaged over its neighbours {learned.averaged_score:,.4f}"
    if learned.extension is not None:
        text += f", of a DAG that fits the {learned.kind}"
    if learned.gap is not None:
        text += ", proven optimal" if learned.gap == 0 else f", at most {learned.gap:,.4f} below the best possible"
    return text


def facts(learned: Learned) -> list[tuple[str, str]]:
    """What there is to say beside the arcs, as label and text."""
    rows = count(learned.rows, "row")
    if learned.size != learned.rows:
        rows += f" of total weight {learned.size:,}"
    found = [("Data", f"{rows}, {count(len(learned.variables), 'variable')}")]
    shape = count_edges(learned) + (_undecided(learned) if learned.edges is None else _kinds(learned))
    found.append(("Graph", f"{shape}{_alone(learned)}"))
    if learned.pruning is not None:
        found.append(("Pruning", _pruning_line(learned)))
    found.append(("Score", score_line(learned)))
    steps = f"{count(len(learned.steps), 'step')}, " if learned.edges is None else ""
    found.append(("Ended", f"{_ending(learned)} ({steps}{learned.seconds:.3g} s)"))
    for cost in learned.constraint_costs:
        price = "cost nothing" if cost.cost <= 0 else f"cost {cost.cost:,.4f} of score"
        found.append(("Knowledge", f"{cost.constraint}: {price}"))
    return found


def _ending(learned: Learned) -> str:
    if learned.stop_reason == "converged" and learned.algorithm in ALGORITHMS:
        return ALGORITHMS[learned.algorithm].ending
    return REASONS[learned.stop_reason] + (UNTESTED if learned.edges is not None else "")


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


def _kinds(learned: Learned) -> str:
    """The kind of graph, and how many edges of each kind it has."""
    number = Counter(edge.mark for edge in learned.edges or ())
    marks = [*(mark for mark in KINDS_OF_EDGE if mark in number), *sorted(number.keys() - KINDS_OF_EDGE.keys())]
    told = [count(number[mark], KINDS_OF_EDGE.get(mark, f"{mark} edge")) for mark in marks]
    return f" of a {learned.kind}" + (f": {', '.join(told)}" if told else "")


def _alone(learned: Learned) -> str:
    pairs = learned.arcs if learned.edges is None else [(edge.left, edge.right) for edge in learned.edges]
    joined = {name for pair in pairs for name in pair}
    alone = [name for name in learned.variables if name not in joined]
    if not alone or not joined:
        return ""
    more = ", ..." if len(alone) > MOST_NAMES_SHOWN else ""
    names = ", ".join(alone[:MOST_NAMES_SHOWN]) + more
    return f"; {count(len(alone), 'variable')} without any: {names}"
