"""Comparisons of two contestants: wins (Tables 4 and 5), the phases of MAHC against HC (Table 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mahc.lab.outline import ContestantInfo, Row
from mahc.lab.paper.numbers import DATA, ONLY_AVERAGING, ONLY_PRUNING, average_changes
from mahc.lab.paper.numbers import wins as paper_wins
from mahc.lab.paper.results import MEASURE_TITLES, MEASURES, Experiment, Results, covers_paper, file_word
from mahc.lab.report.table import Block, Cell, Column, Line, Table, mean

WORDS = ("better", "same", "worse")
KEYS = tuple((measure, word) for measure in (*MEASURES, "overall") for word in WORDS)
_CAPTION = (
    "How often {who}'s measure was better than, the same as or worse than each algorithm's, in percent of the "
    "experiments on {data} data. An algorithm that gave no graph lost; where both gave none they are the same. "
    "Samples on which either was not available here or takes no part are left out."
)

PHASES = (ONLY_PRUNING, ONLY_AVERAGING, "MAHC")
CAPTION = (
    "The mean over all experiments minus HC's mean, in percent of HC's. Only experiments that both finished count. BIC "
    "is negative, so its change is HC's mean divided by the other's, minus one, as in the paper: above zero is better."
)
_READ: dict[str, Callable[[Row], float | None]] = {
    "bsf": lambda row: row.measures.get("bsf"),
    "f1": lambda row: row.measures.get("f1"),
    "recall": lambda row: row.measures.get("recall"),
    "precision": lambda row: row.measures.get("precision"),
    "shd": lambda row: row.measures.get("shd"),
    "bic": lambda row: row.score,
    "free_parameters": lambda row: row.free_parameters,
    "edges": lambda row: row.edges,
    "seconds": lambda row: row.seconds,
}
TITLES = {
    "bsf": "BSF",
    "f1": "F1",
    "recall": "Recall",
    "precision": "Precision",
    "shd": "SHD",
    "bic": "BIC",
    "free_parameters": "Free parameters",
    "edges": "Edges learned",
}


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


def phases_table(results: Results) -> Table:
    """Table 7 without its runtime column, which depends on the machine."""
    columns = tuple(Column(title, digits=2, unit="%") for title in TITLES.values())
    return Table(
        "table-7",
        "Table 7. The phases of MAHC against HC",
        CAPTION,
        ("Phase",),
        columns,
        _blocks(results, _changes),
    )


def phase_seconds_table(results: Results) -> Table:
    """Table 7's runtime column: seconds per experiment beyond HC's, and the ratio to HC's."""
    columns = (
        Column("Seconds more than HC, per experiment", digits=2),
        Column("Times HC's seconds", digits=1, unit="×"),
    )
    caption = "The mean over the experiments that both finished. The paper prints the seconds alone."
    return Table("table-7-seconds", "Table 7. Runtime per case", caption, ("Phase",), columns, _blocks(results, _times))


def change(results: Results, who: ContestantInfo, data: Sequence[str], key: str, seed: int) -> float | None:
    """The change of an average against HC, in percent, over one seed's experiments on these kinds of data."""
    value, base = _averages(results, who, data, key, seed)
    if value is None or base is None:
        return None
    top, bottom = (base, value) if key == "bic" else (value, base)
    return 100 * (top / bottom - 1) if bottom else None


def _averages(
    results: Results, who: ContestantInfo, data: Sequence[str], key: str, seed: int
) -> tuple[float | None, float | None]:
    baseline = results.by_paper_name("HC")
    if baseline is None:
        return None, None
    pairs = []
    for kind in data:
        for where in results.experiments(kind, seed=seed):
            value, base = results.value(who, where, _READ[key]), results.value(baseline, where, _READ[key])
            if value is not None and base is not None:
                pairs.append((value, base))
    return mean(value for value, _ in pairs), mean(base for _, base in pairs)


def _blocks(results: Results, line: Callable[[Results, ContestantInfo, str], Line]) -> tuple[Block, ...]:
    present = [one for name in PHASES if (one := results.by_paper_name(name)) is not None]
    kinds = (*results.outline.data, *(("overall",) if len(results.outline.data) > 1 else ()))
    return tuple(
        Block("Overall" if kind == "overall" else f"{kind} data", tuple(line(results, one, kind) for one in present))
        for kind in kinds
    )


def _kinds(results: Results, kind: str) -> tuple[str, ...]:
    return results.outline.data if kind == "overall" else (kind,)


def _changes(results: Results, who: ContestantInfo, kind: str) -> Line:
    printed = average_changes().get((kind, who.paper_name), {}) if covers_paper(results) else {}
    cells = []
    for key in TITLES:
        ours = results.over_seeds(partial(change, results, who, _kinds(results, kind), key))
        cells.append(Cell(ours, printed.get(key), "" if ours else "not known"))
    return Line((who.label,), tuple(cells))


def _times(results: Results, who: ContestantInfo, kind: str) -> Line:
    def extra(seed: int) -> float | None:
        value, base = _averages(results, who, _kinds(results, kind), "seconds", seed)
        return None if value is None or base is None else value - base

    def ratio(seed: int) -> float | None:
        value, base = _averages(results, who, _kinds(results, kind), "seconds", seed)
        return None if value is None or not base else value / base

    known = average_changes().get((kind, who.paper_name), {}) if covers_paper(results) else {}
    printed = known.get("seconds")
    return Line((who.label,), (Cell(results.over_seeds(extra), printed), Cell(results.over_seeds(ratio))))
