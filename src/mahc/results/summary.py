"""A learned graph for a person: its facts as labels and texts, in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Literal

from mahc.data.columns import Kind
from mahc.data.prepare.notes import enumerate_some, merged_label
from mahc.plurals import count, noun
from mahc.results.explanation import EdgeTable, amount
from mahc.results.graph_sample import add_columns, describe_confidence
from mahc.results.learned import Learned
from mahc.results.outcomes.dag import DagOutcome, PruningSummary
from mahc.safe_text import escape_controls

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

MAX_NAMES = 8
NUMBERS = ("strength", "resamples", "sampled graphs", "direction", "as here")  # columns that stay in one piece
MAX_VARIABLES_DRAWN = 500  # in a notebook; a picture of 1,000 takes seconds and cannot be read


def count_edges(learned: Learned) -> str:
    """The number of arcs or, of a CPDAG or PAG, edges."""
    return count(learned.outcome.edge_number, learned.outcome.edge_word)


def score_line(learned: Learned) -> str:
    """The score with its unit and what else is known of it; or why there is none."""
    if learned.score is None:
        return f"none: {learned.without_dag}"
    run = learned.run
    given = {name: value for name, value in run.score_settings.items() if value is not None}
    settings = ", ".join(f"{name} {value:g}" for name, value in given.items())
    text = f"{run.score.name} {learned.score:,.4f} {run.unit}" + (f" ({settings})" if settings else "")
    return text + learned.outcome.describe_score(run.unit)


def facts(learned: Learned) -> list[tuple[str, str]]:
    """What a summary says beside the edges, as label and text."""
    outcome = learned.outcome
    rows = count(learned.data.rows, "row")
    reading = learned.data.reading
    if learned.data.size != learned.data.rows or (reading is not None and "weights" in reading.settings):
        rows += f" of total weight {learned.data.size:,}"
    found = [("Data", f"{rows}, {count(len(learned.variables), 'variable')}")]
    if learned.data.passes is not None:
        found.append(("Passes", learned.data.passes.text()))
    if learned.run.experiments is not None:
        found.append(("Experiments", learned.run.experiments.describe()))
    if learned.run.missing is not None:
        found.append(("Missing", f"some values are missing; learned with the method {learned.run.missing}"))
    if (numbers := describe_numbers(learned)) is not None:
        found.append(("Numbers", numbers))
    found.append(("Graph", f"{outcome.describe_graph(learned.pattern)}{_describe_unconnected(learned)}"))
    if learned.changes:
        found.append(("Contexts", describe_changes(learned.changes)))
    error = learned.run.measurement_error
    if error is not None and error.noticed:
        found.append(("Noise", error.describe()))
    elif (reason := _why_unexamined(learned)) is not None:
        found.append(("Noise", f"not examined for measurement error, because {reason}"))
    if learned.pruning is not None:
        found.append(("Pruning", _describe_pruning(learned.pruning)))
    found.append(("Score", score_line(learned)))
    end = f"{outcome.describe_end(learned.run)} ({outcome.describe_steps()}{learned.seconds:.3g} s)"
    found.append(("Ended", end))
    if learned.run.timings:
        found.append(("Time", describe_time(learned)))
    if isinstance(outcome, DagOutcome) and (missed := outcome.missed_arcs(learned.run)):
        found.append(("Note", _describe_missed(missed, learned.run.unit)))
    if isinstance(outcome, DagOutcome) and (costly := outcome.costly_arcs(learned.run)):
        found.append(("Note", _describe_costly(costly, learned.run.unit)))
    if learned.confidence is not None:
        found.append(("Confidence", describe_confidence(learned.confidence, outcome.adjacent)))
    if isinstance(outcome, DagOutcome) and (beliefs := outcome.describe_beliefs(learned.run)) is not None:
        found.append(("Beliefs", beliefs))
    for cost in learned.constraint_costs:
        price = "did not lower the score"
        if cost.cost > 0:
            price = f"lowered the score by {amount(cost.cost, learned.run.unit)}"
        found.append(("Knowledge", f"{cost.constraint}: {price}"))
    return found


def describe_time(learned: Learned) -> str:
    """How long the whole run took and where the time went; of data in pieces also the seconds of their passes.

    >>> import mahc
    >>> found = mahc.learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
    >>> describe_time(found)  # doctest: +SKIP
    '0.0172 s: reading 0.00432 s, search 0.0121 s, description 0.0008 s'
    """
    parts = dict(learned.run.timings)
    if learned.confidence is not None:  # its search is another one
        parts |= {name: each for name, each in learned.confidence.run.timings.items() if name not in parts}
    text = f"{sum(parts.values()):.3g} s: {_list_seconds(parts)}"
    passes = learned.data.passes
    if passes is None:
        return text
    phases = {name: phase.seconds for name, phase in passes.phases.items()}
    return f"{text}; of these {sum(phases.values()):.3g} s in passes ({_list_seconds(phases)})"


def _list_seconds(parts: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {seconds:.3g} s" for name, seconds in parts.items())


def describe_changes(changes: Mapping[str, Sequence[str]]) -> str:
    """What differs between the states of each context.

    >>> describe_changes({"hospital": ["pulse", "dose"], "year": []})
    'what differs by hospital: pulse, dose; by year: nothing'
    """
    listed = [f"by {context}: {enumerate_some(list(names)) or 'nothing'}" for context, names in changes.items()]
    return f"what differs {'; '.join(listed)}"


def describe_numbers(learned: Learned) -> str | None:
    """How columns of numbers were treated and why, in one line; None where there were none."""
    record, score = learned.run.numbers, learned.run.score
    if record is None:
        return None
    cuts = learned.cut_points
    points = enumerate_some(describe_cuts(cuts, learned.merged_states))
    how = {
        "smooth": f"smooth, degree {getattr(score, 'degree', None)}",
        "cuts": "cuts",
        "mixed": f"mixed: {count(len(cuts), 'column')} cut, the others smooth, degree {getattr(score, 'degree', None)}",
    }[record.treatment]
    return record.describe(how) + (f"; {points}" if points else "")


def describe_cuts(
    cut_points: Mapping[str, Sequence[float]], merged_states: Mapping[str, Sequence[Sequence[str]]]
) -> list[str]:
    """Columns with their cut points, and with their states where neighbouring ones were merged.

    >>> describe_cuts({"age": (18.0, 65.0), "dose": ()}, {"grade": [["low", "medium"], ["high"]]})
    ['age at 18, 65', 'dose in one interval', 'grade with low..medium merged']
    """
    listed = ((name, ", ".join(f"{cut:.6g}" for cut in cuts)) for name, cuts in cut_points.items())
    found = [f"{name} at {points}" if points else f"{name} in one interval" for name, points in listed]
    for name, groups in merged_states.items():
        merged = enumerate_some([merged_label(group) for group in groups if len(group) > 1])
        found.append(f"{name} with {merged} merged")
    return found


def _describe_missed(missed: list[tuple[str, str, float]], unit: str) -> str:
    tail, head, gain = missed[0]
    which = f"{tail} -> {head} by {amount(gain, unit)}"
    end = "but lower the averaged score, which decides (explain says how much)"
    if len(missed) == 1:
        return f"1 more arc would raise the score, {which}, {end}"
    return f"{count(len(missed), 'more arc')} would each raise the score, {which} the most, {end}"


def _describe_costly(costly: list[tuple[str, str, float]], unit: str) -> str:
    tail, head, gain = costly[0]
    which = f"{tail} -> {head} alone it would be {amount(gain, unit)} higher"
    arcs = "1 arc lowers" if len(costly) == 1 else f"{count(len(costly), 'arc')} lower"
    return f"{arcs} the score: without {which}, but the averaged score, which decides, lower"


def _why_unexamined(learned: Learned) -> str | None:
    """Why a run on numbers that was to look for measurement error did not; None where it did, or was not to."""
    run = learned.run
    if run.measurement_error is not None or run.settings.get("measurement_error") != "auto" or run.stop_reason.early:
        return None
    if Kind.CONTINUOUS not in run.score.columns:
        return None
    if run.score.name != "smooth":
        return f"the rule is for the smooth score, not for {run.score.name}"
    return "values are missing" if run.missing is not None else "rows come from experiments"


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
    others = learned.outcome.unconnected()
    if not others or len(others) == len(learned.variables):
        return ""
    more = ", ..." if len(others) > MAX_NAMES else ""
    return f"; {count(len(others), 'unconnected variable')}: {', '.join(others[:MAX_NAMES])}{more}"


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
    if not learned.outcome.edge_number:
        return Group(title, grid, Text(), Text(escape_controls(learned.outcome.describe_empty(learned.run))))
    listed = learned.outcome.edge_table(learned.pattern, learned.run)
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
