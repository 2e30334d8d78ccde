"""Tables 4 and 5: how often the reference's graph was better than, the same as or worse than every other's."""

from __future__ import annotations

from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.paper.names import file_word
from mahc.paper.numbers import DATA
from mahc.paper.numbers import wins as paper_wins
from mahc.paper.printed_subset import covers_paper
from mahc.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

WORDS = ("better", "same", "worse")
KEYS = tuple((measure, word) for measure in (*MEASURES, "overall") for word in WORDS)
_CAPTION = (
    "How often {who}'s measure was better than, the same as or worse than each algorithm's, in percent of the "
    "experiments on {data} data. An algorithm that gave no graph lost; where both gave none they are the same. "
    "Samples on which either was not available here or takes no part are left out."
)


def wins_table(results: Results, data: str) -> Table:
    """Table 4 for clean data, Table 5 for a noise."""
    number = 4 if data == "clean" else 5
    known = data in DATA
    lines = tuple(_line(results, other, data) for other in results.others)
    return Table(
        f"table-{number}" if known else f"table-{number}-{file_word(data)}",
        f"Table {number}. {results.reference_name} against each algorithm, {data} data",
        _CAPTION.format(data=data, who=results.reference_name),
        ("Relative to", "Class"),
        tuple(Column(word.capitalize(), MEASURE_TITLES.get(measure, "Overall"), 1, "%") for measure, word in KEYS),
        (Block("", lines),),
    )


def win_share(results: Results, other: ContestantInfo, data: str, measure: str, word: str, seed: int) -> float | None:
    """The share of one verdict in percent, over one seed's experiments; `overall` pools the five measures."""
    reference = results.reference
    if reference is None:
        return None
    names = MEASURES if measure == "overall" else (measure,)
    verdicts = [
        verdict(results, reference, other, where, name)
        for name in names
        for where in results.experiments(data, seed=seed)
    ]
    known = [one for one in verdicts if one is not None]
    return 100 * known.count(word) / len(known) if known else None


def verdict(
    results: Results, one: ContestantInfo, other: ContestantInfo, where: Experiment, measure: str
) -> str | None:
    """Whether `one` was better, the same or worse than `other`; None where either has not been run."""
    rows = results.row(one, where), results.row(other, where)
    # An algorithm that is not installed has not failed.
    if any(row is None or row.outcome == "unavailable" for row in rows):
        return None
    mine, theirs = results.measure(one, where, measure), results.measure(other, where, measure)
    if mine is None or theirs is None:
        return "same" if mine is theirs else ("worse" if mine is None else "better")
    # Measures are ratios of small counts: two different ones differ by far more than this.
    gap = round(theirs - mine if measure == "shd" else mine - theirs, 9)
    return "better" if gap > 0 else ("worse" if gap < 0 else "same")


def _line(results: Results, other: ContestantInfo, data: str) -> Line:
    known = data in DATA and covers_paper(results)
    printed = paper_wins(data).get(other.paper_name, {}) if known else {}
    cells = []
    for measure, word in KEYS:
        ours = results.over_seeds(partial(win_share, results, other, data, measure, word))
        cells.append(Cell(ours, printed.get((measure, word)), "" if ours else "not run"))
    return Line((other.label, other.learning_class), tuple(cells))
