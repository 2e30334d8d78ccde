"""The facts of a learned graph beside its edges, as labels and texts."""

from __future__ import annotations

from collections.abc import Sequence

from mahc.plurals import count, noun
from mahc.results.confidence_text import describe_confidence
from mahc.results.learned import Learned
from mahc.results.phrases import amount
from mahc.results.records import PruningSummary
from mahc.results.score_details import ScoreDetails

MAX_NAMES = 8


def count_edges(learned: Learned) -> str:
    """The number of arcs or, of a CPDAG or PAG, edges."""
    return count(learned.details.edge_number, learned.details.edge_word)


def score_line(learned: Learned) -> str:
    """The score with its unit and what else is known of it; or why there is none."""
    if learned.score is None:
        return f"none: {learned.without_dag}"
    run = learned.run
    settings = ", ".join(f"{name} {value:g}" for name, value in run.score_settings.items())
    text = f"{run.score.name} {learned.score:,.4f} {run.unit}" + (f" ({settings})" if settings else "")
    return text + learned.details.describe_score(run.unit)


def facts(learned: Learned) -> list[tuple[str, str]]:
    """What a summary says beside the edges, as label and text."""
    details = learned.details
    rows = count(learned.data.rows, "row")
    if learned.data.size != learned.data.rows:
        rows += f" of total weight {learned.data.size:,}"
    found = [("Data", f"{rows}, {count(len(learned.variables), 'variable')}")]
    if learned.data.passes is not None:
        found.append(("Passes", learned.data.passes.text()))
    if learned.run.missing is not None:
        found.append(("Missing", f"some values are missing; learned with the method {learned.run.missing}"))
    found.append(("Graph", f"{details.describe_graph(learned.pattern)}{_describe_unconnected(learned)}"))
    if learned.pruning is not None:
        found.append(("Pruning", _describe_pruning(learned.pruning)))
    found.append(("Score", score_line(learned)))
    end = f"{details.describe_end(learned.run)} ({details.describe_steps()}{learned.seconds:.3g} s)"
    found.append(("Ended", end))
    if isinstance(details, ScoreDetails) and (missed := details.missed_arcs(learned.run)):
        found.append(("Note", _describe_missed(missed, learned.run.unit)))
    if learned.confidence is not None:
        found.append(("Confidence", describe_confidence(learned.confidence, details.adjacent)))
    for cost in learned.constraint_costs:
        price = "did not lower the score"
        if cost.cost > 0:
            price = f"lowered the score by {amount(cost.cost, learned.run.unit)}"
        found.append(("Knowledge", f"{cost.constraint}: {price}"))
    return found


def _describe_missed(missed: list[tuple[str, str, float]], unit: str) -> str:
    tail, head, gain = missed[0]
    which = f"{tail} -> {head} by {amount(gain, unit)}"
    end = "but lower the averaged score, which decides (explain says how much)"
    if len(missed) == 1:
        return f"1 more arc would raise the score, {which}, {end}"
    return f"{count(len(missed), 'more arc')} would each raise the score, {which} the most, {end}"


def _describe_pruning(pruning: PruningSummary) -> str:
    pruned = " + ".join(f"{n:,}" for n in pruning.pruned_per_level) or "0"
    sets = " + ".join(f"{n:,}" for n in pruning.valid_sets_per_level)
    levels = len(pruning.pruned_per_level)
    where = "at level 1" if levels == 1 else f"at levels 1 to {levels}" if levels else "before the run was stopped"
    arcs, parent_sets = noun(_alone(pruning.pruned_per_level), "arc"), noun(_alone(pruning.valid_sets_per_level), "set")
    return f"{pruned} {arcs} pruned {where}, {len(pruning.allowed_arcs):,} left; {sets} candidate parent {parent_sets}"


def _alone(numbers: Sequence[int]) -> int:
    """The number that stands before the noun, where it is the only one."""
    return numbers[0] if len(numbers) == 1 else 0


def _describe_unconnected(learned: Learned) -> str:
    others = learned.details.unconnected()
    if not others or len(others) == len(learned.variables):
        return ""
    more = ", ..." if len(others) > MAX_NAMES else ""
    return f"; {count(len(others), 'unconnected variable')}: {', '.join(others[:MAX_NAMES])}{more}"
